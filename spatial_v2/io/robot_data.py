"""Records for the data of a robot file that the dynamics do not use: limits, couplings, loops."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.model.frame import Frame
from spatial_v2.model.records import JointLimits, Mimic

__all__ = ["UNLIMITED", "Frame", "JointLimits", "Loop", "Mimic"]

UNLIMITED = 1e99
"""Number that stands for no limit in a URDF file, which cannot leave out a single limit."""


@shown_in_notebooks
class Loop(NamedTuple):
    """Two frames that coincide and so close a loop; `loop_constraints` makes it a constraint.

    Attributes
    ----------
    kind : {"point", "frame"}
        ``"point"`` if the origins coincide, ``"frame"`` if the frames do, in the directions `rows`.
    frame1, frame2 : str
        Names in ``model.frames``.
    X1, X2 : (6, 6) array
        Motion transforms from these frames to the frames that coincide.
    rows : (6, m) array
        The constrained directions of a `FrameConstraint`, in coordinates of the first frame.
    """

    kind: Literal["point", "frame"]
    frame1: str
    X1: np.ndarray
    frame2: str
    X2: np.ndarray
    rows: np.ndarray
