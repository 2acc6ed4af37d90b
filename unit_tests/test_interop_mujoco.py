"""Models and states from MuJoCo: its inverse dynamics, inertia matrix and poses are ours."""

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
    ModelError,
    ModelFileError,
    forward_kinematics,
    random_configuration,
)
from spatial_v2.io import example_robots, load_mjcf, load_model, to_urdf
from spatial_v2.models import autoTree

mujoco = pytest.importorskip("mujoco")
from spatial_v2.interop.mujoco import from_mujoco, mujoco_states  # noqa: E402

pytestmark = pytest.mark.peers
OWN = Path(mujoco.__file__).parent / "testdata"


def unconstrained(peer: Any) -> Any:
    """Without contacts, limits, springs, tendons and air, which are no part of a model."""
    bit = mujoco.mjtDisableBit
    peer.opt.disableflags |= int(bit.mjDSBL_CONTACT) | int(bit.mjDSBL_CONSTRAINT)
    names = ("jnt_stiffness", "tendon_stiffness", "tendon_damping", "tendon_armature")
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
    """Law: one motion, one set of forces; the same inertia matrix; sites are where they are."""
    model = from_mujoco(unconstrained(peer))
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
        for s in range(peer.nsite):
            name = peer.site(s).name
            found = f"site:{name}" if f"site:{name}" in model.frames else name
            site = forward_kinematics(model, q, frame=found)
            np.testing.assert_allclose(site.R, data.site_xmat[s].reshape(3, 3), atol=1e-10)
            np.testing.assert_allclose(site.p, data.site_xpos[s], atol=1e-10)
        np.testing.assert_allclose(states.q_from(data.qpos), q, atol=1e-14)
        np.testing.assert_allclose(states.v_from(q, data.qvel), qd, atol=1e-12)
        np.testing.assert_allclose(states.a_from(q, qd, data.qacc), qdd, atol=1e-12)
    return model


def test_a_tree_of_all_joints() -> None:
    """Free, ball, several joints a body, anchors, references, default classes, welded bodies."""
    model = check(mujoco.MjModel.from_xml_string(TREE))
    assert model.jtype == ["Fb", "Ry", "Px", "Rx-", "S", "Py-", "Rz"]
    assert model.body_names == ["base", "arm_1", "arm_2", "arm", "ball", "cart", "body6"]
    assert model.limits["h1"][:2] == pytest.approx((-1.3, 1.7))
    assert {"tip", "site:arm", "weld"} < model.frames.keys()


@pytest.mark.parametrize("file", sorted(OWN.glob("*.xml")), ids=lambda f: f.name)
def test_files_of_the_wheel(file: Path) -> None:
    peer = mujoco.MjModel.from_xml_path(str(file))
    if peer.nv == 0:
        pytest.skip("nothing moves in it")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "of this MuJoCo model these are left out")
        check(peer)


@pytest.mark.robots
@pytest.mark.parametrize("name", ["talos", "hyq", "ur5", "panda", "anymal", "solo12", "icub"])
@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
def test_urdf_files_compiled_by_mujoco(name: str, tmp_path: Path) -> None:
    """The mechanics of a URDF file as MuJoCo reads it; meshes are left out."""
    robots = example_robots()
    if name not in robots:
        pytest.skip("example-robot-data is not installed")
    text = to_urdf(load_model(name).replace(mimic=None), tmp_path / "robot.urdf")
    compiler = '<mujoco><compiler balanceinertia="true" fusestatic="true"/></mujoco>'
    text = re.sub(r"(<robot [^>]*>)", rf"\1{compiler}", text, count=1)
    (tmp_path / "robot.urdf").write_text(text)
    try:
        peer = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.urdf"))
    except ValueError as error:
        pytest.skip(f"MuJoCo does not compile it: {error}")
    check(peer, 1e-10)


@pytest.mark.parametrize(
    ("inside", "left"),
    [('stiffness="3"', "springs of joints")],
)
def test_what_is_left_out_is_named(inside: str, left: str) -> None:
    peer = mujoco.MjModel.from_xml_string(PENDULUM.replace("INSIDE", inside))
    with pytest.warns(UserWarning, match=f"left out, which no model holds: {left}"):
        from_mujoco(peer)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    file.write_text(PENDULUM.replace("INSIDE", ""))
    np.testing.assert_array_equal(load_model(file).I, load_mjcf(file).I)
    assert load_model(str(file), floating_base=True).jtype == ["Fb"]
    file.write_text(PENDULUM.replace("INSIDE", 'armature="2"'))
    with pytest.raises(ModelError, match="floating_base: armature of the joint that is replaced"):
        load_model(file, floating_base=True)
    for bad in (tmp_path, "p\0.xml"):
        with pytest.raises(ModelFileError, match="not the name of a file"):
            load_mjcf(bad)
    file.write_text("<mujoco><worldbody><oops/></worldbody></mujoco>")
    with pytest.raises(ModelFileError, match=r"(?s)p\.xml: .*oops"):
        load_mjcf(file)
    with pytest.raises(ModelFileError, match="nowhere"):
        load_mjcf(tmp_path / "nowhere.xml")


def test_without_mujoco(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    with pytest.raises(ImportError, match=r"pip install 'spatial-v2\[mujoco\]'"):
        load_model(tmp_path / "p.xml")


def test_refusals() -> None:
    peer = mujoco.MjModel.from_xml_string(PENDULUM.replace("INSIDE", ""))
    with pytest.raises(ModelError, match="joint 'j' of MuJoCo is missing"):
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
