"""Fields of MATLAB's model struct for `showmotion` and for contact: drawings, camera, points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.files.matlab_field import MatlabField
from spatial_v2.files.matlab_values import VERTEX_COMMANDS, has_vertices, shift_vertices

__all__ = ["READ"]


def _appearance(field: MatlabField, n: int) -> dict[str, Any]:
    struct = field.struct()
    out = {}
    if "base" in struct:
        out["base"] = shift_vertices(_drawing(struct["base"]), -1)
    body = _instructions(struct["body"]) if "body" in struct else []
    if body and isinstance(body[0].value, str):
        body = [struct["body"]]
    if len(body) > n:
        raise struct["body"].error(f"a cell of {n}, one drawing for each body")
    return {**out, "body": [shift_vertices(_drawing(x), -1) for x in body]}


def _drawing(field: MatlabField) -> list[Any]:
    """Convert a cell of drawing instructions to a list of strings, numbers and nested lists."""
    out: list[Any] = []
    for x in _instructions(field):
        value, command = x.value, out[-1] if out else None
        if isinstance(command, str) and command in VERTEX_COMMANDS:
            out.append(_numbers(x, "points, or numbers of vertices"))
            if has_vertices(command, out[-1]) and not _count(out[-1]):
                raise x.error("whole numbers of vertices, counted from 1")
        elif isinstance(value, str):
            out.append(value)
        elif isinstance(value, list):
            out.append(_drawing(x))
        else:
            out.append(_numbers(x, "real numbers"))
    return out


def _instructions(field: MatlabField) -> list[MatlabField]:
    if field.is_empty:
        return []
    if not isinstance(field.value, list):
        raise field.error("a cell of drawing instructions")
    return field.entries(len(field.value))


def _numbers(field: MatlabField, wanted: str) -> Any:
    """Return a matrix; a single number as a float, an empty matrix as an empty list."""
    value = field.value
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or value.ndim > 2:
        raise field.error(wanted)
    return [] if value.size == 0 else float(value.item()) if value.size == 1 else value


def _count(x: Any) -> bool:
    return bool(np.all(np.isfinite(x) & np.greater_equal(x, 1) & np.equal(x, np.floor(x))))


def _camera(field: MatlabField, n: int) -> dict[str, Any]:
    camera: dict[str, Any] = {}
    for name, x in field.struct().items():
        if name == "body":
            body = x.bodies(0, n)
            if len(body) != 1:
                raise x.error("the number of a body")
            camera[name] = int(body[0])
        elif isinstance(x.value, str) and x.value:
            camera[name] = x.value
        else:
            vector = np.ravel(_numbers(x, "numbers"))
            camera[name] = float(vector[0]) if len(vector) == 1 else vector
    return camera


def _contacts(field: MatlabField, n: int) -> dict[str, Any]:
    """Read ``gc``: the bodies and contact points, points as rows (MATLAB stores columns)."""
    struct = field.struct()
    for name in ("body", "point"):
        if name not in struct:
            raise field.error("a struct with body and point")
    body = struct["body"].bodies(1, n)
    point = np.asarray(_numbers(struct["point"], "a matrix with a column for each point"))
    point = point.reshape(-1, 1) if point.ndim < 2 else point
    if not len(body) and not point.size:
        return {"point": np.zeros((0, 3)), "body": body}
    if point.shape not in ((3, len(body)), (2, len(body))):
        raise struct["point"].error(
            f"a 3x{len(body)} or 2x{len(body)} matrix, a column for a point"
        )
    return {"point": point.T.copy(), "body": body}


READ: dict[str, Callable[[MatlabField, int], dict[str, Any]]] = {
    "appearance": _appearance,
    "camera": _camera,
    "gc": _contacts,
}
"""Field of the model struct -> function that converts its value, given the number of bodies."""
