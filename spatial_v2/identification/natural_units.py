"""Units of length that follow from a robot, in which decisions do not depend on the user's units.

Ranks and choices compare numbers with tolerances. Here they are made with numbers that have no
dimension: lengths are divided by the longest distance between joints of the robot, and results are
converted back. So a robot described in millimetres has the base parameters that it has in metres.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics.moved_bodies import MovedBody, moved_bodies
from spatial_v2.inertia import inertiaVecToPinertia
from spatial_v2.joints.table import joint_type
from spatial_v2.model import Model
from spatial_v2.spatial import transform_parts

__all__ = [
    "force_units",
    "length_of_bodies",
    "length_of_tree",
    "motion_units",
    "parameter_units",
    "slides",
]


def length_of_tree(model: Model) -> float:
    """Return the longest distance between a joint and the next one, or the largest pitch of a
    helical joint; 0 if all joints meet in one point.

    The distances of the first joints from the base count only if there are no others: no force
    depends on them.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> length_of_tree(autoTree(3))
    1.0
    """
    bodies = moved_bodies(free_tree(model))[0]
    inner = [_distance(b) for b in bodies if b.parent >= 0]
    inner += [abs(joint_type(b.jtype).pitch) for b in bodies]
    return max(inner, default=0.0) or max(_distance(b) for b in bodies)


def _distance(body: MovedBody) -> float:
    return float(np.linalg.norm(transform_parts(as_real(body.Xtree, "model.Xtree")).r))


def length_of_bodies(a: np.ndarray) -> float:
    """Return the largest radius of gyration of bodies with inertial parameters a (n, 10), about
    their origins; 0 for bodies without mass.

    Examples
    --------
    >>> length_of_bodies(np.array([[2.0, 0, 0, 0, 9, 9, 18, 0, 0, 0]]))
    3.0
    """
    P = np.asarray(inertiaVecToPinertia(a))
    squares = np.trace(P[:, :3, :3], axis1=1, axis2=2)
    heavy = (P[:, 3, 3] > 0) & (squares > 0)
    return float(np.sqrt(np.max(squares[heavy] / P[heavy, 3, 3], initial=0.0)))


def motion_units(length: float) -> np.ndarray:
    """Return the units (6,) of motion vectors: angular first, for the given unit of length."""
    return np.repeat([1.0, length], 3)


def parameter_units(length: float, bodies: int = 1) -> np.ndarray:
    """Return the units (10 bodies,) of inertial parameters, for the given unit of length.

    Examples
    --------
    >>> parameter_units(2.0)
    array([1., 2., 2., 2., 4., 4., 4., 4., 4., 4.])
    """
    return np.tile(np.repeat([1.0, length, length**2], [1, 3, 6]), bodies)


def slides(jtype: Any) -> np.ndarray:
    """Return a mask (nv,) of the velocity variables of a joint that are lengths per time.

    Examples
    --------
    >>> slides("Px"), slides("Fb")
    (array([ True]), array([False, False, False,  True,  True,  True]))
    """
    S = joint_type(jtype).S
    turns = S[:3] if len(S) == 6 else S[:1]
    return np.asarray(~turns.any(axis=0))


def force_units(model: Model, length: float) -> np.ndarray:
    """Return the units (NV,) of forces along the variables: 1 for torques, 1 / length for forces.

    A force is as large as the torque that it has at the distance `length`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> force_units(autoTree(2).replace(jtype=["Rz", "Px"]), 4.0)
    array([1.  , 0.25])
    """
    space = model.coupling.space if isinstance(model, CoupledModel) else model
    straight = np.concatenate([slides(x) for x in space.jtype])
    return np.where(straight, 1.0 / length, 1.0)
