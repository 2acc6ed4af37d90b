"""Product of the Hessian of a cost of a motion with a direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from spatial_v2.arrays import Array, alike, namespace, uncolumn
from spatial_v2.arrays.checks import check_shape
from spatial_v2.control.options import Dynamics, Method
from spatial_v2.control.rollout import Rollout
from spatial_v2.control.rollout_gradient import (
    RolloutGradient,
    backwards,
    check_costs,
    gradient,
    linear_step,
)
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["rollout_hessian_product"]

Bend = Callable[[Array, Array, Array], tuple[Array, Array, Array]]


def rollout_hessian_product(
    model: Model,
    motion: Rollout,
    g_q: Array,
    g_qd: Array,
    cost_product: Bend,
    dq: Array,
    dqd: Array,
    dtau: Array,
    dh: Array | None = None,
    method: Method = "semi_implicit_euler",
    **dynamics: Unpack[Dynamics],
) -> RolloutGradient:
    """Compute the derivative of `rollout_gradient` along a direction: a Hessian-vector product.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    motion : Rollout
        The motion: the result of `rollout` with the same method and dynamics.
    g_q, g_qd : array, shape (..., N + 1, NV)
        Derivatives of the costs along q and with respect to qd, as in `rollout_gradient`.
    cost_product : callable
        Function ``cost_product(dq, dqd, dtau)`` of changes of the motion, shapes (..., N + 1, NV),
        (..., N + 1, NV), (..., N, NV). It returns the resulting changes of g_q, g_qd and g_tau, of
        the same shapes; derivatives along q are ordered.
    dq, dqd : array, shape (..., NV)
        The direction: changes of the initial configuration and velocity.
    dtau : array, shape (..., N, NV)
        Changes of the joint forces.
    dh : array, shape (..., N), optional
        Changes of the time steps; none by default.
    method : {"semi_implicit_euler", "rk4"}, optional
        Method of the rollout.
    **dynamics : Dynamics
        Constraints, gains and external forces of the motion, as in `time_step`.

    Returns
    -------
    RolloutGradient
        The derivatives of the fields of the gradient. Second derivatives along the initial q are
        ordered: for joints whose degrees of freedom do not commute, this block of the Hessian is
        not symmetric.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown method.

    Notes
    -----
    With z = [q, qd, tau, h], changes of the states are ``dx_(k+1) = F_k dz_k``, forwards in time,
    and those of the costates ``dp_k = dg_k + F_k^T dp_(k+1) + B_k dz_k``, backwards. B_k is the
    result of `modTimeStep_second_derivatives` for the costate p_(k+1). F and B are computed for all
    steps in one batch; memory is proportional to the number of steps.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.control import rollout
    >>> from spatial_v2.models import autoTree
    >>> model, push = autoTree(2), np.ones((50, 2))
    >>> motion = rollout(model, [0, 0], [1, 0], 0 * push, 0.01)
    >>> def product(dq, dqd, dtau):
    ...     return 0 * dq, dqd, dtau
    >>> zero = np.zeros(2)
    >>> product = rollout_hessian_product(
    ...     model, motion, 0 * motion.qd, motion.qd, product, zero, zero, push)
    >>> product.by_tau[0].round(3)
    array([-2.191, 10.992])
    """
    check_model(model)
    step, F = linear_step(model, motion, method, dynamics)
    g, _ = check_costs(model, motion, g_q, g_qd, None)
    _, costates = backwards(F, g)
    n = model.NV
    p = costates[..., 1:, :]
    B = step.hessian(p[..., :n], p[..., n:])
    dx, dz = _forwards(F, dq, dqd, dtau, 0 * motion.h if dh is None else dh)
    bends = cost_product(dx[..., :n], dx[..., n:], dz[..., 2 * n : -1])
    dg, dg_tau = check_costs(model, motion, *bends)
    return gradient(model, *backwards(F, dg, uncolumn(B @ dz[..., None])), dg_tau)


def _forwards(F: Array, dq: Any, dqd: Any, dtau: Any, dh: Any) -> tuple[Array, Array]:
    """Compute the changes of the states (..., N + 1, 2 NV), and of the inputs z = [q, qd, tau, h]
    of each step.
    """
    F, dq, dqd, dtau, dh = alike(F, dq, dqd, dtau, dh)
    xp, lead, steps, n = namespace(F), tuple(F.shape[:-3]), F.shape[-3], F.shape[-2] // 2
    check_shape(dq, "dq", (*lead, n))
    check_shape(dqd, "dqd", (*lead, n))
    check_shape(dtau, "dtau", (*lead, steps, n))
    check_shape(dh, "dh", (*lead, steps))
    states = [xp.concat([dq, dqd], axis=-1)]
    inputs = xp.concat([dtau, dh[..., None]], axis=-1)
    changes = []
    for k in range(steps):
        changes.append(xp.concat([states[-1], inputs[..., k, :]], axis=-1))
        states.append(uncolumn(F[..., k, :, :] @ changes[-1][..., None]))
    return xp.stack(states, axis=-2), xp.stack(changes, axis=-2)
