"""Constraints as arrays that kernels read, and vectors of the constraint rows in one state."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.tree import Floats


class RowVectors(NamedTuple):
    """Force vectors whose products with motions are constraint rows, in one state."""

    Rc: Annotated[Floats, "2, 3, 3"]  # axes at the two ends of the current constraint
    pc: Annotated[Floats, "2, 3"]  # and origins
    D: Annotated[Floats, "m, 6"]
    """Directions of rows along the base's axes, and along lines, as `ConstraintArrays.T`."""
    B: Annotated[Floats, "m, 6"]
    """For rows along lines, the forces by which their residuals vary with the relative velocity and
    position of the points, beside those of rows in a fixed direction."""
    J: Annotated[Floats, "4, nv, 3"]  # see `lines.relative_rates`
    Y: Annotated[Floats, "2, m, 6"]  # see `row_vectors`
    Z: Annotated[Floats, "2, m, 6"]
    X: Annotated[Floats, "2, m, 6"]


new_row_vectors = allocator(RowVectors, "q, m, nv")


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
