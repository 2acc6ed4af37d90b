"""Reading of mesh files by the package trimesh, if it is installed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["MeshError", "Part", "read_mesh"]

HINT = "pip install '.[meshes]'"
Part = tuple[np.ndarray, np.ndarray, np.ndarray | None]
"""Vertices (N, 3), faces (M, 3), and the colour that the file gives them."""


class MeshError(SpatialError):
    """Error: a mesh cannot be read; the message says why and what to do."""


def read_mesh(file: str) -> list[Part]:
    """Read the parts of a mesh file, one for each colour.

    Parameters
    ----------
    file : str
        Path of the file: STL, DAE, OBJ, PLY, or another format that trimesh reads.

    Returns
    -------
    list of Part
        The parts, without repeated vertices; in metres if the file names its unit.

    Raises
    ------
    MeshError
        If the file does not exist or cannot be read, or trimesh, or pycollada for DAE, is missing.
    """
    if file.startswith("package:"):
        raise MeshError(f"{file}: not found above the robot's file, nor in ROS_PACKAGE_PATH")
    path = Path(file)
    if not path.is_file():
        raise MeshError(
            f"{file}: no such file; give a path that exists, or draw shapes in place of meshes"
        )
    return _read(file, path.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _read(file: str, _: int) -> list[Part]:
    try:
        import trimesh

        if file.lower().endswith(".dae"):
            import collada  # noqa: F401
    except ImportError as e:
        missing = "pycollada" if e.name == "collada" else "trimesh"
        raise MeshError(f"{missing} is not installed: {HINT}") from e
    try:
        scene: Any = trimesh.load_scene(file)
        unit = _unit(scene.units)
        parts = [_part(x, unit) for x in scene.dump() if hasattr(x, "faces")]
    except Exception as e:
        raise MeshError(f"{file}: {type(e).__name__}: {e}") from e
    if not sum(len(faces) for _, faces, _ in parts):
        raise MeshError(
            f"{file}: has no triangles; want a mesh of triangles, such as an STL or OBJ file"
        )
    return parts


def _unit(units: str | None) -> float:
    """Return the length of a file's unit in metres; DAE files name their unit."""
    number, _, rest = (units or "").partition(" * ")
    return float(number) if rest == "meters" else 1.0


def _part(mesh: Any, unit: float) -> Part:
    points, number = np.unique(
        np.asarray(mesh.vertices, dtype=np.float32), axis=0, return_inverse=True
    )
    faces = number.reshape(-1)[np.asarray(mesh.faces)]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    return unit * points.astype(float), faces, _colour(mesh.visual)


def _colour(visual: Any) -> np.ndarray | None:
    """Return the main colour of a mesh, or None if the file gives none."""
    if not visual.defined:
        return None
    source = getattr(visual, "material", None) or visual
    rgba = np.asarray(source.main_color, dtype=float).ravel()
    return rgba[:3] / 255 if rgba.size >= 3 and np.isfinite(rgba).all() else None
