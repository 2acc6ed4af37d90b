"""Derivatives of the force vectors of constraint rows with respect to q and qd."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import (
    Six,
    Three,
    add,
    crf,
    crm,
    cross,
    minus,
    plus,
    store,
    times,
)
from spatial_v2.engine.tree import Floats


@inline
def lin(x: Six, p: Floats) -> Three:
    """Return the linear velocity at the point p of a body with the spatial velocity x."""
    n0, n1, n2 = cross(x[0], x[1], x[2], p[0], p[1], p[2])
    return x[3] + n0, x[4] + n1, x[5] + n2


@inline
def turned_by(x: Six, u: Three) -> Three:
    """Return the cross product of the angular part of x with u."""
    return cross(x[0], x[1], x[2], u[0], u[1], u[2])


@inline
def couple_force(
    a: Three, f: Floats, b: Three, g: Floats, d: Three, h: Floats, out: Floats
) -> None:
    """Store the couple ``a x f + b x g + d x h`` as a force vector."""
    a0, a1, a2 = cross(a[0], a[1], a[2], f[0], f[1], f[2])
    b0, b1, b2 = cross(b[0], b[1], b[2], g[0], g[1], g[2])
    d0, d1, d2 = cross(d[0], d[1], d[2], h[0], h[1], h[2])
    store((a0 + b0 + d0, a1 + b1 + d1, a2 + b2 + d2, 0.0, 0.0, 0.0), out)


@inline
def twist(x: Six, c: Floats, out: Floats) -> None:
    """Add the cross product of the angular part of x with a couple c to a force vector."""
    n0, n1, n2 = cross(x[0], x[1], x[2], c[0], c[1], c[2])
    add((n0, n1, n2, 0.0, 0.0, 0.0), out)


@inline
def sum3(a: Three, b: Three, x: float, c: Three) -> Three:
    """Return the sum ``a + b + x c`` of three-vectors."""
    return a[0] + b[0] + x * c[0], a[1] + b[1] + x * c[1], a[2] + b[2] + x * c[2]


@inline
def point_variation(
    p: Floats, v: Six, a: Six, s: Six, ds: Six, dds: Six, rs: Six, f: Floats, W: Floats
) -> None:
    """Compute the derivatives W (5, 6) of the vectors Y, Z, X of a point along q_m, and of Z, X
    along qd_m.

    f (5, 3) are weighted sums of rows: three forces, for Y, Z and X, then the couple of a rotation
    and, times Kd, that of its rate. s, ds, dds and rs are S, psid, psidd and psid + Sd of variable
    m.
    """
    u = lin(v, p)
    alpha = sum3(lin(a, p), turned_by(v, u), 0.0, u)
    j, zero = lin(s, p), (0.0 * u[0], 0.0 * u[0], 0.0 * u[0])
    u_q = sum3(lin(ds, p), turned_by(s, u), 0.0, u)
    alpha_q = sum3(lin(dds, p), turned_by(s, alpha), 2.0, turned_by(ds, u))
    alpha_v = sum3(lin(rs, p), zero, 2.0, turned_by(s, u))
    couple_force(j, f[0], zero, f[1], zero, f[2], W[0])
    couple_force(sum3(u_q, u_q, 0.0, u), f[0], j, f[1], zero, f[2], W[1])
    couple_force(alpha_q, f[0], u_q, f[1], j, f[2], W[2])
    couple_force(sum3(j, j, 0.0, u), f[0], zero, f[1], zero, f[2], W[3])
    couple_force(alpha_v, f[0], j, f[1], zero, f[2], W[4])
    w_q, w_v = minus(ds, crm(v, s)), minus(rs, crm(v, s))
    a_q = minus(minus(dds, crm(v, ds)), crm(a, s))
    twist(w_q, f[3], W[1])
    twist(a_q, f[3], W[2])
    twist(w_q, f[4], W[2])
    twist(s, f[3], W[3])
    twist(w_v, f[3], W[4])
    twist(s, f[4], W[4])


@inline
def frame_variation(
    motion: tuple[Six, Six, Six], on_o: float, on_c: float,
    rows: tuple[Six, Six, Six, Six], y: Six, yd: Six, W: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives W (5, 6) of the vectors Y, Z, X of a frame along q_m, and of Z, X
    along qd_m.

    They are the same at both ends. `motion` is v and a of the other body, and v of the body along
    whose axes the rows are; on_o and on_c are 1 if variable m carries these bodies, else 0.
    """
    (vo, ao, vc), (s, ds, dds, rs) = motion, rows
    dvo = times(on_o, minus(ds, crm(vo, s)))
    dao = times(on_o, minus(minus(dds, crm(vo, ds)), crm(ao, s)))
    dvc = times(on_c, minus(ds, crm(vc, s)))
    so, sc = times(on_o, s), times(on_c, s)
    aov = times(on_o, minus(rs, crm(vo, s)))
    vcy, yq, ydq = crf(vc, y), crf(sc, y), crf(sc, yd)
    store(yq, W[0])
    z = plus(crf(plus(dvo, dvc), y), crf(plus(vo, vc), yq))
    store(plus(z, ydq), W[1])
    x = plus(crf(dao, y), crf(ao, yq))
    x = plus(x, plus(crf(dvo, vcy), crf(vo, plus(crf(dvc, y), crf(vc, yq)))))
    store(plus(x, plus(crf(dvo, yd), crf(vo, ydq))), W[2])
    store(crf(plus(so, sc), y), W[3])
    x = plus(crf(aov, y), plus(crf(so, vcy), crf(vo, crf(sc, y))))
    store(plus(x, crf(so, yd)), W[4])
