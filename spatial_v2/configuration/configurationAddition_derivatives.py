"""First derivatives of a step on the configuration space."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration.by_joint import matrix_by_joint
from spatial_v2.joints.tangent import exponential, transport
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["ConfigurationAdditionDerivatives", "configurationAddition_derivatives"]


@shown_in_notebooks
class ConfigurationAdditionDerivatives(NamedTuple):
    """First derivatives of the step ``q (+) dq``, arrays (..., NV, NV)."""

    dnew_dq: Array
    """Entry [i, j] is the displacement i of the result per displacement of q along variable j."""
    dnew_ddq: Array
    """Entry [i, j] is the displacement i of the result per change of dq_j."""


def configurationAddition_derivatives(
    model: Model, q: Array, dq: Array
) -> ConfigurationAdditionDerivatives:
    """Compute first derivatives of `configurationAddition` with respect to q and dq.

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
    dnew_dq, dnew_ddq : array, shape (..., NV, NV)
        Named tuple. Changes of configurations are displacements along the velocity variables, as in
        `derivatives.ID_derivatives`: a change a of q means ``q (+) a``, and the change of the
        result is x in ``(q (+) dq) (+) x``. For floating and spherical joints they are twists and
        angular velocities in body coordinates: before the step for the columns of `dnew_dq`, after
        the step for the rows of both matrices.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``(q (+) a) (+) (dq + b) = (q (+) dq) (+) (X a + J b)`` to first order, with ``X =
    Ad(exp(-dq))`` and the right Jacobian ``J = 1 - ad(dq) / 2! + ad(dq)^2 / 3! - ...`` of the
    exponential. Both are the identity for joints with one degree of freedom, and smooth functions
    of dq. Murray, Li, Sastry (1994), Sec. 2.3-2.4; Sola, Deray, Atchuthan, "A micro Lie theory"
    (2018), Sec. II.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["S"])
    >>> d = configurationAddition_derivatives(model, [1, 0, 0, 0], [0, 0, np.pi / 2])
    >>> d.dnew_dq.round(3) + 0.0
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    >>> d.dnew_ddq.round(3)
    array([[ 0.637,  0.637,  0.   ],
           [-0.637,  0.637,  0.   ],
           [ 0.   ,  0.   ,  1.   ]])
    """
    q, dq = check_state(model, q=q, dq=dq)
    return ConfigurationAdditionDerivatives(
        dnew_dq=matrix_by_joint(model, transport, 1.0, dq),
        dnew_ddq=matrix_by_joint(model, exponential, 1.0, dq),
    )
