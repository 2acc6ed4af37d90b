"""The rate of the Jacobian of a body."""

from __future__ import annotations

from spatial_v2.arrays import Array, alike
from spatial_v2.dynamics.BodyJacobian import as_end, check_body, supporting
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_state
from spatial_v2.spatial import crm

__all__ = ["BodyJacobianTimeDerivative"]


def BodyJacobianTimeDerivative(
    model: Model,
    q: Array,
    qd: Array,
    body: int,
    Xend: Array | None = None,
    Xend_dot: Array | None = None,
) -> Array:
    """Compute the time derivative of `BodyJacobian` along the motion, entry by entry.

    MATLAB: ``Jdot = BodyJacobianTimeDerivative(model,q,qd,body,Xend,Xend_dot)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 replaces 6). Rotors have no effect.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    body : int
        Number of the body, from 0.
    Xend, Xend_dot : array, shape (..., k, 6), optional
        Transform from body coordinates to those of the result, and the rate of this transform;
        identity and zero by default.

    Returns
    -------
    array, shape (..., k, NV)
        ``dJ/dt``. The acceleration of the body, without gravity, is ``J qdd + dJ/dt qd`` in body
        coordinates.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        There is no body with this number.

    Notes
    -----
    The columns are ``Xend X0 (v_j x S_j - v x S_j) + Xend_dot X0 S_j``, where ``-X0 crm(v)`` is the
    rate of the transform X0 from the base to the body of velocity v.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> BodyJacobianTimeDerivative(autoTree(2), [0, 0], [0, 1.0], 1).round(12)[3:]
    array([[1., 0.],
           [0., 0.],
           [0., 0.]])
    """
    check_model(model)
    i = check_body(model, body)
    q, qd = check_state(model, q=q, qd=qd)
    q, qd, Xend = alike(q, qd, as_end(model, "Xend", Xend, q))
    g = robot_kinematics(model, q, qd)
    mask, X0, v = supporting(model, i, q), g.X0[..., i, :, :], g.v[..., i, :, None]
    Jdot = Xend @ X0 @ ((g.Sd - crm(v) @ g.S) * mask)
    if Xend_dot is None:
        return Jdot
    _, Xend_dot = alike(q, as_end(model, "Xend_dot", Xend_dot, q))
    return Jdot + Xend_dot @ X0 @ (g.S * mask)
