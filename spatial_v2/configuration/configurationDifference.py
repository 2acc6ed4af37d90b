"""The displacement between two configurations."""

from __future__ import annotations

from spatial_v2.arrays import Array, namespace
from spatial_v2.configuration.by_joint import runs
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["configurationDifference"]


def configurationDifference(model: Model, q0: Array, q1: Array) -> Array:
    """Compute the shortest dq with ``q1 = q0 (+) dq``, the inverse of `configurationAddition`.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q0, q1 : array, shape (..., NQ)
        Configurations.

    Returns
    -------
    array, shape (..., NV)
        Displacements along the joints' degrees of freedom, in body coordinates; rotations by at
        most pi; half turns about the axis whose dominant component is positive. Angles are not
        wrapped.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    This is the logarithm on the configuration space of each joint, smooth except at rotations by
    pi.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> configurationDifference(model, [1, 0, 0, 0, 7], [0, 0, 1, 0, 8])
    array([0.        , 3.14159265, 0.        , 1.        ])
    """
    q0, q1 = check_state(model, q0=q0, q1=q1)
    parts = [group.difference(q0[..., qs], q1[..., qs]) for group, qs, _ in runs(model)]
    return namespace(q0, q1).concat(parts, axis=-1)
