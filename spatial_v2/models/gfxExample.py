"""A two-link robot with examples of all drawing instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.model import Model
from spatial_v2.models.planar import planar

__all__ = ["gfxExample"]


def gfxExample(track: bool = False) -> Model:
    """Make the robot ``planar(2)`` with an example of every drawing instruction of `showmotion`.

    MATLAB: ``model = gfxExample``; with any argument, the camera follows the tip of the robot. The
    function of the extended distribution fails because of a stray word in its drawing list.

    Parameters
    ----------
    track : bool, optional
        If True, the camera follows the tip of the second link.

    Returns
    -------
    Model
        Kinematics and inertias of ``planar(2)``; vertices are counted from 0.

    Examples
    --------
    >>> gfxExample(True).camera["body"]
    1
    """
    model = planar(2)
    assert model.appearance is not None
    link = model.appearance["body"][0]
    return model.replace(
        name="gfxExample",
        appearance={"base": _base(), "body": [[*link, *_balls()], [*link, *_rings()]]},
        camera={"body": 1, "trackpoint": [1.1, 0.0, 0.0]} if track else None,
    )


def _base() -> list[Any]:
    """Return drawings of a floor, a platform of five tiled panels, a pedestal and a roof.

    A panel faces the positive direction of the axis whose range is zero, or the negative direction
    if the range is negative.
    """
    x, y, z = [-0.4, 0.45], [-0.4, 0.4], [-0.3, -0.15]
    behind = [-0.4, -0.4 - 1e-9]
    panels = [
        [x, behind, z], [x, [0.4, 0.4], z], [behind, y, z], [[0.45, 0.45], y, z],
        [x, y, [-0.15, -0.15]],
    ]  # fmt: skip
    roof = [
        [-0.2, -0.1, 0.4], [0.1, -0.1, 0.4], [0.1, 0.1, 0.4], [-0.2, 0.1, 0.4],
        [-0.1, 0.0, 0.5], [0.0, 0.0, 0.5],
    ]  # fmt: skip
    slopes = [[0, 1, 5], [0, 5, 4], [2, 3, 4], [2, 4, 5], [2, 1, 0], [2, 0, 3]]
    return [
        "tiles", [[-1.0, 2.0], [-1.0, 1.0], [-0.3, -0.3]], 0.4,
        *(word for panel in panels for word in ("tiles", panel, 0.1)),
        "box", [[-0.2, -0.3, -0.2], [0.2, 0.3, -0.07]],
        "vertices", roof, "triangles", slopes,
        "colour", [0.45, 0.2, 0.35], "triangles", [[1, 2, 5], [3, 0, 4]],
    ]  # fmt: skip


def _balls() -> list[Any]:
    """Return drawings of balls with colours and facets of their own, a line, and a plain ball."""
    two_tone = ["facets", 80.0, "colour", [[0.0, 0.5, 0.0], [0.4, 0.8, 0.4]]]
    return [
        [
            "colour", [0.1, 0.3, 0.6],
            [*two_tone, "sphere", [0.4, 0.0, 0.2], 0.08],
            ["facets", 8.0, "sphere", [0.2, 0.0, 0.2], 0.1],
        ],
        "line", [[0.0, 0.0, 0.0], [0.0, 0.0, 0.2], [0.8, 0.0, 0.2]],
        "sphere", [0.6, 0.0, 0.2], 0.06,
    ]  # fmt: skip


def _rings() -> list[Any]:
    """Return drawings of circles, as lines of many points, and of the outline of a triangle."""
    rings: list[Any] = []
    for k in range(6):
        ring = _circle([0.2 + 0.05 * k, 0.0, 0.0], 0.15 - 0.01 * k, [1.0, 0.0, 0.0])
        rings += ["colour", [0.0, 0.8 - 0.05 * k, 0.8], "line", ring]
    rings += ["colour", [0.8, 0.5, 0.7], "line", _circle([0.7, 0.0, 0.0], 0.2, [1.0, 0.0, 1.0])]
    outline = [[1.1, 0.0, 0.0], [0.9, 0.1, 0.0], [0.9, -0.1, 0.0], [1.1, 0.0, 0.0]]
    return [*rings, "colour", [1.0, 1.0, 1.0], "line", outline]


def _circle(centre: list[float], radius: float, normal: list[float]) -> np.ndarray:
    """Return 101 points of a circle; the last one equals the first."""
    n = np.array(normal) / np.linalg.norm(normal)
    a = np.array([0.0, 1.0, 0.0])
    t = 2 * np.pi * np.arange(101)[:, None] / 100
    return np.asarray(centre + radius * (np.cos(t) * a + np.sin(t) * np.cross(n, a)))
