"""Marks of the overlays: their colours, and what the legend says about them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["MARKS", "Mark", "hue"]


class Mark(NamedTuple):
    """A kind of symbol in an overlay."""

    text: str
    """Meaning of the symbol, for the legend."""
    colour: tuple[float, float, float]
    """Red, green and blue, from 0 to 1."""
    shape: str = "line"
    """Sample in the legend: "line", "dot" or "area"."""


_BROWN, _BLUE, _RED = (0.7, 0.42, 0.15), (0.2, 0.45, 0.75), (0.82, 0.0, 0.1)

MARKS: dict[str, tuple[Mark, ...]] = {
    "frames": (
        Mark("x axis of a frame", (0.85, 0.15, 0.15)),
        Mark("y axis", (0.1, 0.6, 0.15)),
        Mark("z axis", (0.15, 0.3, 0.9)),
    ),
    "names": (),
    "axes": (Mark("joint axis", (0.55, 0.15, 0.65)),),
    "velocities": (
        Mark("angular velocity", (0.9, 0.45, 0.0)),
        Mark("velocity along the axis", (0.0, 0.55, 0.6)),
    ),
    "com": (
        Mark("centre of mass", (1.0, 0.83, 0.0), "dot"),
        Mark("path of the centre of mass", (0.75, 0.55, 0.0)),
    ),
    "momentum": (
        Mark("linear momentum", (0.1, 0.5, 0.25)),
        Mark("angular momentum", (0.5, 0.6, 0.1)),
    ),
    "ellipsoids": (Mark("ellipsoid of equal inertia", _BLUE, "area"),),
    "boxes": (Mark("box of equal inertia", _BROWN, "area"),),
    "contacts": (Mark("contact point", _RED, "dot"), Mark("contact force", _RED)),
    "forces": (Mark("force", _RED), Mark("couple about its axis", (0.2, 0.2, 0.8))),
}
"""Marks of each overlay."""


def hue(overlay: str, k: int = 0) -> np.ndarray:
    """Return the colour of mark k of an overlay.

    Examples
    --------
    >>> hue("com").tolist()
    [1.0, 0.83, 0.0]
    """
    return np.array(MARKS[overlay][k].colour)
