"""The centroidal momentum matrix."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import shift
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.dynamics.total_mass import check_mass
from spatial_v2.model import Model
from spatial_v2.model.subtrees import composite, each, ground_inertias
from spatial_v2.spatial import inertia_parts

__all__ = ["CMM", "moved_to"]


@accelerated("CMM", "(q)->(6,v)", joint_terms=True, accepts=check_mass)
def CMM(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the centroidal momentum matrix A; ``A qd`` is the momentum about the centre of mass.

    MATLAB: ``A = CMM(model,q)``; its second output, ``Ad_qd``, is
    ``CMMTimeDerivative(model, q, qd) @ qd``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., 6, NV), planar (..., 3, NV)
        Rows [angular; linear], in a frame at the centre of mass of the whole tree with axes
        parallel to those of the base.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        No body has mass.

    Notes
    -----
    Column k is ``IC_k S_k``, with IC_k the composite inertia of the subtree that velocity variable
    k moves, shifted to the centre of mass. Orin, Goswami, Lee, "Centroidal dynamics of a humanoid
    robot" (2013); Wensing, Orin, "Improved computation of the humanoid centroidal dynamics" (2016).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> CMM(autoTree(2), [0, 0])[4]
    array([2. , 0.5])
    """
    g = robot_kinematics(model, q, constant(np.zeros(model.NV), q))
    I = ground_inertias(model, g.X0)
    cm = inertia_parts(namespace(q).sum(I, axis=-3)).c
    return moved_to(cm) @ each(composite(model, I), g.S)


def moved_to(point: Array) -> Array:
    """Return the force transform (..., 6, 6) from the origin to a point p [m] with parallel axes,
    ``[1, -skew(p); 0, 1]``.
    """
    return namespace(point).matrix_transpose(shift(-point))
