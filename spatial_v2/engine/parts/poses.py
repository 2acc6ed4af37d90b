"""Poses of the bodies, and motion subspaces of their joints.

In arrays with one row more than there are bodies, row -1 is the base, which is the parent -1.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.sines import sines
from spatial_v2.engine.numbers.vectors import Three, cross, store
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.joints.table import FLOATING, PRISMATIC, REVOLUTE, ROTATION, TRANSFORM

Nine = tuple[float, float, float, float, float, float, float, float, float]


@inline
def has_axis(kind: int) -> bool:
    """Test for a joint that turns about an axis, slides along it, or both: `JointType.has_axis`."""
    return kind == REVOLUTE or kind == PRISMATIC  # with `in`, compiled code would search a tuple


@inline
def quaternion_matrix(q: Floats, k: int) -> Nine:
    """Return the rotation matrix, from body to parent coordinates, of a quaternion of any norm.

    The quaternion is q[k:k+4]; the matrix is nine numbers row by row.
    """
    r = 1.0 / (abs(q[k]) + abs(q[k + 1]) + abs(q[k + 2]) + abs(q[k + 3]))
    w, x, y, z = r * q[k], r * q[k + 1], r * q[k + 2], r * q[k + 3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    wx, wy, wz, xy, xz, yz = s * w * x, s * w * y, s * w * z, s * x * y, s * x * z, s * y * z
    xx, yy, zz = s * x * x, s * y * y, s * z * z
    return (
        1.0 - (yy + zz), xy - wz, xz + wy,
        xy + wz, 1.0 - (xx + zz), yz - wx,
        xz - wy, yz + wx, 1.0 - (xx + yy),
    )  # fmt: skip


@inline
def matrix_of_rows(q: Floats, k: int, step: int) -> Nine:
    """Return the 3x3 matrix whose rows begin at q[k], q[k + step] and q[k + 2 step]."""
    m, n = k + step, k + 2 * step
    return q[k], q[k + 1], q[k + 2], q[m], q[m + 1], q[m + 2], q[n], q[n + 1], q[n + 2]


@inline
def move(kind: int, q: Floats, k: int, Q: Floats, at: Floats) -> None:
    """Turn Q and shift `at` by a spherical or floating joint, whose variables begin at q[k]."""
    if kind == ROTATION:
        J = matrix_of_rows(q, k, 3)
    elif kind == TRANSFORM:
        J = matrix_of_rows(q, k, 4)
    else:
        J = quaternion_matrix(q, k)
    for r in range(3):
        e0, e1, e2 = Q[r, 0], Q[r, 1], Q[r, 2]
        if kind == FLOATING:
            at[r] += e0 * q[k + 4] + e1 * q[k + 5] + e2 * q[k + 6]
        f0 = e0 * J[0] + e1 * J[3] + e2 * J[6]
        f1 = e0 * J[1] + e1 * J[4] + e2 * J[7]
        f2 = e0 * J[2] + e1 * J[5] + e2 * J[8]
        Q[r, 0], Q[r, 1], Q[r, 2] = f0, f1, f2
        if kind == TRANSFORM:
            at[r] -= f0 * q[k + 12] + f1 * q[k + 13] + f2 * q[k + 14]


@inline
def turning(tree: Tree, q: Floats, R: Floats) -> None:
    """Store the angle of each revolute joint, its sine and its cosine, as the first row of R[i]."""
    for i in range(tree.parent.size):
        R[i, 0, 0] = 0.0
        if tree.joint[i, 0] == REVOLUTE:
            R[i, 0, 0] = tree.par[i, 0] * q[tree.joint[i, 2]]
    sines(R, tree.parent.size)


@inline
def place_bodies(tree: Tree, q: Floats, R: Floats, d: Floats) -> None:
    """Compute orientations R, body to ground, and origins d relative to the parents' origins."""
    for r in range(3):
        d[-1, r] = 0.0
        for c in range(3):
            R[-1, r, c] = 1.0 if r == c else 0.0
    turning(tree, q, R)
    for i in range(tree.parent.size):
        X, joint, P, Q, at = tree.Xtree[i], tree.joint[i], R[tree.parent[i]], R[i], d[i]
        kind, axis, k = joint[0], joint[1], joint[2]
        theta, sin, cos = Q[0, 0], Q[0, 1], Q[0, 2]
        r0 = r1 = r2 = 0.0
        for c in range(3):
            r0 -= X[c, 2] * X[3 + c, 1]
            r1 -= X[c, 0] * X[3 + c, 2]
            r2 -= X[c, 1] * X[3 + c, 0]
        for r in range(3):
            e0, e1, e2 = P[r, 0], P[r, 1], P[r, 2]
            at[r] = e0 * r0 + e1 * r1 + e2 * r2
            for c in range(3):
                Q[r, c] = e0 * X[c, 0] + e1 * X[c, 1] + e2 * X[c, 2]
        if has_axis(kind):
            slide = tree.par[i, 0] * q[k] if kind == PRISMATIC else tree.par[i, 1] * theta
            if kind == REVOLUTE:
                b, c = (axis + 1) % 3, (axis + 2) % 3
                for r in range(3):
                    x, y = Q[r, b], Q[r, c]
                    Q[r, b], Q[r, c] = cos * x + sin * y, cos * y - sin * x
            for r in range(3):
                at[r] += slide * Q[r, axis]
        else:
            move(kind, q, k, Q, at)


