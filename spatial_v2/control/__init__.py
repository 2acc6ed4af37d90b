"""Optimal control by shooting methods: problems, costs, solvers; time steps with derivatives."""

import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from spatial_v2.control.body_quantities import CentreOfMass, ContactForce
from spatial_v2.control.bounds import Bounds
from spatial_v2.control.collocation import Collocation
from spatial_v2.control.command import Command
from spatial_v2.control.costs import ControlCost, Cost, Instants
from spatial_v2.control.frame_costs import FramePlacementCost, FrameVelocityCost
from spatial_v2.control.frame_position import FramePosition
from spatial_v2.control.function_cost import FunctionCost
from spatial_v2.control.function_quantity import FunctionQuantity
from spatial_v2.control.modTimeStep_second_derivatives import modTimeStep_second_derivatives
from spatial_v2.control.parameter_derivatives import ParameterDerivatives, parameter_derivatives
from spatial_v2.control.predictive import ModelPredictiveControl
from spatial_v2.control.quantities import Controls, JointPositions, JointVelocities, Quantity
from spatial_v2.control.quantity_costs import SoftBounds, SquareCost
from spatial_v2.control.rollout import Rollout, rollout
from spatial_v2.control.rollout_gradient import RolloutGradient, rollout_gradient
from spatial_v2.control.rollout_hessian_product import rollout_hessian_product
from spatial_v2.control.shooting import Trajectory
from spatial_v2.control.shooting_problem import ContactPhase, ShootingProblem
from spatial_v2.control.solution import Iteration, Solution, Violation
from spatial_v2.control.solution_derivatives import SolutionDerivatives, solution_derivatives
from spatial_v2.control.solve import solve
from spatial_v2.control.state_cost import StateCost
from spatial_v2.control.time_step import TimeStep, time_step
from spatial_v2.control.time_step_derivatives import TimeStepDerivatives, time_step_derivatives
from spatial_v2.control.transcription import Transcription, transcribe

__all__ = [
    "Bounds",
    "CentreOfMass",
    "Collocation",
    "Command",
    "ContactForce",
    "ContactPhase",
    "ControlCost",
    "Controls",
    "Cost",
    "FramePlacementCost",
    "FramePosition",
    "FrameVelocityCost",
    "FunctionCost",
    "FunctionQuantity",
    "Instants",
    "Iteration",
    "JointPositions",
    "JointVelocities",
    "ModelPredictiveControl",
    "ParameterDerivatives",
    "Quantity",
    "Rollout",
    "RolloutGradient",
    "ShootingProblem",
    "SoftBounds",
    "Solution",
    "SolutionDerivatives",
    "SquareCost",
    "StateCost",
    "TimeStep",
    "TimeStepDerivatives",
    "Trajectory",
    "Transcription",
    "Violation",
    "modTimeStep_second_derivatives",
    "parameter_derivatives",
    "rollout",
    "rollout_gradient",
    "rollout_hessian_product",
    "solution_derivatives",
    "solve",
    "time_step",
    "time_step_derivatives",
    "transcribe",
]
