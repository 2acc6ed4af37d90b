"""Poses, motion subspaces and velocities of all bodies in ground coordinates."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics
from spatial_v2.model import Model

__all__ = ["GroundKinematics", "ground_kinematics"]


@shown_in_notebooks
class GroundKinematics(NamedTuple):
    """Kinematics in base coordinates; for planar models 3 replaces 6."""

    S: Array
    """Motion subspaces, column k for velocity variable k, shape (..., 6, NV)."""
    Sd: Array
    """Rates of S: ``v_i x S_i``, with v_i the velocity of the body that the joint moves, shape
    (..., 6, NV).
    """
    X0: Array
    """Transforms from base to body, shape (..., NB, 6, 6)."""
    v: Array
    """Body velocities, shape (..., NB, 6)."""


@accelerated(
    "ground_kinematics", "(q),(v)->(6,v),(6,v),(b,6,6),(b,6)", rotors="ignore", joint_terms=True
)
def ground_kinematics(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> GroundKinematics:
    """Compute poses, motion subspaces and velocities of every body in ground coordinates.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors are ignored.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    GroundKinematics
        Named tuple ``S, Sd, X0, v``. The Jacobian of a body in base coordinates consists of the
        columns of S of the joints that carry it; the same columns of Sd are the rate of the
        Jacobian.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Featherstone (2008), Sec. 4.4. The reference implementation is a part of `GlobalDynamics`; for
    poses use `forward_kinematics`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> ground_kinematics(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1]).S[2].round(3)
    array([1., 1., 1.])
    """
    g = GlobalDynamics(model, q, qd, 0 * qd)
    return GroundKinematics(g.S, g.Sd, g.X0, g.v)
