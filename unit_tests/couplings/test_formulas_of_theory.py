"""The page "Theory": its formulas in independent coordinates, evaluated as they are written.

Only functions of the tree are called, and the jet of a coupling is computed here.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers import near
from mechanisms import ZOO, state

from derivatives import (
    FD_SO_derivatives,
    H_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    modID_second_derivatives,
)
from spatial_v2 import (
    CRBA,
    ID,
    FDab,
    autoTree,
    constraint_derivatives,
    constraint_SO_derivatives,
    couple,
)


def along(T, A, B):
    """Return T(A, B)[c, j, k]."""
    return np.einsum("cps,pj,sk->cjk", T, A, B)


def turned(T):
    return np.swapaxes(T, -1, -2)


def times(A, T):
    return np.einsum("ck,kij->cij", A, T)


def of_ID(tree, q, qd, qdd):
    """Return ID and its derivatives, with the names of the page."""
    d, s = ID_derivatives(tree, q, qd, qdd), ID_SO_derivatives(tree, q, qd, qdd)
    return SimpleNamespace(
        F=ID(tree, q, qd, qdd), q=d.dtau_dq, v=d.dtau_dqd, a=CRBA(tree, q), qq=s.d2tau_dq,
        qv=s.d2tau_cross, vv=s.d2tau_dqd, qa=turned(s.dM_dq),
    )  # fmt: skip


def of_rows(tree, q, qd, qdd, pin, rows):
    """Return w_q and the derivatives of the selected rows' acceleration."""
    d = constraint_derivatives(tree, q, qd, qdd, [pin])
    s = constraint_SO_derivatives(tree, q, qd, qdd, [pin])
    w_q, J, alpha_q, alpha_qd = (x[rows] for x in d)
    J_q, qq, vv, qv = (x[rows] for x in s)
    return SimpleNamespace(w_q=w_q, q=alpha_q, v=alpha_qd, a=J, qq=qq, qv=qv, vv=vv, qa=turned(J_q))


def unwanted(F, x):
    """Return F_yy, F_y,yd and F_yd,yd without the terms of second derivatives of qdd."""
    M = along(F.qv, x.G, x.qd_y) + along(F.qa, x.G, x.qdd_y)
    yy = along(F.qq, x.G, x.G) + along(F.vv, x.qd_y, x.qd_y) + M + turned(M)
    yy = yy + times(F.q, x.G_y) + times(F.v, x.qd_yy)
    yv = along(F.qv, x.G, x.G) + along(F.qa, x.G, x.qdd_v) + along(F.vv, x.qd_y, x.G)
    return yy, yv + times(F.v, turned(x.G_y)), along(F.vv, x.G, x.G)


def linear(G, c, y, yd, ydd):
    """Return the jet of q = G y + c."""
    n, k = G.shape
    flat, bent = np.zeros((n, k)), np.zeros((n, k, k))
    return SimpleNamespace(
        q=G @ y + c, qd=G @ yd, qdd=G @ ydd, G=G, qd_y=flat, qdd_y=flat, qdd_v=flat, G_y=bent,
        qd_yy=bent, qdd_yy=bent, qdd_yv=bent, qdd_vv=bent, G_yy=np.zeros((n, k, k, k)),
    )  # fmt: skip


