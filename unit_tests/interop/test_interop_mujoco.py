"""Models and states from MuJoCo: its inverse dynamics, mass matrix and poses agree with this
library.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mujoco_files import PENDULUM, TREE

from spatial_v2 import (
    CRBA,
    ID,
    FDab,
    LoaderWarning,
    ModelError,
    ModelFileError,
    forward_kinematics,
    random_configuration,
)
from spatial_v2.io import example_robots, load_mjcf, load_model, to_urdf
from spatial_v2.models import autoTree

mujoco = pytest.importorskip("mujoco")
from spatial_v2.interop.mujoco import from_mujoco, mujoco_states  # noqa: E402

OWN = Path(mujoco.__file__).parent / "testdata"


def unconstrained(peer: Any) -> Any:
    """Remove contacts, limits, springs of balls, tendons and air from a MuJoCo model, which this
    library's models do not have.
    """
    bit = mujoco.mjtDisableBit
    peer.opt.disableflags |= int(bit.mjDSBL_CONTACT) | int(bit.mjDSBL_CONSTRAINT)
    peer.jnt_stiffness[peer.jnt_type < 2] = 0
    names = ["jnt_stiffnesspoly", "tendon_stiffness", "tendon_damping", "tendon_armature"]
    if (peer.actuator_trntype > 1).any():
        names += ["actuator_armature", "actuator_damping"]
    for name in ("body_gravcomp", *names):
        if hasattr(peer, name):
            getattr(peer, name)[:] = 0
    peer.opt.density = peer.opt.viscosity = 0
    return peer


def full(peer: Any, data: Any) -> np.ndarray:
    H = np.zeros((peer.nv, peer.nv))
    if hasattr(data, "qM"):
        mujoco.mj_fullM(peer, H, data.qM)
    else:
        mujoco.mj_fullM(peer, data, H)
    return H


def check(peer: Any, atol: float = 1e-12) -> Any:
    """Check that joint forces, mass matrix and positions of sites agree, without what a `Model`
    does not have.
    """
    return agree(unconstrained(peer), atol)


def agree(peer: Any, atol: float = 1e-12) -> Any:
    """Check that joint forces, mass matrix and positions of sites agree, for a MuJoCo model with
    its own options.
    """
    model = from_mujoco(peer)
    states, rng, data = mujoco_states(model, peer), np.random.default_rng(0), mujoco.MjData(peer)
    for _ in range(3):
        q, (qd, qdd) = random_configuration(model, rng), rng.standard_normal((2, model.NV))
        data.qpos[:], data.qvel[:] = states.q_to(q), states.v_to(q, qd)
        data.qacc[:] = states.a_to(q, qd, qdd)
        mujoco.mj_inverse(peer, data)
        tau, H = ID(model, q, qd, qdd), states.H_from(q, full(peer, data))
        theirs = states.tau_from(q, data.qfrc_inverse)
        scale = np.abs(tau).max()
        np.testing.assert_allclose(theirs / scale, tau / scale, rtol=0, atol=atol)
        np.testing.assert_allclose(H, CRBA(model, q), rtol=0, atol=atol * np.abs(H).max())
        np.testing.assert_allclose(FDab(model, q, qd, theirs), qdd, rtol=1e-8, atol=1e-8)
        for s in range(peer.nsite):
            name = peer.site(s).name
            if not name:
                continue
            found = f"site:{name}" if f"site:{name}" in model.frames else name
            site = forward_kinematics(model, q, frame=found)
            np.testing.assert_allclose(site.R, data.site_xmat[s].reshape(3, 3), atol=1e-10)
            np.testing.assert_allclose(site.p, data.site_xpos[s], atol=1e-10)
        np.testing.assert_allclose(states.q_from(data.qpos), q, atol=1e-14)
        np.testing.assert_allclose(states.v_from(q, data.qvel), qd, atol=1e-12)
        np.testing.assert_allclose(states.a_from(q, qd, data.qacc), qdd, atol=1e-12)
    return model


def test_a_tree_of_all_joints_has_the_dynamics_of_mujoco() -> None:
    """The tree has free and ball joints, several joints on a body, anchors, references, default
    classes, welded bodies.
    """
    model = check(mujoco.MjModel.from_xml_string(TREE))
    assert model.jtype == ("Fb", "Ry", "Px", "Rx-", "S", "Py-", "Rz")
    assert model.body_names == ("base", "arm_1", "arm_2", "arm", "ball", "cart", "body6")
    assert model.limits["h1"][:2] == pytest.approx((-1.3, 1.7))
    assert {"tip", "site:arm", "weld"} < model.frames.keys()


@pytest.mark.parametrize("file", sorted(OWN.glob("*.xml")), ids=lambda f: f.name)
def test_files_of_the_wheel_have_the_dynamics_of_mujoco(file: Path) -> None:
    peer = mujoco.MjModel.from_xml_path(str(file))
    if peer.nv == 0:
        pytest.skip("nothing moves in it")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LoaderWarning)
        check(peer)


@pytest.mark.parametrize("name", ["talos", "hyq", "ur5", "panda", "anymal", "solo12", "icub"])
@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
def test_urdf_files_have_the_dynamics_of_mujoco(name: str, tmp_path: Path) -> None:
    """The dynamics of a URDF file agree, which MuJoCo reads without meshes."""
    robots = example_robots()
    if name not in robots:
        pytest.skip("example-robot-data is not installed")
    text = to_urdf(load_model(name, couplings="free").replace(mimic=None), tmp_path / "robot.urdf")
    compiler = '<mujoco><compiler balanceinertia="true" fusestatic="true"/></mujoco>'
    text = re.sub(r"(<robot [^>]*>)", rf"\1{compiler}", text, count=1)
    (tmp_path / "robot.urdf").write_text(text)
    try:
        peer = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.urdf"))
    except ValueError as error:
        pytest.skip(f"MuJoCo does not compile it: {error}")
    check(peer, 1e-10)


FLAGS = """<mujoco><option gravity="1 2 -9"><flag contact="disable" {}="disable"/></option>
<worldbody><body name="a" euler="0.1 0.2 0.3">
<inertial pos=".1 .2 .3" mass="2" diaginertia="3 4 5"/>
<joint name="h" axis="1 2 0" damping="0.5" frictionloss="0.02" armature="0.1"/>
<body name="b" pos=".3 0 .1"><inertial pos=".1 .2 .3" mass="2" diaginertia="3 4 5"/>
<joint name="s" type="slide" axis="0 1 3" damping="0.7" frictionloss="0.03"/>
<body name="c"><inertial pos=".1 .2 .3" mass="1" diaginertia="3 4 5"/>
<joint name="b" type="ball" damping="0.3" armature="0.2"/></body></body></body></worldbody>
<actuator><motor joint="h" gear="5" {}/><position joint="s" gear="-2" {}/><motor joint="h" {}/>
</actuator></mujoco>"""
OF_ACTUATORS = "armature" if hasattr(mujoco.MjModel, "actuator_armature") else ""


@pytest.mark.parametrize(
    "flag", ["gravity", "damper", "frictionloss", "constraint", "spring", "actuation", "limit"]
)
def test_flags_and_actuators_have_the_effect_of_mujoco(flag: str) -> None:
    """Forces and mass matrix agree with MuJoCo under each of its flags, without a warning."""
    given = ['armature="0.3" damping="0.7"', 'armature="0.2" damping="1.3"', 'armature="4"']
    given = given if OF_ACTUATORS else [""] * 3
    if f"mjDSBL_{flag.upper()}" not in mujoco.mjtDisableBit.__members__:
        pytest.skip(f"this MuJoCo has no flag {flag}")
    model = agree(mujoco.MjModel.from_xml_string(FLAGS.format(flag, *given)))
    assert (model.damping is None) == (flag == "damper")
    assert (model.friction is None) == (flag in ("frictionloss", "constraint"))
    assert model.gravity.any() == (flag != "gravity")
    assert model.armature[0] == pytest.approx(0.1 + (25 * 0.3 + 4 if OF_ACTUATORS else 0))


def test_generated_names_are_new() -> None:
    """Elements without a name get an unused one, so that every valid file is read."""
    mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    peer = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody><body name="a">{mass}<joint/><joint name="joint0" axis="1 0 0"/>
        <joint axis="0 1 0"/><site/><site name="site0"/><site name="a"/><site name="site:a"/>
        <body name="a_1">{mass}<joint name="joint2"/></body></body>
        <body>{mass}<joint/></body><body name="body3">{mass}<joint/></body></worldbody></mujoco>"""
    )
    model = agree(peer)
    assert model.joint_names == ("joint0_", "joint0", "joint2_", "joint2", "joint4", "joint5")
    assert model.body_names == ("a_1_", "a_2", "a", "a_1", "body3_", "body3")
    assert {"a", "site0_", "site0", "site:a", "site:site:a"} < model.frames.keys()


