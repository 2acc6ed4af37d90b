"""Conversion of the visuals of a URDF file to MATLAB's drawing instructions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from spatial_v2.exceptions import LoaderWarning, ModelFileError
from spatial_v2.io.mesh_paths import mesh_path
from spatial_v2.io.robot_data import Frame
from spatial_v2.io.urdf_mechanics import frame_transforms
from spatial_v2.io.urdf_xml import UrdfRobot, read_origin
from spatial_v2.io.xml_element import XmlElement
from spatial_v2.models.drawings import BOX_FACES
from spatial_v2.spatial import transform_parts

__all__ = ["urdf_appearance"]


def urdf_appearance(
    robot: UrdfRobot, frames: dict[str, Frame], n: int
) -> dict[str, list[Any]] | None:
    """Make `Model.appearance` from a robot's boxes, cylinders, spheres and meshes.

    Parameters
    ----------
    robot : UrdfRobot
        The records of the file.
    frames : dict
        The frames of the links.
    n : int
        Number of bodies.

    Returns
    -------
    dict or None
        Drawing instructions ``base`` and ``body``; None if there is nothing to draw. Meshes are
        named, not read.

    Warns
    -----
    LoaderWarning
        If a visual cannot be read; the result is then None.
    """
    drawings: list[list[Any]] = [[] for _ in range(n + 1)]
    try:
        materials = _materials(robot)
        for name, link in robot.links.items():
            for visual in link.element.all("visual"):
                geometry = visual.need("geometry")
                solid = _solid(geometry, *_place(visual, frames[name]))
                colour = _colour(visual.one("material"), materials)
                drawings[frames[name].body].append([*colour, *solid])
    except ModelFileError as e:
        warnings.warn(f"{e}; the visuals of this robot are left out", LoaderWarning, stacklevel=3)
        return None
    return {"base": drawings[-1], "body": drawings[:-1]} if any(drawings) else None


def _materials(robot: UrdfRobot) -> dict[str, XmlElement]:
    """Return the materials with a name, those of the file before those of its visuals.

    A visual may use a material that an earlier one defines.
    """
    visuals = [x for link in robot.links.values() for x in link.element.all("visual")]
    inside = [m for x in visuals for m in x.all("material") if m.has("name") and m.one("color")]
    named = {m.optional("name"): m for m in reversed(inside)}
    return named | {m.text("name"): m for m in robot.element.all("material")}


def _place(visual: XmlElement, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Return orientation and position of a visual in body coordinates."""
    E, r = transform_parts(frame_transforms([read_origin(visual)])[0] @ frame.X)
    return np.asarray(E).T, np.asarray(r)


def _solid(geometry: XmlElement, R: np.ndarray, p: np.ndarray) -> list[Any]:
    if (box := geometry.one("box")) is not None:
        half = _positive(box, "size", box.vector("size")) / 2
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return ["vertices", p + (signs * half) @ R.T, "triangles", np.array(BOX_FACES)]
    if (tube := geometry.one("cylinder")) is not None:
        radius, length = (
            _positive(tube, x, np.array([tube.number(x)])).item() for x in ("radius", "length")
        )
        reach = R[:, 2] * length / 2
        return ["cyl", np.stack([p - reach, p + reach]), radius]
    if (mesh := geometry.one("mesh")) is not None:
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R * mesh.vector("scale", "1 1 1"), p
        if not np.linalg.det(T):
            raise mesh.error("attribute scale must not have zeros")
        return ["mesh", mesh_path(mesh.text("filename"), mesh.file), T]
    ball = geometry.need("sphere")
    return ["sphere", p, _positive(ball, "radius", np.array([ball.number("radius")])).item()]


def _positive(element: XmlElement, attribute: str, x: np.ndarray) -> np.ndarray:
    if (x <= 0).any():
        raise element.error(f"attribute {attribute} must be positive, got {x.tolist()}")
    return x


def _colour(material: XmlElement | None, materials: dict[str, XmlElement]) -> list[Any]:
    """Return the instruction that sets a visual's colour, or none.

    A material without a colour refers by name to a material of the whole file.
    """
    if material is None:
        return []
    known = material.one("color")
    if known is None and material.text("name") in materials:
        known = materials[material.text("name")].one("color")
    if known is None:
        return []
    words = known.text("rgba").split()
    try:
        rgb = np.array([float(word) for word in words[:3]])
    except ValueError:
        rgb = np.empty(0)
    if len(words) != 4 or not ((rgb >= 0) & (rgb <= 1)).all():
        raise known.error(f"attribute rgba must be four numbers from 0 to 1, got {' '.join(words)}")
    return ["colour", rgb]
