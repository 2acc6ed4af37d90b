"""Loops of robot files as constraints: those of MuJoCo, and those of SDF files for any choice of
tree.
"""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spatial_v2 as sv
from spatial_v2.io import load_sdf

MASS = '<inertial pos=".1 .2 .3" mass="2" diaginertia="3 4 5"/>'
TREE = f"""<mujoco><option><flag contact="disable"/></option><worldbody>
<body name="a" pos="0 0 1" euler="3 2 1"><freejoint/>{MASS}
<site name="s" pos=".1 .2 .3" euler="9 8 7"/><body name="b" pos="1 0 0" euler="1 2 30">
<joint name="i" axis="1 2 3"/><joint name="j" pos=".1 0 0"/>{MASS}</body></body>
<body name="c" pos="1 .3 0" euler="10 2 3"><freejoint/>{MASS}
<site name="t" pos=".4 .2 .3" euler="15 20 30"/></body></worldbody>
<equality>{{}}</equality></mujoco>"""
ANCHOR = 'anchor=".1 .2 .3"'


@pytest.mark.parametrize(
    "given",
    [
        '<connect body1="a" body2="c" anchor=".1 .2 .3"/>',
        '<connect body1="c" anchor=".1 .2 .3"/>',
        '<connect site1="s" site2="t"/>',
        '<weld body1="c" body2="b" anchor=".1 .2 .3"/>',
        '<weld body1="b" body2="c" anchor=".1 .2 .3" relpose="1 2 3 .8 .1 .3 .5"/>',
        '<weld body1="c" anchor=".3 .2 .1"/>',
        '<weld site1="t" site2="s" torquescale="3"/>',
        f'<connect body1="a" body2="c" anchor="0 0 0"/><connect body1="b" body2="c" {ANCHOR}/>',
    ],
)
def test_equality_constraints_span_the_rows_of_mujoco(given: str) -> None:
    """Positions that satisfy this library's constraints satisfy MuJoCo's, and the rows of both have
    the same span.
    """
    mujoco: Any = pytest.importorskip("mujoco")
    from spatial_v2.interop.mujoco import from_mujoco, mujoco_states

    if "site" in given and not hasattr(mujoco.MjModel, "eq_objtype"):
        pytest.skip("this MuJoCo has no equality constraints of sites")
    peer = mujoco.MjModel.from_xml_string(TREE.format(given))
    model = from_mujoco(peer, couplings="free")
    assert "data in model.loops, for loop_constraints" in model.left_out[0]
    loops, rng = sv.loop_constraints(model), np.random.default_rng(1)
    states, data = mujoco_states(model, peer), mujoco.MjData(peer)
    for _ in range(20):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = sv.project_configuration(model, sv.random_configuration(model, rng), loops)
        if found.converged:
            break
    data.qpos[:] = states.q_to(found.q)
    mujoco.mj_forward(peer, data)
    assert data.ne == loops.m
    assert np.abs(data.efc_pos).max() < 1e-9
    theirs = data.efc_J.reshape(-1, peer.nv) @ states.B(found.q)
    ours = sv.constraint_jacobian(model, found.q, loops)
    span = [np.linalg.pinv(x) @ x for x in (theirs, ours)]
    np.testing.assert_allclose(*span, rtol=0, atol=1e-10)


def test_joints_that_follow_others_are_mimic_joints() -> None:
    """A linear coupling becomes a mimic joint, relative to this library's zero positions; loops are
    found by name.
    """
    mujoco: Any = pytest.importorskip("mujoco")
    from spatial_v2.interop.mujoco import from_mujoco

    given = '<joint joint1="i" joint2="j" polycoef="0.1 2 0 0 0"/>'
    given += '<connect name="ring" body1="a" body2="c" anchor="0 0 0"/><weld body1="a" body2="c"/>'
    model = from_mujoco(mujoco.MjModel.from_xml_string(TREE.format(given)), couplings="free")
    assert "equality joint (1, data in model.mimic)" in model.left_out
    assert model.mimic == {"i": ("j", 2.0, 0.1)}
    assert list(model.loops) == ["ring", "equality2"]
    for polynomial in ("0 1 1 0 0", "0 1 0 1 0", "0 1 0 0 1"):
        text = TREE.format(given.replace("0.1 2 0 0 0", polynomial))
        free = from_mujoco(mujoco.MjModel.from_xml_string(text), couplings="free")
        assert free.mimic is None and "equality joint 'equality0'" in free.left_out