@inline
def subspaces(tree: Tree, R: Floats, p: Floats, about_bodies: bool, S: Floats) -> None:
    """Compute the motion subspaces of all joints along the ground's axes, as rows of S.

    Moments are about the point that the origins p are relative to, or, if `about_bodies`, about
    each body's own origin.
    """
    for i in range(tree.parent.size):
        joint, par, E, at = tree.joint[i], tree.par[i], R[i], p[-1] if about_bodies else p[i]
        kind, v0 = joint[0], joint[3]
        p0, p1, p2 = at[0], at[1], at[2]
        for k in range(joint[4]):
            axis, sign, pitch, turns = joint[1], par[0], par[1], kind == REVOLUTE
            if not has_axis(kind):
                axis, sign, pitch, turns = k % 3, 1.0, 0.0, k < 3
            e0, e1, e2 = sign * E[0, axis], sign * E[1, axis], sign * E[2, axis]
            if turns:
                m0, m1, m2 = cross(p0, p1, p2, e0, e1, e2)
                store((e0, e1, e2, m0 + pitch * e0, m1 + pitch * e1, m2 + pitch * e2), S[v0 + k])
            else:
                store((0.0, 0.0, 0.0, e0, e1, e2), S[v0 + k])


@inline
def origins_about_last(tree: Tree, p: Floats) -> Three:
    """Turn origins p relative to the parents into the results p of `about_robot`; return the point
    that they are about.
    """
    o0 = o1 = o2 = 0.0
    j = tree.parent.size - 1
    while j >= 0:
        o0, o1, o2 = o0 + p[j, 0], o1 + p[j, 1], o2 + p[j, 2]
        j = tree.parent[j]
    p[-1, 0], p[-1, 1], p[-1, 2] = -o0, -o1, -o2
    for i in range(tree.parent.size):
        for c in range(3):
            p[i, c] += p[tree.parent[i], c]
    return o0, o1, o2


@inline
def about_last(tree: Tree, R: Floats, p: Floats, S: Floats) -> Three:
    """Turn origins p relative to the parents, of bodies with orientations R, into the results p and
    S of `about_robot`; return the point that they are about.
    """
    point: Three = origins_about_last(tree, p)
    subspaces(tree, R, p, False, S)
    return point


@inline
def about_robot(tree: Tree, q: Floats, R: Floats, p: Floats, S: Floats) -> Three:
    """Compute orientations R (nb + 1, 3, 3), origins p (nb + 1, 3) and motion subspaces S (nv, 6).

    They are about the origin of the last body, along the ground's axes. That point is returned, and
    p[-1] is the ground's origin relative to it. Joint forces do not depend on the point that
    moments are taken about. With a point on the robot they keep their digits however far the robot
    is from the base: the rounding error of p[-1] is the same for all origins.
    """
    place_bodies(tree, q, R, p)
    point: Three = about_last(tree, R, p, S)
    return point


@inline
def about_body(tree: Tree, q: Floats, R: Floats, d: Floats, S: Floats) -> None:
    """Do as `about_robot`, with d relative to the parents and S about each body's origin."""
    place_bodies(tree, q, R, d)
    subspaces(tree, R, d, True, S)


@inline
def motion_transform(R: Floats, p: Floats, X: Floats) -> None:
    """Compute X = [E, 0; -E skew(p), E] with E = R^T; X must be zero on entry."""
    p0, p1, p2 = p[0], p[1], p[2]
    for r in range(3):
        e0, e1, e2 = R[0, r], R[1, r], R[2, r]
        X[r, 0] = X[3 + r, 3] = e0
        X[r, 1] = X[3 + r, 4] = e1
        X[r, 2] = X[3 + r, 5] = e2
        X[3 + r, 0] = e2 * p1 - e1 * p2
        X[3 + r, 1] = e0 * p2 - e2 * p0
        X[3 + r, 2] = e1 * p0 - e0 * p1
