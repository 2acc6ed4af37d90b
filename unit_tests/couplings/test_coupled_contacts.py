"""Contacts of coupled models: constraint rows along independent variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import constraints
from helpers import near

from derivatives import (
    Impact_FO_derivatives,
    KKT_FO_derivatives,
    KKT_SO_derivatives,
    linearize,
    modKKT_second_derivatives,
)
from spatial_v2 import (
    KKT_FD,
    ConstraintSet,
    FrameConstraint,
    Impact_dyn,
    Model,
    PointConstraint,
    SpatialError,
    actuation_forces,
    constraint_bias,
    constraint_derivatives,
    constraint_jacobian,
    constraint_SO_derivatives,
    constraint_velocity,
    couple,
    mcI,
    position_error,
    project_configuration,
    project_velocity,
    random_configuration,
    xlt,
)

STEP = 1e-30


def linkage() -> tuple[Model, Any]:
    """Return a parallelogram with a turning hand as a tree, and coupled by (y, -y, y, z)."""
    X = [np.eye(6), xlt([1, 0, 0]), xlt([0, 0.5, 0]), xlt([0.3, 0.1, 0])]
    I = [mcI(m, [0.4, 0, 0], np.diag([0.1, 0.2, 0.3])) for m in (1.0, 2.0, 1.5, 0.7)]
    tree = Model(
        parent=[-1, 0, -1, 1], jtype=["Rz", "Rz", "Rz", "Rx"], Xtree=X, I=I,
        gravity=[0, -9.81, 0], damping=[0.1, 0.2, 0.0, 0.3],
    )  # fmt: skip
    return tree, couple(tree, matrix=[[1, 0], [-1, 0], [1, 0], [0, 1]])


CLOSURE = PointConstraint(1, [0, 0.5, 0], 2, [1, 0, 0], directions=[[1, 0, 0], [0, 1, 0]])
TIP = PointConstraint(3, [0.2, 0.1, 0.3], point1=[1.1, 0.3, 0.4], directions=[[0, 0.3, 1.0]])


def state() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions, velocities and forces of the two variables."""
    return np.array([0.6, 0.3]), np.array([0.8, -0.4]), np.array([0.7, 0.2])


def test_multipliers_of_the_closure_give_the_same_motion_and_contact_force() -> None:
    tree, model = linkage()
    y, yd, tau = state()
    G = model.coupling
    q, qd = G.configuration(y), G.motion(yd)
    of_tree = KKT_FD(tree, q, qd, [0.7, 0.0, 0.0, 0.2], [CLOSURE, TIP])
    found = KKT_FD(model, y, yd, tau, [TIP])
    near(G.motion(found.qdd), of_tree.qdd, 1e-11)
    near(found.lambda_, of_tree.lambda_[2:], 1e-11)
    hit = Impact_dyn(tree, q, qd, [CLOSURE, TIP], 0.0)
    near(G.motion(Impact_dyn(model, y, yd, [TIP]).qd_plus), hit.qd_plus, 1e-11)


def test_rows_are_those_of_the_tree_along_the_variables() -> None:
    tree, model = linkage()
    rng, G = np.random.default_rng(0), model.coupling
    hand = FrameConstraint(3, frame1=np.eye(6), rows=[1, 2, 4])
    for held in ([TIP], [hand], [TIP, hand], []):
        y = random_configuration(model, rng, 5)
        yd, ydd = rng.normal(size=(2, 5, 2))
        q, qd, qdd = G.configuration(y), G.motion(yd), G.motion(ydd)
        near(constraint_velocity(model, y, yd, held), constraint_velocity(tree, q, qd, held))
        near(constraint_bias(model, y, yd, held), constraint_bias(tree, q, qd, held))
        near(position_error(model, y, held), position_error(tree, q, held))
        near(constraint_jacobian(model, y, held), constraint_jacobian(tree, q, held) @ G.matrix)
        first = constraint_derivatives(tree, q, qd, qdd, held)
        for x, of_tree in zip(constraint_derivatives(model, y, yd, ydd, held), first, strict=True):
            near(x, of_tree @ G.matrix)
        second = constraint_SO_derivatives(tree, q, qd, qdd, held)
        for x, t in zip(constraint_SO_derivatives(model, y, yd, ydd, held), second, strict=True):
            near(x, np.einsum("...cps,pj,sk->...cjk", t, G.matrix, G.matrix))


@pytest.mark.parametrize("gains", [None, (4.0, 3.0)])
def test_derivatives_agree_with_complex_steps(gains: Any) -> None:
    _, model = linkage()
    y, yd, tau = state()
    how: Any = {"constraints": [TIP], "baumgarte": gains}
    first = KKT_FO_derivatives(model, y, yd, tau, **how)
    second = KKT_SO_derivatives(model, y, yd, tau, **how)
    w, z = np.array([0.3, -0.7]), np.array([0.9])
    weighted = modKKT_second_derivatives(model, y, yd, tau, mu=w, nu=z, **how)
    parts = np.tensordot(w, second.d2qdd_dq, 1), np.tensordot(z, second.d2lambda_dq, 1)
    near(weighted[3], sum(parts), 1e-10)
    for k in range(2):
        step = 1j * STEP * np.eye(2)[k]
        moved, faster = (
            KKT_FD(model, y + a, yd + b, tau, **how) for a, b in ((step, 0), (0, step))
        )
        near(first.dqdd_dq[:, k], moved.qdd.imag / STEP, 1e-11)
        near(first.dlambda_dq[:, k], moved.lambda_.imag / STEP, 1e-11)
        near(first.dqdd_dqd[:, k], faster.qdd.imag / STEP, 1e-11)
        turned = KKT_FO_derivatives(model, y + step, yd, tau, **how)
        near(second.d2qdd_dq[..., k], turned.dqdd_dq.imag / STEP, 1e-10)
        near(second.d2lambda_dq[..., k], turned.dlambda_dq.imag / STEP, 1e-10)
        struck = Impact_dyn(model, y + step, yd, [TIP])
        near(Impact_FO_derivatives(model, y, yd, [TIP]).dqd_dq[:, k],
             struck.qd_plus.imag / STEP, 1e-11)  # fmt: skip
    A, _ = linearize(model, y, yd, tau, constraints=[TIP])
    near(A[2:, :2], KKT_FO_derivatives(model, y, yd, tau, [TIP]).dqdd_dq)


