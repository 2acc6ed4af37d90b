"""Steps in time for shooting methods: motions, and their derivatives to second order."""

from spatial_v2.control.modTimeStep_second_derivatives import modTimeStep_second_derivatives
from spatial_v2.control.rollout import Rollout, rollout
from spatial_v2.control.rollout_gradient import RolloutGradient, rollout_gradient
from spatial_v2.control.rollout_hessian_product import rollout_hessian_product
from spatial_v2.control.time_step import TimeStep, time_step
from spatial_v2.control.time_step_derivatives import TimeStepDerivatives, time_step_derivatives

__all__ = [
    "Rollout",
    "RolloutGradient",
    "TimeStep",
    "TimeStepDerivatives",
    "modTimeStep_second_derivatives",
    "rollout",
    "rollout_gradient",
    "rollout_hessian_product",
    "time_step",
    "time_step_derivatives",
]
