"""Public names that a user may have meant: for terms of the field, and for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["TERMS", "suggest"]

TERMS = {
    "aba": "FDab",
    "attach_payload": "attach",
    "bias_forces": "HandC",
    "center_of_mass": "EnerMo, centre_of_mass_jacobian",
    "centroidal_momentum": "EnerMo, CMM",
    "com": "EnerMo, centre_of_mass_jacobian",
    "coriolis": "CoriolisMatrix, HandC",
    "difference": "configurationDifference",
    "diff_ik": "differential_inverse_kinematics",
    "differential_ik": "differential_inverse_kinematics",
    "energy": "EnerMo",
    "balance": "whole_body_problem",
    "fk": "forward_kinematics",
    "forward_dynamics": "FDab",
    "estimate_payload": "identify_payload",
    "gravity": "gravity_forces, get_gravity",
    "gravity_compensation": "gravity_forces",
    "gravity_torques": "gravity_forces",
    "ik": "inverse_kinematics",
    "friction_cone": "whole_body_problem",
    "inertia_matrix": "CRBA, HandC",
    "integrate": "configurationAddition, simulate",
    "inverse_dynamics": "ID",
    "jacobian": "FrameJacobian",
    "kinetic_energy": "EnerMo",
    "manipulability_gradient": "manipulability_derivatives",
    "mass": "EnerMo",
    "total_mass": "EnerMo",
    "mass_matrix": "CRBA, HandC",
    "merge": "attach",
    "rebase": "change_base",
    "momentum": "EnerMo, CMM",
    "nle": "HandC",
    "nonlinear_effects": "HandC",
    "opspace": "operational_space_inertia",
    "payload": "identify_payload, attach",
    "potential_energy": "EnerMo",
    "qp": "whole_body_problem",
    "quaternion": "rq, quatToRot",
    "random_q": "random_configuration",
    "robot": "load_model, Model",
    "rnea": "ID",
    "se3": "pose, exp6, log6",
    "so3": "exp3, log3",
    "spline": "cubic_motion, quintic_motion",
    "trapezoidal_profile": "trapezoidal_motion",
    "urdf": "load_urdf, load_model",
}
"""Names of functions for terms of the field."""


def suggest(name: str, known: Iterable[str], terms: dict[str, str] = TERMS) -> str:
    """Return text that names what a user may have meant; none if nothing is similar.

    Parameters
    ----------
    name : str
        A name that does not exist.
    known : iterable of str
        Names that exist.
    terms : dict, optional
        Names for terms of the field.

    Returns
    -------
    str
        Text for the end of a message.

    Examples
    --------
    >>> suggest("center_of_mass", ["EnerMo"])
    '; did you mean EnerMo, centre_of_mass_jacobian?'
    >>> suggest("forward_kinematic", ["forward_kinematics", "ID"])
    '; did you mean forward_kinematics?'
    """
    import difflib

    if name.startswith("_"):
        return ""
    plain = {_plain(x): x for x in known}
    of_terms = {_plain(x): text for x, text in terms.items()}
    asked = _plain(name)
    if asked in of_terms:
        return f"; did you mean {of_terms[asked]}?"
    near = difflib.get_close_matches(asked, plain, n=3, cutoff=0.75)
    if not near and (term := difflib.get_close_matches(asked, of_terms, n=1, cutoff=0.8)):
        return f"; did you mean {of_terms[term[0]]}?"
    return f"; did you mean {', '.join(plain[x] for x in near)}?" if near else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("centre", "center")