INERTIAL = """<inertial><pose>0.2 0.1 0 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy>
<izz>2</izz></inertia></inertial>"""
LINKS = "".join(
    f'<link name="{name}"><pose>{x} {y} 0 0.1 0.2 {y}</pose>{INERTIAL}</link>'
    for name, x, y in (("a", 0, 0), ("b", 0, 1), ("c", 1, 1))
)
AT_BASE = '<joint name="base" type="ball"><parent>world</parent><child>a</child></joint>'
LOOSE = '<joint name="ab" type="ball"><parent>a</parent><child>b</child></joint>'
FIRST = '<joint name="bc" type="ball"><parent>b</parent><child>c</child></joint>'
SECOND = """<joint name="ac" type="{}"><pose>0.1 0.2 0 0.3 0.2 0.1</pose><parent>{}</parent><child>c
</child><axis><xyz>1 2 3</xyz></axis></joint>"""


def cut(folder: Path, *joints: str) -> sv.Model:
    file = folder / "robot.sdf"
    text = "".join((LINKS, AT_BASE, LOOSE, *joints))
    file.write_text(f'<sdf version="1.10"><model name="m">{text}</model></sdf>')
    model = load_sdf(file, couplings="free")
    assert "which closes a loop (data in model.loops" in model.left_out[0]
    return model


def fall(model: sv.Model) -> np.ndarray:
    """Compute the accelerations of the links of a robot that is released at zero joint
    positions.
    """
    q, still = np.zeros(model.NQ), np.zeros(model.NV)
    for at, n in zip(model.qinds, model.nq, strict=True):
        q[at.start] = n == 4
    qdd = sv.KKT_FD(model, q, still, still, sv.loop_constraints(model)).qdd
    return np.array([sv.frame_acceleration(model, q, still, qdd, name) for name in "abc"])


@pytest.mark.parametrize(
    ("kind", "parent"),
    [("revolute", "a"), ("prismatic", "a"), ("continuous", "world"), ("ball", "world"),
     ("prismatic", "world"), ("fixed", "world")],
)  # fmt: skip
def test_a_loop_may_be_cut_anywhere(kind: str, parent: str, tmp_path: Path) -> None:
    """The motion does not depend on the choice of the joint of a loop that closes it; the others
    are in the tree.
    """
    second = SECOND.format(kind, parent)
    one, two = cut(tmp_path, FIRST, second), cut(tmp_path, second, FIRST)
    assert (list(one.loops), list(two.loops)) == (["ac"], ["bc"])
    rows = {"ball": 3, "fixed": 6}.get(kind, 5)
    assert (sv.loop_constraints(one).m, sv.loop_constraints(two).m) == (rows, 3)
    moved = fall(one)
    assert np.abs(moved).max() > 0.1
    np.testing.assert_allclose(fall(two), moved, rtol=0, atol=1e-10 * np.abs(moved).max())


def test_the_tree_is_found_where_the_first_joints_make_a_cycle(tmp_path: Path) -> None:
    """The tree is found although the first joints in the file make bodies b and c children of each
    other.

    Another joint connects one of them to the rest.
    """
    ring = (
        FIRST.replace("bc", "cb").replace(">b<", ">x<").replace(">c<", ">b<").replace(">x<", ">c<")
    )
    file = tmp_path / "robot.sdf"
    text = LINKS + AT_BASE + ring + FIRST + LOOSE
    file.write_text(f'<sdf version="1.10"><model name="m">{text}</model></sdf>')
    model = load_sdf(file, couplings="free")
    assert "joint 'cb', which closes a loop" in model.left_out[0]
    assert model.joint_names == ("base", "ab", "bc")


def test_loops_stay_with_what_is_made_of_a_model(tmp_path: Path) -> None:
    """Loops stay with a model whose bodies are renumbered, because they refer to frames; a model
    without loops has no rows.
    """
    model = cut(tmp_path, FIRST, SECOND.format("revolute", "a"))
    with pytest.warns(UserWarning, match="floatbase: Xtree"):
        floating = sv.floatbase(model)
    first = sv.loop_constraints(floating).relations[0]
    assert (first.body1, first.body2) == (5, 7)
    assert '<loop name="ac" type="revolute">' in sv.to_urdf(model.replace(jtype=["Rx"] * model.NB))
    empty = sv.loop_constraints(sv.autoTree(2))
    assert isinstance(empty, sv.ConstraintSet) and empty.m == 0
