"""Angles (a, b, c) of the joints Rx, Ry, Rz of a floating base, their rates, angular velocity."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, real_part, uncolumn
from spatial_v2.arrays.angle import angle
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.linear import length
from spatial_v2.arrays.namespaces import settled
from spatial_v2.model.state import common_lead
from spatial_v2.three_d import skew

__all__ = ["angles_of", "cross", "solved", "subspace", "subspace_rate", "vectors_alike"]


def vectors_alike(size: int | tuple[int, ...], **vectors: Any) -> list[Array]:
    """Convert vectors to arrays of one kind and broadcast them to common leading axes."""
    sizes = (size,) if isinstance(size, int) else size
    arrays = alike(*(as_vector(x, f"fbkin: {name}", *sizes) for name, x in vectors.items()))
    named = zip(vectors, arrays, strict=True)
    lead = common_lead({name: tuple(x.shape[:-1]) for name, x in named})
    return [namespace(x).broadcast_to(x, (*lead, x.shape[-1])) for x in arrays]


def cross(a: Array, b: Array) -> Array:
    """Return the cross product ``a x b`` of 3D vectors."""
    return uncolumn(skew(column(a)) @ column(b))


def _matrix(*rows: tuple[Array, ...]) -> Array:
    xp = namespace(*rows[0])
    return xp.stack([xp.concat(row, axis=-1) for row in rows], axis=-2)


def subspace(angles: Array) -> Array:
    """Return the matrix S (..., 3, 3) that maps rates of the angles to angular velocity in fixed
    axes.
    """
    (sa, sb, _), (ca, cb, _) = _sines(angles)
    zero, one = 0 * sa, 0 * sa + 1
    return _matrix((one, zero, sb), (zero, ca, -sa * cb), (zero, sa, ca * cb))


def subspace_rate(angles: Array, turn: Array) -> Array:
    """Return the time derivative of the matrix of `subspace`; `turn` holds the angles' rates."""
    (sa, sb, _), (ca, cb, _) = _sines(angles)
    ad, bd, zero = turn[..., 0:1], turn[..., 1:2], 0 * sa
    return _matrix(
        (zero, zero, cb * bd),
        (zero, -sa * ad, -ca * cb * ad + sa * sb * bd),
        (zero, ca * ad, -sa * cb * ad - ca * sb * bd),
    )


def solved(angles: Array, w: Array) -> Array:
    """Return the rates of the angles for the angular velocity w: ``S^-1 w`` with the matrix of
    `subspace`.
    """
    (sa, sb, _), (ca, cb, _) = _sines(angles)
    x, y, z = w[..., 0:1], w[..., 1:2], w[..., 2:3]
    yaw = (ca * z - sa * y) / cb
    return namespace(w).concat([x - sb * yaw, ca * y + sa * z, yaw], axis=-1)


def angles_of(E: Array) -> Array:
    """Return angles (a, b, c) with ``E = rz(c) ry(b) rx(a)`` for a rotation matrix E, accurate also
    near b = +-pi/2.
    """
    xp = namespace(E)
    e = {(i, j): E[..., i, j : j + 1] for i in range(3) for j in range(3)}
    b = angle(e[2, 0], length(E[..., :2, 0]))
    c = angle(-e[1, 0], e[0, 0])
    total = angle(e[1, 2] + e[0, 1], e[1, 1] - e[0, 2])
    rest = angle(e[1, 2] - e[0, 1], e[1, 1] + e[0, 2])
    a = xp.where(settled(xp.less(0, real_part(e[2, 0])), generic=False), total - c, rest + c)
    return xp.concat([angle(xp.sin(a), xp.cos(a)), b, c], axis=-1)


def _sines(angles: Array) -> tuple[list[Array], list[Array]]:
    """Return the sines of the three angles, and their cosines."""
    xp = namespace(angles)
    s, c = xp.sin(angles), xp.cos(angles)
    return [s[..., k : k + 1] for k in range(3)], [c[..., k : k + 1] for k in range(3)]
