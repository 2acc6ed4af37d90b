"""Poses, motion subspaces and ground-frame inertias: the parts every kernel shares."""

from __future__ import annotations

import math

from spatial_v2.engine.compile import inline

__all__ = ["cross", "ground_inertia", "motion_transform", "place", "poses", "subspace"]


@inline
def cross(a0, a1, a2, b0, b1, b2):
    """a x b of 3-vectors given by components."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@inline
def apply(P, x, y, z):
    """P @ [x, y, z] for a matrix P, by components."""
    return (
        P[0, 0] * x + P[0, 1] * y + P[0, 2] * z,
        P[1, 0] * x + P[1, 1] * y + P[1, 2] * z,
        P[2, 0] * x + P[2, 1] * y + P[2, 2] * z,
    )


@inline
def mix(f, g, h, x, y, z):
    """x f + y g + z h for columns given by components."""
    return (
        x * f[0] + y * g[0] + z * h[0],
        x * f[1] + y * g[1] + z * h[1],
        x * f[2] + y * g[2] + z * h[2],
    )


@inline
def put_columns(Q, f, g, h):
    """Q = [f g h]."""
    Q[0, 0], Q[1, 0], Q[2, 0] = f[0], f[1], f[2]
    Q[0, 1], Q[1, 1], Q[2, 1] = g[0], g[1], g[2]
    Q[0, 2], Q[1, 2], Q[2, 2] = h[0], h[1], h[2]


@inline
def quaternion_columns(w, x, y, z):
    """The columns of the rotation R of a quaternion, body to parent; any nonzero norm."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        (1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
        (s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
        (s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)),
    )


@inline
def place(tree, i, q, R, p):
    """Orientation R[i] (body to ground) and origin p[i] of body i."""
    X, Q, par = tree.Xtree[i], R[i], tree.parent[i]
    kind, axis, k = tree.joint[i, 0], tree.joint[i, 1], tree.joint[i, 2]
    r0 = -(X[0, 2] * X[3, 1] + X[1, 2] * X[4, 1] + X[2, 2] * X[5, 1])
    r1 = -(X[0, 0] * X[3, 2] + X[1, 0] * X[4, 2] + X[2, 0] * X[5, 2])
    r2 = -(X[0, 1] * X[3, 0] + X[1, 1] * X[4, 0] + X[2, 1] * X[5, 0])
    if par < 0:
        f, g, h = (
            (X[0, 0], X[0, 1], X[0, 2]),
            (X[1, 0], X[1, 1], X[1, 2]),
            (X[2, 0], X[2, 1], X[2, 2]),
        )
        p0, p1, p2 = r0, r1, r2
    else:
        P = R[par]
        f, g, h = (
            apply(P, X[0, 0], X[0, 1], X[0, 2]),
            apply(P, X[1, 0], X[1, 1], X[1, 2]),
            apply(P, X[2, 0], X[2, 1], X[2, 2]),
        )
        p0, p1, p2 = apply(P, r0, r1, r2)
        p0, p1, p2 = p0 + p[par, 0], p1 + p[par, 1], p2 + p[par, 2]
    if kind == 0:
        theta = tree.par[i, 0] * q[k]
        cos, sin, slide = math.cos(theta), math.sin(theta), theta * tree.par[i, 1]
        e = f if axis == 0 else g if axis == 1 else h
        if axis == 0:
            g, h = mix(f, g, h, 0.0, cos, sin), mix(f, g, h, 0.0, -sin, cos)
        elif axis == 1:
            h, f = mix(f, g, h, sin, 0.0, cos), mix(f, g, h, cos, 0.0, -sin)
        else:
            f, g = mix(f, g, h, cos, sin, 0.0), mix(f, g, h, -sin, cos, 0.0)
        p0, p1, p2 = p0 + slide * e[0], p1 + slide * e[1], p2 + slide * e[2]
    elif kind == 1:
        slide = tree.par[i, 0] * q[k]
        e = f if axis == 0 else g if axis == 1 else h
        p0, p1, p2 = p0 + slide * e[0], p1 + slide * e[1], p2 + slide * e[2]
    else:
        if kind == 2 or kind == 4:
            a, b, c = quaternion_columns(q[k], q[k + 1], q[k + 2], q[k + 3])
        else:
            n = 3 if kind == 3 else 4
            a = q[k], q[k + n], q[k + 2 * n]
            b = q[k + 1], q[k + n + 1], q[k + 2 * n + 1]
            c = q[k + 2], q[k + n + 2], q[k + 2 * n + 2]
        if kind == 4:
            m = mix(f, g, h, q[k + 4], q[k + 5], q[k + 6])
            p0, p1, p2 = p0 + m[0], p1 + m[1], p2 + m[2]
        f, g, h = (
            mix(f, g, h, a[0], a[1], a[2]),
            mix(f, g, h, b[0], b[1], b[2]),
            mix(f, g, h, c[0], c[1], c[2]),
        )
        if kind == 5:
            m = mix(f, g, h, q[k + 12], q[k + 13], q[k + 14])
            p0, p1, p2 = p0 - m[0], p1 - m[1], p2 - m[2]
    put_columns(Q, f, g, h)
    p[i, 0], p[i, 1], p[i, 2] = p0, p1, p2


