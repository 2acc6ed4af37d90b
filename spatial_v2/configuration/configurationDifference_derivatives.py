"""First derivatives of the displacement between two configurations."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration.by_joint import matrix_by_joint
from spatial_v2.configuration.configurationDifference import configurationDifference
from spatial_v2.joints.tangent import logarithm
from spatial_v2.model import Model

__all__ = ["ConfigurationDifferenceDerivatives", "configurationDifference_derivatives"]


@shown_in_notebooks
class ConfigurationDifferenceDerivatives(NamedTuple):
    """Derivatives of the displacement dq from q0 to q1, arrays (..., NV, NV)."""

    ddq_dq0: Array
    """Entry [i, j] is the derivative of dq_i along velocity variable j of q0."""
    ddq_dq1: Array
    """Entry [i, j] is the derivative of dq_i along velocity variable j of q1."""


def configurationDifference_derivatives(
    model: Model, q0: Array, q1: Array
) -> ConfigurationDifferenceDerivatives:
    """Compute first derivatives of `configurationDifference` along both configurations.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q0, q1 : array, shape (..., NQ)
        Configurations.

    Returns
    -------
    ddq_dq0, ddq_dq1 : array, shape (..., NV, NV)
        Named tuple. Columns belong to velocity variables, as in `derivatives.ID_derivatives`: a
        change a of q0 means ``q0 (+) a``, in body coordinates.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    With the inverse K(dq) of the right Jacobian of the exponential, see
    `configurationAddition_derivatives`, ``ddq_dq1 = K(dq)`` and ``ddq_dq0 = -K(-dq)``. For joints
    with one degree of freedom they are plus and minus the identity. They are smooth except at
    rotations by pi, where dq is discontinuous. Sola, Deray, Atchuthan, "A micro Lie theory" (2018),
    Sec. II.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> d = configurationDifference_derivatives(model, [1, 0, 0, 0], [0, 0, 0, 1])
    >>> d.ddq_dq1.round(3)
    array([[ 0.   , -1.571,  0.   ],
           [ 1.571,  0.   ,  0.   ],
           [ 0.   ,  0.   ,  1.   ]])
    """
    dq = configurationDifference(model, q0, q1)
    return ConfigurationDifferenceDerivatives(
        ddq_dq0=-matrix_by_joint(model, logarithm, 1.0, -dq),
        ddq_dq1=matrix_by_joint(model, logarithm, 1.0, dq),
    )
