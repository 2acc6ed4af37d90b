"""Bad input to conversions of rotations raises errors that name the argument."""

from typing import Any

import numpy as np
import pytest
from helpers import refusals

from spatial_v2 import orientation
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.orientation import (
    SU2toQuat,
    cayleyToQuat,
    cayleyToRot,
    isEqualModSign,
    mrpProduct,
    quatToRot,
    quatToSU2,
    rotToAngleAxis,
    rotToEulerAngles,
    rotToFixedAngles,
    rotToMRP,
    rotToQuat,
    rotToRpy,
)

BAD: list[tuple[Any, str]] = [
    (lambda: rotToQuat(np.ones((3, 3))), "rotToQuat: R must be a rotation"),
    (lambda: rotToAngleAxis(-np.eye(3)), "rotToAngleAxis: R must be a rotation, .* mirrors"),
    (lambda: rotToMRP(np.eye(4)), r"R must have shape \(..., 3, 3\), got \(4, 4\)"),
    (lambda: quatToRot([1, 2, 3]), r"quatToRot: q must have shape \(..., 4\), got \(3,\)"),
    (lambda: mrpProduct([1, 2, 3], [1, 2]), r"mrpProduct: m2 must have shape \(..., 3\)"),
    (lambda: rotToRpy("yaw"), "rotToRpy: R must be numbers"),
    (lambda: quatToSU2([1j, 0, 0, 0]), "quatToSU2: q must be real numbers"),
    (lambda: SU2toQuat(np.eye(3)), r"SU2toQuat: U must have shape \(..., 2, 2\)"),
    (lambda: isEqualModSign([1, 2], [1]), "a and b must be vectors of one length"),
    (lambda: orientation.Rx(None), "Rx: theta must be numbers"),
]
test_bad_input_is_refused = refusals(ArrayShapeError, BAD)


@pytest.mark.parametrize("sequence", [(1, 1, 2), (1, 2), (0, 1, 2), "321", None, (3.5, 2, 1), 3])
def test_wrong_sequences_are_refused(sequence: Any) -> None:
    for f in (rotToEulerAngles, rotToFixedAngles):
        with pytest.raises(SpatialError, match="sequence must be three of 1"):
            f(np.eye(3), sequence)


@pytest.mark.parametrize("n", [0, -1, 1.5, "2"])
def test_wrong_orders_are_refused(n: Any) -> None:
    for f in (cayleyToQuat, cayleyToRot, orientation.cayleyRateRight, orientation.cayleyRateLeft):
        args = ([0.1, 0.2, 0.3], [1, 2, 3])[: 2 if "Rate" in f.__name__ else 1]
        with pytest.raises(SpatialError, match="n must be a positive whole number"):
            f(*args, n=n)
