"""The centroidal momentum matrix from the joint-space inertia matrix."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.dynamics.CMM import moved_to
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.dynamics.total_mass import check_mass
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import without_joint_terms
from spatial_v2.model.state import check_model
from spatial_v2.spatial import inertia_parts

__all__ = ["CMM_from_CRBA"]


def CMM_from_CRBA(model: Model, q: Array) -> Array:
    """Compute the centroidal momentum matrix from the first six rows of H.

    MATLAB: ``A = CMM_from_CRBA(model,q)``.

    Parameters
    ----------
    model : Model
        A floating-base tree: body 0, whose joint is ``Fb`` or ``SE3``, carries all other bodies.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., 6, NV)
        The matrix of `CMM`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without a floating base, or without mass.

    Notes
    -----
    The first six rows of H are the momenta of the whole tree in coordinates of body 0. Wensing,
    Orin, "Improved computation of the humanoid centroidal dynamics" (2016). MATLAB's function needs
    a joint ``Fb`` and assumes that ``Xtree`` of body 0 is the identity.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> CMM_from_CRBA(autoTree(1).replace(jtype=["Fb"]), [1, 0, 0, 0, 0, 0, 0]).round(12)[5] + 0
    array([ 0. , -0.5,  0. ,  0. ,  0. ,  1. ])
    """
    check_model(model)
    if model.layout.joints[0].nv != 6 or np.any(model.parent[1:] < 0):
        raise ModelError(
            "CMM_from_CRBA: model: want a tree whose body 0 carries all others and has a "
            "joint Fb or "
            "SE3; for other trees use CMM"
        )
    T = namespace(q).matrix_transpose
    H = CRBA(without_joint_terms(model), q)
    check_mass("CMM_from_CRBA", model)
    X0 = robot_kinematics(model, q, constant(np.zeros(model.NV), q)).X0[..., 0, :, :]
    inertia = T(X0) @ H[..., :6, :6] @ X0
    return moved_to(inertia_parts(inertia).c) @ T(X0) @ H[..., :6, :]
