"""Positions and velocities of the contact points."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.contact.points import ContactPoints, contact_points
from spatial_v2.dynamics.floating_base import floating_state
from spatial_v2.dynamics.forward_kinematics import BodyMotion, forward_kinematics
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.spatial import Vpt

__all__ = ["PointMotion", "gcPosVel", "motion_of_points"]


@shown_in_notebooks
class PointMotion(NamedTuple):
    """Positions and velocities of points in base coordinates; 2 in place of 3 if planar."""

    p: Array
    """Positions [m], shape (..., n, 3)."""
    pd: Array
    """Velocities [m/s], shape (..., n, 3)."""


def gcPosVel(model: Model, *state: Any) -> PointMotion:
    """Compute positions and velocities of all contact points of a model.

    MATLAB: ``posvel = gcPosVel(model,q,qd)``, ``gcPosVel(model,xfb)``,
    ``gcPosVel(model,xfb,q,qd)``, which stacks positions and velocities in columns and supports only
    joints with one degree of freedom.

    Parameters
    ----------
    model : Model
        A tree with the field ``gc``: ``point``, shape (n, 3), planar (n, 2), in coordinates of the
        bodies ``body``, shape (n,).
    *state : arrays
        ``q, qd``, shapes (..., NQ) and (..., NV); or the state ``xfb`` of a floating base, shape
        (..., 13), followed by positions and velocities of the other joints if there are any, as in
        `FDfb`.

    Returns
    -------
    p, pd : array, shape (..., n, 3)
        Positions [m] and velocities [m/s] in base coordinates.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without contact points, or, with `xfb`, without a floating base.

    Notes
    -----
    ``p = p_i + R_i r`` and ``pd = R_i (v_i + omega_i x r)``, with r the point in body coordinates,
    and p_i, R_i, omega_i, v_i position, orientation and velocity of body i; see
    `forward_kinematics`.

    Examples
    --------
    >>> from spatial_v2.models import rollingdisc
    >>> p, pd = gcPosVel(rollingdisc(4), [1, 0, 0, 0, 0, 0, 0.05, 0, 3, 0, -0.15, 0, 0])
    >>> p[2].round(12) + 0, pd[2].round(12) + 0
    (array([ 0.   , -0.005,  0.   ]), array([-0.15,  0.  ,  0.  ]))
    """
    check_model(model)
    point, body = contact_points(model, "gcPosVel")
    if len(state) == 2:
        kin = forward_kinematics(model, *state)
    elif len(state) in (1, 3):
        x, q, qd = state if len(state) == 3 else (state[0], [], [])
        s = floating_state(model, x, None, "gcPosVel", q=q, qd=qd)
        base = model.NB - s.tree.NB
        if (body < base).any():
            raise ModelError(
                f"gcPosVel: contact points are on bodies {sorted({*body[body < base].tolist()})}, "
                f"massless bodies between the ground and the floating base, body {base}; put them "
                f"on bodies {base} and above, or pass q, qd in place of xfb"
            )
        body = body - base
        kin = forward_kinematics(s.tree, s.q, s.qd)
    else:
        raise TypeError(f"gcPosVel: want q, qd, or xfb, or xfb, q, qd; got {len(state)} arrays")
    return motion_of_points(kin, ContactPoints(point, body))


def motion_of_points(motion: BodyMotion, points: ContactPoints) -> PointMotion:
    """Compute the motion of points from that of the bodies; see `gcPosVel`."""
    xp = namespace(motion.p)
    which = xp.asarray(points.body)
    R, o, v = (
        xp.take(x, which, axis=k) for x, k in ((motion.R, -3), (motion.p, -2), (motion.v, -2))
    )
    r = constant(points.point, o)
    return PointMotion(o + uncolumn(R @ column(r)), uncolumn(R @ column(Vpt(v, r))))
