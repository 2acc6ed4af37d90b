"""Kernels that are no kernels of a tree, frame or constraints alone, and their arguments.

Optimal control, configurations, inverse kinematics, the ground and sparse factors have kernels with
other arguments than ``kernel(tree, arrays, results)``. Where they are compiled ahead, the types of
these arguments must be known: they are written as a letter with a number of axes, ``f`` for real
numbers, ``i`` and ``u`` for integers with and without a sign; ``x``, ``n`` and ``t`` are a number,
an integer and a truth value. Arrays of a tuple follow one another.
"""

from typing import NamedTuple


class Procedure(NamedTuple):
    """A kernel with arguments of its own."""

    first: str  # its first argument: the name of a record, such as ``tree``, or types
    others: str  # types of its other arguments
    results: str = ""  # types of its results, if it takes SIMD batches too
    file: str = ""  # its file in `engine.algorithms`, where that has another name


_WANTED = "f2 f2 f2"
_STATE, _FORCES, _QUADRATIC, _FEEDBACK = "f2 f2 f2", "f3 f3", "f4 f3 f3 f4", "f3 f4 f3 f4"
_SEARCH, _SUMS = "i2 i1 i1 f1 f1 f1 f1", "u1 u2 i1 i1 i2 u2"

PROCEDURES = {
    "configurationAddition": Procedure("i2", "f2 f2 f2"),
    "configurationAddition_derivatives": Procedure("n", "f2 f2 f3 f3"),
    "configurationDifference": Procedure("i2", "f2 f2 f2"),
    "configurationRates": Procedure("i2", "f2 f2 f2 f2"),
    "log6_residual": Procedure("f3", "f3 f2"),
    "inverse_kinematics": Procedure("view", f"{_SEARCH} f3 f1 t x x f2 f2 i1"),
    "pose_to_transform": Procedure("f3", "f3 f1"),
    "PoseTask": Procedure("view", "f1 f3 i1 f2 f2 f3"),
    "differential_inverse_kinematics": Procedure("f2", "f3 f2 i1 f1 f1 f1 f1 x x x f2"),
    "ground_forces": Procedure("f4", "f3 f3 i1 f2 f1 f3 f3 f3 f1"),
    "StateCost": Procedure("i2", f"{_WANTED} {_WANTED} {_STATE} f1 t f1 f3 f4"),
    "FramePlacementCost": Procedure("f3", "f3 f2 f1"),
    "add_FramePlacementCost": Procedure("f3", "f3 f2 f3 t f2 f3 f4", file="FramePlacementCost"),
    "euler_ends": Procedure("f1", f"i2 {_STATE} f2 f2 f2 f2 f2 f2"),
    "euler_jacobian": Procedure("f1", "f3 f3 f3 i2 f1 i2 f2 f3 f2 f3"),
    "euler_jacobian_joined": Procedure("f1", "f4 i2 f1 i2 f2 f3 f2 f3", file="euler_jacobian"),
    "defect_charts": Procedure("i2", "f2 f3 f3", file="euler_jacobian"),
    "euler_weights": Procedure("f1", "i2 f2 f3 f2 f2 f2", file="add_euler_hessian"),
    "add_euler_hessian": Procedure("f1", "f3 f3 f3 f3 i2 f1 i2 f2 f2 f3 f3"),
    "riccati": Procedure(_QUADRATIC, f"f3 f3 f2 {_FEEDBACK} f1"),
    "linear_rollout": Procedure("f4", f"f3 {_FEEDBACK} f3 f3 f3 f3 f3", file="riccati"),
    "costates": Procedure("f4", "f3 f3 f3", file="riccati"),
    "compliances": Procedure("f4", "f4 f4 f4", file="riccati"),
    "merit": Procedure("f3", "f3 f2 f3 f3 f3 f2", file="riccati"),
    "motion_errors": Procedure("f3", "f3 f2 f2 t f3 f2 f2 f2"),
    "cost_scales": Procedure("f3", "f3 f3 f3 f3 f4 f2", file="motion_errors"),
    "stage_factors": Procedure("f4 f4 f4", "f3 f4 f4 f4 f1"),
    "stage_solution": Procedure(
        "f4 f4 f4", "f3 f3 f4 f4 f4 f2 f3 f3 f4 f4 f4 n f4 f4 f4", file="stage_factors"
    ),
    "acceleration_hessian": Procedure("tree", f"f2 {_STATE} f3 f3 f3 {_FORCES}", "f3 f3 f3 f3"),
    "KKT_hessian": Procedure("rows", "f2 f2 f2 f2 f2 f4 f4", "f3 f3 f3 f3"),
    "FDab_coupled": Procedure("coupled", f"{_STATE} {_FORCES}", "f2"),
    "FD_derivatives_coupled": Procedure("coupled", f"{_STATE} {_FORCES}", "f3 f3 f3"),
    "Hinverse_coupled": Procedure("coupled", "f2", "f3"),
    "modFD_derivatives_coupled": Procedure("coupled", f"{_STATE} f2 {_FORCES}", "f2 f2 f2"),
    "modFD_second_derivatives_coupled": Procedure(
        "coupled", f"{_STATE} f2 {_FORCES}", "f3 f3 f3 f3 f3 f3 f3"
    ),
    "FD_SO_derivatives_coupled": Procedure("coupled", f"{_STATE} {_FORCES}", "f4 f4 f4 f4"),
    "close_loop": Procedure("branch", "f2 f2 f2 f2 f2"),
    "loop_motion": Procedure("loop", "f2 f2", "f2 f2 f3 f3 f2"),
    "close_loops": Procedure("branches", "f2", "f2 f2 f2"),
    "open_loops": Procedure("linkage", "f2", "f2 f2"),
    "ID_closed": Procedure("branches", f"{_STATE} {_FORCES}", "f2 f2 f2"),
    "HandC_closed": Procedure("branches", f"f2 f2 {_FORCES}", "f3 f2 f2 f2"),
    "FDab_closed": Procedure("branches", f"{_STATE} {_FORCES}", "f2 f2 f2"),
    "ID_derivatives_closed": Procedure("branches", f"{_STATE} {_FORCES}", "f3 f3 f2 f2"),
    "FD_derivatives_closed": Procedure("branches", f"{_STATE} {_FORCES}", "f3 f3 f3 f2 f2"),
    "modID_second_derivatives_closed": Procedure(
        "branches", f"{_STATE} f2 {_FORCES}", "f2 f2 f3 f3 f3 f3 f3 f2 f2"
    ),
    "modFD_second_derivatives_closed": Procedure(
        "branches", f"{_STATE} f2 {_FORCES}", "f3 f3 f3 f3 f3 f3 f3 f2 f2"
    ),
    "pulled_back_inertia": Procedure("followers", "f3 f2", "f3"),
    "pulled_back_derivatives": Procedure("followers", "f3 f3 f3 f2 f2 f2 f2", "f3 f3"),
    "inertia_solve": Procedure("i1", "f3 f2 f3", "f3"),
    "FD_SO_derivatives": Procedure("tree", f"{_SUMS} t f2 f3 f3 f3 f2 f2 f2 f3 f3 f3 f3"),
    "FD_SO_derivatives_whole": Procedure("sums", f"{_STATE} {_FORCES} f4 f4 f4 f4"),
    "FD_SO_derivatives_batched": Procedure("pairs", "f3 f3 f3 f2 f2 f2 f2", "f3 f3 f3 f3"),
    "LTL": Procedure("i1", "f3 f3", file="branches"),
    "LTDL": Procedure("i1", "f3 f3 f3", file="branches"),
    **{
        name: Procedure("i1", "f3 f2 f2", file="branches")
        for name in ("mpyH", "mpyL", "mpyLt", "mpyLi", "mpyLit")
    },
}
"""The kernels by their names."""

FILES = {
    "FrameJacobianTimeDerivative": "FrameJacobian", "frame_velocity": "FrameJacobian",
    "frame_acceleration": "FrameJacobian", "frame_SO_derivatives": "frame_derivatives",
    "frame_motion": "forward_kinematics", "ground_kinematics": "robot_kinematics",
    "IDFOZA": "ID_derivatives", "modID_derivatives_simple": "modID_derivatives",
    "RegressorClassical": "RegressorSL",
    "RegressorClassical_derivatives": "RegressorSL_derivatives",
    "RegressorEnergy_derivatives": "RegressorEnergy",
    "RegressorHandG_derivatives": "RegressorHandG",
    "RegressorMomentum_derivatives": "RegressorMomentum",
    "Regressor_HqdandCTqd_derivatives": "Regressor_HqdandCTqd",
    **{name: kernel.file for name, kernel in PROCEDURES.items() if kernel.file},
}  # fmt: skip
"""Files in `engine.algorithms` of kernels, where they have other names."""