SPRUNG = """<mujoco>{}<worldbody><body><freejoint/><geom size=".1"/><body pos=".1 .2 .3">
<joint name="h" axis="0 1 0" ref="20" springref="35" stiffness="3" damping=".1"/><geom size=".1"/>
<body pos="0 .2 .3"><joint name="s" type="slide" ref=".2" stiffness="40"/><geom size=".1"/></body>
</body></body></worldbody></mujoco>"""


def test_springs_of_hinges_and_slides_are_those_of_mujoco() -> None:
    """Stiffness and rest are read, relative to MuJoCo's reference positions; flags switch springs
    off.
    """
    model = agree(unconstrained(mujoco.MjModel.from_xml_string(SPRUNG.format(""))))
    assert model.stiffness.tolist() == [0.0] * 6 + [3.0, 40.0]
    np.testing.assert_allclose(model.rest[6:], [np.deg2rad(15), -0.2], rtol=1e-14)
    known = mujoco.mjtDisableBit.__members__
    for flag in (x for x in ("spring", "passive") if f"mjDSBL_{x.upper()}" in known):
        option = f'<option><flag {flag}="disable"/></option>'
        model = agree(unconstrained(mujoco.MjModel.from_xml_string(SPRUNG.format(option))))
        assert model.stiffness is None and model.rest is None


