"""What a robot file says beyond the dynamics: the records in ``model.limits, mimic, frames``."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

__all__ = ["Frame", "JointLimits", "Mimic"]


class JointLimits(NamedTuple):
    """Bounds of a joint: position [rad or m], speed [rad/s or m/s], effort [N m or N]."""

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf


class Mimic(NamedTuple):
    """The joint is meant to follow another: ``q = multiplier * q_joint + offset``."""

    joint: str
    multiplier: float
    offset: float


class Frame(NamedTuple):
    """A frame fixed in a body (-1: the base); `X` (6, 6) maps motions from body to frame."""

    body: int
    X: np.ndarray
