"""The Jacobian of constraint rows, from their force vectors."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.vectors import Six, dot6, six
from spatial_v2.engine.parts.constraint_arrays import row_range
from spatial_v2.engine.tree import Floats


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
def scaled(x: Six, length: float) -> Six:
    """Multiply the angular part of a vector by a length."""
    x0, x1, x2, x3, x4, x5 = x
    return length * x0, length * x1, length * x2, x3, x4, x5


@inline
def jacobian_and_sizes(
    constraints: ConstraintArrays, S: Floats, Y: Floats, G: Floats, size: Floats
) -> None:
    """Compute the Jacobian G (m, nv), and the squared length of each of its rows divided by its
    upper bound, size (m,).

    The bound is the sum of the squares of ``|Y| |S|`` over the products of `jacobian`: the length
    without cancellation. Couples are divided by the robot's own length, and rotations multiplied by
    it. A row without products gives NaN.
    """
    tree, length = constraints.tree, constraints.length
    G[:, :] = 0.0
    size[:] = 0.0
    for c in range(constraints.ends.shape[0]):
        for e in range(2):
            i, sign = constraints.ends[c, e], 2.0 * e - 1.0
            if i < 0:
                continue
            total = 0.0 * S[0, 0]
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s = six(S[t])
                    for k in row_range(constraints, c):
                        G[k, t] += sign * dot6(s, six(Y[e, k]))
                    s = scaled(s, length)
                    total += dot6(s, s)
                i = tree.parent[i]
            for k in row_range(constraints, c):
                y = scaled(six(Y[e, k]), 1.0 / length)
                size[k] += total * dot6(y, y)
    for k in range(G.shape[0]):
        square = 0.0 * S[0, 0]
        for t in range(G.shape[1]):
            square += G[k, t] * G[k, t]
        size[k] = square / size[k]
