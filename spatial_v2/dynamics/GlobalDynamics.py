"""All quantities of the dynamics in ground coordinates."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import GroundFrame, robot_frame, shift
from spatial_v2.model import Model

__all__ = ["GlobalDynamics", "GroundFrame"]


@accelerated(
    "global_dynamics",
    "(q),(v),(v)->(6,v),(6,v),(6,v),(6,v),(b,6,6),(b,6),(b,6),(b,6),"
    "(b,6,6),(b,6,6),(b,6,6),(b,6,6),(b,6),(b,6)",
    rotors="ignore",
)
def GlobalDynamics(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> GroundFrame:
    """Kinematics and dynamics of every body in ground coordinates.

    MATLAB: ``glob = GlobalDynamics(model,q,qd,qdd,...)``; the quantities from which the derivatives
    of the dynamics are written.

    Parameters
    ----------
    model : Model
        The rigid-body tree, without rotors; planar models too (3 in place of 6).
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    **options : Options
        ``out`` and ``workers``, as of all accelerated functions.

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
    Singh, Russell, Wensing (2023), Sec. II, eqs. (14)-(15) and Algorithm 1, lines 1-11. They are
    those of `robot_frame`, moved from a point of the robot to the base's origin by a transform X;
    B and BC have no linear columns, so that ``B X = B``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> g = GlobalDynamics(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> g.S.shape, g.IC.shape
    ((6, 3), (3, 6, 6))
    """
    g, o = robot_frame(model, q, qd, qdd)
    T = namespace(o).matrix_transpose
    X, back = shift(o), shift(-o)
    Xi = X[..., None, :, :]

    def vectors(A: Array, x: Array) -> Array:
        return uncolumn(A[..., None, :, :] @ column(x))

    return GroundFrame(
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
