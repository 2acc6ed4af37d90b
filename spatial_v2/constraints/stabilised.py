"""The accelerations that rows are given: zero, or those that pull errors back."""

from __future__ import annotations

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.options import Gains
from spatial_v2.constraints.rows import Rows
from spatial_v2.model import Model

__all__ = ["wanted", "wanted_q", "wanted_qd", "wanted_qq", "wanted_qv"]

Baumgarte = Gains | tuple[float, float] | None


def _gains(rows: Rows, gains: Baumgarte, axes: int) -> tuple[Array, Array]:
    """Kp and Kd as arrays with so many axes behind that of the rows."""
    assert isinstance(gains, Gains)
    shape = (slice(None), *[None] * axes)
    return constant(gains.Kp[shape], rows.like), constant(gains.Kd[shape], rows.like)


def _position(rows: Rows, gains: Baumgarte, name: str, axes: int) -> Array:
    """``Kp e`` or a derivative of it; e is not asked for where no gain wants it."""
    Kp, _ = _gains(rows, gains, axes)
    assert isinstance(gains, Gains)
    return Kp * getattr(rows, name) if gains.Kp.any() else 0.0


def wanted(rows: Rows, gains: Baumgarte) -> Array:
    """The acceleration ``a* = -Kd w - Kp e`` of the rows, one column."""
    if gains is None:
        return 0 * rows.w
    return -_gains(rows, gains, 1)[1] * rows.w - _position(rows, gains, "e", 1)


def wanted_q(rows: Rows, gains: Baumgarte) -> Array:
    """Its derivatives along q."""
    if gains is None:
        return 0 * rows.G
    return -_gains(rows, gains, 1)[1] * rows.w_q - _position(rows, gains, "e_q", 1)


def wanted_qd(rows: Rows, gains: Baumgarte) -> Array:
    """Its derivatives by qd."""
    return 0 * rows.G if gains is None else -_gains(rows, gains, 1)[1] * rows.G


def wanted_qq(
    rows: Rows, gains: Baumgarte, held: ConstraintSet, model: Model, q: Array, qd: Array
) -> Array:
    """Its second derivatives along q; w has those of alpha at rest, with qd as acceleration."""
    if gains is None:
        return 0 * rows.G_q
    turned = held.rows(model, q, 0 * qd, qd)
    rate = _gains(rows, gains, 2)[1] * turned.alpha_qq
    return -rate - _position(rows, gains, "e_qq", 2)


def wanted_qv(rows: Rows, gains: Baumgarte) -> Array:
    """Its derivatives along q, then by qd."""
    if gains is None:
        return 0 * rows.G_q
    return -_gains(rows, gains, 2)[1] * namespace(rows.like).matrix_transpose(rows.G_q)
