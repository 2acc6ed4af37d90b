"""Forward dynamics under explicit constraints on the joints."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.linear import solve
from spatial_v2.dynamics.HandC import HandC
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_state

__all__ = ["FDgq"]


def FDgq(model: Model, q: Array, qd: Array, tau: Array, f_ext: Array | None = None) -> Array:
    """Compute joint accelerations of a model whose joints obey a constraint ``q = gamma(y)``.

    MATLAB: ``qdd = FDgq(model,q,qd,tau,f_ext)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree with its constraint function,
        ``[q, qd, G, g] = model.gamma_q(model, q0, qd0)``, for example of loops, gears or couplings.
        Given a state q0, qd0 that obeys the constraint approximately, it returns a state q, qd
        nearby that obeys it exactly, ``G = dq/dy``, shape (..., NV, ny), and ``g``, shape (...,
        NV). g is the acceleration qdd at ``ydd = 0``, plus a stabilisation term such as
        ``2/T (qd - qd0) + 1/T^2 (q - q0)``.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and forces [rad or m, per second, N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates; see `ID`.

    Returns
    -------
    array, shape (..., NV)
        Joint accelerations, ``qdd = G ydd + g``.

    Raises
    ------
    ArrayShapeError
        An argument, or a result of `gamma_q`, of the wrong shape.
    ModelError
        A model without a constraint function.

    Notes
    -----
    ``qdd = G (G^T H G)^-1 G^T (tau - C - H g) + g``, H and C of `HandC` at the state that obeys
    the constraint: the constraint forces do no work along G. Featherstone (2008), Chapters 3 and 8.

    ``couple(model)`` makes a model of the variables y, which all functions of the dynamics and
    their derivatives take: ``FDab(couple(model), y, yd, tau_y)`` is ``ydd``, without stabilisation.

    Examples
    --------
    >>> from spatial_v2.models import doubleElbow
    >>> qdd = FDgq(doubleElbow(), [1, 2, 2], [0, 0, 0], [0, 1, 0])
    >>> bool(abs(qdd[1] - qdd[2]) < 1e-12)
    True
    """
    check_model(model)
    if model.gamma_q is None:
        raise ModelError(
            "FDgq: the model has no constraint function; want model.gamma_q(model, q0, qd0) -> "
            "(q, qd, G, g)"
        )
    q, qd, tau = check_state(model, q=q, qd=qd, tau=tau)
    q, qd, G, g = _constraint(model, model.gamma_q(model, q, qd))
    T = namespace(q, G).matrix_transpose
    H, C = HandC(model, q, qd, f_ext)
    force = column(tau - C) - H @ column(g)
    return uncolumn(G @ solve(T(G) @ H @ G, T(G) @ force)) + g


def _constraint(model: Model, result: Any) -> tuple[Array, ...]:
    """Check the results of the constraint function."""
    try:
        q, qd, G, g = alike(*result)
    except (TypeError, ValueError) as e:
        raise ArrayShapeError(f"gamma_q: want four arrays (q, qd, G, g), got {result!r}") from e
    wanted = {"q": (q, (model.NQ,)), "qd": (qd, (model.NV,)), "g": (g, (model.NV,))}
    for name, (x, core) in (wanted | {"G": (G, (model.NV, G.shape[-1]))}).items():
        if tuple(x.shape[-len(core) :]) != core:
            raise ArrayShapeError(
                f"gamma_q: its {name} must have shape (..., {', '.join(map(str, core))}), got "
                f"{tuple(x.shape)}"
            )
    return q, qd, G, g
