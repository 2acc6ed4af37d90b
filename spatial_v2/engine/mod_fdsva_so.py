"""Hessian of lambda . FDab, and first derivatives of FDab: matrices alone.

With mu = H^-1 lambda the Hessian is minus that of mu . ID at the accelerations, and products of the
first derivatives with N, the derivative of H mu along q at constant mu.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.aba import aba
from spatial_v2.engine.aba_zero import aba_zero
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.external import external, held_hessian
from spatial_v2.engine.fdsva import fdsva
from spatial_v2.engine.idsva import inward as derive
from spatial_v2.engine.mod_fdsva import spread
from spatial_v2.engine.mod_idsva import weigh
from spatial_v2.engine.mod_idsva_so import inward
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.sweep import forward
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["mod_fdsva_so"]


@part
def gather(tree: Tree, A: Floats) -> None:
    """Add the rows and columns of rotors to those of the variables that drive them."""
    for b in range(links(tree), tree.parent.size):
        row, v0 = tree.joint[b, 3], tree.joint[tree.joint[b, 5], 3]
        for c in range(A.shape[1]):
            A[v0, c] += A[row, c]
        for r in range(A.shape[0]):
            A[r, v0] += A[r, row]


@part
def combine(
    N: Floats, A: Floats, B: Floats, C: Floats, P: Floats, Q: Floats, Minv: Floats, X: Floats,
    qq: Floats, vv: Floats, vq: Floats, tq: Floats,
) -> None:  # fmt: skip
    """The blocks (nv, nv) of the Hessian; X (nv, nv) is scratch space.

    A, B and C are those of mu . ID along q twice, by qd twice, and along q and by qd.
    """
    n = X.shape[0]
    X[:, :] = 0.0
    vq[:, :] = 0.0
    tq[:, :] = 0.0
    for i in range(n):
        for j in range(n):
            p, d, m = P[i, j], Q[i, j], Minv[i, j]
            for k in range(n):
                X[j, k] += p * N[i, k]
                vq[j, k] -= d * N[i, k]
                tq[j, k] -= m * N[i, k]
    for j in range(n):
        for k in range(n):
            qq[j, k] = -(A[j, k] + X[j, k] + X[k, j])
            vv[j, k] = -B[j, k]
            vq[j, k] -= C[k, j]


@jit
def mod_fdsva_so(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    P: Floats, Q: Floats, Minv: Floats, qq: Floats, vv: Floats, vq: Floats, tq: Floats,
) -> None:  # fmt: skip
    """First derivatives P, Q and H^-1, and the blocks of the Hessian, each (B, nv, nv)."""
    nb, nv, m = tree.parent.size, qd.shape[1], rows(tree)
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, m, 6)
    psid, psidd, rate = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    v, a, fC = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    IC, BC, B3 = empty(q, nb + 1, 10), empty(q, nb + 1, 12), empty(q, 12)
    F, M, L = empty(q, nb + 1, 6), empty(q, nb + 1, 9), empty(q, nb + 1, 3)
    w, sw, ICs, N1 = empty(q, nb + 1, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 9)
    most = (nb + 1) * (f_ext.size > 0)
    e, K, weight, rest = empty(q, most, 6), empty(q, most, 18), empty(q, m), empty(q, nv)
    N, A, B, C = empty(q, m, m), empty(q, m, m), empty(q, m, m), empty(q, m, m)
    X, none = empty(q, nv, nv), empty(q, 1, 0)
    qdd, mu = empty(q, q.shape[0], nv), empty(q, q.shape[0], nv)
    light = Tree(tree.parent, tree.joint, tree.par, tree.Xtree, tree.I, np.zeros(3))
    rest[:] = 0.0
    fdsva(tree, q, qd, tau, f_ext, f_body, P, Q, Minv)
    aba(tree, q, qd, tau, f_ext, f_body, qdd)
    aba_zero(tree, q, lam, mu)
    for b in range(q.shape[0]):
        o = near(tree, q[b], R, p, S)
        N[:, :] = 0.0
        forward(light, rest, mu[b], R, p, False, S, psid, psidd, rate, v, a, IC, BC, fC)
        derive(tree, S, psid, psidd, rate, IC, BC, fC, N, A)
        A[:, :] = 0.0
        B[:, :] = 0.0
        C[:, :] = 0.0
        forward(tree, qd[b], qdd[b], R, p, False, S, psid, psidd, rate, v, a, IC, BC, fC)
        external(f_ext, f_body, b, o, R, p, fC, e)
        spread(tree, mu[b], weight)
        weigh(tree, weight, S, w)
        inward(
            tree, weight, S, psid, psidd, rate, IC, BC, fC, w, sw, F, M, L,
            ICs, N1, B3, A, B, C, none[0], none[0], none, none,
        )  # fmt: skip
        if f_ext.size:
            held_hessian(tree, weight, S, e, K, A)
        gather(tree, N)
        gather(tree, A)
        gather(tree, B)
        gather(tree, C)
        combine(N, A, B, C, P[b], Q[b], Minv[b], X, qq[b], vv[b], vq[b], tq[b])
