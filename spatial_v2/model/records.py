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
    X: Array


@shown_in_notebooks
class JointLimits(NamedTuple):
    """Bounds of a joint: position [rad or m], speed [rad/s or m/s], effort [N m or N]."""

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf


@shown_in_notebooks
class Mimic(NamedTuple):
    """Coupling of a joint to another joint: ``q = multiplier * q_joint + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
