"""fbkin: conversion between the joints of a floating base and its pose and velocity."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays.checks import as_numbers, as_vector
from spatial_v2.dynamics.floating_base_joints import floating_base_joints
from spatial_v2.dynamics.floating_base_state import floating_base_state
from spatial_v2.exceptions import ArrayShapeError

__all__ = ["fbkin"]


def fbkin(first: Any, second: Any = None, third: Any = None) -> Any:
    """Floating-base kinematics, forward or inverse by the first argument (MATLAB `fbkin`).

    Parameters
    ----------
    first : array, shape (..., 6), (..., 7) or (..., 13)
        Joint positions q, or the state of the base: p, orientation and position, or x, with the
        velocity.
    second : array, optional
        Joint velocities qd (..., 6), or xd (..., 13), the rate of x.
    third : array, shape (..., 6), optional
        Joint accelerations qdd.

    Returns
    -------
    array or named tuple
        The fields of `floating_base_state` for q (p), for q and qd (x), for q, qd and qdd (x, xd);
        those of `floating_base_joints` for p (q), for x (q, qd), for x and xd (q, qd, qdd).

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Positions are q = [x y z, angles about x y z]; see the two functions that it calls.

    Examples
    --------
    >>> fbkin([1, 0, 0, 0, 4, 5, 6]) + 0
    array([4., 5., 6., 0., 0., 0.])
    """
    first = as_numbers(first, "fbkin: first")
    if first.ndim and first.shape[-1] in (7, 13):
        if third is not None:
            raise ArrayShapeError("fbkin: want q, qd, qdd, or p, or x, xd; got three for x")
        return floating_base_joints(first, second)
    return floating_base_state(as_vector(first, "fbkin: first", 6, 7, 13), second, third)
