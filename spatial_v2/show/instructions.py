"""Conversion of MATLAB's drawing instructions to shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.show.mesh_files import MeshError, read_mesh
from spatial_v2.show.shapes import Box, Cylinder, Line, Shape, Sphere, Triangles
from spatial_v2.show.tiles import tiles

__all__ = ["COLOURS", "drawings_of"]

COLOURS = np.array([
    [0.8, 0.1, 0.1], [0.8, 0.4, 0.1], [0.8, 0.7, 0.1], [0.25, 0.6, 0], [0, 0.38, 0.25],
    [0.4, 0.65, 0.8], [0.1, 0.3, 0.75], [0.5, 0.1, 0.8], [0.8, 0.45, 0.7], [0.8, 0.1, 0.6],
    [0.6, 0.6, 0.55], [0.4, 0.3, 0.2],
])  # fmt: skip
"""Colours of the bodies, used in rotation; the base has the last one."""
ARGUMENTS = {
    "box": 1, "cyl": 2, "sphere": 2, "line": 1, "vertices": 1, "triangles": 1, "colour": 1,
    "facets": 1, "tiles": 2, "mesh": 2,
}  # fmt: skip
"""Number of arguments of each drawing command."""


class _Pen(NamedTuple):
    """Drawing state that applies to the following shapes; a nested list has its own."""

    colour: np.ndarray
    facets: int = 24
    vertices: np.ndarray | None = None
    chosen: bool = False
    """True if the colour is from an instruction."""


def drawings_of(
    appearance: Any, nb: int, unread: dict[int, MeshError] | None = None
) -> list[list[Shape]]:
    """Convert drawing instructions to the shapes of the base and of each body.

    Parameters
    ----------
    appearance : mapping
        MATLAB's struct: ``base``, a list of drawing instructions, and ``body``, such a list for
        each body; vertices are counted from 0. In addition to MATLAB's instructions, ``"mesh",
        file, T`` draws a mesh file with its points transformed by the matrix T (4, 4).
    nb : int
        Number of bodies.
    unread : dict, optional
        If given, a drawing with a mesh that cannot be read is left empty, and the error is stored
        here under the number of the drawing.

    Returns
    -------
    list of list of Shape
        The base first, then the bodies.

    Raises
    ------
    ModelError
        If an instruction is wrong; the message names the body and the position in its list.
    MeshError
        If a mesh cannot be read and `unread` is not given.

    Examples
    --------
    >>> appearance = {"body": [["sphere", [0, 0, 1], 0.2]]}
    >>> [len(shapes) for shapes in drawings_of(appearance, 1)]
    [0, 1]
    """
    if not isinstance(appearance, Mapping) or "body" not in appearance:
        raise ModelError("appearance: want a dict with 'body', a list of drawings for each body")
    body = appearance["body"]
    if not isinstance(body, list | tuple) or len(body) > nb:
        raise ModelError(f"appearance['body']: want a list of {nb} drawings, one for each body")
    lists = [appearance.get("base") or [], *body, *[[]] * (nb - len(body))]
    drawings = []
    for i, drawing in enumerate(lists):
        where = f"appearance['body'][{i - 1}]" if i else "appearance['base']"
        pen = _Pen(np.tile(COLOURS[(i - 1) % len(COLOURS)], (2, 1)))
        try:
            drawings.append(_read(drawing, pen, where, is_base=i == 0))
        except MeshError as e:
            if unread is None:
                raise
            unread[i] = e
            drawings.append([])
    return drawings


def _read(drawing: Any, pen: _Pen, where: str, is_base: bool) -> list[Shape]:
    if not isinstance(drawing, list | tuple):
        raise ModelError(f"{where}: want a list of drawing instructions, got {drawing!r}")
    shapes: list[Shape] = []
    k = 0
    while k < len(drawing):
        command, place = drawing[k], f"{where}[{k}]"
        if isinstance(command, list | tuple):
            shapes += _read(command, pen, place, is_base)
            k += 1
            continue
        if not isinstance(command, str) or command.lower() not in ARGUMENTS:
            known = ", ".join(ARGUMENTS)
            raise ModelError(
                f"{place}: want a drawing command ({known}) or a list, got {command!r}"
            )
        command, n = command.lower(), ARGUMENTS[command.lower()]
        arguments = drawing[k + 1 : k + 1 + n]
        texts = [isinstance(x, str) for x in arguments]
        if texts != [command == "mesh", False][:n]:
            raise ModelError(f"{place}: {command!r} wants {n} argument{'s' * (n > 1)} after it")
        if command == "mesh":
            shapes += _mesh(arguments[0], _numbers(arguments[1], place, command), pen, place)
            k += 1 + n
            continue
        a = [_numbers(x, place, command) for x in arguments]
        if command in ("colour", "facets", "vertices"):
            pen = _changed(pen, command, a[0], place)
        elif command == "tiles":
            if not is_base:
                raise ModelError(f"{place}: 'tiles' can be part of the base only")
            shapes += tiles(a[0], a[1], place)
        else:
            shapes.append(_shape(command, a, pen, place))
        k += 1 + n
    return shapes


def _numbers(x: Any, place: str, command: str) -> np.ndarray:
    try:
        a = np.asarray(x, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{place}: {command!r} wants numbers, got {x!r}") from None
    if not np.isfinite(a).all():
        raise ModelError(f"{place}: {command!r} wants finite numbers, got {x!r}")
    return a


def _changed(pen: _Pen, command: str, a: np.ndarray, place: str) -> _Pen:
    if command == "colour":
        rows = np.atleast_2d(a)
        if rows.shape not in ((1, 3), (2, 3)) or rows.min() < 0 or rows.max() > 1:
            raise ModelError(f"{place}: 'colour' wants one or two rows of red, green, blue in 0..1")
        return pen._replace(colour=np.stack([rows[0], rows[-1]]), chosen=True)
    if command == "facets":
        if a.size != 1 or a.item() < 3:
            raise ModelError(f"{place}: 'facets' wants a number from 3 on, got {a.tolist()}")
        return pen._replace(facets=int(a.item()))
    if a.ndim != 2 or a.shape[1] != 3 or len(a) < 2:
        raise ModelError(f"{place}: 'vertices' wants an array (N, 3), got shape {a.shape}")
    return pen._replace(vertices=a)


def _mesh(file: str, T: np.ndarray, pen: _Pen, place: str) -> list[Shape]:
    """Convert a mesh file to shapes, in the file's colours unless an instruction set a colour."""
    if T.shape != (4, 4) or not np.linalg.det(T):
        raise ModelError(f"{place}: 'mesh' wants the name of a file and a matrix (4, 4)")
    turned_out = np.linalg.det(T[:3, :3]) > 0
    return [
        Triangles(
            points @ T[:3, :3].T + T[:3, 3],
            faces if turned_out else faces[:, ::-1],
            pen.colour[0] if pen.chosen or colour is None else colour,
            smooth=True,
        )
        for points, faces, colour in read_mesh(file)
    ]


