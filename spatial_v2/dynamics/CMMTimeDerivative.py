"""The rate of the centroidal momentum matrix."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.CMM import moved_to
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.dynamics.total_mass import check_mass
from spatial_v2.model import Model
from spatial_v2.model.subtrees import composite, each, ground_inertias
from spatial_v2.spatial import crf, crm, inertia_parts

__all__ = ["CMMTimeDerivative"]


@accelerated("CMMTimeDerivative", "(q),(v)->(6,v)", joint_terms=True, accepts=check_mass)
def CMMTimeDerivative(model: Model, q: Array, qd: Array, **options: Unpack[Options]) -> Array:
    """Compute the rate ``dA/dt`` of the centroidal momentum matrix along the motion.

    MATLAB: ``Adot = CMMTimeDerivative(model,q,qd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    array, shape (..., 6, NV), planar (..., 3, NV)
        With A of `CMM`, ``A qdd + dA/dt qd`` is the rate of the centroidal momentum: the total
        external force, gravity included, about the centre of mass.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        No body has mass.

    Notes
    -----
    ``d(IC_k S_k)/dt = dIC_k/dt S_k + IC_k crm(v_k) S_k``, shifted to the centre of mass. dIC_k/dt
    is the sum of ``crf(v_i) I_i - I_i crm(v_i)`` over the bodies i of the subtree of k, and
    ``crf(v_G) A`` is subtracted because that point moves with velocity v_G.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> CMMTimeDerivative(autoTree(2), [0, 0], [1, 0])[3]
    array([-2. , -0.5])
    """
    xp = namespace(q, qd)
    g = robot_kinematics(model, q, qd)
    v, I = column(g.v), ground_inertias(model, g.X0)
    Itot, htot = xp.sum(I, axis=-3), xp.sum(uncolumn(I @ v), axis=-2)
    mass, cm, _ = inertia_parts(Itot)
    n = cm.shape[-1]
    vG = xp.concat([0 * htot[..., :-n], htot[..., -n:] / mass[..., None]], axis=-1)

    IC = composite(model, I)
    ICd = composite(model, crf(v) @ I - I @ crm(v))
    shift = moved_to(cm)
    A = shift @ each(IC, g.S)
    return shift @ (each(ICd, g.S) + each(IC, g.Sd)) - crf(vG) @ A
