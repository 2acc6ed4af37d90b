"""Steps in time for shooting methods: motions, and their derivatives to second order."""

from spatial_v2.control.modTimeStep_second_derivatives import modTimeStep_second_derivatives
from spatial_v2.control.time_step import TimeStep, time_step
from spatial_v2.control.time_step_derivatives import TimeStepDerivatives, time_step_derivatives

__all__ = [
    "TimeStep",
    "TimeStepDerivatives",
    "modTimeStep_second_derivatives",
    "time_step",
    "time_step_derivatives",
]
