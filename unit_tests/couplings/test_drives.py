"""Drives that several joints turn: A^T J A in the inertia matrix, and nothing else."""

from typing import Any

import numpy as np
import pytest
import zoo
from joint_term_samples import CLOSE, state, with_terms
from numpy.testing import assert_allclose

import derivatives as d
import spatial_v2 as sv
from derivatives.reference import complex_step
from spatial_v2 import Model, ModelError, autoTree, couple

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

INERTIAS = 0.3, 0.2


def driven(name: str) -> tuple[Model, Model, np.ndarray]:
    """Return a tree of the zoo with joint terms, the tree with two drives, and A^T J A."""
    tree = with_terms(zoo.build(name)).replace(friction=None)
    lines = [i for i in range(tree.NB) if tree.nv[i] == 1][-3:]
    turns: list[dict[Any, float]] = [
        {lines[0]: 5.0, tree.joint_names[lines[1]]: 2.0}, {lines[1]: -3.0, lines[2]: 1.0}
    ]  # fmt: skip
    A = np.zeros((2, tree.NV))
    for k, ratios in enumerate(turns):
        for joint, ratio in ratios.items():
            A[k, tree.vinds[tree.joint(joint)]] = ratio
    drives = {f"motor{k}": (INERTIAS[k], turns[k]) for k in range(2)}
    return tree, couple(tree, drives=drives), A.T @ np.diag(INERTIAS) @ A


@pytest.mark.parametrize("shape", [(), (3,)], ids=["state", "batch"])
@pytest.mark.parametrize("name", ["floating", "rotors", "planar_tree", "prismatic"])
def test_drives_add_their_inertia_alone(name: str, shape: tuple[int, ...]) -> None:
    """H has A^T J A more; mass, momentum, centre of mass and weight are those of the tree."""
    tree, model, M = driven(name)
    assert model.joint_names[-1] == tree.joint_names[-1]
    assert (model.NQ, model.NV) == (tree.NQ, tree.NV)
    q, qd, qdd, _, _ = state(tree, shape=shape)
    assert_allclose(sv.CRBA(model, q), sv.CRBA(tree, q) + M, **CLOSE)
    tau = sv.ID(model, q, qd, qdd)
    assert_allclose(tau, sv.ID(tree, q, qd, qdd) + qdd @ M, **CLOSE)
    assert_allclose(sv.FDab(model, q, qd, tau), qdd, **CLOSE)
    assert_allclose(sv.HandC(model, q, qd).C, sv.HandC(tree, q, qd).C, **CLOSE)
    with_, without = sv.EnerMo(model, q, qd), sv.EnerMo(tree, q, qd)
    assert_allclose(with_.KE - without.KE, ((qd @ M) * qd).sum(-1) / 2, **CLOSE)
    for field in ("PE", "htot", "Itot", "mass", "cm", "vcm"):
        assert_allclose(getattr(with_, field), getattr(without, field), **CLOSE)


@pytest.mark.parametrize("name", ["floating", "planar_tree"])
def test_derivatives_are_complex_steps(name: str) -> None:
    _, model, _ = driven(name)
    q, qd, qdd, tau, _ = state(model)
    first = d.FD_derivatives(model, q, qd, tau)
    assert_allclose(first.dqdd_dqd, complex_step(lambda x: sv.FDab(model, q, x, tau), qd), **CLOSE)
    dtau = d.ID_derivatives(model, q, qd, sv.FDab(model, q, qd, tau))
    assert_allclose(first.dqdd_dq, -first.dqdd_dtau @ dtau.dtau_dq, **CLOSE)
    second = d.ID_SO_derivatives(model, q, qd, qdd)
    by_qd = complex_step(lambda x: d.ID_derivatives(model, q, x, qdd).dtau_dqd, qd)
    assert_allclose(second.d2tau_dqd, by_qd, **CLOSE)


