"""Constrained dynamics compared with independent computations: other models, differences, other
coordinates.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from constraint_trees import R1, R2, cart_pendulum, sets_of_14, three_points, tree_of_14
from helpers import near as close

import derivatives as dv
import spatial_v2 as sv
from derivatives.reference import bicomplex_step
from spatial_v2.arrays import namespace
from spatial_v2.constraints.kkt import KKT
from spatial_v2.model.subtrees import reach

TREE = tree_of_14()
S = zoo.states(TREE, np.random.default_rng(5))
STATE = S.q, S.qd, S.tau


def K_of(model: sv.Model, q: np.ndarray, held: Any) -> np.ndarray:
    """Compute the KKT matrix ``[[H, G^T], [G, 0]]``."""
    H, G = sv.CRBA(model, q), sv.constraint_jacobian(model, q, held)
    return np.block([[H, G.T], [G, np.zeros((len(G), len(G)))]])


# Independent computation for the rows of frame constraints: a free body of unit inertia at the
# frame, without gravity. The forces of its joint are then the acceleration of the frame.
class Virtual:
    """A free body of unit inertia in a frame of body 2, whose joint forces give that frame's
    acceleration.

    The last six joint forces are the angular and the classical linear acceleration in the axes of
    the frame.
    """

    def __init__(self, X: np.ndarray) -> None:
        self.model = sv.Model(
            parent=[*TREE.parent, 2],
            jtype=[*TREE.jtype, "Fb"],
            Xtree=[*TREE.Xtree, X],
            I=[*TREE.I, np.eye(6)],
            gravity=[0, 0, 0],
        )
        rest = sv.neutral(self.model)[TREE.NQ :]
        self.q = np.concatenate([S.q, rest])
        self.qd, self.qdd = (np.concatenate([x, np.zeros(6)]) for x in (S.qd, S.qdd))
        self.n = TREE.NV

    def tensors(self, *tensors: np.ndarray) -> list[np.ndarray]:
        n = self.n
        return [x[(slice(n, None), *[slice(n)] * (x.ndim - 1))] for x in tensors]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return cross products of vectors along the first axis: for a (3, n) and b (3, m) a x b of all
    pairs, (3, n, m).
    """
    return np.moveaxis(np.cross(np.moveaxis(a, 0, -1), np.moveaxis(b, 0, -1)), -1, 0)


def test_rows_of_points_are_those_of_a_virtual_body() -> None:
    X = sv.rotx(0.3) @ sv.xlt(R1)
    v, held = Virtual(X), [sv.PointConstraint(2, R1)]
    R = sv.forward_kinematics(TREE, S.q).R[2] @ X[:3, :3].T
    (y,) = v.tensors(sv.ID(v.model, v.q, v.qd, v.qdd))
    y_q, y_v = v.tensors(*dv.ID_derivatives(v.model, v.q, v.qd, v.qdd))
    y_qq, y_vv, y_qv, _ = v.tensors(*dv.ID_SO_derivatives(v.model, v.q, v.qd, v.qdd))
    G = v.tensors(sv.CRBA(v.model, v.q))[0]
    w = R @ G[:3]
    body = TREE.body_of_v
    turns = cross(w[:, None, :], w[:, :, None]) * reach(TREE)[np.ix_(body, body)]
    alpha, a_q, a_v = R @ y[3:], R @ y_q[3:], R @ y_v[3:]
    a_q = a_q + cross(w, alpha[:, None])
    a_qq = np.tensordot(R, y_qq[3:], 1) + cross(w[:, None, :], (R @ y_q[3:])[:, :, None])
    a_qq += cross(turns, alpha[:, None, None]) + cross(w[:, :, None], a_q[:, None, :])
    a_qv = np.tensordot(R, y_qv[3:], 1) + cross(w[:, :, None], a_v[:, None, :])
    J = sv.constraint_jacobian(TREE, S.q, held)
    close(J, R @ G[3:], 5e-14)
    close(J @ S.qdd + sv.constraint_bias(TREE, S.q, S.qd, held), alpha, 5e-14)
    d = sv.constraint_derivatives(TREE, S.q, S.qd, S.qdd, held)
    d2 = sv.constraint_SO_derivatives(TREE, S.q, S.qd, S.qdd, held)
    close(d.dalpha_dq, a_q, 5e-14)
    close(d.dalpha_dqd, a_v, 5e-14)
    close(d2.d2alpha_dq, a_qq, 5e-14)
    close(d2.d2alpha_cross, a_qv, 5e-14)
    close(d2.d2alpha_dqd, np.tensordot(R, y_vv[3:], 1), 5e-14)


