"""Dimensions of the arguments and results of all public functions of a state.

Results of a function are separated by semicolons, in their order; see `units` for how a dimension
is written. ``=`` stands for a result that is the same in all units, ``rounding`` for one that is
a rounding error.
"""

from public_functions import Function

ARGUMENTS = {
    "q": "q", "q0": "q", "q1": "q", "v": "T-1 v", "qd": "T-1 v", "qd_r": "T-1 v", "u": "T-1 v",
    "qdd": "T-2 v", "tau": "E f", "p": "M L2 T-1 f", "dq": "v", "dqd": "T-1 v", "dtau": "E f",
    "f_ext": "E w", "weight": "w", "lambda_": "v", "mu": "f", "nu": "M-1 L-2 .", "forces": "E .",
    "h": "T", "p_q": "f", "p_qd": "T f", "C": "M L2 T-1 f f", "S": ". .", "body": "=",
    "frame": "=", "Xend": "m m*", "Xend_dot": "T-1 m m*", "constraints": "=",
}  # fmt: skip
"""Dimensions of arguments. Rows of constraints are numbers, so that their forces are energies."""

ARGUMENTS_OF = {
    "AZA": {"b": "E f"},
    "IDFOZA": {"b": "T-2 v"},
    **{
        name: {"lambda_": "f"}
        for name in (
            "modFD", "modFD_derivatives", "modFD_second_derivatives",
            "modConfigurationAddition_second_derivatives",
        )
    },
    "modConfigurationDifference_second_derivatives": {"lambda_": "f"},
    "configurationTransport-kind=force": {"v": "f"},
}  # fmt: skip
"""Dimensions of arguments of single functions, or calls with an option."""

OPTIONS: dict[str, str | tuple[str, str]] = {
    "damping": "M-1 L-2",
    "baumgarte": ("T-2", "T-1"),
}
"""Dimensions of options; others are numbers."""

BODY_FRAME = "m f; T-1 m; T-1 m; T-2 m; M L2 w w; M L2 w w; M L2 T-1 w w; M L2 T-1 w w; E w; E w"
GROUND_FRAME = (
    "m f; T-1 m f; T-1 m f; T-2 m f; m m*; T-1 m; T-1 m; T-2 m; "
    "M L2 w w; M L2 w w; M L2 T-1 w w; M L2 T-1 w w; E w; E w"
)
MOTION = "T-1 m f; m f; T-2 m f; T-1 m f; m f"
FORCES = "E w f; M L2 T-1 w f; M L2 w f"
FORCES_SO = "E w f f; M L2 w f f; M L2 T-1 w f f; M L2 w f f; M L2 w f f"
FD_SO = "T-2 v f f; v f f; T-1 v f f; M-1 L-2 v v f"
ID_SO = "E f f f; M L2 f f f; M L2 T-1 f f f; M L2 f f f"
MOD = "T-2 f; T-1 f; M-1 L-2 v"
MOD_SO = "T-2 f f; f f; T-1 f f; M-1 L-2 v f"

