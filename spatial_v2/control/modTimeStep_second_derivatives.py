"""Second derivatives of one step of a motion in time, contracted with a costate."""

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
    """Second derivatives of `time_step`, weighted by a costate, without the tensors.

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
        As of `time_step`.
    **dynamics : Dynamics
        As of `time_step`.

    Returns
    -------
    array, shape (..., 3 NV + 1, 3 NV + 1)
        By [q, qd, tau, h]. Entry [j, k] is the derivative along k of the derivative along j of
        ``p_q . q' + p_qd . qd'``: ordered, as all second derivatives of this library. Unit weights
        give the tensors, ``p_q = [eye(NV), 0]`` and ``p_qd = [0, eye(NV)]`` as leading axes.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown method.

    Notes
    -----
    They obey the chain rule: with the ordered second derivatives P of a function of the next state,
    its first derivatives as weights and F of `time_step_derivatives`, the function of state, forces
    and time has ``F^T P F`` plus this matrix. The symmetric part is the Hessian in the increments
    of the state by ``q (+) dq``. The part of the dynamics is `modFD_second_derivatives`, under
    constraints `modKKT_second_derivatives`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modTimeStep_second_derivatives(
    ...     autoTree(2), [0.1, 0.2], [1, 2], [0, 0], 0.01, [1, 0], [0, 0]).shape
    (7, 7)
    """
    step, (p_q, p_qd) = make_step(model, q, qd, tau, h, method, dynamics, p_q=p_q, p_qd=p_qd)
    return step.hessian(p_q, p_qd)
