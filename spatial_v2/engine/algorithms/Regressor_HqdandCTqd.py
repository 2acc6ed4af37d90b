"""The regressors of the generalised momentum H qd and of C^T qd."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, six, store
from spatial_v2.engine.parts.body_rows import (
    Chain,
    body_velocities,
    inertial,
    new_chain,
    set_chain,
    store_ten,
)
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["Regressor_HqdandCTqd"]


@part
def momentum_rows(
    i: int, n: int, chain: Chain, Sd: Floats, v: Floats, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute ten columns of the regressors H and C (nv, .), from column c on, for body i."""
    (H, C), R, p, row, var, s = out, chain.R, chain.p, chain.row, chain.var, chain.s
    vi = in_body(R[i], p[i], six(v[i]))
    for k in range(n):
        store_ten(inertial(six(s[k]), vi), H[var[k]], c)
        store_ten(inertial(in_body(R[i], p[i], six(Sd[row[k]])), vi), C[var[k]], c)


@jit
def Regressor_HqdandCTqd(
    tree: Tree, q: Floats, qd: Floats, H: Floats, C: Floats, H_rot: Floats, C_rot: Floats
) -> None:
    """Compute the regressors H of the momentum H qd, and C of C^T qd, each (B, nv, 10*NB).

    H_rot and C_rot (B, nv, 10*NB_rot) are the regressors for rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    S, Sd = chain.S, empty(q, m, 6)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                store(crm(six(v[i]), six(S[k])), Sd[k])
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = (H[b], C[b]) if i < n_links else (H_rot[b], C_rot[b])
            momentum_rows(i, n, chain, Sd, v, out, 10 * (i % n_links))