def test_rows_of_frames_are_those_of_a_virtual_body() -> None:
    """Rows of a frame are the rates of its body's twist in its axes.

    The linear part is the classical acceleration minus omega x v.
    """
    X = sv.rotx(0.3) @ sv.xlt(R1)
    v, held = Virtual(X), [sv.FrameConstraint(2, X)]
    none = 0 * v.qd
    (y,) = v.tensors(sv.ID(v.model, v.q, v.qd, v.qdd))
    y_q, y_v = v.tensors(*dv.ID_derivatives(v.model, v.q, v.qd, v.qdd))
    G = v.tensors(sv.CRBA(v.model, v.q))[0]
    w, (w_q, _) = G @ S.qd, v.tensors(*dv.ID_derivatives(v.model, v.q, none, v.qd))
    w0, w1 = w[:3, None], w[3:, None]

    def less(y: np.ndarray, product: np.ndarray) -> np.ndarray:
        return np.concatenate([y[:3], y[3:] - product])

    close(sv.constraint_jacobian(TREE, S.q, held), G, 5e-14)
    close(G, sv.BodyJacobian(TREE, S.q, 2, X), 5e-14)
    alpha = G @ S.qdd + sv.constraint_bias(TREE, S.q, S.qd, held)
    close(alpha, less(y, np.cross(w[:3], w[3:])), 5e-14)
    d = sv.constraint_derivatives(TREE, S.q, S.qd, S.qdd, held)
    close(d.dw_dq, w_q, 5e-14)
    close(d.dalpha_dq, less(y_q, cross(w_q[:3], w1) + cross(w0, w_q[3:])), 5e-14)
    close(d.dalpha_dqd, less(y_v, cross(G[:3], w1) + cross(w0, G[3:])), 5e-14)


# Constrained dynamics and derivatives of the tree with 14 degrees of freedom.
TOLERANCE = {"point and loop": 1e-13, "point and hinge": 1e-13, "weld and base": 1e-11}
every_set = pytest.mark.parametrize("name", TOLERANCE)


def test_constraint_forces_as_external_forces_give_the_same_motion() -> None:
    """Constraint forces f, given to free dynamics as external forces ``[p x f; f]``, cause the same
    motion.
    """
    held = sets_of_14()["point and loop"]
    qdd, lambda_ = sv.KKT_FD(TREE, *STATE, held)
    at = sv.forward_kinematics(TREE, S.q)
    f_ext = np.zeros((TREE.NB, 6))
    for body, r, f in ((2, R1, lambda_[:3]), (6, R2, lambda_[3:]), (5, R1, -lambda_[3:])):
        p = at.p[body] + at.R[body] @ r
        f_ext[body] += np.concatenate([np.cross(p, f), f])
    close(sv.FDab(TREE, *STATE, f_ext), qdd, 1e-11)


