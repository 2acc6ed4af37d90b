"""`to_mjcf`: files are read back as the same equations of motion, and MuJoCo computes the same from
them; other models are errors.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import mechanisms
import numpy as np
import pytest
import zoo
from mujoco_files import TREE
from parameters import chosen

import spatial_v2 as sv
from spatial_v2 import Frame, JointLimits, LoaderWarning, Mimic, ModelError, to_mjcf
from spatial_v2.io import example_robots, load_mjcf, load_urdf

mujoco = pytest.importorskip("mujoco")
from spatial_v2.interop.mujoco import from_mujoco, mujoco_states  # noqa: E402


def read(text: str, tmp_path: Path, **options: Any) -> sv.Model:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return load_mjcf(path, **options)


def positions(model: Any, back: sv.Model, q: np.ndarray) -> np.ndarray:
    """Return q of a model as that of the model read back, in the order of its joints."""
    tree, parts = getattr(model, "tree", model), []
    for name in back.joint_names:
        i = model.joint_names.index(name)
        row, own = model.layout.joints[i], q[model.qinds[i]]
        if row.nv == 1:
            parts.append(own)
            continue
        X = np.asarray(row.X_J(own))
        E, r = sv.transform_parts(X @ tree.Xtree[tree.joint(name)] if row.nv == 6 else X)
        parts += [np.asarray(sv.rq(E))] + [np.asarray(r)] * (row.nv == 6)
    return np.concatenate(parts)


def same_dynamics(model: Any, back: sv.Model, regular: bool = True) -> None:
    """Check that joint forces, H and accelerations are the same in states on the same branch.

    Where links of a robot are so light that H is nearly singular, the accelerations are compared by
    the forces that they need.
    """
    tol = 1e-12
    rng, n = np.random.default_rng(0), model.NV
    v = np.concatenate([np.arange(n)[model.vinds[model.joint(x)]] for x in back.joint_names])
    assert n == back.NV
    for _ in range(3):
        curved = isinstance(model, sv.CoupledModel) and not model.is_linear
        q = model.start + 0.05 * rng.normal(size=model.NQ) if curved else (
            sv.random_configuration(model, rng))  # fmt: skip
        qd, qdd = rng.normal(size=(2, n))
        tau, (H, C) = sv.ID(model, q, qd, qdd), sv.HandC(model, q, qd)
        state = positions(model, back, q), qd[v]
        scale = np.abs(tau).max()
        np.testing.assert_allclose(sv.ID(back, *state, qdd[v]), tau[v], rtol=0, atol=tol * scale)
        own = sv.HandC(back, *state)
        np.testing.assert_allclose(own.H, H[np.ix_(v, v)], rtol=0, atol=tol * np.abs(H).max())
        np.testing.assert_allclose(own.C, C[v], rtol=0, atol=tol * np.abs(C).max())
        qdd_again = sv.FDab(back, *state, tau[v])
        needed = sv.ID(back, *state, qdd_again)
        np.testing.assert_allclose(needed, tau[v], rtol=0, atol=tol * scale)
        if regular:
            np.testing.assert_allclose(qdd_again, qdd[v], rtol=0, atol=10 * tol * np.abs(qdd).max())


def words(text: str) -> str:
    """Return a file without the digits of its numbers."""
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", "#", text)


def as_mujoco(text: str) -> None:
    """Check that MuJoCo computes the joint forces and the inertia matrix of the tree in a file."""
    peer = mujoco.MjModel.from_xml_string(text)
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    tree = from_mujoco(peer, couplings="free")
    states, data, rng = mujoco_states(tree, peer), mujoco.MjData(peer), np.random.default_rng(1)
    q, (qd, qdd) = sv.random_configuration(tree, rng), rng.normal(size=(2, tree.NV))
    data.qpos[:], data.qvel[:] = states.q_to(q), states.v_to(q, qd)
    data.qacc[:] = states.a_to(q, qd, qdd)
    mujoco.mj_inverse(peer, data)
    full = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(*((peer, full, data.qM) if hasattr(data, "qM") else (peer, data, full)))
    tau, H = sv.ID(tree, q, qd, qdd), states.H_from(q, full)
    theirs = states.tau_from(q, data.qfrc_inverse)
    np.testing.assert_allclose(theirs, tau, rtol=0, atol=1e-10 * np.abs(tau).max())
    np.testing.assert_allclose(H, sv.CRBA(tree, q), rtol=0, atol=1e-10 * np.abs(H).max())


@pytest.mark.parametrize("name", zoo.MODELS)
def test_every_model_survives_writing_and_reading(name: str, tmp_path: Path) -> None:
    model = zoo.build(name)
    if name == "two_floating":
        with pytest.raises(ModelError, match="'joint2': MJCF has floating joints only on the base"):
            to_mjcf(model)
        return
    text = to_mjcf(model, tmp_path / "robot.mjcf")
    assert (tmp_path / "robot.mjcf").read_text() == text + "\n"
    back = read(text, tmp_path)
    assert back.left_out == ()
    same_dynamics(model, back)
    as_mujoco(text)


def test_joint_terms_limits_and_frames_are_written(tmp_path: Path) -> None:
    X = sv.plux(sv.rq([1, 2, 3, 4]), [1, 2, 3])
    model = zoo.build("floating").replace(
        damping=[0.3] * 6 + [0.1, 0.2, 0.0, 0.4],
        friction=[0.0] * 6 + [0.5, 0.0, 0.6, 0.7],
        armature=[0.0] * 6 + [0.01, 0.02, 0.0, 0.03],
        stiffness=[0.0] * 7 + [3.0, 0.0, 5.0],
        rest=[0.0] * 7 + [0.4, 0.0, 0.1],
        limits={
            "joint1": JointLimits(-1, 2, np.inf, 4),
            "joint2": JointLimits(upper=3.0),
            "joint4": JointLimits(effort=5.0),
        },
        frames={"tool": Frame(2, X), "body2": Frame(2, X), "wall": Frame(-1, X)},
    )
    back = read(to_mjcf(model), tmp_path)
    assert (back.joint_names, back.body_names) == (model.joint_names, model.body_names)
    for name in ("damping", "friction", "armature", "stiffness", "rest", "gravity"):
        np.testing.assert_array_equal(getattr(back, name), getattr(model, name))
    assert {n: back.limits[n] for n in model.limits} == model.limits
    q = sv.random_configuration(model, np.random.default_rng(0))
    for name in model.frames:
        places = [
            sv.forward_kinematics(m, x, frame=name)
            for m, x in ((model, q), (back, positions(model, back, q)))
        ]
        np.testing.assert_allclose(places[0].p, places[1].p, atol=1e-13)
        np.testing.assert_allclose(places[0].R, places[1].R, atol=1e-13)
    same_dynamics(model, back)


def test_a_file_is_written_again_as_it_was(tmp_path: Path) -> None:
    """Several joints of a body, anchors, oblique axes and sites are kept, digit for digit."""
    first = read(TREE, tmp_path)
    text = to_mjcf(first)
    again = read(text, tmp_path)
    assert again.frames.keys() == {x.removeprefix("site:") for x in first.frames} | {"site:arm"}
    same_dynamics(first, again)
    assert text.count("<body ") == 5
    assert (again.joint_names, again.body_names, again.jtype) == (
        first.joint_names, first.body_names, first.jtype)  # fmt: skip


COUPLED = {
    "chain of mimics": lambda: sv.couple(
        sv.autoTree(3), mimic={"joint1": ("joint0", -1.0, 0.2), "joint2": ("joint1", 2.0, 0.0)}
    ),
    "rotors": lambda: sv.couple(zoo.build("rotors"), mimic={"joint2": ("joint0", -1.5, 0.2)}),
    "four-bar": mechanisms.four_bar,
    "four-bar by a hinge": mechanisms.four_bar_by_hinge,
    "four-bar in the plane": mechanisms.four_bar_in_the_plane,
    "hinge in the plane": lambda: mechanisms.four_bar_in_the_plane(hinge=True),
}


@pytest.mark.parametrize("name", COUPLED)
def test_coupled_models_survive(name: str, tmp_path: Path) -> None:
    model = COUPLED[name]()
    text = to_mjcf(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LoaderWarning)
        back = read(text, tmp_path)
    assert back.joint_names == model.joint_names
    same_dynamics(model, back)
    as_mujoco(text)
    if name not in ("four-bar by a hinge", "rotors"):
        assert words(to_mjcf(back)) == words(text)


def test_welds_polynomials_and_held_joints_survive(tmp_path: Path) -> None:
    file = """<mujoco><compiler angle="radian"/><worldbody>
    <body name="a"><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body name="b" pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos="1 0 0"/></body>
    </body><body name="c"><joint name="c" type="slide" axis="1 0 0"/><geom size=".1"/></body>
    <body name="d"><joint name="d" axis="1 1 0"/><geom size=".1" pos="0 0 1"/></body>
    </worldbody><equality><joint joint1="c" joint2="a" polycoef=".1 .2 .3 .4 .5"/>
    <joint joint1="b" polycoef=".7 0 0 0 0"/></equality></mujoco>"""
    model = read(file, tmp_path)
    assert model.joint_names == ("a", "d")
    text = to_mjcf(model)
    back = read(text, tmp_path)
    same_dynamics(model, back)
    assert words(to_mjcf(back)) == words(text)
    tree = sv.autoTree(3).replace(jtype=["S", "Rx", "S"])
    held = tree.replace(
        loops={"x": sv.Loop("frame", "body2", sv.xlt([0, 0, 0]), "wall", np.eye(6), np.eye(6))},
        frames={"wall": Frame(-1, sv.xlt([3.0, 0, 0]))},
    )
    loops = read(to_mjcf(held), tmp_path, couplings="free").loops
    assert [(x.kind, x.frame1, x.frame2) for x in loops.values()] == [("frame", "x_1", "x_2")]


FILES = sorted(set(example_robots().values()))


@pytest.mark.parametrize(
    "file", chosen([pytest.param(f, id=f.stem) for f in FILES], lambda f: f.stem in zoo.ROBOT_FILES)
)
def test_every_robot_survives(file: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load_urdf(file, mimic=file.stem != "alex_psyonic_hands", floating_base=True)
        try:
            text = to_mjcf(model)
        except ModelError as error:
            pytest.skip(f"MJCF cannot hold it: {error}")
    back = read(text, tmp_path)
    same_dynamics(model, back, regular=False)
    as_mujoco(text)


def test_motors_are_those_of_the_independent_joints() -> None:
    limits = {"joint0": JointLimits(effort=7.0), "joint1": JointLimits(effort=8.0)}
    tree = sv.autoTree(4).replace(jtype=["Fb", "Rx", "Ry", "Rz"], limits=limits)
    text = to_mjcf(sv.couple(tree, mimic={"joint3": ("joint1", 1.0, 0.0)}), motors=True)
    peer = mujoco.MjModel.from_xml_string(text)
    assert [peer.actuator(k).name for k in range(peer.nu)] == ["joint1", "joint2"]
    assert peer.actuator_ctrlrange.tolist() == [[-8, 8], [0, 0]]


def test_bodies_without_mass_become_joints_or_get_the_least_mass(tmp_path: Path) -> None:
    I = [np.zeros((6, 6)), *sv.autoTree(3).I[1:]]
    chain = sv.autoTree(3).replace(I=I, body_names=["hand_1", "hand", "tip"])
    back = read(to_mjcf(chain), tmp_path)
    assert back.body_names == chain.body_names and not back.I[0].any()
    same_dynamics(chain, back)
    branched = sv.autoTree(3, 2).replace(I=I)
    with pytest.warns(LoaderWarning, match="1e-15, which are written .* body0"):
        text = to_mjcf(branched)
    same_dynamics(branched, read(text, tmp_path))


def test_limits_without_a_range_are_left_out_with_a_warning(tmp_path: Path) -> None:
    limits = {"joint0": JointLimits(1, 1), "joint1": JointLimits(0, 1, effort=0)}
    model = sv.autoTree(2).replace(limits=limits, body_names=["world", "hand"])
    with pytest.warns(LoaderWarning, match="left out: joint0, joint1$"):
        back = read(to_mjcf(model), tmp_path)
    assert back.body_names == ("world_link", "hand")
    assert back.limits == {"joint0": JointLimits(), "joint1": JointLimits(0, 1)}


def test_names_of_any_letters_are_kept(tmp_path: Path) -> None:
    names = ["left/arm", 'a "b" & <c>', "größe"]
    model = sv.autoTree(3).replace(joint_names=names, body_names=names[::-1], name="x & y")
    back = read(to_mjcf(model), tmp_path)
    assert (back.joint_names, back.body_names) == (model.joint_names, model.body_names)
    assert back.name == model.name


def impossible() -> sv.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sv.autoTree(1).replace(I=[sv.mcI(1, [0, 0, 0], np.diag([1.0, 1, 3]))])


def differential() -> sv.Model:
    return sv.couple(sv.autoTree(3), matrix=[[1, 0], [0, 1], [0.5, -2]])


def cam() -> sv.Model:
    def gamma(y: Any) -> Any:
        return np.stack([y[0], np.sin(y[0])])

    return sv.couple(sv.autoTree(2), function=gamma, independent=[0])


def rod() -> sv.Model:
    tie = sv.DistanceConstraint(2, [0.5, 0.2, 0], -1, [1, 0.3, 0], distance=1.0)
    return sv.couple(sv.autoTree(3), constraints=[tie], guess=[0.5, 0.3, 0.4])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sv.autoTree(2).replace(jtype=["Rx", "Fb"]), "'joint1': .* only on the base"),
        (lambda: sv.autoTree(1).replace(jtype=["S"], damping=[1, 2, 3]), "damping: .*'joint0'"),
        (lambda: sv.autoTree(1).replace(jtype=["Fb"], armature=1.0), "armature: .*=None"),
        (lambda: sv.autoTree(2).replace(body_names=["a", "a"]), "'a' is the name of more"),
        (lambda: sv.autoTree(2).replace(mimic={"joint1": Mimic("x")}), "'x', which is no joint"),
        (lambda: sv.autoTree(1).replace(Xtree=sv.autoTree(1).Xtree + 0j), "an MJCF file"),
        (impossible, "inertia of body 'body0'"),
        (differential, "want joints that follow one other"),
        (cam, "to_mjcf: takes no coupled model"),
        (rod, r"loops\['loop0'\]: MJCF has points, hinges and welds only"),
    ],
)
def test_what_mjcf_cannot_hold_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        to_mjcf(make())
