"""The regressors of the joint-space inertia matrix and of gravity, and their derivatives."""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, six, turn_back
from spatial_v2.engine.parts.body_rows import (
    Chain,
    add_ten,
    inertial,
    new_chain,
    set_chain,
    store_ten,
)
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.sweep import rest
from spatial_v2.engine.parts.variations import store_rate, turned_freedom
from spatial_v2.engine.tree import Floats, Tree


@part
def body_blocks(
    tree: Tree, i: int, n: int, chain: Chain, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute ten columns of YH and Yg, from column c on, for body i."""
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


@part
def inertia_rates(
    i: int, n: int, chain: Chain, g: Floats, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute ten columns of the derivatives dYH and dYg, from column c on, for body i."""
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