def _shape(command: str, a: list[np.ndarray], pen: _Pen, place: str) -> Shape:
    def wrong(wanted: str) -> NoReturn:
        raise ModelError(f"{place}: {command!r} wants {wanted}, got {[x.tolist() for x in a]}")

    if command in ("box", "cyl"):
        if a[0].shape != (2, 3):
            wrong("two points as rows")
        if command == "box":
            lower, upper = a[0].min(axis=0), a[0].max(axis=0)
            return Box(lower, upper, pen.colour[0]) if (upper > lower).all() else wrong("a volume")
        if a[1].size != 1 or a[1].item() <= 0 or not np.ptp(a[0], axis=0).any():
            wrong("two points that differ, and a radius")
        return Cylinder(a[0][0], a[0][1], float(a[1].item()), pen.facets, pen.colour[0])
    if command == "sphere":
        if a[0].size != 3 or a[1].size != 1 or a[1].item() <= 0:
            wrong("a centre and a radius")
        facets = 4 * -(-pen.facets // 4)
        return Sphere(a[0].ravel(), float(a[1].item()), facets, pen.colour)
    if command == "line" and a[0].ndim == 2 and a[0].shape[1] == 3 and len(a[0]) > 1:
        return Line(a[0], pen.colour[0])
    if pen.vertices is None:
        raise ModelError(f"{place}: {command!r} names vertices, but no 'vertices' stand before it")
    numbers = a[0].astype(np.int64)
    if (
        (numbers != a[0]).any()
        or numbers.min(initial=0) < 0
        or (numbers >= len(pen.vertices)).any()
    ):
        wrong(f"numbers of vertices from 0 to {len(pen.vertices) - 1}")
    if command == "line":
        if numbers.size < 2 or numbers.size != max(numbers.shape):
            wrong("points (N, 3) or numbers of at least two vertices")
        return Line(pen.vertices[numbers.ravel()], pen.colour[0])
    faces = np.atleast_2d(numbers)
    if faces.ndim != 2 or faces.shape[1] != 3:
        wrong("three vertices a row")
    p, q, r = np.moveaxis(pen.vertices[faces], 1, 0)
    if not np.cross(q - p, r - p).any(axis=1).all():
        wrong("triangles that have an area")
    return Triangles(pen.vertices, faces, pen.colour[0])
