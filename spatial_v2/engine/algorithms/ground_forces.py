"""Forces of a compliant ground on the contact points; see `gcontact`."""

import math

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.vectors import cross
from spatial_v2.engine.tree import Floats, Ints


@jit
def ground_forces(
    R: Floats, p: Floats, v: Floats, body: Ints, point: Floats, ground: Floats, u: Floats,
    f_ext: Floats, ud: Floats, power: Floats,
) -> None:  # fmt: skip
    """Add the forces on the points, in each of B states, to f_ext (B, NB, 6) and power (B,) [W].

    Parameters are orientations R (B, NB, 3, 3) and origins p (B, NB, 3) of the bodies, their
    velocities v (B, NB, 6) in body coordinates, body and place of each point, the ground's K, D,
    mu, and its deformations u (B, n, 2), whose rates go to ud.
    """
    for b in range(len(u)):
        power[b] += _forces(R[b], p[b], v[b], body, point, ground, u[b], f_ext[b], ud[b])


@jit
def _forces(
    R: Floats, p: Floats, v: Floats, body: Ints, point: Floats, ground: Floats, u: Floats,
    f_ext: Floats, ud: Floats,
) -> float:  # fmt: skip
    """Add the forces on the points of one state to f_ext, and return their power."""
    K, D, mu = ground[0], ground[1], ground[2]
    power = 0.0
    for j in range(len(body)):
        E, o, twist, r, i = R[body[j]], p[body[j]], v[body[j]], point[j], body[j]
        x, y, z = cross(twist[0], twist[1], twist[2], r[0], r[1], r[2])
        x, y, z = x + twist[3], y + twist[4], z + twist[5]
        height = o[2] + E[2, 0] * r[0] + E[2, 1] * r[1] + E[2, 2] * r[2]
        xd = E[0, 0] * x + E[0, 1] * y + E[0, 2] * z
        yd = E[1, 0] * x + E[1, 1] * y + E[1, 2] * z
        zd = E[2, 0] * x + E[2, 1] * y + E[2, 2] * z
        ud[j, 0], ud[j, 1] = -K / D * u[j, 0], -K / D * u[j, 1]
        if height >= 0.0:
            continue
        s = math.sqrt(-height)
        normal = -s * (K * height + D * zd)
        if normal <= 0.0:
            continue
        fx, fy = -s * (K * u[j, 0] + D * xd), -s * (K * u[j, 1] + D * yd)
        size = math.sqrt(fx * fx + fy * fy)
        if size > mu * normal:
            fx, fy = mu * normal / size * fx, mu * normal / size * fy
        ud[j, 0] -= fx / (D * s)
        ud[j, 1] -= fy / (D * s)
        px = o[0] + E[0, 0] * r[0] + E[0, 1] * r[1] + E[0, 2] * r[2]
        py = o[1] + E[1, 0] * r[0] + E[1, 1] * r[1] + E[1, 2] * r[2]
        m0, m1, m2 = cross(px, py, height, fx, fy, normal)
        f = f_ext[i]
        f[0], f[1], f[2] = f[0] + m0, f[1] + m1, f[2] + m2
        f[3], f[4], f[5] = f[3] + fx, f[4] + fy, f[5] + normal
        power += fx * xd + fy * yd + normal * zd
    return power
