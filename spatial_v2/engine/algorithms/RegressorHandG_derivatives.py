"""Derivatives of the regressors of H and of gravity with respect to q."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, six
from spatial_v2.engine.parts.body_rows import Chain, add_ten, inertial, new_chain, set_chain
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.sweep import rest
from spatial_v2.engine.parts.variations import store_rate, turned_freedom
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorHandG_derivatives"]


@part
def inertia_rates(
    i: int, n: int, chain: Chain, g: Floats, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute ten columns, from column c on, of the derivatives dYH and dYg of the regressors, for
    body i.
    """
    R, p, var, bodies, s = chain.R, chain.p, chain.var, chain.bodies, chain.s
    dYH, dYg = out
    a = in_body(R[i], p[i], six(g[1]))
    for j in range(n):
        moved = crm(a, six(s[j]))
        for k in range(n):
            x = turned_freedom(bodies, k, j, s)
            y = add_ten(inertial(x, a), inertial(six(s[k]), moved))
            store_rate(y, dYg[var[k]], c, var[j])
            for t in range(k + 1):
                y = inertial(six(s[k]), turned_freedom(bodies, t, j, s))
                y = add_ten(y, inertial(x, six(s[t])))
                store_rate(y, dYH[var[k], var[t]], c, var[j])
                store_rate(y, dYH[var[t], var[k]], c, var[j])


@jit
def RegressorHandG_derivatives(
    tree: Tree, q: Floats, dYH: Floats, dYg: Floats, dYH_rot: Floats, dYg_rot: Floats
) -> None:
    """Compute the derivatives dYH (B, nv, nv, 10*NB, nv) and dYg (B, nv, 10*NB, nv) of the
    regressors.

    Entry [b, i, j, p, k] of dYH is the derivative of YH[b, i, j, p] along q_k, where p counts
    the ten inertial parameters of each body; likewise dYg[b, i, p, k]. dYH_rot and dYg_rot have
    10*NB_rot in place of 10*NB, for the parameters of rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, g = new_chain(q, nb, m), empty(q, 2, 6)
    rest(tree, g[:1], g)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], chain.R, chain.p, chain.S)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = (dYH[b], dYg[b]) if i < n_links else (dYH_rot[b], dYg_rot[b])
            inertia_rates(i, n, chain, g, out, 10 * (i % n_links))