def of_loop(tree, pin, rows, u, q, yd, ydd):
    """Return the jet of a closed loop whose joints u are independent."""
    n, rest = tree.NV, np.zeros(tree.NV)
    d = np.setdiff1d(np.arange(n), u)
    w = of_rows(tree, q, rest, rest, pin, rows)

    def N(X):
        out = np.zeros((n, *X.shape[1:]))
        out[d] = -np.linalg.solve(w.a[:, d], X.reshape(len(d), -1)).reshape(len(d), *X.shape[1:])
        return out

    x = SimpleNamespace(q=q, G=N(w.a[:, u]), N=N, d=d, J=w.a)
    x.G[u] = np.eye(len(u))
    x.qd = x.G @ yd
    x.G_y = N(along(turned(w.qa), x.G, x.G))

    def qd_yy(qd, qd_y):
        at_rest = of_rows(tree, q, rest, qd, pin, rows)  # alpha is w there
        M = along(at_rest.qa, x.G, qd_y)
        return N(along(at_rest.qq, x.G, x.G) + M + turned(M) + times(at_rest.q, x.G_y))

    # dJ/dt qd is the part of alpha at qdd = 0: half of its derivative with respect to qd, times qd
    g = N(0.5 * of_rows(tree, q, x.qd, rest, pin, rows).v @ x.qd)
    x.qdd = x.G @ ydd + g
    x.rows = r = of_rows(tree, q, x.qd, x.qdd, pin, rows)
    x.qd_y = N(r.w_q @ x.G)
    x.qdd_y = N(r.q @ x.G + r.v @ x.qd_y)
    x.qdd_v = N(r.v @ x.G)
    x.Gdot = N((r.v - r.w_q) @ x.G)
    x.qd_yy = qd_yy(x.qd, x.qd_y)
    x.qdd_yy, x.qdd_yv, x.qdd_vv = map(N, unwanted(r, x))
    of_columns = [qd_yy(x.G[:, i], x.G_y[:, i]) for i in range(len(u))]
    x.G_yy = np.stack(of_columns, axis=1)
    return x


def check(model, x, y, yd, ydd, tolerance):
    """Compare the page's formulas with the library's functions of y."""
    G, F = x.G, of_ID(model.tree, x.q, x.qd, x.qdd)
    F_y, F_yd = F.q @ G + F.v @ x.qd_y + F.a @ x.qdd_y, F.v @ G + F.a @ x.qdd_v
    yy, yv, vv = unwanted(F, x)
    F_yy, F_yv = yy + times(F.a, x.qdd_yy), yv + times(F.a, x.qdd_yv)
    F_vv = vv + times(F.a, x.qdd_vv)
    F_ya = along(F.qa, G, G) + times(F.a, turned(x.G_y))
    by_y = G.T @ F_y + np.einsum("k,kij->ij", F.F, x.G_y)
    by_yd, H = G.T @ F_yd, G.T @ F.a @ G
    turn = np.einsum("cij,cl->ijl", x.G_y, F_y)
    tau_yy = times(G.T, F_yy) + turn + turned(turn) + np.einsum("c,cijl->ijl", F.F, x.G_yy)
    tau_yv = times(G.T, F_yv) + np.einsum("cij,cl->ijl", x.G_y, F_yd)
    tau_vv = times(G.T, F_vv)
    H_y = np.einsum("ci,clj->ijl", G, F_ya) + np.einsum("cil,cj->ijl", x.G_y, F.a @ G)

    def same(computed, page):
        near(page, computed, tolerance)

    first, second = ID_derivatives(model, y, yd, ydd), ID_SO_derivatives(model, y, yd, ydd)
    same(ID(model, y, yd, ydd), G.T @ F.F)
    same(first.dtau_dq, by_y)
    same(first.dtau_dqd, by_yd)
    same(second.d2tau_dq, tau_yy)
    same(second.d2tau_dqd, tau_vv)
    same(second.d2tau_cross, tau_yv)
    same(second.dM_dq, H_y)
    same(H_derivatives(model, y), H_y)

    tau = G.T @ F.F
    inverse = np.linalg.inv(H)
    P, V = -inverse @ by_y, -inverse @ by_yd
    same(FDab(model, y, yd, tau), ydd)
    HP = np.einsum("iak,aj->ijk", H_y, P)
    FD = FD_SO_derivatives(model, y, yd, tau)
    same(FD.d2qdd_dq, -times(inverse, tau_yy + HP + turned(HP)))
    same(FD.d2qdd_cross, -times(inverse, tau_yv + np.einsum("iaj,ak->ijk", H_y, V)))
    same(FD.d2qdd_dqd, -times(inverse, tau_vv))
    same(FD.dMinv_dq, -np.einsum("ia,abk,bj->ijk", inverse, H_y, inverse))

    mu = np.arange(1.0, len(y) + 1)
    m = modID_second_derivatives(model, y, yd, ydd, mu)
    weighted = [np.einsum("i,ijk->jk", mu, T) for T in (tau_yy, tau_yv, tau_vv)]
    for name, T in zip(("dmod_dqq", "dmod_dqv", "dmod_dvv"), weighted, strict=True):
        same(getattr(m, name), T)
    return F, by_y, weighted, mu


