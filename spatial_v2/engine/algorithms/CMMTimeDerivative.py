"""Time derivative of the centroidal momentum matrix."""

from spatial_v2.engine.algorithms.CMM import moved
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import cross, plus, six
from spatial_v2.engine.parts.inertia import (
    apply_inertia,
    apply_lie_inertia,
    inertias,
    lie_inertia,
    sum_rows,
)
from spatial_v2.engine.parts.velocities import Velocities, new_velocities, velocities
from spatial_v2.engine.tree import Floats, Tree


@inline
def inward_rate(tree: Tree, bodies: Velocities, IC: Floats, lie: Floats, Adot: Floats) -> None:
    """Compute the time derivative Adot (6, nv) of the centroidal momentum matrix of one state.

    lie (nb + 1, 9) is a workspace for the rates of the inertias; see `lie_inertia`.
    """
    R, p, S, Sd, v = bodies
    inertias(tree, R, p, IC)
    for i in range(tree.parent.size):
        lie_inertia(IC[i], six(v[i]), lie[i])
    sum_rows(tree, IC)
    sum_rows(tree, lie)
    # c is the centre of mass of the tree, d its velocity: momentum divided by mass
    m = IC[-1, 0]
    c0, c1, c2 = IC[-1, 1] / m, IC[-1, 2] / m, IC[-1, 3] / m
    d0, d1, d2 = lie[-1, 6] / m, lie[-1, 7] / m, lie[-1, 8] / m
    for i in range(tree.parent.size):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            h = apply_inertia(IC[i], six(S[k]))
            n0, n1, n2 = cross(d0, d1, d2, h[3], h[4], h[5])
            f = plus(apply_inertia(IC[i], six(Sd[k])), apply_lie_inertia(lie[i], six(S[k])))
            f = f[0] - n0, f[1] - n1, f[2] - n2, f[3], f[4], f[5]
            moved(f, c0, c1, c2, Adot, k)


@jit
def CMMTimeDerivative(tree: Tree, q: Floats, qd: Floats, Adot: Floats) -> None:
    """Compute time derivatives Adot (B, 6, nv) of the centroidal momentum matrices of a batch."""
    nb, nv = tree.parent.size, qd.shape[1]
    bodies, IC, lie = new_velocities(q, nb, nv), empty(q, nb + 1, 10), empty(q, nb + 1, 9)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], bodies)
        inward_rate(tree, bodies, IC, lie, Adot[b])
