"""Constraints as arrays that kernels read, and vectors of the constraint rows in one state."""

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats


class RowVectors(NamedTuple):
    """Force vectors whose products with motions are constraint rows, in one state.

    Attributes
    ----------
    Rc, pc : (2, 3, 3), (2, 3)
        Axes and origins at the two ends of the current constraint.
    D : (m, 6)
        Directions of rows along the base's axes, and along lines, as `ConstraintArrays.T`.
    B : (m, 6)
        For rows along lines, the forces by which their residuals vary with the relative velocity
        and position of the points, beside those of rows in a fixed direction.
    J : (4, nv, 3)
        See `lines.relative_rates`.
    Y, Z, X : (2, m, 6)
        See `row_vectors`.
    """

    Rc: Floats
    pc: Floats
    D: Floats
    B: Floats
    J: Floats
    Y: Floats
    Z: Floats
    X: Floats


@within
def new_row_vectors(q: Floats, m: int, nv: int) -> RowVectors:
    """Allocate the workspace of `row_vectors`, for the kind of number of q."""
    return RowVectors(
        empty(q, 2, 3, 3), empty(q, 2, 3), empty(q, m, 6), empty(q, m, 6), empty(q, 4, nv, 3),
        empty(q, 2, m, 6), empty(q, 2, m, 6), empty(q, 2, m, 6),
    )  # fmt: skip


@inline
def row_range(constraints: ConstraintArrays, c: int) -> range:
    """Return the indices of the rows of constraint c."""
    first = constraints.ends[c, 3]
    return range(first, first + constraints.ends[c, 4])


@inline
def ends(
    constraints: ConstraintArrays, c: int, R: Floats, p: Floats, Rc: Floats, pc: Floats
) -> None:
    """Compute orientations Rc (2, 3, 3) and origins pc (2, 3) of the two frames of constraint c."""
    for e in range(2):
        i, E, r = constraints.ends[c, e], constraints.E[c, e], constraints.r[c, e]
        Q, origin = R[i], p[i]
        for i in range(3):
            pc[e, i] = origin[i] + Q[i, 0] * r[0] + Q[i, 1] * r[1] + Q[i, 2] * r[2]
            for j in range(3):
                Rc[e, i, j] = Q[i, 0] * E[j, 0] + Q[i, 1] * E[j, 1] + Q[i, 2] * E[j, 2]
