"""Checks of the options of constrained dynamics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.constraints.rank import Rank, Refusal
from spatial_v2.constraints.residual import Gains
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model

__all__ = [
    "Gains",
    "Rank",
    "Refusal",
    "as_gains",
    "validate_constraints",
    "validate_refusal",
]


def validate_constraints(model: Model, options: dict[str, Any]) -> int:
    """Check the options of a function of constraints in place; return the number of rows."""
    if "constraints" not in options:
        raise TypeError(
            "argument `constraints` is missing; want a list of PointConstraint or FrameConstraint"
        )
    rows = options["constraints"] = constraint_set(model, options["constraints"])
    if "damping" in options:
        options["damping"] = _damping(options["damping"])
    if options.get("baumgarte") is not None:
        options["baumgarte"] = as_gains(options["baumgarte"], rows.m)
    if "rank" in options:
        check_rank(options["rank"], get_args(Rank))
    if "restitution" in options:
        options["restitution"] = _restitution(options["restitution"], rows.m)
    return rows.m


def validate_refusal(model: Model, options: dict[str, Any]) -> int:
    """Check options of a function without solutions for dependent rows; return the number of
    rows.
    """
    if "rank" in options:
        check_rank(options["rank"], get_args(Refusal))
    return validate_constraints(model, options)


def check_rank(value: Any, choices: Sequence[str]) -> None:
    """Raise an error for an invalid `rank`."""
    if value not in choices:
        want = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        hint = ". With damping > 0 all derivatives exist" if value in get_args(Rank) else ""
        raise SpatialError(f"rank: want {want}, got {value!r}{hint}")


def _numbers(name: str, value: Any, m: int) -> np.ndarray:
    """Convert an option to an array of one number for each of m constraint rows."""
    x = np.asarray(value)
    if x.dtype.kind not in "fiu" or x.shape not in ((), (m,)):
        raise ArrayShapeError(f"{name}: want a number, or one for each of {m} rows; got {value!r}")
    return np.broadcast_to(x.astype(np.float64), (m,))


def _damping(value: Any) -> float:
    x = np.asarray(value)
    if x.shape != () or x.dtype.kind not in "fiu" or not 0 <= x < np.inf:
        raise SpatialError(f"damping: want a number, 0 or greater, got {value!r}")
    return float(x)


def as_gains(value: Any, m: int) -> Gains:
    """Check the option `baumgarte`, and convert it to gains of m constraint rows."""
    if isinstance(value, Gains):
        return value
    try:
        Kp, Kd = value
    except (TypeError, ValueError):
        text = f"baumgarte: want (Kp, Kd), gains of position and velocity error, got {value!r}"
        raise SpatialError(text) from None
    gains = Gains(_numbers("baumgarte: Kp", Kp, m), _numbers("baumgarte: Kd", Kd, m))
    for name, x in gains._asdict().items():
        if not ((x >= 0) & (x < np.inf)).all():
            raise SpatialError(f"baumgarte: {name} must be 0 or greater, got {x.tolist()}")
    return gains


def _restitution(value: Any, m: int) -> np.ndarray:
    x = _numbers("restitution", value, m)
    if not ((x >= 0) & (x <= 1)).all():
        hint = " (MATLAB's Impact_dyn has the sign the other way round)" if (x < 0).any() else ""
        raise SpatialError(f"restitution: want numbers from 0 to 1, got {value!r}{hint}")
    return x
