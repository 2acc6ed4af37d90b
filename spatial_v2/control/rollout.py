"""Simulation of a motion under given joint forces, step by step."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.options import Dynamics, Method
from spatial_v2.control.time_step import make_step
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector, common_lead

__all__ = ["Rollout", "check_inputs", "rollout"]


@shown_in_notebooks
class Rollout(NamedTuple):
    """Motion of N time steps: states at N + 1 instants, joint forces, and lengths of the steps."""

    q: Array
    """Joint positions, shape (..., N + 1, NQ)."""
    qd: Array
    """Joint velocities, shape (..., N + 1, NV)."""
    tau: Array
    """Joint forces, shape (..., N, NV)."""
    h: Array
    """Time steps, shape (..., N)."""


def rollout(
    model: Model,
    q: Array,
    qd: Array,
    tau: Array,
    h: Array,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> Rollout:
    """Simulate N time steps from a state, with joint forces that are constant in each step.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models, geared rotors and every joint type too.
    q, qd : array, shapes (..., NQ), (..., NV)
        State at the beginning [rad or m, per second].
    tau : array, shape (..., N, NV)
        Joint forces in the steps [N m or N].
    h : array, shape (..., N)
        Time steps [s]; a number stands for N equal steps.
    method : {"semi_implicit_euler", "rk4"}, optional
        As in `time_step`.
    **dynamics : Dynamics
        As in `time_step`; `f_ext`, shape (..., NB, 6), is the same in all steps.

    Returns
    -------
    q, qd, tau, h : array, shapes (..., N + 1, NQ), (..., N + 1, NV), (..., N, NV), (..., N)
        Named tuple, the argument `motion` of `rollout_gradient` and `rollout_hessian_product`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape, or no step.
    SpatialError
        An unknown method.
    TypeError
        An unknown option of the dynamics.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> motion = rollout(autoTree(2), [0, 0], [1, 0], np.zeros((50, 2)), 0.01)
    >>> motion.q[1].round(3)
    array([0.01, 0.  ])
    """
    check_model(model)
    q, qd, tau, h = check_inputs(model, q, qd, tau, h, dynamics.get("f_ext"))
    states = [(q, qd)]
    for k in range(tau.shape[-2]):
        step, _ = make_step(model, q, qd, tau[..., k, :], h[..., k], method, dynamics)
        q, qd = step.values()
        states.append((q, qd))
    xp = namespace(*states[-1])
    positions, velocities = (xp.stack(xs, axis=-2) for xs in zip(*states, strict=True))
    return Rollout(positions, velocities, tau + 0, h + 0)


def check_inputs(
    model: Model, q: Any, qd: Any, tau: Any, h: Any, f_ext: Any = None
) -> tuple[Array, Array, Array, Array]:
    """Check and return state (..., n), joint forces (..., N, NV) and time steps (..., N), with the
    leading axes of all, and of the external forces `f_ext` (..., NB, 6).
    """
    q = check_vector(model, "q", q, model.NQ, "q")
    qd, tau = (
        check_vector(model, name, x, model.NV, "v") for name, x in (("qd", qd), ("tau", tau))
    )
    q, qd, tau, h = alike(q, qd, tau, as_numbers(h, "h"))
    if tau.ndim < 2 or not tau.shape[-2]:
        raise ArrayShapeError(
            f"tau: want shape (..., N, {model.NV}), joint forces in each of N >= 1 steps; got "
            f"{tuple(tau.shape)}"
        )
    steps = tau.shape[-2]
    if h.ndim and h.shape[-1] != steps:
        raise ArrayShapeError(
            f"h: want a number, or shape (..., {steps}), the time of each step; got "
            f"{tuple(h.shape)}"
        )
    leads = {"q": q.shape[:-1], "qd": qd.shape[:-1], "tau": tau.shape[:-2], "h": h.shape[:-1]}
    if np.ndim(f_ext) > 2:
        leads["f_ext"] = np.shape(f_ext)[:-2]
    lead, xp = common_lead({name: tuple(x) for name, x in leads.items()}), namespace(q, qd, tau, h)
    return (
        xp.broadcast_to(q, (*lead, model.NQ)),
        xp.broadcast_to(qd, (*lead, model.NV)),
        xp.broadcast_to(tau, (*lead, steps, model.NV)),
        xp.broadcast_to(h, (*lead, steps)),
    )
