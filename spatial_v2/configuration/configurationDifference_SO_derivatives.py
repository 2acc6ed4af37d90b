"""Second derivatives of the displacement between two configurations."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration.by_joint import tensor_by_joint
from spatial_v2.configuration.configurationDifference import configurationDifference
from spatial_v2.joints.tangent import logarithm, logarithm_derivatives
from spatial_v2.model import Model

__all__ = ["ConfigurationDifferenceSODerivatives", "configurationDifference_SO_derivatives"]


@shown_in_notebooks
class ConfigurationDifferenceSODerivatives(NamedTuple):
    """Second derivatives of the displacement dq from q0 to q1, arrays (..., NV, NV, NV)."""

    d2dq_dq0: Array
    """Entry [i, j, k] is the derivative of `ddq_dq0[i, j]` with respect to q0_k."""
    d2dq_dq1: Array
    """Entry [i, j, k] is the derivative of `ddq_dq1[i, j]` with respect to q1_k."""
    d2dq_cross: Array
    """Entry [i, j, k] is the derivative of `ddq_dq0[i, j]` with respect to q1_k."""


def configurationDifference_SO_derivatives(
    model: Model, q0: Array, q1: Array
) -> ConfigurationDifferenceSODerivatives:
    """Compute second derivatives of `configurationDifference` along both configurations.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q0, q1 : array, shape (..., NQ)
        Configurations.

    Returns
    -------
    d2dq_dq0, d2dq_dq1, d2dq_cross : array, shape (..., NV, NV, NV)
        Named tuple of the derivatives of the matrices of `configurationDifference_derivatives`,
        along the velocity variables.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Second derivatives in this library are ordered, so that `d2dq_dq0` and `d2dq_dq1` are not
    symmetric within a joint whose displacements do not commute; `derivatives.symmetrize` returns
    the symmetric Hessian. Derivatives with respect to q0 and q1 commute. With K of
    `configurationDifference_derivatives` and its derivatives K_l with respect to dq_l,
    ``d2dq_dq1[:, j, k] = sum_l (K_l(dq) e_j) K_lk(dq)``, and so on.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> d = configurationDifference_SO_derivatives(model, [1, 0, 0, 0], [1, 0, 0, 0])
    >>> d.d2dq_dq1[2]
    array([[ 0. , -0.5,  0. ],
           [ 0.5,  0. ,  0. ],
           [ 0. ,  0. ,  0. ]])
    """
    dq = configurationDifference(model, q0, q1)
    back = -dq
    return ConfigurationDifferenceSODerivatives(
        d2dq_dq0=-tensor_by_joint(model, _twice, back),
        d2dq_dq1=tensor_by_joint(model, _twice, dq),
        d2dq_cross=tensor_by_joint(model, _cross, dq),
    )


def _twice(x: Array) -> Array:
    """Return ``sum_l K_l(x)[i, j] K_lk(x)``, with K the matrix of `tangent.logarithm` and K_l its
    derivative with respect to x_l.
    """
    return logarithm_derivatives(x) @ logarithm(x)[..., None, :, :]


def _cross(x: Array) -> Array:
    """Return ``sum_l K_l(-x)[i, j] K_lk(x)``, with K the matrix of `tangent.logarithm` and K_l its
    derivative with respect to x_l.
    """
    return logarithm_derivatives(-x) @ logarithm(x)[..., None, :, :]
