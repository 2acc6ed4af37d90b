"""Gradient of lambda . FDab: O(N), no matrix is formed.

The gradient is minus that of mu . ID at the accelerations, mu = H^-1 lambda held constant; both
come of the same articulated-body inertias.
"""

from __future__ import annotations

from spatial_v2.engine.aba import bias
from spatial_v2.engine.articulate import articulate, respond
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.external import external, held_gradient
from spatial_v2.engine.mod_idsva import inward, weigh
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.sweep import forward, rest
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["mod_fdsva"]


@inline
def spread(tree: Tree, x: Floats, rows_of_x: Floats) -> None:
    """A vector (nv,), with an entry for each row of S: a rotor has that of its joint."""
    for k in range(x.size):
        rows_of_x[k] = x[k]
    for b in range(links(tree), tree.parent.size):
        rows_of_x[tree.joint[b, 3]] = x[tree.joint[tree.joint[b, 5], 3]]


@inline
def gather(tree: Tree, rows_of_x: Floats, x: Floats) -> None:
    """x (nv,) is minus the sums over the rows of S that go with each variable."""
    for k in range(x.size):
        x[k] = -rows_of_x[k]
    for b in range(links(tree), tree.parent.size):
        x[tree.joint[tree.joint[b, 5], 3]] -= rows_of_x[tree.joint[b, 3]]


@jit
def mod_fdsva(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, lam: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, mu: Floats,
) -> None:  # fmt: skip
    """Gradients dq, dqd and mu, that by tau, each (B, nv)."""
    nb, nv, m = tree.parent.size, qd.shape[1], rows(tree)
    R, d, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 3)
    S, U, D, W = empty(q, m, 6), empty(q, m, 6), empty(q, nb, 6, 6), empty(q, 2, 6, 6)
    psid, psidd, rate = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    v, a, f, c = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb, 6)
    IC, BC, IA = empty(q, nb + 1, 10), empty(q, nb + 1, 12), empty(q, nb + 1, 6, 6)
    w, L, P = empty(q, nb + 1, 6), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    qdd, u, y, none = empty(q, nv), empty(q, nv), empty(q, 6), empty(q, 0, 6)
    weight, by_q, by_qd = empty(q, m), empty(q, m), empty(q, m)
    e = empty(q, (nb + 1) * (f_ext.size > 0), 6)
    for b in range(q.shape[0]):
        rest(tree, v, a)
        articulate(tree, q[b], R, d, S, IC, IA, U, D, W)
        fixed, carried = f_ext[b] if f_ext.size else none, f_body[b] if f_body.size else none
        bias(tree, qd[b], fixed, carried, R, d, S, IC, IA, p, v, c, f)
        respond(tree, d, S, U, D, c, f, a, tau[b], u, y, qdd)
        a[-1, :] = 0.0
        c[:, :] = 0.0
        f[:, :] = 0.0
        respond(tree, d, S, U, D, c, f, a, lam[b], u, y, mu[b])
        o = near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd, R, p, False, S, psid, psidd, rate, v, a, IC, BC, f)
        external(f_ext, f_body, b, o, R, p, f, e)
        spread(tree, mu[b], weight)
        weigh(tree, weight, S, w)
        inward(tree, weight, S, psid, psidd, rate, IC, BC, f, w, L, P, by_q, by_qd)
        if f_ext.size:
            held_gradient(tree, weight, S, e, P, by_q)
        gather(tree, by_q, dq[b])
        gather(tree, by_qd, dqd[b])
