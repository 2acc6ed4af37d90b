"""Functions of constrained dynamics as the exported library has them: kernels and their arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["CONSTRAINED", "ConstrainedKernel", "constrained_record"]


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
        {"G": "mv", "alpha": "m", "size": "m"},
        summary="Compute the Jacobian of constraint rows, their accelerations and their sizes.",
    ),
}
"""The kernels by their names, in the order in which the public functions build on one another."""


def constrained_record(name: str) -> Any:
    """Return the Numba type of the first argument of a kernel of `CONSTRAINED`.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    numba type
        That of `ConstraintArrays`, or of `Constrained` for a kernel that solves the equations.
    """
    from spatial_v2.engine.algorithms.KKT_FD import Constrained
    from spatial_v2.engine.compile.extend import types
    from spatial_v2.engine.compile.memory import TREE
    from spatial_v2.engine.parts.constraint_arrays import ConstraintArrays
    from spatial_v2.engine.parts.kkt_arrays import Equations

    def arrays(kind: Any, *axes: int) -> list[Any]:
        return [types.Array(kind, n, "C") for n in axes]

    whole, real = types.int64, types.float64
    rows = [TREE, *arrays(whole, 2), *arrays(real, 4, 3, 2, 1, 1), real]
    constraints = types.NamedTuple(rows, ConstraintArrays)
    if name == "constraint_rows":
        return constraints
    equations = types.NamedTuple([*arrays(whole, 1), *arrays(real, 1), real], Equations)
    return types.NamedTuple([constraints, equations], Constrained)
