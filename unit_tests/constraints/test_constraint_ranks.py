"""Dependent rows, and bodies without mass, are errors, or have a solution if an option
asks for it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import FOOT, TWO_FORMS, F, P, along
from helpers import near

import derivatives as dv
import spatial_v2 as sv
from spatial_v2.models import autoTree


def three_points(body: int) -> list[Any]:
    """Return three point constraints on one body: nine rows of rank six."""
    return [P(body, r) for r in np.eye(3)]


# Redundant rows give an error that names rank and constraints, or a least-squares solution.
ALL_THREE = "constraints.0., constraints.1., constraints.2. are linearly dependent"
REDUNDANT: dict[str, tuple[list[Any], int, str]] = {
    "twice the same": (
        [P(1), P(4, FOOT), P(4, FOOT)],
        6,
        "constraints.1., constraints.2. are linearly dependent",
    ),
    "three points": (three_points(4), 6, ALL_THREE),
    "feet on a floor": (
        [F(2), F(2, sv.rotx(0.3)), P(2)],
        6,
        ALL_THREE,
    ),
}


@pytest.mark.parametrize("case", REDUNDANT)
def test_redundant_rows_are_refused(model: sv.Model, state: zoo.State, case: str) -> None:
    s, (held, rank, names) = state, REDUNDANT[case]
    says = rf"their \d+ rows have rank {rank} only: rows of {names}.*minimum_norm.*damping"
    w = np.zeros(sv.ConstraintSet(model, held).m)
    calls: list[Callable[[], Any]] = [
        lambda: sv.KKT_FD(model, s.q, s.qd, s.tau, held),
        lambda: sv.KKT_FD.reference(model, s.q, s.qd, s.tau, held),
        lambda: dv.KKT_FO_derivatives(model, s.q, s.qd, s.tau, held),
        lambda: dv.KKT_SO_derivatives(model, s.q, s.qd, s.tau, held),
        lambda: dv.modKKT_second_derivatives(model, s.q, s.qd, s.tau, s.qd, w, held),
        lambda: sv.Impact_dyn(model, s.q, s.qd, held),
        lambda: dv.Impact_FO_derivatives(model, s.q, s.qd, held),
        lambda: dv.Impact_SO_derivatives(model, s.q, s.qd, held),
    ]
    for call in calls:
        with pytest.raises(sv.SpatialError, match=says):
            call()


@TWO_FORMS
@pytest.mark.parametrize("how", [{"rank": "minimum_norm"}, {"rank": "proximal"}, {"damping": 1e-3}])
def test_redundant_rows_are_accepted_where_allowed(
    model: sv.Model, state: zoo.State, form: Callable[..., Any], how: dict[str, Any]
) -> None:
    s, held = state, three_points(4)
    qd = sv.project_velocity(model, s.q, s.qd, held)
    qdd, lambda_ = form(model, s.q, qd, s.tau, held, **how)
    miss = sv.constraint_jacobian(model, s.q, held) @ qdd + sv.constraint_bias(model, s.q, qd, held)
    near(miss + how.get("damping", 0.0) * lambda_, np.zeros(9), 1e-9)


def test_the_error_of_a_batch_counts_the_states(model: sv.Model) -> None:
    s = zoo.states(model, np.random.default_rng(1), (5,))
    with pytest.raises(sv.SpatialError, match="rank 6 only in 5 of 5 states"):
        sv.KKT_FD(model, s.q, s.qd, s.tau, three_points(4))


# The rank drops where an arm is stretched and its tip is constrained along the arm.
STRETCHED = np.zeros(3)


@TWO_FORMS
def test_singular_configurations_are_refused_without_damping(form: Callable[..., Any]) -> None:
    arm, held = autoTree(3), [P(2, [1.0, 0.0, 0.0], directions=[[1, 0, 0], [0, 1, 0]])]
    tau = qd = np.ones(3)
    with pytest.raises(
        sv.SpatialError, match=r"2 rows have rank 1 only.*configuration is singular"
    ):
        form(arm, STRETCHED, qd, tau, held)
    with pytest.raises(sv.SpatialError, match="rank 1"):
        dv.KKT_FO_derivatives(arm, STRETCHED, qd, tau, held)
    d = dv.KKT_FO_derivatives(arm, STRETCHED, qd, tau, held, damping=0.1)

    def f(q: Any) -> Any:
        return tuple(sv.KKT_FD(arm, q, qd, tau, held, damping=0.1))

    for x, y in zip((d.dqdd_dq, d.dlambda_dq), along(arm, f, STRETCHED, by=0), strict=True):
        near(x, y)


# More constraint rows than degrees of freedom.
@TWO_FORMS
def test_more_rows_than_degrees_of_freedom_are_refused(form: Callable[..., Any]) -> None:
    arm, held = autoTree(3), [F(2), P(1)]
    q = qd = tau = np.array([0.1, 0.2, 0.3])
    with pytest.raises(sv.SpatialError, match="9 rows have rank 3"):
        form(arm, q, qd, tau, held)
    for how in ({"rank": "minimum_norm"}, {"damping": 1e-6}):
        qdd, lambda_ = form(arm, q, 0 * qd, tau, held, **how)
        near(qdd, np.zeros(3), 1e-4)
        assert lambda_.shape == (9,)


# Massless bodies, whose acceleration constraints may determine.
def massless(body: int) -> sv.Model:
    """Make an arm of three links, one of which has no inertia."""
    arm = autoTree(3)
    return arm.replace(I=[0 * I if i == body else I for i, I in enumerate(arm.I)])


@TWO_FORMS
@pytest.mark.parametrize("mu", [0.0, 0.5])
def test_held_massless_bodies_have_solution_and_derivatives(
    form: Callable[..., Any], mu: float
) -> None:
    """With singular H and regular KKT matrix K, the result solves K x = rhs.

    Its derivatives agree with complex steps.
    """
    model, held = massless(2), [F(2, body1=1, rows=[2])]
    q, qd, tau = np.random.default_rng(1).normal(size=(3, 4, 3))
    qdd, lambda_ = form(model, q, qd, tau, held, damping=mu)
    H, C = sv.HandC(model, q, qd)
    G, gamma = sv.constraint_jacobian(model, q, held), sv.constraint_bias(model, q, qd, held)
    assert np.abs(np.linalg.det(H)).max() < 1e-15
    K = np.block([[H, G.swapaxes(-1, -2)], [G, np.full((4, 1, 1), -mu)]])
    x = np.linalg.solve(K, np.concatenate([tau - C, -gamma], axis=-1)[..., None])[..., 0]
    near(np.concatenate([qdd, -lambda_], axis=-1), x)
    first = dv.KKT_FO_derivatives if form is sv.KKT_FD else dv.KKT_FO_derivatives.reference
    d = first(model, q[0], qd[0], tau[0], held, damping=mu)
    d2 = dv.KKT_SO_derivatives(model, q[0], qd[0], tau[0], held, damping=mu)

    def f(q: Any, qd: Any, tau: Any) -> Any:
        return tuple(sv.KKT_FD(model, q, qd, tau, held, damping=mu))

    def df(q: Any) -> Any:
        return tuple(dv.KKT_FO_derivatives(model, q, qd[0], tau[0], held, damping=mu))

    for by in range(3):
        for a, b in zip(d[by::3], along(model, f, q[0], qd[0], tau[0], by=by), strict=True):
            near(a, b)
    second = along(model, df, q[0], by=0)
    near(d2.d2qdd_dq, second[0])
    near(d2.d2lambda_dq, second[3])


def test_held_massless_bodies_are_as_if_they_were_not() -> None:
    model, held = massless(2), [F(2, body1=1, rows=[2])]
    q, qd, tau = np.random.default_rng(1).normal(size=(3, 3))
    two = sv.FDab(autoTree(2), q[:2], qd[:2], tau[:2])
    near(sv.KKT_FD(model, q, qd, tau, held).qdd[:2], two, 1e-11)
    qd_plus, _ = sv.Impact_dyn(model, q, qd, held)
    near(qd_plus, [*qd[:2], 0.0])


@TWO_FORMS
def test_free_massless_bodies_are_refused(form: Callable[..., Any]) -> None:
    model, held = massless(2), [F(1, body1=0, rows=[2])]
    q, qd, tau = np.random.default_rng(1).normal(size=(3, 3))
    with pytest.raises(
        sv.SpatialError, match="singular: joint 2 .* of body 2 .* and the constraints"
    ):
        form(model, q, qd, tau, held)
    with pytest.raises(sv.SpatialError, match="no inertia"):
        sv.FDab(model, q, qd, tau)


@TWO_FORMS
def test_massless_bodies_with_regular_inertia_matrix_are_accepted(form: Callable[..., Any]) -> None:
    model = zoo.build("massless")
    s = zoo.states(model, np.random.default_rng(1))
    assert np.linalg.cond(sv.CRBA(model, s.q)) < 1e6
    held = [P(model.NB - 1, FOOT)]
    qdd, _ = form(model, s.q, s.qd, s.tau, held)
    rows = sv.constraint_jacobian(model, s.q, held) @ qdd
    near(rows, -sv.constraint_bias(model, s.q, s.qd, held), 1e-10)