@pytest.mark.parametrize("linkage", ["four_bar", "five_bar"])
def test_closed_loops(linkage):
    model, rng = ZOO[linkage](), np.random.default_rng(7)
    y, yd, ydd = state(model, rng)
    (pin,) = model.coupling.constraints.constraints
    u, tree = model.coupling.v_of_y, model.tree
    x = of_loop(tree, pin, [0, 1], u, model.coupling.configuration(y), yd, ydd)
    near(x.Gdot @ yd, x.qdd - x.G @ ydd, 1e-10)
    near(x.Gdot, x.G_y @ yd, 1e-10)
    F, by_y, weighted, mu = check(model, x, y, yd, ydd, 1e-10)

    # multipliers take the place of derivatives of G
    J_d, J_q, r, G = x.J[:, x.d], turned(x.rows.qa), x.rows, x.G
    solved = np.linalg.solve(J_d.T, F.F[x.d])
    force = np.einsum("c,ckl->kl", solved, J_q)
    T_q = F.q - force
    T_y = T_q @ G + F.v @ x.qd_y + F.a @ x.qdd_y
    near(G.T @ T_y, by_y, 1e-10)
    near(np.einsum("k,kij->ij", F.F, x.G_y), -G.T @ force @ G, 1e-10)

    # and that of second derivatives of the motion: the Hessian of
    # b . T - eta . alpha - zeta . w - kappa . phi, multiplied by G, qd_y and qdd_y
    b, b_y = G @ mu, np.einsum("kij,i->kj", x.G_y, mu)
    eta = np.linalg.solve(J_d.T, (F.a @ b)[x.d])
    zeta = np.linalg.solve(J_d.T, (F.v.T @ b - r.v.T @ eta)[x.d])
    kappa = np.linalg.solve(J_d.T, (T_q.T @ b - r.q.T @ eta - r.w_q.T @ zeta)[x.d])
    rest = np.zeros(tree.NV)
    w, at_b = (of_rows(tree, x.q, rest, z, pin, [0, 1]) for z in (x.qd, b))

    def weighed(*parts):
        return sum(np.einsum("c,cjk->jk", *part) for part in parts)

    qq = weighed((b, F.qq), (-solved, at_b.qq), (-eta, r.qq), (-zeta, w.qq), (-kappa, J_q))
    qv = weighed((b, F.qv), (-eta, r.qv), (-zeta, w.qa))
    vv, qa = weighed((b, F.vv), (-eta, r.vv)), weighed((b, F.qa), (-eta, r.qa))
    M = G.T @ (qv @ x.qd_y + qa @ x.qdd_y) + b_y.T @ T_y
    near(G.T @ qq @ G + x.qd_y.T @ vv @ x.qd_y + M + M.T, weighted[0], 1e-10)
    yv = G.T @ qv @ G + G.T @ qa @ x.qdd_v + x.qd_y.T @ vv @ G
    near(yv + b_y.T @ (F.v @ G + F.a @ x.qdd_v), weighted[1], 1e-10)
    near(G.T @ vv @ G, weighted[2], 1e-10)


def test_linear_couplings():
    """A gripper: an arm with a differential wrist, and two fingers that close together."""
    tree = autoTree(6, 1.6, 0.4).replace(jtype=["Rz", "Rx", "Ry", "Rx", "Py", "Py"])
    G = np.zeros((6, 4))
    G[[0, 1, 2, 2, 3, 3, 4, 5], [0, 1, 1, 2, 1, 2, 3, 3]] = 1, 1, 0.5, 0.5, 1, -1, 1, -0.7
    c, (y, yd, ydd) = 0.1 * np.arange(6), np.random.default_rng(3).normal(size=(3, 4))
    model = couple(tree, matrix=G, offset=c)
    check(model, linear(G, c, y, yd, ydd), y, yd, ydd, 1e-10)
