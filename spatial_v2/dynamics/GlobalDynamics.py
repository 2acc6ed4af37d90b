"""Kinematic and dynamic quantities of all bodies in ground coordinates."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.ground_details import ground_details
from spatial_v2.dynamics.robot_frame import GroundFrame, robot_frame, shift
from spatial_v2.model import Model

__all__ = ["GlobalDynamics", "GlobalDynamicsInfo", "GroundFrame"]


@shown_in_notebooks
class GlobalDynamicsInfo(NamedTuple):
    """Further fields of MATLAB's struct, in base coordinates: (..., 6, NV) or (..., NB, ...)."""

    OXi: Array
    """Transforms from body to base coordinates, the inverses of X0."""
    vlam: Array
    """Velocity of the parent of each body."""
    vJxS: Array
    """Column k is ``vJ_i x S_k``, with vJ_i the velocity across joint i, to which velocity variable
    k belongs.
    """
    gamma: Array
    """Sum of ``S qdd`` over the joints on the path from the base to the body."""
    xi: Array
    """Sum of ``v x vJ`` over the joints on that path, with vJ the velocity across a joint; a is
    -a_grav + gamma + xi.
    """
    Ia: Array
    """``I a``, inertia times acceleration of each body."""
    Iv: Array
    """``I v``, the momentum of each body."""
    Im: Array
    """``I m6`` for the argument m6."""
    If: Array
    """``I f6`` for the argument f6, a vector of six entries that is multiplied like a motion."""
    vxsf: Array
    """``v x* f6`` for the argument f6, a force vector; x* is the cross product with forces."""
    STf: Array
    """``S^T f6`` for the argument f6, shape (..., NV)."""


@accelerated(
    "GlobalDynamics",
    "(q),(v),(v)->(6,v),(6,v),(6,v),(6,v),(b,6,6),(b,6),(b,6),(b,6),"
    "(b,6,6),(b,6,6),(b,6,6),(b,6,6),(b,6),(b,6)",
    rotors="ignore",
    joint_terms=True,
)
def GlobalDynamics(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    *,
    m6: Array | None = None,
    f6: Array | None = None,
    return_info: bool = False,
    **options: Unpack[Options],
) -> GroundFrame:
    """Compute kinematic and dynamic quantities of every body in ground coordinates.

    MATLAB: ``[glob,bod] = GlobalDynamics(model,q,qd,qdd,m6,f6)``; the derivatives of the dynamics
    are written with these quantities. `bodyFrame_dyn` returns them in body coordinates (MATLAB's
    second output, in which forces and composite inertias are transformed incorrectly).

    Parameters
    ----------
    model : Model
        The rigid-body tree, without rotors; planar models too (3 replaces 6).
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    m6, f6 : array, shape (..., 6), optional
        A motion and a force vector for the fields Im, If, vxsf and STf of `GlobalDynamicsInfo`;
        zero by default.
    return_info : bool, optional
        If True, return a pair with `GlobalDynamicsInfo` as well.

    Returns
    -------
    GroundFrame
        Named tuple of arrays, all in base coordinates.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. II, eqs. (14)-(15) and Algorithm 1, lines 1-11. The
    quantities are computed by `robot_frame` about a point of the robot and shifted to the base
    origin by a transform X. B and BC have zeros in the linear columns, so that ``B X = B``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> g = GlobalDynamics(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> g.S[2].round(3)
    array([1., 1., 1.])
    """
    g, o = robot_frame(model, q, qd, qdd)
    T = namespace(o).matrix_transpose
    X, back = shift(o), shift(-o)
    Xi = X[..., None, :, :]

    def vectors(A: Array, x: Array) -> Array:
        return uncolumn(A[..., None, :, :] @ column(x))

    glob = GroundFrame(
        S=back @ g.S,
        Sd=back @ g.Sd,
        psid=back @ g.psid,
        psidd=back @ g.psidd,
        X0=g.X0 @ Xi,
        vJ=vectors(back, g.vJ),
        v=vectors(back, g.v),
        a=vectors(back, g.a),
        I=T(Xi) @ g.I @ Xi,
        IC=T(Xi) @ g.IC @ Xi,
        B=T(Xi) @ g.B,
        BC=T(Xi) @ g.BC,
        f=vectors(T(X), g.f),
        fC=vectors(T(X), g.fC),
    )
    if not return_info:
        return glob
    details = ground_details(model, g, o, qdd, m6, f6)
    return glob, GlobalDynamicsInfo(*details)  # type: ignore[return-value]
