"""Chequered floors and walls."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.show.shapes import Triangles

__all__ = ["tiles"]

DARK, LIGHT = 0.75 * np.full(3, 0.3), np.full(3, 0.3)
_NUDGE = 1e-9


def tiles(ranges: np.ndarray, size: np.ndarray, place: str) -> list[Triangles]:
    """Make the triangles of a chequered rectangle, one shape for each of its two colours.

    Parameters
    ----------
    ranges : (3, 2) array
        First and last value of x, y and z [m]. Exactly one range has length zero or is decreasing:
        the rectangle is perpendicular to this axis, and faces its positive direction if the length
        is zero, the negative direction if it is decreasing.
    size : array of one number
        Edge of a tile [m]. The grid passes through the origin; tiles at the edges of the rectangle
        may be shorter, or up to 5 % longer.
    place : str
        Location of the instruction, for messages.

    Examples
    --------
    >>> floor = tiles(np.array([[0.0, 2.0], [0.0, 1.0], [0.0, 0.0]]), np.array(0.5), "base")
    >>> [len(part.faces) for part in floor]
    [8, 8]
    """
    if ranges.shape != (3, 2) or size.size != 1 or size.item() <= 0:
        raise ModelError(f"{place}: 'tiles' wants ranges (3, 2) of x, y, z and the size of a tile")
    width, edge = ranges[:, 1] - ranges[:, 0], float(size.item())
    flat = np.flatnonzero(width <= 0)
    if len(flat) != 1:
        raise ModelError(
            f"{place}: 'tiles' wants exactly one of the ranges of x, y and z with equal ends (or "
            "with the larger end first, to face the negative direction), "
            f"got {ranges.tolist()}"
        )
    k = int(flat[0])
    i, j = (k + 1) % 3, (k + 2) % 3
    if min(width[i], width[j]) < 1.5 * edge * (1 - _NUDGE):
        raise ModelError(f"{place}: 'tiles' wants sides of one tile and a half or more")
    u, v = _cuts(ranges[i], edge), _cuts(ranges[j], edge)
    corners = np.empty((len(u), len(v), 3))
    corners[..., i], corners[..., j], corners[..., k] = u[:, None], v, ranges[k].mean()
    number = np.arange(corners.size // 3).reshape(len(u), len(v))
    a, b, c, d = (x.ravel() for x in (number[:-1, :-1], number[1:, :-1], number[1:, 1:],
                                      number[:-1, 1:]))  # fmt: skip
    cells = np.floor(0.5 * (u[1:] + u[:-1]) / edge)[:, None]
    odd = ((cells + np.floor(0.5 * (v[1:] + v[:-1]) / edge)) % 2 > 0).ravel()
    faces = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 2, 3)
    faces = faces[..., ::-1] if width[k] < 0 else faces
    points = corners.reshape(-1, 3)
    return [
        Triangles(points, faces[odd == is_odd].reshape(-1, 3), colour)
        for is_odd, colour in ((False, LIGHT), (True, DARK))
    ]


def _cuts(ends: np.ndarray, edge: float) -> np.ndarray:
    """Return the cuts between tiles: both ends, and multiples of the edge not close to an end."""
    first, last = ends.tolist()
    inner = edge * np.arange(np.floor(first / edge), np.ceil(last / edge) + 1)
    keep = (inner > first + 0.05 * edge) & (inner < last - 0.05 * edge)
    return np.concatenate([[first], inner[keep], [last]])
