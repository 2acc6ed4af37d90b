"""Records of data that the dynamics do not use: frames, limits and couplings of joints."""

from __future__ import annotations

import math
from typing import NamedTuple

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["Frame", "JointLimits", "Mimic"]


@shown_in_notebooks
class Frame(NamedTuple):
    """A frame fixed in a body (-1: the base); `X` (6, 6) maps motions from body to frame."""

    body: int
    """Number of the body, -1 for the base."""
    X: Array
    """Transform of motion vectors from the body to the frame, shape (6, 6), planar (3, 3)."""


@shown_in_notebooks
class JointLimits(NamedTuple):
    """Bounds of a joint: position [rad or m], speed [rad/s or m/s], effort [N m or N]."""

    lower: float = -math.inf
    """Least position [rad or m]."""
    upper: float = math.inf
    """Largest position [rad or m]."""
    velocity: float = math.inf
    """Largest speed [rad/s or m/s]."""
    effort: float = math.inf
    """Largest force [N m or N]."""


@shown_in_notebooks
class Mimic(NamedTuple):
    """Coupling of a joint to another joint: ``q = multiplier * q_joint + offset``."""

    joint: str
    """Name of the joint that moves this one."""
    multiplier: float = 1.0
    """Ratio of the positions."""
    offset: float = 0.0
    """Position where the other joint is at zero [rad or m]."""
