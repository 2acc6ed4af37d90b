"""Second derivatives of a step on the configuration space, contracted with a vector."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration.by_joint import matrix_by_joint
from spatial_v2.joints.tangent import bracket_form, exponential, exponential_derivatives, transport
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = [
    "ModConfigurationAdditionSecondDerivatives",
    "modConfigurationAddition_second_derivatives",
]


@shown_in_notebooks
class ModConfigurationAdditionSecondDerivatives(NamedTuple):
    """Second derivatives of ``q (+) dq``, summed with the weights `lambda_`: (..., NV, NV)."""

    H_qdq: Array
    """Entry [j, k] is the derivative with respect to q_j, then dq_k; the other order gives zero."""
    H_dqdq: Array
    """Entry [j, k] is the derivative with respect to dq_j, then dq_k."""


def modConfigurationAddition_second_derivatives(
    model: Model, q: Array, dq: Array, lambda_: Array
) -> ModConfigurationAdditionSecondDerivatives:
    """Compute second derivatives of `configurationAddition`, summed with weights of its results.

    The prefix "mod", as in `modID_derivatives`, marks derivatives whose first axis, that of the
    results, is contracted with the vector `lambda_`.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors follow their joints.
    q : array, shape (..., NQ)
        Configurations; only their leading axes matter.
    dq : array, shape (..., NV)
        Displacements along the joints' degrees of freedom, in body coordinates [rad or m].
    lambda_ : array, shape (..., NV)
        Weight of each displacement of the result, for instance a costate.

    Returns
    -------
    H_qdq, H_dqdq : array, shape (..., NV, NV)
        Named tuple. ``H_qdq[j, k] = sum_i lambda_i d2new_cross[i, j, k]``, along q_j and then dq_k,
        and ``H_dqdq[j, k] = sum_i lambda_i d2new_ddq[i, j, k]``, along dq_j and then dq_k, with the
        tensors of `configurationAddition_SO_derivatives`, which are not computed.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``H_qdq[j, k] = lambda_ . [X_j, J_k]`` with X, J of `configurationAddition_derivatives`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> weight = [0, 0, 1]
    >>> modConfigurationAddition_second_derivatives(model, [1, 0, 0, 0], [0, 0, 0], weight).H_dqdq
    array([[ 0. ,  0.5,  0. ],
           [-0.5,  0. ,  0. ],
           [ 0. ,  0. ,  0. ]])
    """
    q, dq, lambda_ = check_state(model, q=q, dq=dq, lambda_=lambda_)
    return ModConfigurationAdditionSecondDerivatives(
        H_qdq=matrix_by_joint(model, _cross, 0.0, dq, lambda_),
        H_dqdq=matrix_by_joint(model, _twice, 0.0, dq, lambda_),
    )


def _cross(w: Array, p: Array) -> Array:
    return namespace(w).matrix_transpose(transport(w)) @ bracket_form(p) @ exponential(w)


def _twice(w: Array, p: Array) -> Array:
    return namespace(w, p).sum(p[..., :, None, None] * exponential_derivatives(w), axis=-3)
