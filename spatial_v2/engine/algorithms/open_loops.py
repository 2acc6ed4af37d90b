"""By how much the loops of a tree are open."""

import numpy as np

from spatial_v2.engine.algorithms.loop_motion import Closing, at_rest, inverse, new_closing
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.loop import Linkage, LoopArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.scalars import larger
from spatial_v2.engine.tree import Floats


@part
def most_dependents(of: Linkage) -> int:
    """Return the largest number of dependent variables of a loop."""
    most = 0
    for l in range(of.begin.shape[0] - 1):
        most = max(most, of.begin[l + 1, 0] - of.begin[l, 0])
    return most


@within
def loop_of(of: Linkage, l: int) -> LoopArrays:
    """Return loop l."""
    r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
    return LoopArrays(
        of.constraints, of.rows[r0:r1], of.u[u0:u1], of.d[r0:r1], of.row_scale, of.column_scale
    )


@within
def with_errors(of: ConstraintArrays) -> ConstraintArrays:
    """Return the rows with gains by which their residual at rest is their position error."""
    one = np.ones(of.Kp.size)
    return ConstraintArrays(of.tree, of.ends, of.E, of.r, of.T, one, of.Kd, of.length)


@part
def opened(
    of: Linkage, constraints: ConstraintArrays, q: Floats, w: Closing, W: Floats, gap: Floats,
    bound: Floats,
) -> None:  # fmt: skip
    """Compute w, W and bound as `close` for positions q of the loops' joints, and gap (L,): by how
    much the loops are open there, without units.
    """
    at_rest(constraints, q, w)
    for l in range(of.begin.shape[0] - 1):
        gap[l] = 0.0 * q[0]
        for k in range(of.begin[l, 2], of.begin[l + 1, 2]):
            gap[l] = larger(gap[l], abs(of.row_scale[k] * w.e[k]))
        bound[l] = inverse(loop_of(of, l), w, W[of.begin[l, 0] : of.begin[l + 1, 0]])


@jit
def open_loops(of: Linkage, q: Floats, gap: Floats, bound: Floats) -> None:
    """Compute gap and bound (B, L) of `opened` in configurations q (B, NQ) of a tree."""
    constraints, most, at = with_errors(of.constraints), most_dependents(of), empty(q, of.q.size)
    w, W = new_closing(of.constraints, q, of.v.size, most), empty(q, of.d.size, most)
    for b in range(q.shape[0]):
        for i in range(of.q.size):
            at[i] = q[b, of.q[i]]
        opened(of, constraints, at, w, W, gap[b], bound[b])
