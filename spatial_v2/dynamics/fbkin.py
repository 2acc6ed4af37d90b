"""fbkin: conversion between the joints of a floating base and its pose and velocity."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays.checks import as_numbers, as_vector
from spatial_v2.dynamics.floating_base_joints import floating_base_joints
from spatial_v2.dynamics.floating_base_state import floating_base_state
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["fbkin"]


def fbkin(first: Any, second: Any = None, third: Any = None) -> Any:
    """Convert between joint variables and state of a floating base, as MATLAB's `fbkin`.

    Parameters
    ----------
    first : array, shape (..., 6), (..., 7) or (..., 13)
        Joint positions q (6), or orientation and position p of the base (7), or its state x, which
        includes the velocity (13).
    second : array, optional
        Joint velocities qd (..., 6), or xd (..., 13), the rate of x.
    third : array, shape (..., 6), optional
        Joint accelerations qdd.

    Returns
    -------
    array or named tuple
        For q, the result of `floating_base_state`: p from q, x from q and qd, (x, xd) from q, qd
        and qdd. For p or x, the result of `floating_base_joints`: q from p, (q, qd) from x, (q, qd,
        qdd) from x and xd.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Positions are q = [x y z, angles about x y z]; see `floating_base_state` and
    `floating_base_joints`.

    Examples
    --------
    >>> fbkin([1, 0, 0, 0, 4, 5, 6]) + 0
    array([4., 5., 6., 0., 0., 0.])
    """
    first = as_numbers(first, "fbkin: first")
    if first.ndim and first.shape[-1] in (7, 13):
        if third is not None:
            raise ArrayShapeError("fbkin: want (q, qd, qdd), (p) or (x, xd), got three for x")
        return floating_base_joints(first, second)
    return floating_base_state(as_vector(first, "fbkin: first", 6, 7, 13), second, third)
