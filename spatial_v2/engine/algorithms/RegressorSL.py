"""The regressor of ``H qdd + C qd_r + g``, with the Coriolis matrix of Christoffel symbols."""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import in_body, six
from spatial_v2.engine.parts.body_rows import (
    Chain,
    add_ten,
    centrifugal,
    inertial,
    new_chain,
    outward_motion,
    set_chain,
    store_ten,
    two_velocities,
)
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tree import Floats, Tree


@part
def force_rows(
    tree: Tree, chain: Chain, v: Floats, w: Floats, a: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Compute the regressors Y (nv, 10*NB) and Y_rot (nv, 10*NB_rot) in one state."""
    R, p, var, s = chain.R, chain.p, chain.var, chain.s
    nb = links(tree)
    for i in range(tree.parent.size):
        n = set_chain(tree, i, chain)
        vi, wi = in_body(R[i], p[i], six(v[i])), in_body(R[i], p[i], six(w[i]))
        m = two_velocities(in_body(R[i], p[i], six(a[i])), vi, wi)
        omega, half = (vi[0], vi[1], vi[2]), (0.5 * wi[0], 0.5 * wi[1], 0.5 * wi[2])
        for k in range(n):
            x = add_ten(inertial(six(s[k]), m), centrifugal(six(s[k]), omega, half))
            store_ten(x, Y[var[k]] if i < nb else Y_rot[var[k]], 10 * (i % nb))


@jit
def RegressorSL(
    tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Compute the regressors Y (B, nv, 10*NB) of links and Y_rot (B, nv, 10*NB_rot) of rotors."""
    nb, m = tree.parent.size, row_count(tree)
    chain = new_chain(q, nb, m)
    v, w, a = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    vJ = empty(q, 6)
    for b in range(q.shape[0]):
        outward_motion(tree, q[b], qd[b], qd_r[b], qdd[b], chain, vJ, v, w, a)
        force_rows(tree, chain, v, w, a, Y[b], Y_rot[b])


@jit
def RegressorClassical(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Compute the regressors Y (B, nv, 10*NB) of links and Y_rot (B, nv, 10*NB_rot) of rotors."""
    RegressorSL(tree, q, qd, qd, qdd, Y, Y_rot)
