"""What a robot file says beyond the dynamics: the records in ``model.limits, mimic, frames``."""

from __future__ import annotations

import math
from typing import NamedTuple

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.model.frame import Frame

__all__ = ["Frame", "JointLimits", "Mimic"]


@shown_in_notebooks
class JointLimits(NamedTuple):
    """Bounds of a joint: position [rad or m], speed [rad/s or m/s], effort [N m or N]."""

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf


@shown_in_notebooks
class Mimic(NamedTuple):
    """The joint is meant to follow another: ``q = multiplier * q_joint + offset``."""

    joint: str
    multiplier: float
    offset: float
