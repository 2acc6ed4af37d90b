"""Second derivatives of the acceleration of constraints, weighted: no tensor."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.held import Held, ends, row_vectors
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.path import path
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import advance, rest
from spatial_v2.engine.tree import Floats, Ints
from spatial_v2.engine.vectors import (
    Six,
    Three,
    add,
    crf,
    crm,
    cross,
    dot6,
    minus,
    plus,
    put,
    six,
    times,
)

__all__ = ["mod_constraints"]


@inline
def lin(x: Six, p: Floats) -> Three:
    """The velocity at p of a motion x."""
    n0, n1, n2 = cross(x[0], x[1], x[2], p[0], p[1], p[2])
    return x[3] + n0, x[4] + n1, x[5] + n2


@inline
def turned(x: Six, u: Three) -> Three:
    """The angular part of x times u."""
    return cross(x[0], x[1], x[2], u[0], u[1], u[2])


@inline
def couple(a: Three, f: Floats, b: Three, g: Floats, d: Three, h: Floats, out: Floats) -> None:
    """The couple ``a x f + b x g + d x h`` as a force vector."""
    a0, a1, a2 = cross(a[0], a[1], a[2], f[0], f[1], f[2])
    b0, b1, b2 = cross(b[0], b[1], b[2], g[0], g[1], g[2])
    d0, d1, d2 = cross(d[0], d[1], d[2], h[0], h[1], h[2])
    put((a0 + b0 + d0, a1 + b1 + d1, a2 + b2 + d2, 0.0, 0.0, 0.0), out)


@inline
def sum3(a: Three, b: Three, x: float, c: Three) -> Three:
    """a + b + x c."""
    return a[0] + b[0] + x * c[0], a[1] + b[1] + x * c[1], a[2] + b[2] + x * c[2]


@inline
def of_point(
    p: Floats, v: Six, a: Six, s: Six, ds: Six, dds: Six, rs: Six, f: Floats, W: Floats
) -> None:
    """W (5, 6): how Y, Z, X of a point vary along q_m, and Z, X by qd_m; f (3, 3) are the forces.

    s, ds, dds, rs are S, psid, psidd and psid + Sd of variable m.
    """
    u = lin(v, p)
    alpha = sum3(lin(a, p), turned(v, u), 0.0, u)
    j, zero = lin(s, p), (0.0 * u[0], 0.0 * u[0], 0.0 * u[0])
    u_q = sum3(lin(ds, p), turned(s, u), 0.0, u)
    alpha_q = sum3(lin(dds, p), turned(s, alpha), 2.0, turned(ds, u))
    alpha_v = sum3(lin(rs, p), zero, 2.0, turned(s, u))
    couple(j, f[0], zero, f[1], zero, f[2], W[0])
    couple(sum3(u_q, u_q, 0.0, u), f[0], j, f[1], zero, f[2], W[1])
    couple(alpha_q, f[0], u_q, f[1], j, f[2], W[2])
    couple(sum3(j, j, 0.0, u), f[0], zero, f[1], zero, f[2], W[3])
    couple(alpha_v, f[0], j, f[1], zero, f[2], W[4])


@inline
def of_frame(
    vo: Six, ao: Six, vc: Six, on_o: float, on_c: float, s: Six, ds: Six, dds: Six, rs: Six,
    y: Six, yd: Six, W: Floats,
) -> None:  # fmt: skip
    """The same of a frame, at both ends; on_o and on_c say whether m carries the bodies."""
    dvo = times(on_o, minus(ds, crm(vo, s)))
    dao = times(on_o, minus(minus(dds, crm(vo, ds)), crm(ao, s)))
    dvc = times(on_c, minus(ds, crm(vc, s)))
    so, sc = times(on_o, s), times(on_c, s)
    aov = times(on_o, minus(rs, crm(vo, s)))
    vcy, yq, ydq = crf(vc, y), crf(sc, y), crf(sc, yd)
    put(yq, W[0])
    z = plus(crf(plus(dvo, dvc), y), crf(plus(vo, vc), yq))
    put(plus(z, ydq), W[1])
    x = plus(crf(dao, y), crf(ao, yq))
    x = plus(x, plus(crf(dvo, vcy), crf(vo, plus(crf(dvc, y), crf(vc, yq)))))
    put(plus(x, plus(crf(dvo, yd), crf(vo, ydq))), W[2])
    put(crf(plus(so, sc), y), W[3])
    x = plus(crf(aov, y), plus(crf(so, vcy), crf(vo, crf(sc, y))))
    put(plus(x, crf(so, yd)), W[4])


@inline
def pairs(
    sign: float, n: int, at: int, m: int, index: Ints, first: Ints, last: Ints, S: Floats,
    psid: Floats, psidd: Floats, rate: Floats, y: Six, z: Six, x: Six, W: Floats,
    qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Entries [l, m] of one end, l on the way to its body, where m is number `at`, or -1."""
    s, ds, dds, rs = six(S[m]), six(psid[m]), six(psidd[m]), six(rate[m])
    y2, y1, y0 = six(W[0]), six(W[1]), six(W[2])
    v1, v0 = six(W[3]), six(W[4])
    sy, sz = crf(s, y), crf(s, z)
    n2, n1 = minus(y2, sy), minus(y1, plus(times(2.0, crf(ds, y)), sz))
    n0 = minus(y0, plus(crf(dds, y), plus(crf(ds, z), crf(s, x))))
    w1, w0 = minus(v1, times(2.0, sy)), minus(v0, plus(crf(rs, y), sz))
    for k in range(n):
        l = index[k]
        sl, dsl, ddsl = six(S[l]), six(psid[l]), six(psidd[l])
        below = at >= 0 and at < last[k]
        beyond = at >= 0 and at < first[k]
        if below:
            qq[l, m] += sign * (dot6(ddsl, n2) + dot6(dsl, n1) + dot6(sl, n0))
        else:
            qq[l, m] += sign * (dot6(ddsl, y2) + dot6(dsl, y1) + dot6(sl, y0))
        if beyond:
            qv[l, m] += sign * (dot6(dsl, w1) + dot6(sl, w0))
            vv[l, m] += sign * (dot6(sl, v1) - 2.0 * dot6(sl, sy))
        elif below:
            qv[l, m] += sign * (dot6(dsl, v1) + dot6(sl, v0))
            vv[l, m] += sign * (dot6(sl, v1) - dot6(sl, sy))
        else:
            qv[l, m] += sign * (dot6(dsl, v1) + dot6(sl, v0))
            vv[l, m] += sign * dot6(sl, v1)