BODY = """<body name="p"><inertial pos=".1 .2 .3" mass="2" diaginertia="3 4 5"/>
<joint name="j"/>{}</body><body name="o"><joint name="k" type="ball" stiffness="{}"/>
<inertial pos=".1 .2 .3" mass="2" diaginertia="3 4 5"/></body>"""
TENDON = '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
PARTS = {
    "springs of balls and free joints": (3, "", ""),
    "compensation of gravity": (0, '<body name="q" gravcomp="1"/>', ""),
    "tendons": (0, "", TENDON),
    "a fluid": (0, "", '<option density="2"/>'),
    "equality constraint 'e' with a mocap body": (
        0, '</body><body name="m" mocap="true">',
        '<equality><weld name="e" body1="m" body2="o"/></equality>'),
}  # fmt: skip
COUPLED = {
    "equality joint 'e'": '<joint name="e" joint1="j" polycoef="0.1"/>',
    "equality connect (1, data in model.loops": '<connect body1="p" body2="o" anchor="0 0 0"/>',
    "equality weld (1, data in model.loops": '<weld body1="p" body2="o"/>',
}
if OF_ACTUATORS:
    PARTS |= {
        "damping that is not linear": (
            0, "", '<actuator><motor joint="j" damping="1 2"/></actuator>'),
        "armature of actuators that drive no single joint": (
            0, "", '<actuator><motor joint="k" armature="1" gear="1 2 3 0 0 0"/></actuator>'),
        "damping of actuators that drive no single joint": (
            0, "", '<actuator><motor joint="k" damping="1" gear="1 2 3 0 0 0"/></actuator>'),
    }  # fmt: skip
SILENT = {
    "actuators": (0, "", '<actuator><motor joint="j"/></actuator>'),
    "sensors": (0, "", '<sensor><jointpos joint="j"/></sensor>'),
    "cameras": (0, "<camera/>", ""),
    "lights": (0, "<light/>", ""),
    "keyframes": (0, "", '<keyframe><key time="1"/></keyframe>'),
    "drawings of geoms": (0, '<geom size=".1" contype="0" conaffinity="0"/>', ""),
    "contacts": (0, '<geom size=".1"/>', ""),
    "mocap bodies": (0, "", '<worldbody><body mocap="true"/></worldbody>'),
    "numeric": (0, "", '<custom><numeric name="n" data="1"/></custom>'),
    "text": (0, "", '<custom><text name="n" data="1"/></custom>'),
    "tuple": (
        0, "", '<custom><tuple name="n"><element objtype="body" objname="p"/></tuple></custom>'),
    "equality constraint 'e', which is switched off": (
        0, "", '<equality><weld name="e" active="false" body1="p"/></equality>'),
}  # fmt: skip


