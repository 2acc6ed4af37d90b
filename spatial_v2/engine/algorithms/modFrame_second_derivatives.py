"""Gradient and Hessian of ``weight . J u`` for the Jacobian J of a frame, without tensors."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    Six,
    add,
    crf,
    crm,
    dot6,
    minus,
    shift_force,
    six,
    store,
    times,
)
from spatial_v2.engine.parts.frame_view import BASE, FramePath, new_frame_path, part_of, see
from spatial_v2.engine.tree import Floats, View


@inline
def shared(view: View, x: Six) -> Six:
    """Return ``N x``, the part of the velocity x with which the axes of the view move."""
    return times(-1.0, part_of(view, False, x))


@inline
def beyond(n: int, path: FramePath, u: Floats, X: Floats, out: Floats) -> None:
    """Compute rows ``out[y] = sum_x u_x X[x]`` over all x at or beyond the joint of y.

    out[n] is the sum over all x.
    """
    out[n, :] = 0.0
    for x in range(n - 1, -1, -1):
        add(times(u[path.var[x]], six(X[x])), out[n])
        if x == path.first[x]:
            for y in range(x, n):
                if path.first[y] == x:
                    store(six(out[n]), out[y])


@inline
def second(
    view: View, n: int, path: FramePath, w: Six, P: Floats, V: Floats, F: Floats, dqq: Floats
) -> None:
    """Compute the Hessian dqq (nv, nv) of ``w . J u`` along q, for a weight w. P has rows
    ``J_x x* w``; V and F are the results of `beyond` for J and P.
    """
    J, index, last = path.J, path.var, path.last
    whole, pushed = six(V[n]), shared(view, six(F[n]))
    for y in range(n):
        s, p, v = six(J[y]), six(P[y]), six(V[y])
        turned = minus(crf(s, minus(six(F[y]), pushed)), crf(v, p))
        push = crf(shared(view, s), w)
        swept = crf(whole, push)
        for z in range(n):
            t = six(J[z])
            own = shared(view, t)
            W = crm(t, six(V[z]))
            value = dot6(push, W) - dot6(turned, own) - dot6(swept, own)
            if z < last[y]:
                value += dot6(turned, t)
            else:
                value -= dot6(p, W)
            dqq[index[y], index[z]] = value


@jit
def modFrame_second_derivatives(
    view: View, q: Floats, u: Floats, weight: Floats, dq: Floats, du: Floats, dqq: Floats,
    duq: Floats,
) -> None:  # fmt: skip
    """Compute the fields of `ModFrameSecondDerivatives`: (B, nv) or (B, nv, nv), zero on entry.

    Arguments are q, the vector u that the Jacobian multiplies, and the weight (B, 6) of its rows;
    results are the gradients dq and du, and the blocks dqq and duq of the Hessian.
    """
    nv = u.shape[1]
    path, P = new_frame_path(view, q, nv), empty(q, nv, 6)
    V, F = empty(q, nv + 1, 6), empty(q, nv + 1, 6)
    p, J, index, last = path.p, path.J, path.var, path.last
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        w = shift_force(p[-1], six(weight[b])) if view.axes == BASE else six(weight[b])
        for x in range(n):
            store(crf(six(J[x]), w), P[x])
        beyond(n, path, u[b], J, V)
        beyond(n, path, u[b], P, F)
        for x in range(n):
            k, push = index[x], six(P[x])
            du[b, k] = dot6(w, six(J[x]))
            for y in range(n):
                value = dot6(push, part_of(view, y < last[x], six(J[y])))
                duq[b, k, index[y]] = value
        for y in range(n):
            total = u[b, index[0]] * duq[b, index[0], index[y]]
            for x in range(1, n):
                total += u[b, index[x]] * duq[b, index[x], index[y]]
            dq[b, index[y]] = total
        second(view, n, path, w, P, V, F, dqq[b])
