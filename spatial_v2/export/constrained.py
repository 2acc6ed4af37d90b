"""Functions of constrained dynamics as the exported library has them: kernels and their arrays."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from spatial_v2.export.records import record_type

__all__ = ["CONSTRAINED", "FORMS", "ConstrainedForm", "ConstrainedKernel", "constrained_record"]


class ConstrainedKernel(NamedTuple):
    """A kernel whose first argument has constraints.

    Attributes
    ----------
    arguments, results : dict of str to str
        Names and letters of the lengths of arguments and results: those of a tree, ``m`` for the
        constraint rows, and ``z`` for NV + m.
    told : str
        Letter of the length of a last result that tells how a state ended: ``R`` for a report,
        see `engine.parts.outcomes.Report`, ``1`` for a doubt; empty for a kernel without.
    force : bool
        True if it takes external forces.
    summary : str
        The result in one line; empty where the docstring of the public function says so.
    """

    arguments: dict[str, str]
    results: dict[str, str]
    told: str = ""
    force: bool = False
    summary: str = ""


_STATE = {"q": "q", "qd": "v", "tau": "v"}
CONSTRAINED = {
    "KKT_FD": ConstrainedKernel(_STATE, {"qdd": "v", "lambda": "m"}, "R", True),
    "KKT_FO_derivatives": ConstrainedKernel(
        _STATE, {"solution": "z", "dqdd": "3vv", "dlambda": "3mv"}, "1", True
    ),
    "Impact_dyn": ConstrainedKernel(
        {"q": "q", "qd": "v", "restitution": "m"}, {"qd_plus": "v", "impulse": "m"}, "R"
    ),
    "constraint_rows": ConstrainedKernel(
        {"q": "q", "qd": "v", "qdd": "v"},
        {"G": "mv", "alpha": "m", "size": "m", "least": "v"},
        summary="Compute the Jacobian of constraint rows, accelerations, sizes, least pivots.",
    ),
}
"""The kernels by their names, in the order in which the public functions build on one another."""


class ConstrainedForm(NamedTuple):
    """The first argument of a kernel, and numbers of axes of the others, with that of the batch."""

    record: Literal["rows", "equations", "whole", "second"]
    arguments: tuple[int, ...]
    results: tuple[int, ...]


_STATES, _FORCES = (2, 2, 2), (3, 3)
FORMS = {
    "constraint_rows": ConstrainedForm("rows", _STATES, (3, 2, 2, 2)),
    "constraint_derivatives": ConstrainedForm("rows", (*_STATES, 2), (3, 3, 3, 3)),
    "constraint_SO_derivatives": ConstrainedForm("rows", (*_STATES, 2), (3, 3, 3)),
    "KKT": ConstrainedForm("equations", (3, 3, 2, 2, 3, 3), (3, 3, 2)),
    "KKT_equations": ConstrainedForm("equations", (3, 3, 3, 3, 3, 3, 3, 2, 2), (4, 4, 2)),
    "KKT_FD": ConstrainedForm("whole", (*_STATES, *_FORCES), (2, 2, 2)),
    "KKT_FO_derivatives": ConstrainedForm("whole", (*_STATES, *_FORCES), (2, 4, 4, 2)),
    "KKT_FD_directional_derivative": ConstrainedForm(
        "whole", (*_STATES, 2, 2, 2, *_FORCES), (2, 2, 2)
    ),
    "KKT_SO_derivatives": ConstrainedForm("second", (*_STATES, *_FORCES), (2, 5, 5, 2)),
    "Impact_dyn": ConstrainedForm("whole", _STATES, (2, 2, 2)),
}
"""The kernels with constraints, for Python and for the exported library."""


def constrained_record(name: str) -> Any:
    """Return the Numba type of the first argument of a kernel of `FORMS`.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    numba type
        That of a tuple of `engine.constrained`.
    """
    return record_type(FORMS[name].record)
