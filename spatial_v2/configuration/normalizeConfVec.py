"""Normalisation of quaternions and rotation matrices in configurations."""

from __future__ import annotations

from spatial_v2.arrays import Array, namespace
from spatial_v2.configuration.by_joint import runs
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_matrices, check_quaternions
from spatial_v2.model.state import check_model, check_vector

__all__ = ["normalizeConfVec"]


def normalizeConfVec(model: Model, q: Array) -> Array:
    """Normalise the quaternions and rotation matrices in configurations.

    MATLAB: ``q = normalizeConfVec(model,q)``, which leaves SO3 and SE3 joints as they are.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations with quaternions of any nonzero norm, and matrices that are nearly multiples
        of rotations, for instance after numerical integration.

    Returns
    -------
    array, shape (..., NQ)
        Configurations with unit quaternions and orthonormal rotation matrices.

    Raises
    ------
    ArrayShapeError
        `q` of the wrong shape.
    SpatialError
        A quaternion or a matrix that is zero, or a matrix nowhere near a rotation.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> normalizeConfVec(autoTree(2).replace(jtype=["S", "Rx"]), [3, 0, 4, 0, 7])
    array([0.6, 0. , 0.8, 0. , 7. ])
    """
    check_model(model)
    q = check_vector(model, "q", q, model.NQ, "q", rotations=False)
    check_quaternions(model, q)
    check_matrices(model, q, mend=True)
    parts = [group.normalise(q[..., qs]) for group, qs, _ in runs(model)]
    return namespace(q).concat(parts, axis=-1)
