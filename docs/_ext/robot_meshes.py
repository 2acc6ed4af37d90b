"""Meshes of a robot with fewer triangles, as data for figures that the reader moves.

Vertices within a cell of a grid become one, placed where it is closest to the planes of the
triangles around it: edges stay sharp, and flat faces flat.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2 import Model
from spatial_v2.show.instructions import drawings_of
from spatial_v2.show.shapes import Shape, Triangles

SMALLEST = 3.0
"""Parts smaller than this number of cells are left out."""
SOFT = 1e-2
"""Weight of the mean of the vertices beside that of the planes."""


def meshes_of(model: Model, cell: float) -> list[list[dict[str, Any]]]:
    """Return the meshes of the base and of each body, one for each colour.

    Parameters
    ----------
    model : Model
        A model with meshes in its appearance.
    cell : float
        Side of the cells within which vertices become one [m].
    """
    assert model.appearance
    return [parts_of(drawing, cell) for drawing in drawings_of(model.appearance, model.NB)]


def licence_of(model: Model) -> str:
    """Return the text of the licence in the folders above the first mesh of a model."""
    assert model.appearance
    drawings = [model.appearance["base"], *model.appearance["body"]]
    file = Path(next(x[1] for drawing in drawings for x in drawing if x[0] == "mesh"))
    found = [path for folder in file.parents[:4] if (path := folder / "LICENSE").is_file()]
    if not found:
        raise FileNotFoundError(f"LICENSE: want a file above {file}, which pages show; got none")
    return found[0].read_text(encoding="utf-8")


def parts_of(drawing: list[Shape], cell: float) -> list[dict[str, Any]]:
    """Return the triangles of a drawing by colour, with fewer triangles, packed."""
    by_colour: dict[tuple[float, ...], list[Triangles]] = {}
    for shape in drawing:
        if isinstance(shape, Triangles) and np.ptp(shape.vertices, axis=0).max() > SMALLEST * cell:
            by_colour.setdefault(tuple(np.round(shape.colour, 2).tolist()), []).append(shape)
    return [
        packed(colour, *simplified(*joined(shapes), cell)) for colour, shapes in by_colour.items()
    ]


def joined(shapes: list[Triangles]) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices (N, 3) and faces (M, 3) of several meshes as one."""
    first = np.cumsum([0, *(len(x.vertices) for x in shapes)])
    faces = [x.faces + n for x, n in zip(shapes, first, strict=False)]
    return np.concatenate([x.vertices for x in shapes]), np.concatenate(faces)


def simplified(
    vertices: np.ndarray, faces: np.ndarray, cell: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return a mesh with one vertex in each cell of a grid.

    The vertex minimises the sum of squared distances from the planes of the triangles around it,
    weighted by their areas, and of the squared distance from the mean of the vertices in the cell.
    """
    _, group = np.unique(np.floor(vertices / cell), axis=0, return_inverse=True)
    group = group.reshape(-1)
    n = group.max() + 1
    mean = np.zeros((n, 3))
    np.add.at(mean, group, vertices)
    mean /= np.bincount(group, minlength=n)[:, None]
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    area = np.cross(b - a, c - a)
    size = np.linalg.norm(area, axis=1)
    normal = area / np.where(size > 0, size, 1)[:, None]
    A, right = np.zeros((n, 3, 3)), np.zeros((n, 3))
    for k in range(3):
        i = group[faces[:, k]]
        np.add.at(A, i, (size[:, None] * normal)[:, :, None] * normal[:, None])
        height = size * np.sum(normal * (a - mean[i]), axis=1)
        np.add.at(right, i, height[:, None] * normal)
    A += (SOFT * np.trace(A, axis1=1, axis2=2) + 1e-12)[:, None, None] * np.eye(3)
    step = np.linalg.solve(A, right[..., None])[..., 0]
    points = mean + np.clip(step, -cell / 2, cell / 2)
    corners = group[faces]
    x, y, z = corners.T
    corners = corners[(x != y) & (y != z) & (z != x)]
    turned = np.stack([np.roll(row, -k) for row, k in zip(corners, corners.argmin(1), strict=True)])
    corners = np.unique(turned, axis=0)
    used, faces = np.unique(corners, return_inverse=True)
    return points[used], faces.reshape(-1, 3)


def packed(colour: tuple[float, ...], vertices: np.ndarray, faces: np.ndarray) -> dict[str, Any]:
    """Return a mesh as data: coordinates in steps of its box, and numbers, of 16 bits in base64."""
    lower = vertices.min(axis=0)
    step = float(np.ptp(vertices, axis=0).max()) / 65535
    if len(vertices) > 65535:
        raise ValueError(f"cell: want at most 65535 vertices of a colour; got {len(vertices)}")
    return {
        "colour": list(colour),
        "lower": np.round(lower, 6).tolist(),
        "step": step,
        "vertices": encoded(np.round((vertices - lower) / step)),
        "faces": encoded(faces),
    }


def encoded(numbers: np.ndarray) -> str:
    return base64.b64encode(numbers.astype("<u2").tobytes()).decode()
