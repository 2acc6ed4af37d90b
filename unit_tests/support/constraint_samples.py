"""Sets of constraints on any model of the zoo, and complex steps of functions that take them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spatial_v2 as sv

STEP = 1e-20
P, F, D = sv.PointConstraint, sv.FrameConstraint, sv.DistanceConstraint
FOOT = [0.1, 0.2, 0.3]
TWO_FORMS = pytest.mark.parametrize(
    "form", [sv.KKT_FD, sv.KKT_FD.reference], ids=["kernel", "page"]
)


def constraints(model: sv.Model) -> dict[str, list[Any]]:
    """Return constraints of every kind that the model supports, by name, with independent rows."""
    last, near = model.NB - 1, model.NB // 2
    d, planar = len(model.gravity), model.is_planar
    r1, r2 = np.array([0.3, -0.2, 0.1])[:d], np.array([0.1, 0.2, 0.3])[:d]
    X1 = sv.plnr(0.4, r1) if planar else sv.rotx(0.4) @ sv.xlt(r1)
    X2 = sv.plnr(-0.3, r2) if planar else sv.roty(0.2) @ sv.xlt(r2)
    one = np.eye(d)[1:2] if planar else np.array([[0.6, 0.0, 0.8]])
    skew = np.array([[1.0, 0.5, 0.0, 0.2, 0.0, -0.3]]).T[: 3 if planar else 6]
    few = model.NV < 4
    sets: dict[str, list[Any]] = {
        "point": [sv.PointConstraint(last, r2, directions=one if few else None)],
        "frame": [sv.FrameConstraint(last, X2, rows=[0] if few else [0, 2])],
        "slanted": [sv.FrameConstraint(last, X2, rows=skew, axes="body1")],
        "aligned": [sv.FrameConstraint(last, X2, frame1=X1, rows=skew, axes="mixed")],
        "rod": [sv.DistanceConstraint(last, r2, -1, 4 * r1, distance=0.9)],
    }
    if near != last:
        sets["loop"] = [sv.PointConstraint(last, r2, near, r1, directions=one)]
        sets["frame loop"] = [sv.FrameConstraint(last, X2, near, X1, rows=skew)]
        sets["log6"] = [sv.FrameConstraint(last, X2, near, X1, rows=skew, error="log6")]
        sets["aligned loop"] = [
            sv.FrameConstraint(last, X2, near, X1, rows=skew, axes="mixed", error="log6"),
            sv.DistanceConstraint(last, r2, -1, 4 * r1, distance=0.9),
        ]
        sets["rod"] = [sv.DistanceConstraint(last, r2, near, -r1, distance=0.4)]
    if model.NV > 6:
        sets["mixed"] = [*sets["point"], *sets.get("frame loop", [])]
    return sets


def along(
    model: sv.Model, function: Callable[..., Any], q: np.ndarray, *vectors: np.ndarray, by: int
) -> list[np.ndarray]:
    """Compute derivatives of the parts of ``function(q, *vectors)`` with respect to argument `by`,
    along the last axis.

    Derivatives with respect to q are along the velocity variables.
    """
    arguments = [q, *vectors]
    h = 1j * STEP * np.eye(arguments[by].shape[-1] if by else model.NV)
    arguments[by] = arguments[by] + h if by else sv.configurationAddition(model, q, h)
    parts = function(*arguments)
    parts = parts if isinstance(parts, tuple) else (parts,)
    return [np.moveaxis(x.imag / STEP, 0, -1) for x in parts]


def placed_near(model: sv.Model, held: list[Any], q: np.ndarray) -> sv.ConstraintSet:
    """Return the constraints placed at a configuration near q, so that position errors at q are not
    zero.
    """
    beside = sv.configurationAddition(model, q, 0.1 * np.ones(model.NV))
    return sv.ConstraintSet(model, held).placed(model, beside)