RESULTS = {
    "ID": "E f",
    "ID-return_info=True": "E f; m m*; T-1 m; M L2 T-1 w; T-2 m; E w; E w",
    "FDab": "T-2 v",
    "FDcrb": "T-2 v",
    "EIDAmb": "E f",
    "EIDAmb_derivatives": "E f w; E f j; M L2 T-1 f w; M L2 T-1 f j",
    "HandC": "M L2 f f; E f",
    "HandC-return_info=True": "M L2 f f; E f; M L2 w w; m m*; T-1 m; T-2 m; E w",
    "CRBA": "M L2 f f",
    "IMMAmb": "M-1 L-2 v v",
    "Hinverse": "M-1 L-2 v v",
    "Hqd_and_CTqd": "M L2 T-1 f; E f",
    "HamiltonianDynamics": "T-1 v; E f",
    "ID_SlotineLi": "E f",
    "EnerMo": "E; E; M L2 T-1 w; M L2 w w; M; L .; L T-1 .",
    "CMM": "M L2 w f",
    "centre_of_mass_jacobian": "L . f",
    "gravity_forces": "E f",
    "CMM_from_CRBA": "M L2 w f",
    "CMMTimeDerivative": "M L2 T-1 w f",
    "BodyJacobian": "m f",
    "BodyJacobianTimeDerivative": "T-1 m f",
    "bodyFrame_dyn": BODY_FRAME,
    "GlobalDynamics": GROUND_FRAME,
    "GlobalDynamics-return_info=True": GROUND_FRAME
    + "; m m*; T-1 m; T-1 m f; T-2 m; T-2 m; E w; M L2 T-1 w; =; =; =; =",
    "ground_kinematics": "m f; T-1 m f; m m*; T-1 m",
    "forward_kinematics": "m m*; =; L .; T-1 m",
    "FrameJacobian": "m f",
    "FrameJacobianTimeDerivative": "T-1 m f",
    "frame_velocity": "T-1 m",
    "frame_acceleration": "T-2 m",
    "frame_derivatives": "m f; m f f",
    "frame_SO_derivatives": "m f; m f f; m f f f",
    "modFrame_second_derivatives": "T-1 f; f; T-1 f f; f f",
    "confVecToCell": "q; T-1 v",
    "normalizeConfVec": "q",
    "configurationAddition": "q",
    "configurationAddition_derivatives": "v f; v f",
    "configurationAddition_SO_derivatives": "v f f; v f f",
    "configurationDifference": "v",
    "configurationDifference_derivatives": "v f; v f",
    "configurationDifference_SO_derivatives": "v f f; v f f; v f f",
    "configurationRates": "T-1 q",
    "configurationTransport": "T-1 v",
    "configurationTransport-kind=force": "f",
    "modConfigurationAddition_second_derivatives": "f f; f f",
    "modConfigurationDifference_second_derivatives": "f f; f f; f f",
    "KKT_FD": "T-2 v; E .",
    "KKT_ID": "E f",
    "KKT_FO_derivatives": ("T-2 v f; T-1 v f; M-1 L-2 v v; E . f; M L2 T-1 . f; . v"),
    "KKT_SO_derivatives": FD_SO + "; E . f f; M L2 . f f; M L2 T-1 . f f; . v f",
    "KKT_FD_directional_derivative": "T-2 v; E .; T-2 v; E .",
    "KKT_ID_derivatives": "E f f; M L2 T-1 f f; M L2 f f; f .",
    "KKT_ID_SO_derivatives": ID_SO + "; f f .",
    "modKKT_second_derivatives": MOD + "; " + MOD_SO,
    "Impact_dyn": "T-1 v; M L2 T-1 .",
    "Impact_FO_derivatives": "T-1 v f; v f; M L2 T-1 . f; M L2 . f",
    "Impact_SO_derivatives": "T-1 v f f; v f f; M L2 T-1 . f f; M L2 . f f",
    "constraint_jacobian": ". f",
    "constraint_velocity": "T-1 .",
    "constraint_bias": "T-2 .",
    "constraint_derivatives": "T-1 . f; . f; T-2 . f; T-1 . f",
    "constraint_SO_derivatives": ". f f; T-2 . f f; . f f; T-1 . f f",
    "position_error": ".",
    "actuation_forces": "E .; E .; E f",
    "project_configuration": "q; rounding; =; =",
    "project_velocity": "T-1 v",
    "time_step": "q; T-1 v",
    "time_step_derivatives": "s s*; M-1 L-2 T2 s v; T-1 s",
    "modTimeStep_second_derivatives": "z* z*",
    "linearize": "T-1 s s*; M-1 L-2 T s v",
    "RegressorClassical": "L2 T-2 f p*; L2 T-2 f p*",
    "RegressorClassical_derivatives": "; ".join(2 * ["L2 T-2 f p* f; L2 T-1 f p* f"]),
    "RegressorSL": "L2 T-2 f p*; L2 T-2 f p*",
    "RegressorSL_derivatives": "; ".join(2 * ["L2 T-2 f p* f; L2 T-1 f p* f; L2 T-1 f p* f"]),
    "RegressorEnergy": "L2 T-2 p*; L2 T-2 p*; L2 T-2 p*; L2 T-2 p*",
    "RegressorEnergy_derivatives": "; ".join(2 * ["L2 T-2 p* f; L2 T-1 p* f; L2 T-2 p* f"]),
    "RegressorHandG": "; ".join(2 * ["L2 f f p*; L2 T-2 f p*"]),
    "RegressorHandG_derivatives": "; ".join(2 * ["L2 f f p* f; L2 T-2 f p* f"]),
    "RegressorMomentum": "L2 T-1 w p*; L2 T-1 w p*",
    "RegressorMomentum_derivatives": "; ".join(2 * ["L2 T-1 w p* f; L2 w p* f"]),
    "Regressor_HqdandCTqd": "; ".join(2 * ["L2 T-1 f p*; L2 T-2 f p*"]),
    "Regressor_HqdandCTqd_derivatives": "; ".join(
        2 * ["L2 T-1 f p* f; L2 f p* f; L2 T-2 f p* f; L2 T-1 f p* f"]
    ),
    "AZA": "T-2 v",
    "IDFOZA": "E f f",
    "Christoffel": "M L2 f f f",
    "CoriolisMatrix": "M L2 T-1 f f; M L2 T-1 f f; M L2 f f",
    "StructureConstants": "M L2 f f f; v f f",
    "H_derivatives": "M L2 f f f",
    "dMinv_dq": "M-1 L-2 v v f",
    "ID_derivatives": "E f f; M L2 T-1 f f",
    "ID_SO_derivatives": ID_SO,
    "FD_derivatives": "T-2 v f; T-1 v f; M-1 L-2 v v",
    "FD_SO_derivatives": FD_SO,
    "body_motion_derivatives": MOTION + "; " + MOTION,
    "spatial_force_derivatives": "; ".join(4 * [FORCES]),
    "spatial_force_SO_derivatives": FORCES_SO + "; " + FORCES_SO,
    "is_admissible_factorization": "=",
    "is_christoffel_consistent": "=",
    "is_valid_factorization": "=",
    "modID": "E",
    "modID_derivatives": "E f; M L2 T-1 f",
    "modID_derivatives_simple": "E f",
    "modID_second_derivatives": (
        "E f; M L2 T-1 f; E f f; M L2 f f; M L2 T-1 f f; E f f; M L2 T-1 f f"
    ),
    "modFD": "T-2",
    "modFD_derivatives": MOD,
    "manipulability": "L0",
    "manipulability_derivatives": "L0; f",
    "modFD_second_derivatives": "T-2 v f; T-1 v f; M-1 L-2 v v; " + MOD_SO,
}
"""Dimensions of results, by the name of the function, and of the call where its options matter."""

EXEMPT = {
    "manipulability": "turns and displacements have the same weight",
    "manipulability_derivatives": "turns and displacements have the same weight",
    "actuation_forces": "least-norm forces weigh a torque and a force alike",
}
"""Functions whose results depend on units, and the reason."""


def of_results(call: Function) -> list[str]:
    """Return the dimensions of the results of a function with options."""
    return [x.strip() for x in RESULTS.get(str(call), RESULTS[call.name]).split(";")]


def of_argument(call: Function, name: str) -> str:
    """Return the dimension of an argument of a function with options."""
    own = ARGUMENTS_OF.get(str(call), ARGUMENTS_OF.get(call.name, {}))
    return own[name] if name in own else ARGUMENTS[name]
