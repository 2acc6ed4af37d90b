"""Configurations in which a linkage branches: rows are dependent there, not along the motion."""

from __future__ import annotations

import itertools

import numpy as np

from spatial_v2.constraints import constraint_bias
from spatial_v2.exceptions import ModelError
from spatial_v2.mechanisms.loop import Loop

__all__ = ["check_branching"]

BRANCHES = 1e-2
"""Acceleration with which rows open, in lengths of the loop for unit velocities, at which they are
dependent in this configuration alone.
"""


def check_branching(loop: Loop, q: np.ndarray, J: np.ndarray, r: int, names: list[str]) -> None:
    """Raise an error if dependent rows open along a motion that r rows allow, to second order.

    A motion v with ``J v = 0`` goes on if there are accelerations a with ``J a + b(v) = 0``. The
    bias b is a quadratic form, so velocities of a basis and their sums decide.
    """
    if r == len(J):
        return
    U, _, Vt = np.linalg.svd(loop.scaled(J))
    own = Vt[r:]
    pairs = [own[i] + own[k] for i, k in itertools.combinations(range(len(own)), 2)]
    v = np.array([*own, *pairs]) * loop.column_scale
    bias = np.asarray(constraint_bias(loop.model, np.tile(q, (len(v), 1)), v, loop.constraints))
    if np.abs(bias * loop.row_scale @ U[:, r:]).max(initial=0.0) > BRANCHES:
        raise ModelError(
            f"constraints: the linkage of {names} branches at {np.round(q, 6).tolist()}: rows that "
            "are dependent there are not along its motion; give guess=q away from it"
        )
