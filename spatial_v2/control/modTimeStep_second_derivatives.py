"""Second derivatives of one time step, contracted with a costate."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.arrays import Array
from spatial_v2.control.options import Dynamics, Method
from spatial_v2.control.time_step import make_step
from spatial_v2.model import Model

__all__ = ["modTimeStep_second_derivatives"]


def modTimeStep_second_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    h: Array,
    p_q: Array,
    p_qd: Array,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> Array:
    """Compute second derivatives of `time_step`, contracted with a costate, without tensors.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models, geared rotors and every joint type too.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        State and joint forces [rad or m, per second, N m or N].
    h : array, shape (...)
        Time step [s], a number or one for each state.
    p_q, p_qd : array, shape (..., NV)
        Weights of the displacements and of the velocities of the next state.
    method : {"semi_implicit_euler", "rk4"}, optional
        As in `time_step`.
    **dynamics : Dynamics
        As in `time_step`.

    Returns
    -------
    array, shape (..., 3 NV + 1, 3 NV + 1)
        Second derivatives of ``p_q . q' + p_qd . qd'`` with respect to z = [q, qd, tau, h]. Entry
        [j, k] is the derivative along z_k of the derivative along z_j. With unit vectors as weights
        along leading axes, ``p_q = [eye(NV), 0]`` and ``p_qd = [0, eye(NV)]``, the results are the
        tensors.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown method; a time step that is NaN or infinite.

    Notes
    -----
    Let f be a function of the next state, P its ordered second derivatives, and F the matrix of
    `time_step_derivatives`. By the chain rule, the second derivatives of f with respect to z are
    ``F^T P F`` plus the result of this function with the first derivatives of f as weights. The
    symmetric part is the Hessian in the increments of the state by ``q (+) dq``. The derivatives of
    the accelerations are those of `modFD_second_derivatives` or, with constraints,
    `modKKT_second_derivatives`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modTimeStep_second_derivatives(
    ...     autoTree(2), [0.1, 0.2], [1, 2], [0, 0], 0.01, [1, 0], [0, 0]).shape
    (7, 7)
    """
    step, (p_q, p_qd) = make_step(model, q, qd, tau, h, method, dynamics, p_q=p_q, p_qd=p_qd)
    return step.hessian(p_q, p_qd)
