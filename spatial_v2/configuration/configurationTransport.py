"""Transport of tangent vectors and forces along a step on the configuration space."""

from __future__ import annotations

from typing import Literal, get_args

from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.numbers import is_one_of
from spatial_v2.configuration.by_joint import matrix_by_joint
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.tangent import transport
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["configurationTransport"]

Kind = Literal["motion", "force"]


def configurationTransport(
    model: Model, q: Array, dq: Array, v: Array, kind: Kind = "motion"
) -> Array:
    """Transport tangent vectors or joint forces from q to ``q (+) dq``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors follow their joints.
    q : array, shape (..., NQ)
        Configurations; only their leading axes matter.
    dq : array, shape (..., NV)
        Displacements along the joints' degrees of freedom, in body coordinates [rad or m].
    v : array, shape (..., NV)
        Velocities or displacements; for ``kind="force"`` joint forces, gradients or costates.
    kind : {"motion", "force"}, optional
        Kind of the vectors v. The power of a force on a motion is preserved.

    Returns
    -------
    array, shape (..., NV)
        The same vectors in the body coordinates at ``q (+) dq``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown kind.

    Notes
    -----
    The result is ``X v``, or ``X^-T v`` for forces, with X the matrix `dnew_dq` of
    `configurationAddition_derivatives`, the Plücker transform along the step. If v is the
    displacement from q to a nearby configuration, the result is the displacement between the two
    configurations after the same step dq. The inverse is the transport along ``-dq``. Vectors of
    joints with one degree of freedom do not change.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(1).replace(jtype=["Fb"])
    >>> step = [0, 0, np.pi / 2, 0, 0, 0]
    >>> turned = configurationTransport(model, [1, 0, 0, 0, 0, 0, 0], step, [0, 0, 0, 1, 0, 0])
    >>> turned.round(12) + 0.0
    array([ 0.,  0.,  0.,  0., -1.,  0.])
    """
    if not is_one_of(kind, *get_args(Kind)):
        raise SpatialError(f"kind: want 'motion' or 'force', got {kind!r}")
    q, dq, v = check_state(model, q=q, dq=dq, v=v)
    if kind == "motion":
        return uncolumn(matrix_by_joint(model, transport, 1.0, dq) @ column(v))
    back = matrix_by_joint(model, transport, 1.0, -dq)
    return uncolumn(namespace(back).matrix_transpose(back) @ column(v))
