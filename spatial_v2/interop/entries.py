"""From rates of the entries of q to velocities."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace
from spatial_v2.configuration import configurationRates
from spatial_v2.exceptions import JointTypeError
from spatial_v2.joints.groups import FB, LINE, S
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["velocity_map"]


def velocity_map(model: Model, q: Array) -> Array:
    """The matrix T with ``qd = T(q) dq/dt`` for the NQ entries of q.

    Parameters
    ----------
    model : Model
        The rigid-body tree, of joints with one freedom, `S` and `Fb`.
    q : array, shape (..., NQ)
        Configurations; quaternions of any norm but zero.

    Returns
    -------
    array, shape (..., NV, NQ)
        The map, which takes changes of the norm of a quaternion to zero.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    JointTypeError
        A joint `SO3` or `SE3`, whose entries are no coordinates.

    Notes
    -----
    Tools that know nothing of rotations differentiate by the entries of q. The dynamics do not
    depend on the norm of a quaternion; their derivatives by entries are therefore those along the
    freedoms, which this library has, times T. Of ``configurationRates``, linear in qd by a matrix
    R, T is the left inverse that is zero along the quaternion: ``T R = 1``, ``T = 4 R^T / p.p`` for
    a quaternion p.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> velocity_map(model, [1, 0, 0, 0, 0.3])
    array([[0., 2., 0., 0., 0.],
           [0., 0., 2., 0., 0.],
           [0., 0., 0., 2., 0.],
           [0., 0., 0., 0., 1.]])
    """
    for joint in model.layout.joints:
        if joint.group not in (LINE, S, FB):
            raise JointTypeError(
                f"joints of type {joint.code} have matrices in q, whose entries are no "
                "coordinates; use the types S and Fb, which have quaternions"
            )
    q = check_state(model, q=q)[0]
    xp, rows = namespace(q), []
    RT = configurationRates(model, q[..., None, :], constant(np.eye(model.NV), q), stabilise=False)
    for i, joint in enumerate(model.layout.joints):
        at = model.vinds[i]
        turns = at.start + min(joint.nv, 3)
        if joint.group is LINE:
            rows.append(RT[..., at, :])
            continue
        p = q[..., model.qinds[i]][..., :4]
        norm = column(xp.sum(p * p, axis=-1, keepdims=True))
        rows += [RT[..., at.start : turns, :] * (4 / norm), RT[..., turns : at.stop, :]]
    return xp.concat(rows, axis=-2)
