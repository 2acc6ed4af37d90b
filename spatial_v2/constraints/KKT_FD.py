"""Forward dynamics of a model whose motion is constrained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Unpack

import numpy as np

from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.compiled import Evaluated, constrained, evaluate
from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.forward import fill_forward, read_forward
from spatial_v2.constraints.kernels import size_of
from spatial_v2.constraints.prepared import Options as Chosen
from spatial_v2.constraints.prepared import choice
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Gains
from spatial_v2.constraints.turned import warn_turned
from spatial_v2.dynamics import HandC
from spatial_v2.engine.parts.outcomes import report_length
from spatial_v2.model import Model

__all__ = ["KKT_FD", "ConstrainedAcceleration"]


@shown_in_notebooks
class ConstrainedAcceleration(NamedTuple):
    """Result of `KKT_FD`: ``H qdd + C = tau + G^T lambda_``, ``G qdd + gamma = a*``.

    H and C are those of `HandC`, G and gamma the Jacobian and the bias acceleration of the
    constraints, and a* is the desired acceleration of the constraints.
    """

    qdd: Array
    """Joint accelerations, shape (..., NV)."""
    lambda_: Array
    """Forces of the constraints on bodies 2, shape (..., m) [N or N m]."""


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
    """Compute the results of a batch by kernels; return True if all states have been solved.

    If not, the reference implementation must compute the batch.
    """
    warn_turned(model, arrays[0], constraints, baumgarte)
    if baumgarte is not None and not constraints.compiled_errors(baumgarte.Kp, 0):
        of = Evaluated(KKT_FD.work.implementation, _size, 0, None)
        how = {"damping": damping, "baumgarte": baumgarte, "rank": rank}
        return evaluate(of, model, arrays, results, batched, constraints, **how)
    options = Chosen(damping, baumgarte, rank)
    return fill_forward(model, arrays, results, batched, constraints, options)


def _size(n: int, m: int) -> int:
    return size_of(n, m, 1)


@constrained(
    "(q),(v),(v)->(v),(m)",
    _size,
    composed=_compiled,
    choose=choice("KKT_FD", lambda n, m: [(n,), (m,), (report_length(m),)], read_forward),
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
    """Compute joint accelerations and constraint forces for given joint forces and constraints.

    MATLAB: ``x = KKT_FD(robot,q,qd,tau,S)`` with ``x = [qdd; -lambda]``, for the foot
    ``robot.quad_foot`` of one particular planar quadruped; joint forces are ``S*tau``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints. For an empty list, qdd is the result of `FDab`.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.
    damping : float, optional
        Regularisation mu >= 0 in ``G qdd + gamma + mu lambda_ = a*``. If it is positive, the
        constraints yield to force, and a solution exists whatever the rank of G. If rows are
        dependent, accelerations that the rows cannot have, rounding errors included, are divided by
        mu in ``lambda_``; a warning tells if mu is less than 1e-6 of ``G H^-1 G^T``.
    baumgarte : (Kp, Kd), optional
        Gains of Baumgarte stabilisation [1/s^2, 1/s], two numbers or two arrays of one number per
        constraint row. The rows get the acceleration ``a* = -Kd w - Kp e`` instead of zero, with
        their velocity w and position error e; errors are critically damped for ``Kp = Kd^2 / 4``.
    rank : {"raise", "nan", "minimum_norm", "proximal"}, optional
        Treatment of constraint rows that are linearly dependent or zero: raise an error, return
        NaN, or compute the least-squares accelerations and the lambda of least norm, to which
        the proximal iteration converges. For a batch, ``"raise"`` raises an error only if no state
        can be solved; otherwise the results of the other states are NaN, and a warning names these
        states. ``"nan"`` gives no warning.

    Returns
    -------
    qdd : array, shape (..., NV)
        Joint accelerations.
    lambda_ : array, shape (..., m)
        Multipliers of the constraint rows: forces on bodies 2 [N or N m].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Linearly dependent constraint rows, or massless bodies whose motion no constraint
        determines.

    Warns
    -----
    ConvergenceWarning
        For Kp > 0: two frames differ by a rotation of nearly pi, where its position error, a sine,
        vanishes.
    RankWarning
        Some states of a batch cannot be solved; rows are nearly dependent or nearly zero; damping
        is too small; or refinement does not settle.

    Notes
    -----
    Kudruss, Manns, Kirches (2019), eq. (1); Featherstone (2008), Sec. 8.2::

        [ H  G^T ] [   qdd    ]   [ tau - C    ]
        [ G  -mu ] [ -lambda_ ] = [ a* - gamma ]

    with H the inertia matrix, C the bias force, G and gamma the Jacobian and the bias acceleration
    of the constraints, and mu the damping.

    Only accelerations are constrained: velocities that violate the constraints raise no error (see
    `project_velocity`), nor do contacts that pull.

    Rows are judged by G alone, not by inertias: each is divided by its length, where a rotation by
    one radian counts as the robot's own length. A row is dependent if the square of the sine of its
    angle to the rows chosen before is less than 1e-10. It is zero if its length in G is less than
    1e-10 of an upper bound for that length (see `Rows.sizes`), since rounding errors keep it from
    being exactly zero. Below 1e4 times these limits a warning states the numbers. All functions of
    constraints decide so, and no decision depends on units.

    The inertia matrix need not have an inverse: if rows are nearly dependent or inertias differ by
    many orders of magnitude, variables that the constraints determine are eliminated. The solution
    is improved by iterative refinement, and a warning tells if that does not settle.

    Examples
    --------
    The tip of a pendulum of one link is held, by a force that balances its weight:

    >>> from spatial_v2 import PointConstraint, autoTree
    >>> model = autoTree(1).replace(gravity=[0, -10, 0])
    >>> tip = PointConstraint(0, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> KKT_FD(model, [0.0], [0.0], [0.0], [tip])
    ConstrainedAcceleration(qdd=array([0.]), lambda_=array([5.]))
    """
    H, C = HandC(model, q, qd, f_ext, frame=frame)
    rest = constant(np.zeros(model.NV), q)
    constraints = constraint_set(model, constraints)
    rows = constraints.rows(model, q, qd, rest, baumgarte)
    warn_turned(model, q, constraints, baumgarte)
    qdd, lambda_ = rows.kkt(H, damping, rank).solve(column(tau - C), -rows.residual)
    return ConstrainedAcceleration(uncolumn(qdd), uncolumn(lambda_))
