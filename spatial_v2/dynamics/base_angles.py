"""The six joints of a floating base: what its angles have to do with its angular velocity."""

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
    """The vectors as arrays of one kind with the same leading axes."""
    sizes = (size,) if isinstance(size, int) else size
    arrays = alike(*(as_vector(x, f"fbkin: {name}", *sizes) for name, x in vectors.items()))
    named = zip(vectors, arrays, strict=True)
    lead = common_lead({name: tuple(x.shape[:-1]) for name, x in named})
    return [namespace(x).broadcast_to(x, (*lead, x.shape[-1])) for x in arrays]


def cross(a: Array, b: Array) -> Array:
    """``a x b``."""
    return uncolumn(skew(column(a)) @ column(b))


def _matrix(rows: tuple[tuple[Array, ...], ...]) -> Array:
    xp = namespace(*rows[0])
    return xp.stack([xp.stack(row, axis=-1) for row in rows], axis=-2)


def subspace(a: Array, b: Array) -> Array:
    """The angular velocity along fixed axes is S times the rates of the three angles."""
    xp = namespace(a)
    (sa, ca), (sb, cb) = (xp.sin(a), xp.cos(a)), (xp.sin(b), xp.cos(b))
    zero, one = 0 * sa, 0 * sa + 1
    return _matrix(((one, zero, sb), (zero, ca, -sa * cb), (zero, sa, ca * cb)))


def subspace_rate(a: Array, b: Array, turn: Array) -> Array:
    """The rate of S at the rates `turn` of the angles."""
    xp = namespace(a)
    (sa, ca), (sb, cb) = (xp.sin(a), xp.cos(a)), (xp.sin(b), xp.cos(b))
    ad, bd = turn[..., 0, 0], turn[..., 1, 0]
    zero = 0 * sa
    return _matrix((
        (zero, zero, cb * bd),
        (zero, -sa * ad, -ca * cb * ad + sa * sb * bd),
        (zero, ca * ad, -sa * cb * ad - ca * sb * bd),
    ))  # fmt: skip


def solved(a: Array, b: Array, w: Array) -> Array:
    """``S^-1 w``."""
    xp = namespace(a)
    (sa, ca), (sb, cb) = (xp.sin(a), xp.cos(a)), (xp.sin(b), xp.cos(b))
    along, across = ca * w[..., 2] - sa * w[..., 1], ca * w[..., 1] + sa * w[..., 2]
    yaw = along / cb
    return xp.stack([w[..., 0] - sb * yaw, across, yaw], axis=-1)


def angles_of(E: Array) -> Array:
    """The angles of ``E = rz(c) ry(b) rx(a)``, from sums and differences that keep all digits."""
    xp = namespace(E)
    b = angle(E[..., 2, 0], uncolumn(length(E[..., :2, 0])))
    c = angle(-E[..., 1, 0], E[..., 0, 0])
    total = angle(E[..., 1, 2] + E[..., 0, 1], E[..., 1, 1] - E[..., 0, 2])
    rest = angle(E[..., 1, 2] - E[..., 0, 1], E[..., 1, 1] + E[..., 0, 2])
    a = xp.where(settled(xp.less(0, real_part(E[..., 2, 0])), generic=False), total - c, rest + c)
    return xp.stack([angle(xp.sin(a), xp.cos(a)), b, c], axis=-1)