@jit
def mod_constraints(
    held: Held, q: Floats, qd: Floats, qdd: Floats, weight: Floats,
    qq: Floats, qv: Floats, vv: Floats,
) -> None:  # fmt: skip
    """Second derivatives (B, nv, nv) of ``weight . (alpha - a*)``.

    Along q twice, along q and by qd, by qd twice. Gains Kp of frames are taken for zero.
    """
    tree, m = held.tree, held.T.shape[0]
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    psid, psidd, rate = empty(q, nv, 6), empty(q, nv, 6), empty(q, nv, 6)
    v, a, vJ, alpha = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6), empty(q, m)
    Rc, pc = empty(q, 2, 3, 3), empty(q, 2, 3)
    Y, Z, X = empty(q, 2, m, 6), empty(q, 2, m, 6), empty(q, 2, m, 6)
    F, f, W = empty(q, 4, 6), empty(q, 3, 3), empty(q, 5, 6)
    index, first = np.empty((2, nv), dtype=np.int64), np.empty((2, nv), dtype=np.int64)
    last, place = np.empty((2, nv), dtype=np.int64), np.empty((2, nv), dtype=np.int64)
    count = np.empty(2, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        rest(tree, v, a)
        for i in range(nb):
            vp, ap = six(v[tree.parent[i]]), six(a[tree.parent[i]])
            advance(tree, i, vp, ap, qd[b], qdd[b], S, psid, psidd, rate, v, a, vJ)
        row_vectors(held, R, p, v, a, Rc, pc, Y, Z, X, alpha)
        qq[b, :, :] = 0.0
        qv[b, :, :] = 0.0
        vv[b, :, :] = 0.0
        for c in range(held.ends.shape[0]):
            ends(held, c, R, p, Rc, pc)
            own, k0, k1 = held.ends[c, 2], held.ends[c, 3], held.ends[c, 3] + held.ends[c, 4]
            for e in range(2):
                place[e, :] = -1
                count[e] = path(tree, held.ends[c, e], index[e], first[e], last[e])
                for k in range(count[e]):
                    place[e, index[e, k]] = k
            f[:, :] = 0.0
            for k in range(k0, k1):
                for i in range(3):
                    x = weight[b, k] * held.T[k, i]
                    f[0, i] += x
                    f[1, i] += held.Kd[k] * x
                    f[2, i] += held.Kp[k] * x
            for e in range(2):
                F[:, :] = 0.0
                for k in range(k0, k1):
                    add(times(weight[b, k], six(Y[e, k])), F[0])
                    add(times(weight[b, k], six(Z[e, k])), F[1])
                    add(times(weight[b, k], six(X[e, k])), F[2])
                    add(times(weight[b, k] * held.Kd[k], six(Y[e, k])), F[3])
                for t in range(nv):
                    here, there = place[e, t] >= 0, place[1 - e, t] >= 0
                    if not here and (own < 0 or not there):
                        continue
                    s, ds, dds, rs = six(S[t]), six(psid[t]), six(psidd[t]), six(rate[t])
                    if own < 0:
                        i = held.ends[c, e]
                        of_point(pc[e], six(v[i]), six(a[i]), s, ds, dds, rs, f, W)
                    else:
                        o, i = held.ends[c, 1 - own], held.ends[c, own]
                        on_o = 1.0 if place[1 - own, t] >= 0 else 0.0
                        on_c = 1.0 if place[own, t] >= 0 else 0.0
                        of_frame(
                            six(v[o]), six(a[o]), six(v[i]), on_o, on_c, s, ds, dds, rs,
                            six(F[0]), six(F[3]), W,
                        )  # fmt: skip
                    pairs(
                        2.0 * e - 1.0, count[e], place[e, t], t, index[e], first[e], last[e], S,
                        psid, psidd, rate, six(F[0]), six(F[1]), six(F[2]), W,
                        qq[b], qv[b], vv[b],
                    )  # fmt: skip