@every_set
def test_symmetrised_second_derivatives_are_bicomplex_steps(name: str) -> None:
    """Symmetrised second derivatives along q are the Hessian of ``dq -> KKT_FD(q (+) dq)``."""
    held = sets_of_14()[name]

    def f(dq: Any) -> Any:
        q = sv.configurationAddition(TREE, S.q, dq)
        x = sv.KKT_FD.reference(TREE, q, S.qd, S.tau, held)
        return namespace(x.qdd).concat([x.qdd, x.lambda_], axis=-1)

    d, d2 = dv.KKT_FO_derivatives(TREE, *STATE, held), dv.KKT_SO_derivatives(TREE, *STATE, held)
    within = 1e-11 if name == "weld and base" else 1e-12
    H = np.split(bicomplex_step(f, np.zeros(TREE.NV)), [TREE.NV])
    close(dv.symmetrize(d2.d2qdd_dq, d.dqdd_dq, TREE), H[0], within)
    close(dv.symmetrize(d2.d2lambda_dq, d.dlambda_dq, TREE), H[1], within)
    assert np.abs(d2.d2qdd_dq - np.swapaxes(d2.d2qdd_dq, 1, 2)).max() > 0.1


# Redundant constraint rows, and the proximal iteration.
SIX = {k: w / 60 for k, w in zip((-3, -2, -1, 1, 2, 3), (-1, 9, -45, 45, -9, 1), strict=True)}


@pytest.mark.parametrize("consistent", [True, False])
def test_redundant_rows_have_shortest_multipliers_and_derivatives(consistent: bool) -> None:
    """Nine rows of rank six give the least-squares solution with the shortest multipliers.

    Its derivatives agree with sixth-order differences.
    """
    held = three_points(4)
    qd = sv.project_velocity(TREE, S.q, S.qd, held) if consistent else S.qd
    assert np.linalg.matrix_rank(sv.constraint_jacobian(TREE, S.q, held)) == 6
    qdd, lambda_ = sv.KKT_FD(TREE, S.q, qd, S.tau, held, rank="minimum_norm")
    C = sv.HandC(TREE, S.q, qd)[1]
    gamma = sv.constraint_bias(TREE, S.q, qd, held)
    if consistent:
        x = np.linalg.pinv(K_of(TREE, S.q, held), rcond=1e-10) @ np.concatenate([S.tau - C, -gamma])
        close(qdd, x[: TREE.NV])
        close(-lambda_, x[TREE.NV :])

    def parts(dq: np.ndarray) -> tuple[np.ndarray, ...]:
        q = sv.configurationAddition(TREE, S.q, dq)
        x = sv.KKT_FD(TREE, q, qd, S.tau, held, rank="minimum_norm")
        G = sv.constraint_jacobian(TREE, q, held)
        return x.qdd, x.lambda_, (np.swapaxes(G, -1, -2) @ x.lambda_[..., None])[..., 0]

    h = 2e-3
    moved = {k: parts(k * h * np.eye(TREE.NV)) for k in SIX}
    P, L, F = (sum(w * moved[k][i] for k, w in SIX.items()).T / h for i in range(3))  # type: ignore[union-attr]
    d = dv.KKT_FO_derivatives(TREE, S.q, qd, S.tau, held, rank="minimum_norm")
    G = sv.constraint_jacobian(TREE, S.q, held)
    G_q = sv.constraint_SO_derivatives(TREE, S.q, qd, qdd, held).dG_dq
    close(d.dqdd_dq, P, 1e-9)
    close(d.dlambda_dq, L, 1e-9)
    close(G.T @ d.dlambda_dq + np.einsum("c,ckl->kl", lambda_, G_q), F, 1e-9)


def test_inconsistent_rows_are_met_in_least_squares() -> None:
    """Rows that no acceleration satisfies are violated by the least sum of squares."""
    held = three_points(4)
    qdd, lambda_ = sv.KKT_FD(TREE, *STATE, held, rank="minimum_norm")
    G, gamma = sv.constraint_jacobian(TREE, S.q, held), sv.constraint_bias(TREE, S.q, S.qd, held)
    rho = -gamma - G @ qdd
    assert np.abs(rho).max() > 1e-2
    close(G.T @ rho, np.zeros(TREE.NV), 1e-11)
    close(sv.ID(TREE, S.q, S.qd, qdd) - G.T @ lambda_, S.tau, 1e-11)


