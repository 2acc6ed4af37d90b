"""Rows of regressors: products of motions with the forces of the ten inertial parameters of a body.

A body is accelerated by the force ``Y pi``, in its own coordinates, with ten columns of Y for the
parameters ``pi = [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``. For a motion vector s, a row of S
that moves the body, the row ``s^T Y`` of the regressor is computed without Y.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import (
    Six,
    Three,
    crm,
    cross,
    in_body,
    plus,
    six,
    store,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import turn_joint
from spatial_v2.engine.parts.sweep import rest
from spatial_v2.engine.tree import Floats, Ints, Tree

Ten = tuple[float, float, float, float, float, float, float, float, float, float]


class Chain(NamedTuple):
    """A tree in one configuration, see `about_robot`, and rows of S that move one of its bodies."""

    R: Annotated[Floats, "nb + 1, 3, 3"]  # orientations of the tree's bodies
    p: Annotated[Floats, "nb + 1, 3"]  # origins
    S: Annotated[Floats, "rows, 6"]  # motion subspaces
    row: Annotated[Ints, "rows"]  # the rows of S that move the body
    var: Annotated[Ints, "rows"]  # their velocity variables
    bodies: Annotated[Ints, "rows"]  # the bodies of their joints
    s: Annotated[Floats, "rows, 6"]  # the rows in coordinates of the body


new_chain = allocator(Chain, "q, nb, rows")


@inline
def inertial(s: Six, m: Six) -> Ten:
    """Return the regressor row s^T Y of the force ``I m``, for a motion vector m."""
    a, b, c, x, y, z = s
    i, j, k, u, v, w = m
    return (
        x * u + y * v + z * w,
        y * k - z * j + v * c - w * b, z * i - x * k + w * a - u * c, x * j - y * i + u * b - v * a,
        a * i, b * j, c * k, b * k + c * j, a * k + c * i, a * j + b * i,
    )  # fmt: skip


@inline
def centrifugal(s: Six, w: Three, x: Three) -> Ten:
    """Return the regressor row s^T Y of two terms that are quadratic in angular velocities w, x.

    They are the couple ``cross(w, I x) + cross(x, I w)`` and the force
    ``cross(w, cross(x, h)) + cross(x, cross(w, h))``.
    """
    t0, t1, t2 = cross(s[0], s[1], s[2], w[0], w[1], w[2])
    u0, u1, u2 = cross(s[0], s[1], s[2], x[0], x[1], x[2])
    p = s[3] * x[0] + s[4] * x[1] + s[5] * x[2]
    r = s[3] * w[0] + s[4] * w[1] + s[5] * w[2]
    d = -2.0 * (w[0] * x[0] + w[1] * x[1] + w[2] * x[2])
    return (
        0.0 * p,
        p * w[0] + r * x[0] + d * s[3],
        p * w[1] + r * x[1] + d * s[4],
        p * w[2] + r * x[2] + d * s[5],
        t0 * x[0] + u0 * w[0],
        t1 * x[1] + u1 * w[1],
        t2 * x[2] + u2 * w[2],
        t1 * x[2] + t2 * x[1] + u1 * w[2] + u2 * w[1],
        t0 * x[2] + t2 * x[0] + u0 * w[2] + u2 * w[0],
        t0 * x[1] + t1 * x[0] + u0 * w[1] + u1 * w[0],
    )


@inline
def two_velocities(a: Six, v: Six, w: Six) -> Six:
    """Return the motion m for the regressor row of the force ``I a + B(I, v) w``.

    B is the body Coriolis matrix of the Christoffel symbols. The row is ``inertial(s, m)`` plus
    half of `centrifugal` of both angular velocities.
    """
    x, y, z = cross(v[0], v[1], v[2], -0.5 * w[0], -0.5 * w[1], -0.5 * w[2])
    i, j, k = cross(w[0], w[1], w[2], v[3], v[4], v[5])
    return a[0] + x, a[1] + y, a[2] + z, a[3] + i, a[4] + j, a[5] + k


@inline
def add_ten(x: Ten, y: Ten) -> Ten:
    """Return the sum x + y of ten numbers each."""
    return (
        x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4],
        x[5] + y[5], x[6] + y[6], x[7] + y[7], x[8] + y[8], x[9] + y[9],
    )  # fmt: skip


@inline
def store_ten(x: Ten, out: Floats, c: int) -> None:
    """Store ten numbers: out[c : c + 10] = x."""
    out[c], out[c + 1], out[c + 2], out[c + 3], out[c + 4] = x[0], x[1], x[2], x[3], x[4]
    out[c + 5], out[c + 6], out[c + 7], out[c + 8], out[c + 9] = x[5], x[6], x[7], x[8], x[9]


@inline
def speed(tree: Tree, i: int) -> int:
    """Return the first velocity variable of body i; for a rotor, that of its driving joint."""
    other = tree.joint[i, 5]
    first: int = tree.joint[other, 3] if 0 <= other < i else tree.joint[i, 3]
    return first


@part
def set_chain(tree: Tree, i: int, chain: Chain) -> int:
    """Fill `chain` for body i, from the body to the base; return how many rows of S move it."""
    R, p, S, row, var, bodies, s = chain
    n, j = 0, i
    while j >= 0:
        v = speed(tree, j)
        for k in range(tree.joint[j, 4]):
            row[n], var[n], bodies[n] = tree.joint[j, 3] + k, v + k, j
            store(in_body(R[i], p[i], six(S[row[n]])), s[n])
            n += 1
        j = tree.parent[j]
    return n


@part
def body_velocities(tree: Tree, q: Floats, qd: Floats, chain: Chain, v: Floats) -> None:
    """Compute the configuration of `chain`, and velocities v (nb + 1, 6) of links and rotors."""
    about_robot(tree, q, chain.R, chain.p, chain.S)
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        store(six(v[tree.parent[i]]), v[i])
        turn_joint(tree, i, chain.S, qd, v[i])


@inline
def outward_motion(
    tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, chain: Chain, vJ: Floats,
    v: Floats, w: Floats, a: Floats,
) -> None:  # fmt: skip
    """Compute the configuration of `chain`, and motions of all bodies for `ID_SlotineLi`.

    The velocities v follow from qd, and w from qd_r; a are accelerations, vJ is scratch space.
    """
    S = chain.S
    about_robot(tree, q, chain.R, chain.p, S)
    rest(tree, v, a)
    rest(tree, w, a)
    for i in range(tree.parent.size):
        par = tree.parent[i]
        store(six(v[par]), v[i])
        turn_joint(tree, i, S, qd, v[i])
        vJ[:] = 0.0
        turn_joint(tree, i, S, qd_r, vJ)
        store(plus(six(w[par]), six(vJ)), w[i])
        store(plus(six(a[par]), crm(six(v[i]), six(vJ))), a[i])
        turn_joint(tree, i, S, qdd, a[i])
