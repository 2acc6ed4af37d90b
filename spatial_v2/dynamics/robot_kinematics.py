"""Poses, motion subspaces and velocities of all bodies about a point of the robot."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.model import Model

__all__ = ["RobotKinematics", "robot_kinematics"]


class RobotKinematics(NamedTuple):
    """Kinematics in axes parallel to the base; for planar models 3 replaces 6, and 2 replaces 3."""

    S: Array
    """Motion subspaces, column k for velocity variable k, shape (..., 6, NV)."""
    Sd: Array
    """Rates of S: ``v_i x S_i``, with v_i the velocity of the body that the joint moves, shape
    (..., 6, NV).
    """
    X0: Array
    """Transforms from the common frame to each body, shape (..., NB, 6, 6)."""
    v: Array
    """Body velocities, shape (..., NB, 6)."""
    o: Array
    """Origin of the common frame in base coordinates [m], which is the origin of the last body,
    shape (..., 3).
    """


@accelerated(
    "robot_kinematics", "(q),(v)->(6,v),(6,v),(b,6,6),(b,6),(3)", rotors="ignore", joint_terms=True
)
def robot_kinematics(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> RobotKinematics:
    """Compute the quantities of `ground_kinematics` about a point of the robot.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors are ignored.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    RobotKinematics
        Named tuple ``S, Sd, X0, v, o``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Jacobians and momenta are computed from these quantities. `robot_frame` is the reference
    implementation.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> robot_kinematics(autoTree(3), [0, 0, 0], [1, 1, 1]).o
    array([2., 0., 0.])
    """
    g, o = robot_frame(model, q, qd, 0 * qd)
    return RobotKinematics(g.S, g.Sd, g.X0, g.v, o)