@inline
def subspace(tree, i, R, p, S):
    """Rows of S: the freedoms of joint i as spatial motion vectors in ground coordinates."""
    kind, v0, nv = tree.joint[i, 0], tree.joint[i, 3], tree.joint[i, 4]
    for k in range(nv):
        if kind <= 1:
            axis, sign, pitch = tree.joint[i, 1], tree.par[i, 0], tree.par[i, 1]
            turns = kind == 0
        else:
            axis, sign, pitch = k % 3, 1.0, 0.0
            turns = k < 3
        e0, e1, e2 = sign * R[i, 0, axis], sign * R[i, 1, axis], sign * R[i, 2, axis]
        row = S[v0 + k]
        if turns:
            m0, m1, m2 = cross(p[i, 0], p[i, 1], p[i, 2], e0, e1, e2)
            row[0], row[1], row[2] = e0, e1, e2
            row[3], row[4], row[5] = m0 + pitch * e0, m1 + pitch * e1, m2 + pitch * e2
        else:
            row[0], row[1], row[2] = 0.0, 0.0, 0.0
            row[3], row[4], row[5] = e0, e1, e2


@inline
def poses(tree, q, R, p, S):
    """`place` and `subspace` for the whole tree."""
    for i in range(tree.parent.size):
        place(tree, i, q, R, p)
        subspace(tree, i, R, p, S)


@inline
def near(tree, q, R, p, S):
    """`poses`, with the origin of the last body for the ground's; that origin is returned.

    Joint forces do not depend on the point that moments are taken about. With one on the robot they
    keep their digits however far the robot is from the base.
    """
    last = tree.parent.size - 1
    for i in range(last + 1):
        place(tree, i, q, R, p)
    o = p[last, 0], p[last, 1], p[last, 2]
    for i in range(last + 1):
        p[i, 0], p[i, 1], p[i, 2] = p[i, 0] - o[0], p[i, 1] - o[1], p[i, 2] - o[2]
        subspace(tree, i, R, p, S)
    return o


@inline
def add_force(f_ext, o, sign, f):
    """f += sign * f_ext, the couple of f_ext about the ground's origin, that of f about o."""
    n0, n1, n2 = cross(o[0], o[1], o[2], f_ext[3], f_ext[4], f_ext[5])
    f[0] += sign * (f_ext[0] - n0)
    f[1] += sign * (f_ext[1] - n1)
    f[2] += sign * (f_ext[2] - n2)
    for c in range(3, 6):
        f[c] += sign * f_ext[c]