def test_options_batches_and_projections() -> None:
    _, model = linkage()
    y, yd, tau = state()
    rng = np.random.default_rng(2)
    many = KKT_FD(model, y + rng.normal(size=(3, 2, 2)), yd, tau, [TIP])
    assert many.qdd.shape == (3, 2, 2) and many.lambda_.shape == (3, 2, 1)
    out = np.empty(2), np.empty(1)
    bound = KKT_FD.bind(model, constraints=[TIP])
    assert bound(y, yd, tau, out=out)[0] is out[0]
    near(out[0], KKT_FD(model, y, yd, tau, [TIP]).qdd)
    twice = KKT_FD(model, y, yd, tau, [TIP, TIP], rank="minimum_norm")
    near(twice.qdd, out[0], 1e-10)
    with pytest.raises(SpatialError, match="their 2 rows have rank 1 only"):
        KKT_FD(model, y, yd, tau, [TIP, TIP])
    slowed = project_velocity(model, y, yd, [TIP])
    near(constraint_velocity(model, y, slowed, [TIP]), [0.0])
    placed = project_configuration(model, y, [TIP])
    assert placed.converged
    near(position_error(model, placed.q, [TIP]), [0.0], 1e-9)
    forces = actuation_forces(model, y, yd, tau, [TIP], np.eye(2))
    near(forces.residual, [0.0, 0.0])


def test_a_joint_that_does_not_move_the_point_is_named() -> None:
    """A row that no independent variable moves is zero, whatever the tree's joints would do."""
    tree, _ = linkage()
    model = couple(tree, matrix=[[0], [0], [0], [1]])
    fixed = PointConstraint(1, directions=[[1, 0, 0]])
    with pytest.raises(SpatialError, match=r"constraints\[0\]"):
        KKT_FD(model, [0.3], [0.1], [0.2], [fixed])
    held = KKT_FD(model, [0.3], [0.1], [0.2], [fixed], rank="minimum_norm")
    near(held.lambda_, [0.0])


MIMIC: dict[str, dict[Any, Any]] = {
    "floating": {2: (1, -0.5, 0.2), 4: (3, 0.1, 0.0)},
    "spherical": {3: (0, -0.7, 0.1)},
    "planar_tree": {2: (0, -1.0, 0.1), 5: (2, 0.5, 0.0)},
    "floating_rotors": {2: (1, -0.6, 0.2)},
}


@pytest.mark.parametrize("name", MIMIC)
def test_kernels_of_the_tree_give_the_rows_of_coupled_models(name: str) -> None:
    """Rows and equations by kernels, of one state and of batches, with rods, forces and gains,
    agree with the reference implementation.
    """
    model = couple(zoo.build(name), mimic=MIMIC[name])
    tree, rng = model.tree, np.random.default_rng(5)
    sets = constraints(tree)
    y, f_ext = random_configuration(model, rng, (9,)), rng.normal(size=(9, tree.NB, len(tree.I[0])))
    yd, tau = rng.normal(size=(2, 9, model.NV))
    for held in (sets["frame"][: model.NV > 4], sets["rod"], sets["slanted"]):
        m = ConstraintSet(tree, held).m
        mu, nu = np.linspace(-1, 1, model.NV), np.ones(m)
        gains: Any = {"baumgarte": (9.0, 6.0) if held is sets["rod"] else (0.0, 6.0)}
        calls: list[tuple[Any, tuple[Any, ...], Any]] = [
            (KKT_FD, (y, yd, tau), gains),
            (KKT_FD, (y, yd, tau), {"rank": "minimum_norm", "f_ext": f_ext}),
            (KKT_FO_derivatives, (y, yd, tau), gains),
            (KKT_SO_derivatives, (y, yd, tau), gains),
            (modKKT_second_derivatives, (y, yd, tau, mu, nu), gains),
            (Impact_dyn, (y, yd), {}),
            (constraint_jacobian, (y,), {}),
        ]
        for f, given, how in calls:
            page = parts(f.reference(model, *given, constraints=held, **how))
            one = [x[4] if x.ndim == 2 else x for x in given]
            of_one = {k: x[4] if k == "f_ext" else x for k, x in how.items()}
            found = parts(f(model, *given, constraints=held, **how))
            single = parts(f(model, *one, constraints=held, **of_one))
            for want, x, z in zip(page, found, single, strict=True):
                near(x, want, 1e-10)
                near(z, want[4], 1e-10)


def parts(x: Any) -> list[np.ndarray]:
    """Return all results of a call."""
    return list(x) if isinstance(x, tuple) else [x]