def loaded(stiffness: float, inside: str, after: str, couplings: Any = "auto") -> Any:
    body = BODY.format(inside, stiffness)
    text = f"<mujoco><worldbody>{body}</worldbody>{after}</mujoco>"
    return from_mujoco(mujoco.MjModel.from_xml_string(text), couplings=couplings)


@pytest.mark.parametrize("part", [*PARTS, *SILENT])
def test_parts_left_out_are_named(part: str) -> None:
    """Every element that a model does not have is listed in `left_out`; a warning names those that
    affect the motion.
    """
    if part in SILENT:
        left_out = loaded(*SILENT[part]).left_out
    else:
        with pytest.warns(LoaderWarning, match=f"peer: .* act on the motion: {re.escape(part)}"):
            left_out = loaded(*PARTS[part]).left_out
    assert part in " ".join(left_out)
    assert loaded(0, "", "").left_out == ()


@pytest.mark.parametrize("part", COUPLED)
def test_couplings_that_are_not_wanted_are_named(part: str) -> None:
    model = loaded(0, "", f"<equality>{COUPLED[part]}</equality>", "free")
    assert model.left_out[0].startswith(part)


def test_files_are_read_by_name(tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    file.write_text(PENDULUM.replace("INSIDE", ""))
    np.testing.assert_array_equal(load_model(file).I, load_mjcf(file).I)
    assert load_model(str(file), floating_base=True).jtype == ("Fb",)
    file.write_text(PENDULUM.replace("INSIDE", 'armature="2"'))
    with pytest.raises(
        ModelError, match="floating_base: armature belongs to a joint that is replaced"
    ):
        load_model(file, floating_base=True)
    for bad in (tmp_path, "p\0.xml"):
        with pytest.raises(ModelFileError, match="not the name of a file"):
            load_mjcf(bad)
    file.write_text("<mujoco><worldbody><oops/></worldbody></mujoco>")
    with pytest.raises(ModelFileError, match=r"(?s)p\.xml: .*oops"):
        load_mjcf(file)
    with pytest.raises(ModelFileError, match="nowhere"):
        load_mjcf(tmp_path / "nowhere.xml")


def test_without_mujoco_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[mujoco\]'"):
        load_model(tmp_path / "p.xml")


def test_unsupported_models_are_refused() -> None:
    peer = mujoco.MjModel.from_xml_string(PENDULUM.replace("INSIDE", ""))
    with pytest.raises(ModelError, match="want a joint 'j' of the type that it has in MuJoCo"):
        mujoco_states(autoTree(1), peer)
    with pytest.raises(ModelError, match="MuJoCo has no joint 'k'"):
        mujoco_states(autoTree(2).replace(joint_names=["j", "k"]), peer)
    for given in ("armature", "frictionloss"):
        body = f'<body><joint type="free" {given}="2"/><geom size=".1"/></body>'
        peer = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
        with pytest.raises(ModelError, match="of a free joint of MuJoCo acts along axes of the"):
            from_mujoco(peer)
    still = mujoco.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    with pytest.raises(ModelError, match="no joint moves"):
        from_mujoco(still)


def test_arguments_of_the_wrong_kind_are_named() -> None:
    model, peer = autoTree(2), mujoco.MjModel.from_xml_string(TREE)
    for wrong in (None, 3, model):
        with pytest.raises(TypeError, match=r"^peer: want a mujoco.MjModel, got \w+$"):
            from_mujoco(wrong)
        with pytest.raises(TypeError, match=r"^peer: want a mujoco.MjModel, got \w+$"):
            mujoco_states(model, wrong)
    with pytest.raises(TypeError, match=r"^model: want a spatial_v2.Model, got MjModel$"):
        mujoco_states(peer, peer)