@inline
def motion_transform(R, p, X):
    """X = [E, 0; -E p x, E] with E = R^T, from ground to body coordinates; X is zero before."""
    for r in range(3):
        e0, e1, e2 = R[0, r], R[1, r], R[2, r]
        X[r, 0] = X[3 + r, 3] = e0
        X[r, 1] = X[3 + r, 4] = e1
        X[r, 2] = X[3 + r, 5] = e2
        X[3 + r, 0] = e2 * p[1] - e1 * p[2]
        X[3 + r, 1] = e0 * p[2] - e2 * p[0]
        X[3 + r, 2] = e1 * p[0] - e0 * p[1]


@inline
def ground_inertia(I, R, p, out):
    """The inertia about the ground origin as ten numbers [m, h, xx, yy, zz, xy, xz, yz].

    h = m c, and the second moments are of Ibar, in ground coordinates.
    """
    m = I[5, 5]
    b0, b1, b2 = I[2, 4], I[0, 5], I[1, 3]
    h = (
        R[0, 0] * b0 + R[0, 1] * b1 + R[0, 2] * b2,
        R[1, 0] * b0 + R[1, 1] * b1 + R[1, 2] * b2,
        R[2, 0] * b0 + R[2, 1] * b1 + R[2, 2] * b2,
    )
    w = 2.0 * (h[0] * p[0] + h[1] * p[1] + h[2] * p[2])
    w += m * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    out[0] = m
    for r in range(3):
        out[1 + r] = h[r] + m * p[r]
    slot = 4
    for r, c in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        x = 0.0
        for a in range(3):
            x += R[r, a] * (I[a, 0] * R[c, 0] + I[a, 1] * R[c, 1] + I[a, 2] * R[c, 2])
        x -= h[r] * p[c] + p[r] * h[c] + m * p[r] * p[c]
        out[slot] = x + w if r == c else x
        slot += 1


@inline
def apply_inertia(I, x, out):
    """out = I x for an inertia of ten numbers and a motion vector."""
    m, h0, h1, h2 = I[0], I[1], I[2], I[3]
    n0, n1, n2 = cross(h0, h1, h2, x[3], x[4], x[5])
    out[0] = I[4] * x[0] + I[7] * x[1] + I[8] * x[2] + n0
    out[1] = I[7] * x[0] + I[5] * x[1] + I[9] * x[2] + n1
    out[2] = I[8] * x[0] + I[9] * x[1] + I[6] * x[2] + n2
    g0, g1, g2 = cross(h0, h1, h2, x[0], x[1], x[2])
    out[3], out[4], out[5] = m * x[3] - g0, m * x[4] - g1, m * x[5] - g2


@inline
def dot6(a, b):
    """Scalar product of a motion and a force vector."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@inline
def add_crm(v, x, out):
    """out += v x x for motion vectors."""
    w0, w1, w2 = cross(v[0], v[1], v[2], x[0], x[1], x[2])
    a0, a1, a2 = cross(v[0], v[1], v[2], x[3], x[4], x[5])
    b0, b1, b2 = cross(v[3], v[4], v[5], x[0], x[1], x[2])
    out[0] += w0
    out[1] += w1
    out[2] += w2
    out[3] += a0 + b0
    out[4] += a1 + b1
    out[5] += a2 + b2


@inline
def add_crf(v, f, out):
    """out += v x* f for a motion and a force vector."""
    a0, a1, a2 = cross(v[0], v[1], v[2], f[0], f[1], f[2])
    b0, b1, b2 = cross(v[3], v[4], v[5], f[3], f[4], f[5])
    c0, c1, c2 = cross(v[0], v[1], v[2], f[3], f[4], f[5])
    out[0] += a0 + b0
    out[1] += a1 + b1
    out[2] += a2 + b2
    out[3] += c0
    out[4] += c1
    out[5] += c2
