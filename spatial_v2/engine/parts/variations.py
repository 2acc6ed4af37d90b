"""Derivatives of the motions of bodies along each row of S, for the derivatives of regressors."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import Six, crm, in_body, plus, six, store
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.body_rows import Chain, Ten, add_ten, centrifugal, inertial
from spatial_v2.engine.tree import Floats, Ints, Tree


class Rates(NamedTuple):
    """Derivatives of velocities and accelerations of bodies along each row of S; see `vary`."""

    dv: Annotated[Floats, "rows, 6"]
    dw: Annotated[Floats, "rows, 6"]
    da: Annotated[Floats, "rows, 6"]
    Sd: Annotated[Floats, "rows, 6"]


new_rates = allocator(Rates, "q, rows")


@inline
def store_rate(x: Ten, out: Floats, c: int, k: int) -> None:
    """Store ten numbers: out[c : c + 10, k] = x."""
    out[c, k], out[c + 1, k], out[c + 2, k], out[c + 3, k], out[c + 4, k] = (
        x[0], x[1], x[2], x[3], x[4],
    )  # fmt: skip
    out[c + 5, k], out[c + 6, k], out[c + 7, k], out[c + 8, k], out[c + 9, k] = (
        x[5], x[6], x[7], x[8], x[9],
    )  # fmt: skip


@inline
def force_row(s: Six, m: Six, v: Six, w: Six) -> Ten:
    """Return the regressor row of a force, from the motion m of `two_velocities`."""
    half = 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]
    return add_ten(inertial(s, m), centrifugal(s, (v[0], v[1], v[2]), half))


@inline
def turned_freedom(bodies: Ints, k: int, j: int, s: Floats) -> Six:
    """Return the derivative of row k of a chain along row j, in coordinates of the body.

    It is zero unless row j belongs to a joint between that of row k and the body.
    """
    below = 1.0 if j < k and bodies[j] != bodies[k] else 0.0
    x = crm(six(s[k]), six(s[j]))
    return (
        below * x[0], below * x[1], below * x[2], below * x[3], below * x[4], below * x[5],
    )  # fmt: skip


@part
def vary(tree: Tree, S: Floats, v: Floats, w: Floats, a: Floats, rates: Rates) -> None:
    """Compute the derivatives dv, dw, da of body motions along the rows of S, and the rates Sd.

    They are ``v_p x S``, ``w_p x S``, ``a_p x S + w_p x (v_p x S)`` and ``v_i x S``, with
    velocities and accelerations of the body i of the row and its parent p. dv and dw are the
    derivatives of v and w along q in coordinates of any body beyond; that of the acceleration of
    body i is ``da - w_i x dv``.
    """
    dv, dw, da, Sd = rates
    for i in range(tree.parent.size):
        par = tree.parent[i]
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            s = six(S[k])
            d = crm(six(v[par]), s)
            store(d, dv[k])
            store(crm(six(w[par]), s), dw[k])
            store(plus(crm(six(a[par]), s), crm(six(w[par]), d)), da[k])
            store(crm(six(v[i]), s), Sd[k])


@part
def velocity_rates(
    tree: Tree, i: int, n: int, chain: Chain, v: Floats, P: Floats, Q: Floats
) -> None:
    """Compute matrices P and Q (n, 6) of a chain, in coordinates of body i.

    Rows of P are ``v_p x S_j``, those of Q ``v_j x S_j``; p is the parent of body j.
    """
    R, p, S, row, bodies = chain.R, chain.p, chain.S, chain.row, chain.bodies
    for k in range(n):
        s, j = six(S[row[k]]), bodies[k]
        store(in_body(R[i], p[i], crm(six(v[tree.parent[j]]), s)), P[k])
        store(in_body(R[i], p[i], crm(six(v[j]), s)), Q[k])
