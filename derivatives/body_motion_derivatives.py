"""First derivatives of the velocities and accelerations of all bodies."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.per_body import carried
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame, shift
from spatial_v2.model import Model
from spatial_v2.spatial import crm

__all__ = ["BodyMotionDerivatives", "body_motion_derivatives"]


@shown_in_notebooks
class BodyMotionDerivatives(NamedTuple):
    """Arrays (..., NB, 6, NV): entry [i, :, j] belongs to body i and velocity variable j.

    They are derivatives of the spatial velocities v and accelerations a of the bodies, where the
    base has the acceleration minus gravity. Fields whose names end in ``_body`` are in coordinates
    of body i, the others in base coordinates.
    """

    dv_dq: Array
    dv_dqd: Array
    da_dq: Array
    da_dqd: Array
    da_dqdd: Array
    dv_dq_body: Array
    dv_dqd_body: Array
    da_dq_body: Array
    da_dqd_body: Array
    da_dqdd_body: Array


@accelerated(
    "body_motion_derivatives",
    "(q),(v),(v)->" + ",".join(10 * ["(b,6,v)"]),
    rotors="ignore",
    joint_terms=True,
)
def body_motion_derivatives(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> BodyMotionDerivatives:
    """Compute derivatives of all body velocities and accelerations with respect to q, qd and qdd.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Rotors have no effect.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    BodyMotionDerivatives
        Named tuple of arrays (..., NB, 6, NV). Derivatives along q are along the joints' degrees of
        freedom.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    For joints j that carry body i, in base coordinates ``dv_i/dq_j = psid_j - v_i x S_j``,
    ``da_i/dq_j = psidd_j - v_i x psid_j - a_i x S_j``, ``da_i/dqd_j = psid_j + Sd_j - v_i x S_j``.
    In body coordinates the terms ``v_i x S_j`` and ``a_i x S_j`` of the derivatives along q vanish,
    since the coordinate frame moves with the body. Singh, Russell, Wensing, "Efficient Analytical
    Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra" (2022), identities J. To keep
    digits far from the base, all quantities are computed about a point o of the robot and shifted
    to the base origin at the end.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> d = body_motion_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> d.da_dq[1, 3].round(3)
    array([-0.1,  0. ,  0. ])
    """
    g, o = robot_frame(model, q, qd, qdd)
    S, Sd, psid, psidd = (x[..., None, :, :] for x in (g.S, g.Sd, g.psid, g.psidd))
    v, a = crm(column(g.v)), crm(column(g.a))
    up, _ = carried(model, like=q)

    dv_dq, dv_dqd = up * (psid - v @ S), up * S
    da_dq, da_dqd = up * (psidd - v @ psid - a @ S), up * (psid + Sd - v @ S)
    X = shift(-o)[..., None, :, :]
    return BodyMotionDerivatives(
        X @ dv_dq,
        X @ dv_dqd,
        X @ da_dq,
        X @ da_dqd,
        X @ dv_dqd,
        g.X0 @ (up * psid),
        g.X0 @ dv_dqd,
        g.X0 @ (up * (psidd - v @ psid)),
        g.X0 @ da_dqd,
        g.X0 @ dv_dqd,
    )
