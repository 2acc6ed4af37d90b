"""Gradient of a cost of a motion, by the adjoint method."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import as_numbers, check_shape
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.options import Dynamics, Method
from spatial_v2.control.rollout import Rollout
from spatial_v2.control.time_step import make_step
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["RolloutGradient", "backwards", "linear_step", "rollout_gradient"]


@shown_in_notebooks
class RolloutGradient(NamedTuple):
    """Gradient of a cost of a motion with respect to initial state, joint forces and time steps."""

    by_q: Array
    """Derivative along the initial q, shape (..., NV)."""
    by_qd: Array
    """Derivative with respect to the initial qd, shape (..., NV)."""
    by_tau: Array
    """Derivative with respect to the joint forces, shape (..., N, NV)."""
    by_h: Array
    """Derivative with respect to the time steps, shape (..., N)."""
    costates: Array
    """Derivatives of the cost of the remaining motion with respect to the state [q, qd] at each
    instant, shape (..., N + 1, 2 NV).
    """


def rollout_gradient(
    model: Model,
    motion: Rollout,
    g_q: Array,
    g_qd: Array,
    g_tau: Array | None = None,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> RolloutGradient:
    """Compute the gradient of a sum of costs at the instants of a motion, by the adjoint method.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    motion : Rollout
        The motion: the result of `rollout` with the same method and dynamics.
    g_q, g_qd : array, shape (..., N + 1, NV)
        Derivatives of the costs along q, and with respect to qd, at each instant.
    g_tau : array, shape (..., N, NV), optional
        Derivatives of the costs with respect to joint forces, if these have a cost of their own.
    method : {"semi_implicit_euler", "rk4"}, optional
        Method of the rollout.
    **dynamics : Dynamics
        Constraints, gains and external forces of the motion, as in `time_step`.

    Returns
    -------
    RolloutGradient
        ``by_q, by_qd, by_tau, by_h, costates``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown method.

    Notes
    -----
    The costates are computed backwards in time, ``p_k = g_k + F_k^T p_(k+1)``, with the derivatives
    F_k of `time_step_derivatives` for all steps, which are computed in one batch. Memory is
    proportional to the number of steps.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.control import rollout
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> motion = rollout(model, [0, 0], [1, 0], np.zeros((50, 2)), 0.01)
    >>> last = np.zeros((51, 2))
    >>> last[-1] = motion.qd[-1]
    >>> rollout_gradient(model, motion, 0 * last, last).by_tau[0].round(3)
    array([ 0.007, -0.012])
    """
    check_model(model)
    _, F = linear_step(model, motion, method, dynamics)
    g, g_tau = check_costs(model, motion, g_q, g_qd, g_tau)
    rows, costates = backwards(F, g)
    return gradient(model, rows, costates, g_tau)


def linear_step(
    model: Model, motion: Rollout, method: Method, dynamics: Dynamics
) -> tuple[Any, Array]:
    """Return all steps of a motion as one batch, and their derivatives (..., N, 2 NV, 3 NV + 1)."""
    q, qd, tau, h = motion
    force = dynamics.get("f_ext")
    if force is not None and np.ndim(force) > 2:
        of_steps = as_numbers(force, "f_ext")[..., None, :, :]
        dynamics = {**dynamics, "f_ext": of_steps}
    step, _ = make_step(model, q[..., :-1, :], qd[..., :-1, :], tau, h, method, dynamics)
    return step, namespace(q).concat(step.jacobian(), axis=-2)


def check_costs(
    model: Model, motion: Rollout, g_q: Any, g_qd: Any, g_tau: Any
) -> tuple[Array, Array]:
    """Check the derivatives of the costs; return those with respect to states (..., N + 1, 2 NV)
    and to joint forces.
    """
    g_tau = 0 * motion.tau if g_tau is None else g_tau
    _, g_q, g_qd, g_tau = alike(motion.q, g_q, g_qd, g_tau)
    wanted = tuple(motion.qd.shape)
    check_shape(g_q, "g_q", wanted)
    check_shape(g_qd, "g_qd", wanted)
    check_shape(g_tau, "g_tau", tuple(motion.tau.shape))
    return namespace(g_q).concat([g_q, g_qd], axis=-1), g_tau


def backwards(F: Array, g: Array, of_step: Array | None = None) -> tuple[Array, Array]:
    """Compute the costates ``p_k = g_k + r_k`` and ``r_k = F_k^T p_(k+1) + s_k`` backwards in time;
    s_k is the result of `of_step`.

    Only the entries of r_k that belong to the state are added to g_k.

    Parameters
    ----------
    F : array, shape (..., N, 2 NV, 3 NV + 1)
        Derivatives of the steps.
    g : array, shape (..., N + 1, 2 NV)
        Terms of the instants.
    of_step : array, shape (..., N, 3 NV + 1), optional
        Terms s of the steps; zero by default.
    """
    xp, p, n = namespace(F, g), g[..., -1, :], g.shape[-1]
    rows, costates = [], [p]
    for k in reversed(range(F.shape[-3])):
        row = (p[..., None, :] @ F[..., k, :, :])[..., 0, :]
        row = row if of_step is None else row + of_step[..., k, :]
        p = g[..., k, :] + row[..., :n]
        rows.append(row)
        costates.append(p)
    return xp.stack(rows[::-1], axis=-2), xp.stack(costates[::-1], axis=-2)


def gradient(model: Model, rows: Array, costates: Array, g_tau: Array) -> RolloutGradient:
    """Split the vectors r_k of `backwards` and the costates into the fields of the gradient."""
    n, p = model.NV, costates[..., 0, :]
    by_tau = rows[..., 2 * n : 3 * n] + g_tau
    return RolloutGradient(p[..., :n], p[..., n:], by_tau, rows[..., -1], costates)
