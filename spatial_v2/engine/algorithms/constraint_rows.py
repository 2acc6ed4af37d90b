"""The Jacobian and the acceleration of constraints."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import Six, combine, crm, dot6, plus, six, store
from spatial_v2.engine.parts.constraint_arrays import new_row_vectors, row_range, row_vectors
from spatial_v2.engine.parts.least_pivots import least_pivots
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.sweep import still
from spatial_v2.engine.tree import Floats

__all__ = ["constraint_rows", "jacobian"]


@inline
def jacobian(constraints: ConstraintArrays, S: Floats, Y: Floats, G: Floats) -> None:
    """Compute the Jacobian G (m, nv): products of Y with the motion subspaces on the paths to both
    bodies.
    """
    tree = constraints.tree
    G[:, :] = 0.0
    for c in range(constraints.ends.shape[0]):
        for e in range(2):
            i, sign = constraints.ends[c, e], 2.0 * e - 1.0
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s = six(S[t])
                    for k in row_range(constraints, c):
                        G[k, t] += sign * dot6(s, six(Y[e, k]))
                i = tree.parent[i]


@inline
def scale(x: Six, length: float) -> Six:
    """Multiply the angular part of a vector by a length."""
    x0, x1, x2, x3, x4, x5 = x
    return length * x0, length * x1, length * x2, x3, x4, x5


@inline
def sizes(constraints: ConstraintArrays, S: Floats, Y: Floats, G: Floats, size: Floats) -> None:
    """Compute the squared length of each row divided by its upper bound, shape (m,).

    The bound is the sum of the squares of ``|Y| |S|`` over the products of `jacobian`: the length
    without cancellation. Couples are divided by the robot's own length, and rotations multiplied by
    it. A row without products gives NaN.
    """
    tree, length = constraints.tree, constraints.length
    size[:] = 0.0
    for c in range(constraints.ends.shape[0]):
        for e in range(2):
            i = constraints.ends[c, e]
            total = 0.0 * S[0, 0]
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s = scale(six(S[t]), length)
                    total += dot6(s, s)
                i = tree.parent[i]
            for k in row_range(constraints, c):
                y = scale(six(Y[e, k]), 1.0 / length)
                size[k] += total * dot6(y, y)
    for k in range(G.shape[0]):
        square = 0.0 * S[0, 0]
        for t in range(G.shape[1]):
            square += G[k, t] * G[k, t]
        size[k] = square / size[k]


@jit
def constraint_rows(
    constraints: ConstraintArrays, q: Floats, qd: Floats, qdd: Floats, G: Floats, alpha: Floats,
    size: Floats, least: Floats,
) -> None:  # fmt: skip
    """Compute the Jacobian G (B, m, nv), the acceleration alpha (B, m) and the `sizes` of
    constraint rows, and the `least_pivots` (B, nv) of the inertia matrix.

    alpha is the acceleration of the rows minus the desired one.
    """
    tree, m = constraints.tree, constraints.T.shape[0]
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    v, a, vJ = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6)
    rows, C = new_row_vectors(q, m), empty(q, nb + 1, 5)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], R, p, S)
        still(v, a)
        for i in range(nb):
            v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
            vp, ap = six(v[tree.parent[i]]), six(a[tree.parent[i]])
            vJ[:] = 0.0
            combine(S, v0, v1, qd[b], vJ)
            store(plus(vp, six(vJ)), v[i])
            store(plus(ap, crm(vp, six(vJ))), a[i])
            combine(S, v0, v1, qdd[b], a[i])
        row_vectors(constraints, R, p, v, a, rows, alpha[b])
        jacobian(constraints, S, rows.Y, G[b])
        sizes(constraints, S, rows.Y, G[b], size[b])
        least_pivots(tree, R, p, S, C, least[b])
