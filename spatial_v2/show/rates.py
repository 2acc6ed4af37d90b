"""Velocities and momentum of bodies, and the lengths of the arrows that show them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.configuration import configurationAddition
from spatial_v2.dynamics import EnerMo, forward_kinematics
from spatial_v2.model import Model
from spatial_v2.show.motion import Motion

__all__ = [
    "Momenta",
    "Scales",
    "momenta",
    "momenta_within",
    "scales_of",
    "screw_axes",
    "world_velocities",
]

PIECES, MANY = 4, 500
"""Samples of the momentum between two key frames; one if there are more than MANY steps."""


class Scales(NamedTuple):
    """Lengths of arrows [m] per unit of the quantity that they show."""

    turn: float
    """Scale of angular velocities."""
    advance: float
    """Scale of linear velocities."""
    momentum: float
    """Scale of linear momentum."""
    spin: float
    """Scale of angular momentum about the centre of mass."""


class Momenta(NamedTuple):
    """Total momentum and centre of mass of the robot."""

    spin: np.ndarray
    """Angular momentum about the centre of mass [N m s], shape (..., 3)."""
    linear: np.ndarray
    """Linear momentum [N s], shape (..., 3)."""
    centre: np.ndarray
    """Centre of mass [m], shape (..., 3)."""


def world_velocities(
    model: Model, q: np.ndarray, qd: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the bodies' angular velocities, velocities of origins, and origins: (..., NB, 3).

    In base coordinates; planar bodies lie in the plane z = 0.
    """
    motion = forward_kinematics(model, q, qd)
    R, p, v = (np.asarray(x) for x in (motion.R, motion.p, motion.v))
    if not model.is_planar:
        w, v = v[..., :3], v[..., 3:]
        return (R @ w[..., None])[..., 0], (R @ v[..., None])[..., 0], p
    out = np.zeros((3, *p.shape[:-1], 3))
    out[0, ..., 2] = v[..., 0]
    out[1, ..., :2] = (R @ v[..., 1:, None])[..., 0]
    out[2, ..., :2] = p
    return out[0], out[1], out[2]


def screw_axes(
    w: np.ndarray, v: np.ndarray, p: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Convert velocities to screws: a point of the axis, rotation, and translation along the axis.

    w, v and p, each (N, 3), are angular velocities, velocities of origins and origins. The point is
    the one nearest to p. Without rotation, the point is p and the translation is v.

    Examples
    --------
    >>> foot, _, advance = screw_axes(*np.array([[[0.0, 0, 2]], [[0, 2, 1]], [[3, 0, 0]]]))
    >>> foot, advance
    (array([[2., 0., 0.]]), array([[0., 0., 1.]]))
    """
    square = (w * w).sum(axis=-1, keepdims=True)
    turns = square > 1e-12
    safe = np.where(turns, square, 1.0)
    foot = p + np.where(turns, np.cross(w, v) / safe, 0.0)
    advance = np.where(turns, w * (w * v).sum(axis=-1, keepdims=True) / safe, v)
    return foot, np.where(turns, w, 0.0), advance


def momenta(model: Model, q: np.ndarray, qd: np.ndarray) -> Momenta:
    """Compute the robot's momentum, rotors included, at states (..., NQ) and (..., NV)."""
    energy = EnerMo.reference(model, q, qd)
    h, c = np.asarray(energy.htot), np.asarray(energy.cm)
    if model.is_planar:
        h = np.insert(h, [0, 0, 3], 0.0, axis=-1)
        c = np.insert(c, 2, 0.0, axis=-1)
    return Momenta(h[..., :3] - np.cross(c, h[..., 3:]), h[..., 3:], c)


def momenta_within(model: Model, motion: Motion) -> Momenta:
    """Compute the momentum at K + 1 instants between key frames, each result (N - 1, K + 1, 3)."""
    dq, rate = motion.steps(model)
    pieces = PIECES if len(dq) <= MANY else 1
    part = np.linspace(0, 1, pieces + 1)[:, None]
    q = np.asarray(configurationAddition(model, motion.q[:-1, None], part * dq[:, None]))
    return momenta(model, q, np.broadcast_to(rate[:, None], (*q.shape[:2], model.NV)))


def scales_of(model: Model, motion: Motion, unit: float) -> Scales:
    """Choose scales such that the longest arrows of a motion are shorter than the robot."""
    _, rate = motion.steps(model)
    q = motion.q[: len(rate)]
    _, turn, advance = screw_axes(*world_velocities(model, q, rate))
    spin, linear = 0.0, 0.0
    if np.asarray(model.I)[:, -1, -1].any():
        h = momenta(model, q, rate)
        linear, spin = _longest(h.linear), _longest(h.spin)
        spin = spin if spin > 1e-9 * unit * linear else 0.0
    reach = 0.4 * unit
    return Scales(
        min(0.15 * unit, reach / max(1e-9, _longest(turn))),
        min(0.3, reach / max(1e-9, _longest(advance))),
        reach / linear if linear > 1e-9 else 0.0,
        reach / spin if spin > 1e-9 else 0.0,
    )


def _longest(x: np.ndarray) -> float:
    return float(np.linalg.norm(x, axis=-1).max(initial=0.0))
