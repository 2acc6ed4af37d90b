"""Gradient of a cost of a motion, by its costates."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import check_shape
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.options import Dynamics, Method
from spatial_v2.control.rollout import Rollout
from spatial_v2.control.time_step import make_step
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["RolloutGradient", "backwards", "linear_step", "rollout_gradient"]


@shown_in_notebooks
class RolloutGradient(NamedTuple):
    """Derivatives of a cost of a motion by what the motion depends on."""

    by_q: Array
    """Along q at the beginning, shape (..., NV)."""
    by_qd: Array
    """By qd at the beginning, shape (..., NV)."""
    by_tau: Array
    """By the joint forces, shape (..., N, NV)."""
    by_h: Array
    """By the time steps, shape (..., N)."""
    costates: Array
    """By the states [q, qd] at all instants, what follows included, shape (..., N + 1, 2 NV)."""


def rollout_gradient(
    model: Model,
    motion: Rollout,
    g_q: Array,
    g_qd: Array,
    g_tau: Array | None = None,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> RolloutGradient:
    """Gradient of a sum of costs at the instants of a motion, by the adjoint method.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    motion : Rollout
        The motion, of `rollout` with the same method and dynamics.
    g_q, g_qd : array, shape (..., N + 1, NV)
        Derivatives of the costs by the states of each instant, along the velocity variables and by
        the velocities.
    g_tau : array, shape (..., N, NV), optional
        Derivatives of the costs by the joint forces themselves.
    method : {"semi_implicit_euler", "rk4"}, optional
        Method of the rollout.
    **dynamics : Dynamics
        Those of the motion.

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
    The costates go backwards, ``p_k = g_k + F_k^T p_(k+1)``, with the derivatives F_k of
    `time_step_derivatives`, which are computed for all steps in one batch: memory is linear in the
    number of steps, whatever the number of inputs.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.control import rollout
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> motion = rollout(model, [0, 0], [1, 0], np.zeros((50, 2)), 0.01)
    >>> last = np.zeros((51, 2))
    >>> last[-1] = motion.qd[-1]
    >>> rollout_gradient(model, motion, 0 * last, last).by_tau.shape
    (50, 2)
    """
    check_model(model)
    _, F = linear_step(model, motion, method, dynamics)
    g, g_tau = check_costs(model, motion, g_q, g_qd, g_tau)
    rows, costates = backwards(F, g)
    return gradient(model, rows, costates, g_tau)


def linear_step(
    model: Model, motion: Rollout, method: Method, dynamics: Dynamics
) -> tuple[Any, Array]:
    """All steps of a motion in one batch, and their derivatives (..., N, 2 NV, 3 NV + 1)."""
    q, qd, tau, h = motion
    step, _ = make_step(model, q[..., :-1, :], qd[..., :-1, :], tau, h, method, dynamics)
    return step, namespace(q).concat(step.jacobian(), axis=-2)


def check_costs(
    model: Model, motion: Rollout, g_q: Any, g_qd: Any, g_tau: Any
) -> tuple[Array, Array]:
    """Derivatives of costs by states (..., N + 1, 2 NV) and by joint forces (..., N, NV)."""
    g_tau = 0 * motion.tau if g_tau is None else g_tau
    _, g_q, g_qd, g_tau = alike(motion.q, g_q, g_qd, g_tau)
    wanted = tuple(motion.qd.shape)
    check_shape(g_q, "g_q", wanted)
    check_shape(g_qd, "g_qd", wanted)
    check_shape(g_tau, "g_tau", tuple(motion.tau.shape))
    return namespace(g_q).concat([g_q, g_qd], axis=-1), g_tau


def backwards(F: Array, g: Array, of_step: Array | None = None) -> tuple[Array, Array]:
    """``r_k = F_k^T p_(k+1) + s_k`` for each step, and ``p_k = g_k + r_k``, its part of the state.

    Parameters
    ----------
    F : array, shape (..., N, 2 NV, 3 NV + 1)
        Derivatives of the steps.
    g : array, shape (..., N + 1, 2 NV)
        Contribution of each instant.
    of_step : array, shape (..., N, 3 NV + 1), optional
        Contribution of each step, s.
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
    """The parts of the gradient."""
    n, p = model.NV, costates[..., 0, :]
    by_tau = rows[..., 2 * n : 3 * n] + g_tau
    return RolloutGradient(p[..., :n], p[..., n:], by_tau, rows[..., -1], costates)
