"""The regressor of the spatial momentum of the whole tree."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import in_body, six
from spatial_v2.engine.parts.body_rows import body_velocities, inertial, new_chain, store_ten
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorMomentum"]


@jit
def RegressorMomentum(tree: Tree, q: Floats, qd: Floats, Y: Floats, Y_rot: Floats) -> None:
    """Compute the momentum regressors Y (B, 6, 10*NB) of links and Y_rot (B, 6, 10*NB_rot) of
    rotors, about the ground's origin.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    R, p, r, e = chain.R, chain.p, empty(q, 3), empty(q, 6)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            vi = in_body(R[i], p[i], six(v[i]))
            for c in range(3):
                r[c] = p[i, c] - p[-1, c]
            for c in range(6):
                e[:] = 0.0
                e[c] = 1.0
                x = inertial(in_body(R[i], r, six(e)), vi)
                store_ten(x, Y[b, c] if i < n_links else Y_rot[b, c], 10 * (i % n_links))
