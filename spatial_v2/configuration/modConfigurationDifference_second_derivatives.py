"""Second derivatives of the displacement between configurations, contracted with a vector."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration.by_joint import matrix_by_joint
from spatial_v2.configuration.configurationDifference import configurationDifference
from spatial_v2.joints.tangent import logarithm, logarithm_derivatives
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = [
    "ModConfigurationDifferenceSecondDerivatives",
    "modConfigurationDifference_second_derivatives",
]


@shown_in_notebooks
class ModConfigurationDifferenceSecondDerivatives(NamedTuple):
    """Second derivatives of the displacement, weighted by ``lambda_``: shape (..., NV, NV)."""

    H_q0q0: Array
    """Entry [j, k] is the derivative with respect to q0_j, then q0_k; the order matters."""
    H_q1q1: Array
    """Entry [j, k] is the derivative with respect to q1_j, then q1_k; the order matters."""
    H_q0q1: Array
    """Entry [j, k] is the derivative with respect to q0_j and q1_k."""


def modConfigurationDifference_second_derivatives(
    model: Model, q0: Array, q1: Array, lambda_: Array
) -> ModConfigurationDifferenceSecondDerivatives:
    """Compute second derivatives of `configurationDifference` contracted with a vector.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q0, q1 : array, shape (..., NQ)
        Configurations.
    lambda_ : array, shape (..., NV)
        Weight of each displacement.

    Returns
    -------
    H_q0q0, H_q1q1, H_q0q1 : array, shape (..., NV, NV)
        Named tuple. ``H_q0q0[j, k] = sum_i lambda_i d2dq_dq0[i, j, k]`` of
        `configurationDifference_SO_derivatives`, and so on.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The ordered second derivative of the cost ``dq . W dq / 2`` with respect to q1 is
    ``ddq_dq1^T W ddq_dq1 + H_q1q1`` with ``lambda_ = W dq``; its symmetric part is the Hessian.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> turn, weight = [0, 0, 0, 1], [0, 0, 1]
    >>> H = modConfigurationDifference_second_derivatives(model, [1, 0, 0, 0], turn, weight)
    >>> H.H_q1q1.round(3) + 0.0
    array([[-0.785, -0.5  ,  0.   ],
           [ 0.5  , -0.785,  0.   ],
           [ 0.   ,  0.   ,  0.   ]])
    """
    dq = configurationDifference(model, q0, q1)
    q0, q1, dq, lambda_ = check_state(model, q0=q0, q1=q1, dq=dq, lambda_=lambda_)
    back = -dq
    return ModConfigurationDifferenceSecondDerivatives(
        H_q0q0=-matrix_by_joint(model, _second, 0.0, back, back, lambda_),
        H_q1q1=matrix_by_joint(model, _second, 0.0, dq, dq, lambda_),
        H_q0q1=matrix_by_joint(model, _second, 0.0, back, dq, lambda_),
    )


def _second(x: Array, y: Array, p: Array) -> Array:
    """Return ``sum_il p_i K_l(x)[i, j] K_lk(y)``, with K the matrix of `tangent.logarithm` and K_l
    its derivative with respect to x_l.
    """
    rows = namespace(x, p).sum(p[..., :, None, None] * logarithm_derivatives(x), axis=-3)
    return rows @ logarithm(y)
