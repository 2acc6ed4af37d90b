"""First derivatives of one time step of a motion."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.options import Dynamics, Method
from spatial_v2.control.time_step import make_step
from spatial_v2.model import Model

__all__ = ["TimeStepDerivatives", "time_step_derivatives"]


@shown_in_notebooks
class TimeStepDerivatives(NamedTuple):
    """Derivatives of the next state: NV rows for displacements of q, then NV rows for qd."""

    by_state: Array
    """Derivatives with respect to the state [q, qd], shape (..., 2 NV, 2 NV)."""
    by_tau: Array
    """Derivatives with respect to the joint forces, shape (..., 2 NV, NV)."""
    by_h: Array
    """Derivatives with respect to the time step, shape (..., 2 NV)."""


def time_step_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    h: Array,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> TimeStepDerivatives:
    """Compute derivatives of `time_step` with respect to state, joint forces and time step.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models, geared rotors and every joint type too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        State and joint forces [rad or m, per second, N m or N].
    h : array, shape (...)
        Time step [s], a number or one for each state.
    method : {"semi_implicit_euler", "rk4"}, optional
        As in `time_step`.
    **dynamics : Dynamics
        As in `time_step`.

    Returns
    -------
    by_state, by_tau, by_h : array, shapes (..., 2 NV, 2 NV), (..., 2 NV, NV), (..., 2 NV)
        Named tuple. Changes of q and of the next q are displacements along the velocity variables,
        in body coordinates, as in `configurationAddition_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown method; a time step that is NaN or infinite.

    Notes
    -----
    For semi-implicit Euler, let X and J be the results of `configurationAddition_derivatives` at
    ``h qd'``, and a_x the derivatives of the acceleration a with respect to x. Then
    ``dqd' = dqd + h (a_q dq + a_qd dqd + a_tau dtau) + a dh`` and
    ``dq' = X dq + J (h dqd' + qd' dh)``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> d = time_step_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [0, 0], 0.01)
    >>> d.by_tau.round(4)
    array([[ 0.0002, -0.0004],
           [-0.0004,  0.0013],
           [ 0.0162, -0.04  ],
           [-0.04  ,  0.1284]])
    """
    step, _ = make_step(model, q, qd, tau, h, method, dynamics)
    rows = namespace(step.q).concat(step.jacobian(), axis=-2)
    n = 2 * model.NV
    return TimeStepDerivatives(rows[..., :n], rows[..., n:-1], rows[..., -1])
