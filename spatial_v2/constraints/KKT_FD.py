"""Forward dynamics of a model whose motion is constrained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.calls.prepared import prepare
from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.forward import fill_forward, review, settle_verdicts
from spatial_v2.constraints.kernels import forces_of, size_of
from spatial_v2.constraints.one_state import one_state
from spatial_v2.constraints.options import silent, validate_constraints
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Gains
from spatial_v2.constraints.turned import warn_turned
from spatial_v2.dynamics import HandC
from spatial_v2.model import Model

__all__ = ["KKT_FD", "ConstrainedAcceleration"]


@shown_in_notebooks
class ConstrainedAcceleration(NamedTuple):
    """``H qdd + C = tau + G^T lambda_``, ``G qdd + gamma = a*``."""

    qdd: Array
    """Joint accelerations, shape (..., NV)."""
    lambda_: Array
    """Forces of the constraints on their bodies 2, shape (..., m)."""


def _compiled(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    batched: bool,
    constraints: ConstraintSet,
    damping: float = 0.0,
    baumgarte: Gains | None = None,
    rank: Rank = "raise",
) -> bool:
    """Results of a batch from kernels; for dependent rows from the reference implementation."""
    warn_turned(model, arrays[0], constraints, baumgarte)

    def page(*given: np.ndarray) -> Sequence[np.ndarray]:
        how: Any = {"damping": damping, "baumgarte": baumgarte, "rank": silent(rank)}
        how |= forces_of(model, given[3:])
        form: Callable[..., Sequence[np.ndarray]] = KKT_FD.reference
        return form(model, *given[:3], constraints, **how)

    if not batched:
        prepare(KKT_FD.work, model)
    verdict = fill_forward(model, arrays, results, batched, constraints, damping, baumgarte, rank)
    return settle_verdicts(verdict, page, arrays, results, size_of(model.NV, constraints.m, 1))


@accelerated(
    None,
    "(q),(v),(v)->(v),(m)",
    rotors="ignore",
    validate_constraints=validate_constraints,
    composed=_compiled,
    make_plan=one_state,
    review=review,
    joint_terms=True,
)
def KKT_FD(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    constraints: Constraints,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    damping: float = 0.0,
    baumgarte: tuple[float, float] | None = None,
    rank: Rank = "raise",
    **options: Unpack[Options],
) -> ConstrainedAcceleration:
    """Joint accelerations under given joint forces and constraints, and the constraints' forces.

    MATLAB: ``x = KKT_FD(robot,q,qd,tau,S)`` with ``x = [qdd; -lambda]``, for the foot
    ``robot.quad_foot`` of one planar quadruped and ``S*tau`` of its motors.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints. With none the result is that of `FDab`.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates in which external forces are given, and constant: those of the base, or of the
        body that each acts on.
    damping : float, optional
        The mu of ``G qdd + gamma + mu lambda_ = a*``: constraints that give way, and have a
        solution whatever the rank of G.
    baumgarte : (Kp, Kd), optional
        Gains [1/s^2, 1/s], numbers or one for each row: the rows get the acceleration
        ``a* = -Kd w - Kp e`` in place of zero, with their velocity w and position error e;
        critically damped for ``Kp = Kd^2 / 4``.
    rank : {"raise", "nan", "minimum_norm", "proximal"}, optional
        Treatment of rows that are dependent or vanish: raise an error, return NaN, or compute the
        accelerations of least squares and the shortest lambda, directly or by proximal iteration.
        In a batch ``"raise"`` is an error only if no state can be solved; otherwise a warning names
        the states that cannot, and their results are NaN. ``"nan"`` gives no warning.
    out : array or tuple of array, optional
        Preallocated arrays for the results, which are returned.
    workers : int, optional
        Number of threads that share a batch; -1 stands for all processors.

    Returns
    -------
    qdd : array, shape (..., NV)
        Joint accelerations.
    lambda_ : array, shape (..., m)
        Multipliers of the rows: forces on bodies 2 [N or N m].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.
    SpatialError
        Rows that depend on each other; bodies without inertia that no constraint holds.

    Warns
    -----
    ConvergenceWarning
        With Kp, frames that are turned by nearly pi, where a turn has no position error.
    RankWarning
        Some states of a batch cannot be solved; or rows nearly depend on others, or nearly vanish.

    Notes
    -----
    Kudruss, Manns, Kirches (2019), eq. (1); Featherstone (2008), Sec. 8.2::

        [ H  G^T ] [   qdd    ]   [ tau - C    ]
        [ G  -mu ] [ -lambda_ ] = [ a* - gamma ]

    Velocities that the constraints do not allow are no error: accelerations alone are constrained.
    See `project_velocity`. Nor are contacts that pull.

    Of ``W = G H^-1 G^T`` a row depends on others if less than 1e-10 of its diagonal entry is left
    by them. A row of G vanishes if it is shorter than 1e-10 of what its products could add up to:
    rows along which nothing moves are zero only up to rounding. Up to 1e4 times these bounds there
    is a warning with the numbers.

    Examples
    --------
    A pendulum of one link whose tip is held: the force carries it.

    >>> from spatial_v2 import PointConstraint, autoTree
    >>> model = autoTree(1).replace(gravity=[0, -10, 0])
    >>> tip = PointConstraint(0, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> KKT_FD(model, [0.0], [0.0], [0.0], [tip])
    ConstrainedAcceleration(qdd=array([0.]), lambda_=array([5.]))
    """
    H, C = HandC(model, q, qd, f_ext, frame=frame)
    rest = constant(np.zeros(model.NV), q)
    held = constraint_set(model, constraints)
    rows = held.rows(model, q, qd, rest, baumgarte)
    warn_turned(model, q, held, baumgarte)
    qdd, lambda_ = rows.kkt(H, damping, rank).solve(column(tau - C), -rows.residual)
    return ConstrainedAcceleration(uncolumn(qdd), uncolumn(lambda_))
