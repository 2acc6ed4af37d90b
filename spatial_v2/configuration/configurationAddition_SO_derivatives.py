"""Second derivatives of a step on the configuration space."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration.by_joint import tensor_by_joint
from spatial_v2.joints.tangent import (
    bracket_tensor,
    exponential,
    exponential_derivatives,
    transport,
)
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["ConfigurationAdditionSODerivatives", "configurationAddition_SO_derivatives"]


@shown_in_notebooks
class ConfigurationAdditionSODerivatives(NamedTuple):
    """Second derivatives of the step ``q (+) dq``, arrays (..., NV, NV, NV)."""

    d2new_cross: Array
    """Entry [i, j, k] is the derivative of `dnew_dq[i, j]` with respect to dq_k."""
    d2new_ddq: Array
    """Entry [i, j, k] is the derivative of `dnew_ddq[i, j]` with respect to dq_k."""


def configurationAddition_SO_derivatives(
    model: Model, q: Array, dq: Array
) -> ConfigurationAdditionSODerivatives:
    """Compute second derivatives of `configurationAddition` with respect to q and dq.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors follow their joints.
    q : array, shape (..., NQ)
        Configurations; only their leading axes matter.
    dq : array, shape (..., NV)
        Displacements along the joints' degrees of freedom, in body coordinates [rad or m].

    Returns
    -------
    d2new_cross, d2new_ddq : array, shape (..., NV, NV, NV)
        Named tuple of the derivatives of the matrices of `configurationAddition_derivatives` with
        respect to dq. The derivatives of these matrices with respect to q are zero.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Second derivatives in this library are ordered: ``[i, j, k]`` is the derivative with respect to
    variable k of the derivative with respect to variable j. They obey the chain rule: if f is a
    function of the configuration with derivatives f_i and ordered second derivatives f_lm, that of
    ``f(q (+) dq)`` with respect to dq_j and dq_k is ``sum f_lm J_lj J_mk + sum f_i d2new_ddq[i, j,
    k]``. Even d2new_ddq is not symmetric, because its rows are displacements in coordinates of the
    moved body: ``d2new_ddq[:, j, k] - d2new_ddq[:, k, j] = [J_j, J_k]``. The symmetric parts are
    the Hessian of ``configurationDifference(model, q (+) dq, (q (+) a) (+) (dq + b))`` with respect
    to a and b at zero.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> d = configurationAddition_SO_derivatives(model, [1, 0, 0, 0], [0, 0, 0])
    >>> d.d2new_cross[2]
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  0.]])
    """
    q, dq = check_state(model, q=q, dq=dq)
    return ConfigurationAdditionSODerivatives(
        d2new_cross=tensor_by_joint(model, _cross, dq),
        d2new_ddq=tensor_by_joint(model, exponential_derivatives, dq),
    )


def _cross(w: Array) -> Array:
    """Return the Lie brackets ``[X_j, J_k]`` of columns of the matrices X and J of
    `configurationAddition_derivatives`, shape (..., n, n, n).
    """
    c, J = bracket_tensor(w), exponential(w)[..., None, :, :]
    return namespace(w).matrix_transpose(transport(w))[..., None, :, :] @ c @ J
