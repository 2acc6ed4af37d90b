"""The regressors of the joint-space inertia matrix and of gravity."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.vectors import six, turn_back
from spatial_v2.engine.parts.body_rows import Chain, inertial, new_chain, set_chain, store_ten
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorHandG"]


@part
def body_blocks(
    tree: Tree, i: int, n: int, chain: Chain, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute ten columns, from column c on, of the regressors YH of inertia and Yg of gravity, for
    body i.
    """
    (YH, Yg), g, R, var, s = out, tree.gravity, chain.R, chain.var, chain.s
    g0, g1, g2 = turn_back(R[i], -g[0], -g[1], -g[2])
    for k in range(n):
        sk = six(s[k])
        store_ten(inertial(sk, (0.0 * g0, 0.0 * g0, 0.0 * g0, g0, g1, g2)), Yg[var[k]], c)
        for j in range(k + 1):
            x = inertial(sk, six(s[j]))
            store_ten(x, YH[var[k], var[j]], c)
            store_ten(x, YH[var[j], var[k]], c)


@jit
def RegressorHandG(
    tree: Tree, q: Floats, YH: Floats, Yg: Floats, YH_rot: Floats, Yg_rot: Floats
) -> None:
    """Compute the regressors YH (B, nv, nv, 10*NB) of the inertia matrix and Yg (B, nv, 10*NB) of
    gravity; YH_rot and Yg_rot for rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain = new_chain(q, nb, m)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], chain.R, chain.p, chain.S)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = (YH[b], Yg[b]) if i < n_links else (YH_rot[b], Yg_rot[b])
            body_blocks(tree, i, n, chain, out, 10 * (i % n_links))
