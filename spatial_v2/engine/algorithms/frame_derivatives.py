"""The Jacobian J of a frame and its derivatives ``dJ_k/dq_l = ([l at or before k] - N) J_l x J_k``.

The bracket is 1 if the joint of l is that of k or nearer to the base, else 0. N selects the part of
a velocity with which the axes of the view move.
"""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, plus, six, store, store_column, store_second
from spatial_v2.engine.parts.frame_view import FramePath, asked_for, new_frame_path, part_of, see
from spatial_v2.engine.tree import Floats, View


@inline
def first_derivatives(view: View, n: int, path: FramePath, dJ: Floats) -> None:
    """Compute dJ[x, y] (6,): the derivative of column x of the Jacobian with respect to variable y,
    both on a path of n variables.
    """
    for x in range(n):
        s = six(path.J[x])
        for y in range(n):
            store(crm(part_of(view, y < path.last[x], six(path.J[y])), s), dJ[x, y])


@inline
def store_first(view: View, n: int, path: FramePath, dJ: Floats, out: Floats, dout: Floats) -> None:
    """Store columns and their derivatives as out[:, k] and dout[:, k, l], in the view's axes."""
    index, p = path.var, path.p
    for x in range(n):
        store_column(asked_for(view, p, six(path.J[x])), index[x], out)
        for y in range(n):
            store_second(asked_for(view, p, six(dJ[x, y])), index[x], index[y], dout)


@jit
def frame_derivatives(view: View, q: Floats, J: Floats, dJ: Floats) -> None:
    """Compute the Jacobian J (B, 6, nv) and its derivatives dJ (B, 6, nv, nv), zero on entry."""
    nv = J.shape[2]
    path, pairs = new_frame_path(view, q, nv), empty(q, nv, nv, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        first_derivatives(view, n, path, pairs)
        store_first(view, n, path, pairs, J[b], dJ[b])


@jit
def frame_SO_derivatives(view: View, q: Floats, J: Floats, dJ: Floats, d2J: Floats) -> None:
    """Compute the Jacobian J (B, 6, nv) of a frame, its derivatives dJ (B, 6, nv, nv) and second
    derivatives d2J (B, 6, nv, nv, nv); all must be zero on entry.
    """
    nv = J.shape[2]
    path, pairs = new_frame_path(view, q, nv), empty(q, nv, nv, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        first_derivatives(view, n, path, pairs)
        store_first(view, n, path, pairs, J[b], dJ[b])
        rows, index = path.J, path.var
        for x in range(n):
            for y in range(n):
                below = y < path.last[x]
                s, a = six(rows[x]), part_of(view, below, six(rows[y]))
                for z in range(n):
                    da = part_of(view, below, six(pairs[y, z]))
                    t = plus(crm(da, s), crm(a, six(pairs[x, z])))
                    out = d2J[b, :, index[x]]
                    store_second(asked_for(view, path.p, t), index[y], index[z], out)
