"""Gradient and Hessian of the Jacobian of a frame multiplied by vectors from both sides."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.frame_path import frame_path, spread
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.model import Model
from spatial_v2.model.frame import Axes, Frame
from spatial_v2.model.state import check_state, common_lead
from spatial_v2.spatial import crf, crm

__all__ = ["ModFrameSecondDerivatives", "modFrame_second_derivatives"]


@shown_in_notebooks
class ModFrameSecondDerivatives(NamedTuple):
    """Gradient and Hessian of ``weight . J u``, J the Jacobian of a frame, u a vector."""

    dmod_dq: Array
    """Gradient of the scalar along q, shape (..., NV)."""
    dmod_du: Array
    """Gradient with respect to the vector u, ``J^T weight``, shape (..., NV)."""
    dmod_dqq: Array
    """Entry [j, k] is the derivative along q_j, then along q_k; shape (..., NV, NV)."""
    dmod_duq: Array
    """Entry [j, k] is the derivative with respect to u_j and along q_k, (..., NV, NV)."""


@accelerated("modFrame_second_derivatives", "(q),(v),(6)->(v),(v),(v,v),(v,v)", subject="frame")
def modFrame_second_derivatives(
    model: Model,
    q: Array,
    u: Array,
    weight: Array,
    frame: Frame | int | str,
    axes: Axes = "body",
    **options: Unpack[Options],
) -> ModFrameSecondDerivatives:
    """Compute gradient and Hessian of ``weight . J(q) u`` for the Jacobian J of a frame.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Rotors have no effect.
    q, u : array, shapes (..., NQ), (..., NV)
        Joint positions [rad or m], and the vector that J multiplies, for example joint velocities.
    weight : array, shape (..., 6)
        Weights of the rows of J, for example a force on the frame or the error of its pose.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    axes : {"body", "base", "mixed"}, optional
        Axes and reference point of the coordinates; see `FrameJacobian`.

    Returns
    -------
    ModFrameSecondDerivatives
        With `frame_SO_derivatives`, ``dmod_duq[j, k] = sum_i weight_i dJ_dq[i, j, k]`` and
        ``dmod_dqq[k, l] = sum_ij weight_i u_j d2J_dq[i, j, k, l]``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        An unknown frame.
    SpatialError
        An invalid value of `axes`.

    Notes
    -----
    No tensor is formed. The formulas of `frame_derivatives` are used with
    ``weight . (a x b) = -(a x* weight) . b``, and summed over the columns of joints beyond l:
    ``P_k = J_k x* weight``, ``V_l = sum u_k J_k`` and ``F_l = sum u_k P_k - N^T sum_all u_k P_k``
    for k at or beyond the joint of l. Work and memory are those of matrices (NV, NV).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> robot, up = autoTree(2), [0, 0, 0, 0, 1, 0]
    >>> modFrame_second_derivatives(robot, [0.1, 0.2], [1, 2], up, 1, "mixed").dmod_duq.shape
    (2, 2)
    """
    weight = as_vector(weight, "weight", 3 if model.is_planar else 6)
    q, u = check_state(model, q=q, u=u)
    q, u, weight = alike(q, u, weight)
    common_lead({"q": tuple(q.shape[:-1]), "weight": tuple(weight.shape[:-1])})
    path = frame_path(model, q, frame, axes)
    xp = namespace(path.J, u, weight)
    T, below, N = xp.matrix_transpose, path.below, path.N
    J = T(path.J)
    u, NJ = column(u[..., None, :] @ path.places)[..., 0, :, :], J @ T(N)

    def times(cross: Array, x: Array) -> Array:
        """Multiply matrices (..., n, 6, 6) by vectors (..., n, 6)."""
        return uncolumn(cross @ column(x))

    def dot(x: Array, y: Array) -> Array:
        """Return the matrix with the dot products ``x_l . y_m`` of columns as entries [l, m]."""
        return x @ T(y)

    force = (weight if path.Y is None else uncolumn(T(path.Y) @ column(weight)))[..., None, :]
    P, PN = (times(crf(column(x)), force) for x in (J, NJ))
    duq = below * dot(P, J) - dot(P, NJ)

    V, whole = T(below) @ (u * J), xp.sum(u * J, axis=-2, keepdims=True)
    F = T(below) @ (u * P) - xp.sum(u * P, axis=-2, keepdims=True) @ N
    turned = times(crf(column(J)), F)
    Z, W, last = times(crf(column(V)), P), times(crm(column(J)), V), times(crf(column(whole)), PN)
    dqq = below * dot(turned - Z, J) - dot(turned - Z, NJ)
    dqq = dqq - T(path.beyond) * dot(P, W) + dot(PN, W) - dot(last, NJ)

    return ModFrameSecondDerivatives(
        dmod_dq=spread(path, uncolumn(T(duq) @ u), 1),
        dmod_du=spread(path, uncolumn(J @ T(force)), 1),
        dmod_dqq=spread(path, dqq, 2),
        dmod_duq=spread(path, duq, 2),
    )
