"""The centroidal momentum matrix."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import Six, cross, six
from spatial_v2.engine.parts.inertia import apply_inertia, inertias, sum_rows
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.tree import Floats, Tree


@inline
def moved(f: Six, c0: float, c1: float, c2: float, A: Floats, k: int) -> None:
    """Store a force vector f, with the couple about c = (c0, c1, c2), in column k of A."""
    n0, n1, n2 = cross(c0, c1, c2, f[3], f[4], f[5])
    A[0, k], A[1, k], A[2, k] = f[0] - n0, f[1] - n1, f[2] - n2
    A[3, k], A[4, k], A[5, k] = f[3], f[4], f[5]


@inline
def inward_matrix(tree: Tree, R: Floats, p: Floats, S: Floats, IC: Floats, A: Floats) -> None:
    """Compute the centroidal momentum matrix A (6, nv) of one state from the results of
    `about_robot`.
    """
    inertias(tree, R, p, IC)
    sum_rows(tree, IC)
    m = IC[-1, 0]
    c0, c1, c2 = IC[-1, 1] / m, IC[-1, 2] / m, IC[-1, 3] / m
    for i in range(tree.parent.size):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            moved(apply_inertia(IC[i], six(S[k])), c0, c1, c2, A, k)


@jit
def CMM(tree: Tree, q: Floats, A: Floats) -> None:
    """Compute the centroidal momentum matrices A (B, 6, nv) of a batch of states."""
    nb, nv = tree.parent.size, A.shape[2]
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, IC = empty(q, nv, 6), empty(q, nb + 1, 10)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], R, p, S)
        inward_matrix(tree, R, p, S, IC, A[b])
