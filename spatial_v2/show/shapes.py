"""Solids and lines that drawing instructions produce, in body coordinates."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple, TypeAlias

import numpy as np

__all__ = ["Box", "Cylinder", "Line", "Shape", "Sphere", "Triangles", "as_dict", "extent"]


class Box(NamedTuple):
    """A box with edges along the coordinate axes."""

    lower: np.ndarray
    """Corner with the least coordinates [m], shape (3,)."""
    upper: np.ndarray
    """The opposite corner [m], shape (3,)."""
    colour: np.ndarray
    """Red, green and blue from 0 to 1, shape (3,)."""


class Cylinder(NamedTuple):
    """A solid cylinder."""

    start: np.ndarray
    """Centre of one end [m], shape (3,)."""
    end: np.ndarray
    """Centre of the other end [m], shape (3,)."""
    radius: float
    """Radius [m]."""
    facets: int
    """Number of flat faces that approximate the round one."""
    colour: np.ndarray
    """Red, green and blue from 0 to 1, shape (3,)."""


class Sphere(NamedTuple):
    """A ball, whose octants have alternating colours."""

    centre: np.ndarray
    """Centre [m], shape (3,)."""
    radius: float
    """Radius [m]."""
    facets: int
    """Number of edges of the equator, a multiple of four."""
    colour: np.ndarray
    """The two alternating colours of the octants, shape (2, 3)."""


class Line(NamedTuple):
    """A polygonal line through points."""

    points: np.ndarray
    """The points [m], shape (N, 3)."""
    colour: np.ndarray
    """Red, green and blue from 0 to 1, shape (3,)."""


class Triangles(NamedTuple):
    """Flat triangles, counter-clockwise as seen from outside."""

    vertices: np.ndarray
    """The points [m], shape (N, 3)."""
    faces: np.ndarray
    """Indices of the three points of each triangle, shape (M, 3)."""
    colour: np.ndarray
    """Red, green and blue from 0 to 1, shape (3,)."""
    smooth: bool = False
    """True if blunt edges are shaded smoothly."""


Shape: TypeAlias = Box | Cylinder | Sphere | Line | Triangles


def as_dict(shape: Shape) -> dict[str, Any]:
    """Convert a shape to a dict for JSON, with the arrays of triangles in base64.

    Examples
    --------
    >>> as_dict(Line(np.eye(3)[:2], np.zeros(3)))["kind"]
    'line'
    """
    if isinstance(shape, Triangles):
        shape = shape._replace(
            vertices=_packed(shape.vertices, "<f4"), faces=_packed(shape.faces, "<u4")
        )
    fields = {
        name: np.round(x, 6).tolist() if isinstance(x, np.ndarray) else x
        for name, x in shape._asdict().items()
    }
    return {"kind": type(shape).__name__.lower(), **fields}


def _packed(x: np.ndarray, dtype: str) -> Any:
    return base64.b64encode(np.ascontiguousarray(x, dtype=dtype).tobytes()).decode()


def extent(shape: Shape) -> np.ndarray:
    """Return points (N, 3) whose bounding box contains the shape.

    Examples
    --------
    >>> extent(Sphere(np.zeros(3), 2.0, 24, np.zeros((2, 3))))
    array([[-2., -2., -2.],
           [ 2.,  2.,  2.]])
    """
    match shape:
        case Box(lower, upper):
            return np.stack([lower, upper])
        case Sphere(centre, radius):
            return np.stack([centre - radius, centre + radius])
        case Cylinder(start, end, radius):
            axis = (end - start) / np.linalg.norm(end - start)
            reach = radius * np.sqrt(np.clip(1 - axis**2, 0, 1))
            return np.stack([start - reach, start + reach, end - reach, end + reach])
        case Line(points):
            return points
        case Triangles(vertices):
            return vertices