def test_drives_go_with_other_couplings() -> None:
    """Drives turn with joints that follow others, too."""
    tree = autoTree(4, 1, 0.3)
    drives = {"cable": (0.5, {1: 2.0, 3: 1.0})}
    follow = {3: (1, -1.5, 0.2)}
    model, plain = couple(tree, mimic=follow, drives=drives), couple(tree, mimic=follow)
    G = np.asarray(plain.coupling.matrix)
    A = np.array([[0, 2.0, 0, 1.0]]) @ G
    y = np.array([0.1, 0.2, 0.3])
    assert_allclose(sv.CRBA(model, y), sv.CRBA(plain, y) + 0.5 * A.T @ A, **CLOSE)
    again = couple(tree, matrix=G, offset=plain.coupling.offset, drives=drives)
    assert_allclose(sv.CRBA(again, y), sv.CRBA(model, y), **CLOSE)
    assert model.joint_names == plain.joint_names


def test_an_actuator_on_a_tendon_has_this_inertia_in_mujoco() -> None:
    """The inertia matrix and accelerations are those of MuJoCo with the armature of a tendon."""
    mujoco = pytest.importorskip("mujoco")
    from spatial_v2.interop.mujoco import from_mujoco

    text = """<mujoco><option><flag contact="disable"/></option><worldbody>
    <body><joint name="a" axis="0 1 0"/><geom size=".1" pos="0 0 .3"/>
    <body pos="0 0 .5"><joint name="b" axis="1 0 0"/><geom size=".1" pos="0 0 .2"/></body></body>
    </worldbody>{}</mujoco>"""
    tendon = """<tendon><fixed name="t" armature="0.02"><joint joint="a" coef="3"/>
    <joint joint="b" coef="-2"/></fixed></tendon>"""
    try:
        peer = mujoco.MjModel.from_xml_string(text.format(tendon))
    except ValueError:
        pytest.skip("this version of MuJoCo has no armature of tendons")
    tree = from_mujoco(mujoco.MjModel.from_xml_string(text.format("")))
    model = couple(tree, drives={"t": (0.02, {"a": 3.0, "b": -2.0})})
    data = mujoco.MjData(peer)
    q, qd, qdd, _, _ = state(tree)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
    mujoco.mj_inverse(peer, data)
    assert_allclose(sv.ID(model, q, qd, qdd), data.qfrc_inverse, **CLOSE)


@pytest.mark.parametrize(
    ("drives", "message"),
    [
        ({}, r"drives: want \{name: \(inertia"),
        ({"m": 3}, r"drives\['m'\]: want \(inertia, \{joint: ratio\}\), got 3"),
        ({"m": (0.1, {})}, "want at least one joint"),
        ({"m": (-0.1, {0: 1})}, "want a positive inertia"),
        ({"m": (0.1, {0: np.nan})}, "finite ratios"),
        ({"m": (0.1, {"root": 1})}, "joint 'root' has 6 velocity variables"),
        ({"m": (0.1, {"nothing": 1})}, "nothing"),
        ({"leg": (0.1, {"leg": 1})}, "leg"),
    ],
)
def test_wrong_drives_are_refused(drives: Any, message: str) -> None:
    tree = autoTree(2).replace(jtype=["Fb", "Rx"], joint_names=["root", "leg"])
    with pytest.raises(ModelError, match=message):
        couple(tree, drives=drives)


def test_what_does_not_go_with_drives_is_refused() -> None:
    drives = {"m": (0.1, {0: 1.0})}
    for more in ({"independent": [0]}, {"guess": [0.0, 0]}, {"function": len}):
        with pytest.raises(ModelError, match="drives: go alone, with matrix or with mimic"):
            couple(autoTree(2), drives=drives, **more)
    with pytest.raises(ModelError, match="offset: goes with matrix"):
        couple(autoTree(2), drives=drives, offset=[0.0, 0])
    with pytest.raises(ModelError, match=r"armature: .*those of couple\(model, drives="):
        autoTree(2).replace(armature=np.eye(2))
