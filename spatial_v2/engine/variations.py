"""How the motions of bodies vary with each freedom, for the derivatives of regressors."""

from __future__ import annotations

from spatial_v2.engine.body_rows import Ten, add_ten, centrifugal, in_body, inertial
from spatial_v2.engine.compile import inline, part
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import Six, crm, plus, put, six

__all__ = ["force_row", "put_rate", "turned", "vary", "velocity_rates"]


@inline
def put_rate(x: Ten, out: Floats, c: int, k: int) -> None:
    """out[c : c + 10, k] = x."""
    out[c, k], out[c + 1, k], out[c + 2, k], out[c + 3, k], out[c + 4, k] = (
        x[0], x[1], x[2], x[3], x[4],
    )  # fmt: skip
    out[c + 5, k], out[c + 6, k], out[c + 7, k], out[c + 8, k], out[c + 9, k] = (
        x[5], x[6], x[7], x[8], x[9],
    )  # fmt: skip


@inline
def force_row(s: Six, m: Six, v: Six, w: Six) -> Ten:
    """The row of the force with the motion m of `two_velocities`."""
    half = 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]
    return add_ten(inertial(s, m), centrifugal(s, (v[0], v[1], v[2]), half))


@inline
def turned(bodies: Ints, k: int, j: int, s: Floats) -> Six:
    """How freedom k of a `chain` moves, seen from the body, along freedom j: if that is below it.

    Otherwise zero; freedoms of one joint move together.
    """
    below = 1.0 if j < k and bodies[j] != bodies[k] else 0.0
    x = crm(six(s[k]), six(s[j]))
    return (
        below * x[0], below * x[1], below * x[2], below * x[3], below * x[4], below * x[5],
    )  # fmt: skip


@part
def vary(
    tree: Tree, S: Floats, v: Floats, w: Floats, a: Floats, dv: Floats, dw: Floats, da: Floats,
    Sd: Floats,
) -> None:  # fmt: skip
    """For the rows of S: ``v_p x S``, ``w_p x S``, ``a_p x S + w_p x (v_p x S)`` and ``v_i x S``.

    The first two are the derivatives along q of v and w, in coordinates of any body beyond; that of
    the acceleration of body i is the third less ``w_i x dv``.
    """
    for i in range(tree.parent.size):
        par = tree.parent[i]
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            s = six(S[k])
            d = crm(six(v[par]), s)
            put(d, dv[k])
            put(crm(six(w[par]), s), dw[k])
            put(plus(crm(six(a[par]), s), crm(six(w[par]), d)), da[k])
            put(crm(six(v[i]), s), Sd[k])


@part
def velocity_rates(
    tree: Tree, i: int, n: int, R: Floats, p: Floats, S: Floats, v: Floats, row: Ints,
    bodies: Ints, P: Floats, Q: Floats,
) -> None:  # fmt: skip
    """P and Q (n, 6) of a chain, in coordinates of body i: ``v_p x S_j`` and ``v_j x S_j``."""
    for k in range(n):
        s, j = six(S[row[k]]), bodies[k]
        put(crm(six(v[tree.parent[j]]), s), P[k])
        put(crm(six(v[j]), s), Q[k])
        put(in_body(R[i], p[i], P[k]), P[k])
        put(in_body(R[i], p[i], Q[k]), Q[k])
