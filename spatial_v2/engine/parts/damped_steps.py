"""Data and thresholds of damped steps of inverse kinematics.

The kernel and the reference implementation read the same numbers.
"""

from typing import NamedTuple

from spatial_v2.engine.tree import Floats, Ints

ROUNDING = 2.0**-52
LEAST, MOST, STILL = 64 * ROUNDING, 1 / ROUNDING, ROUNDING
"""Bounds of the damping, relative to the largest diagonal entry of ``J^T J``; largest entry of a
step [rad, or as a part of the length] that is no step.

They follow from the unit of rounding: sums of squares are rounded by some units, so that a smaller
damping would be none; a larger one, or a smaller step, changes no digit of q.
"""


class Search(NamedTuple):
    """Spaces, bounds and units of the variables of a model, and weights of the residuals.

    Attributes
    ----------
    spaces : (k, 4) int64
        The table of `configurationAddition`.
    place, turns : (NV,), (NQ,) int64
        Position variable of each velocity variable of a joint with one, else -1; 1 for the angles
        that are brought between their bounds by full turns.
    lower, upper : (NQ,)
        Bounds of the position variables.
    is_length : (NV,)
        1 for velocity variables that are displacements, else 0.
    weights : (6,)
        Weights of the residuals.
    """

    spaces: Ints
    place: Ints
    turns: Ints
    lower: Floats
    upper: Floats
    is_length: Floats
    weights: Floats
