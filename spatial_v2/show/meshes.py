"""Conversion of shapes to triangles."""

from __future__ import annotations

import numpy as np

from spatial_v2.show.shapes import Box, Cylinder, Line, Shape, Sphere, Triangles

__all__ = ["ball", "facets_of"]

_CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_CUBE_FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def facets_of(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return corners (M, 3, 3) and colours (M, 3) of the triangles of a shape.

    Corners are counter-clockwise as seen from outside. A line has no triangles.

    Examples
    --------
    >>> corners, colours = facets_of(Box(np.zeros(3), np.ones(3), np.zeros(3)))
    >>> corners.shape, colours.shape
    ((12, 3, 3), (12, 3))
    """
    match shape:
        case Line():
            return np.empty((0, 3, 3)), np.empty((0, 3))
        case Box(lower, upper, colour):
            corners = (lower + _CUBE * (upper - lower))[_CUBE_FACES]
        case Triangles(vertices, faces, colour):
            corners = vertices[faces]
        case Cylinder(_, _, _, _, colour):
            corners = _cylinder(shape)
        case Sphere(centre, radius, facets, colours):
            corners = ball(facets)
            octant = np.prod(np.sign(corners.sum(axis=1)), axis=-1) < 0
            return centre + radius * corners, colours[octant.astype(int)]
    return corners, np.broadcast_to(colour, (len(corners), 3))


def _cylinder(shape: Cylinder) -> np.ndarray:
    axis = (shape.end - shape.start) / np.linalg.norm(shape.end - shape.start)
    x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    x = x / np.linalg.norm(x)
    turn = 2 * np.pi * np.arange(shape.facets + 1)[:, None] / shape.facets
    rim = shape.radius * (np.cos(turn) * x + np.sin(turn) * np.cross(axis, x))
    low, high = shape.start + rim, shape.end + rim
    a, b, c, d = low[:-1], low[1:], high[1:], high[:-1]
    bottom, top = np.broadcast_to(shape.start, a.shape), np.broadcast_to(shape.end, a.shape)
    parts = [(a, b, c), (a, c, d), (bottom, b, a), (top, d, c)]
    return np.concatenate([np.stack(part, axis=1) for part in parts])


def ball(facets: int) -> np.ndarray:
    """Return triangles (M, 3, 3) of the unit sphere with `facets` edges around its equator.

    Examples
    --------
    >>> ball(8).shape
    (48, 3, 3)
    """
    turn = 2 * np.pi * np.arange(facets + 1) / facets
    height = np.linspace(-np.pi / 2, np.pi / 2, facets // 2 + 1)[:, None]
    p = np.stack(
        [np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn),
         np.sin(height) + 0 * turn], axis=-1,
    )  # fmt: skip
    a, b, c, d = (x.reshape(-1, 3) for x in (p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]))
    corners = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    edges = corners - np.roll(corners, 1, axis=1)
    return np.asarray(corners[(np.linalg.norm(edges, axis=-1) > 1e-9).all(axis=1)])
