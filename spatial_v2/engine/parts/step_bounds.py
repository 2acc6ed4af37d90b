"""Bounds of a step of differential inverse kinematics.

The kernel and the reference implementation read the same numbers.
"""

from typing import NamedTuple

from spatial_v2.engine.tree import Floats, Ints

LEAST_DAMPING, TINY = 1e-11, 1e-300
"""Least damping, relative to the largest diagonal entry of ``J^T J``, with which double precision
factorises every matrix; an addition to it where J is zero.
"""


class StepBounds(NamedTuple):
    """Bounds and units of the velocity variables of a model.

    Attributes
    ----------
    place : (NV,) int64
        Their position variables.
    lower, upper : (NV,)
        Bounds of these; infinite where there are none, and for angles that turn freely.
    speed : (NV,)
        Bounds of the velocities.
    unit : (NV,)
        The length of the robot for displacements, one for angles.
    """

    place: Ints
    lower: Floats
    upper: Floats
    speed: Floats
    unit: Floats