@pytest.mark.parametrize("consistent", [True, False])
def test_proximal_iteration_converges_to_the_least_multipliers(consistent: bool) -> None:
    """The iteration converges to the motion, and to the shortest multipliers if the rows are
    consistent.
    """
    held = three_points(4)
    qd = sv.project_velocity(TREE, S.q, S.qd, held) if consistent else S.qd
    found = sv.KKT_FD.reference(TREE, S.q, qd, S.tau, held, rank="proximal")
    exact = sv.KKT_FD(TREE, S.q, qd, S.tau, held, rank="minimum_norm")
    close(found.qdd, exact.qdd, 1e-10)
    if consistent:
        close(found.lambda_, exact.lambda_, 1e-9)


# Explicit constraints q = gamma(y), compared with the same constraints as rows.
def test_explicit_constraints_and_rows_give_the_same_motion() -> None:
    """Explicit constraints give the same motion as constraint rows.

    The chain of four links has a gear ``q2 = 2 q0`` and a coupling ``q3 = sin q1``.
    """

    def gamma_q(model: sv.Model, q0: np.ndarray, qd0: np.ndarray) -> tuple[np.ndarray, ...]:
        (a, b), (u, v) = q0[:2], qd0[:2]
        G = np.array([[1, 0], [0, 1], [2, 0], [0, np.cos(b)]])
        g = np.array([0, 0, 0, -np.sin(b) * v**2])
        return np.array([a, b, 2 * a, np.sin(b)]), G @ np.array([u, v]), G, g

    model = zoo.build("chain").replace(gamma_q=gamma_q)
    s = zoo.states(model, np.random.default_rng(4))
    q, qd, _, _ = gamma_q(model, s.q, s.qd)
    H, C = sv.HandC(model, q, qd)
    rows = np.array([[-2, 0, 1, 0], [0, -np.cos(q[1]), 0, 1]])
    bias = np.array([0, np.sin(q[1]) * qd[1] ** 2])
    qdd, lambda_ = KKT(H, rows).solve((s.tau - C)[:, None], -bias[:, None])
    close(sv.FDgq(model, s.q, s.qd, s.tau), qdd[:, 0], 1e-13)
    assert np.abs(lambda_).min() > 1e-2


# Indices of the coordinates x and angle among the four of the constrained cart-pendulum; the
# model without constraints has only these two.
FREE = [0, 3]


def on_the_rail(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """Draw states q, qd, tau (n, 4) of the cart-pendulum on its rail, with forces along x and about
    the hinge.
    """
    states = np.zeros((3, n, 4))
    states[..., FREE] = rng.uniform(-np.pi, np.pi, (3, n, 2))
    return tuple(states)


def test_cart_pendulum_moves_as_in_minimal_coordinates() -> None:
    four, two, level = cart_pendulum()
    q, qd, tau = on_the_rail(np.random.default_rng(1), 300)
    small = [x[:, FREE] for x in (q, qd, tau)]
    close(sv.KKT_FD(four, q, qd, tau, [level]).qdd[:, FREE], sv.FDab(two, *small))
    close(sv.KKT_FD(four, q, qd, tau, [level]).qdd[:, [1, 2]], np.zeros((300, 2)))
    first = dv.KKT_FO_derivatives(four, q, qd, tau, [level])
    for x, y in zip(first[:3], dv.FD_derivatives(two, *small), strict=True):
        close(x[np.ix_(range(300), FREE, FREE)], y)
    q, qd, tau = (x[:30] for x in (q, qd, tau))
    d2 = dv.KKT_SO_derivatives(four, q, qd, tau, [level])
    of_two = dv.FD_SO_derivatives(two, *(x[:30] for x in small))
    for x, y in zip(d2[:4], of_two, strict=True):
        close(x[np.ix_(range(30), FREE, FREE, FREE)], y)
