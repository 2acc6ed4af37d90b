"""The scene of an animation: shapes, masses, motion and camera, computed once."""

from __future__ import annotations

import base64
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_v2.joints.table import PRISMATIC, REVOLUTE
from spatial_v2.model import Model
from spatial_v2.show.bones import bones
from spatial_v2.show.camera import ANGLE, View, view_of
from spatial_v2.show.instructions import drawings_of
from spatial_v2.show.marks import MARKS, Mark
from spatial_v2.show.mass import BodyMass, body_masses
from spatial_v2.show.mesh_files import MeshError
from spatial_v2.show.motion import Motion, local_poses
from spatial_v2.show.poses import poses
from spatial_v2.show.rates import Scales, momenta_within, scales_of
from spatial_v2.show.shapes import Shape, Triangles, as_dict, extent
from spatial_v2.show.thin import thinned
from spatial_v2.three_d import rq

__all__ = ["OVERLAYS", "Grid", "Scene", "make_scene"]

OVERLAYS = tuple(MARKS)
"""Overlays that can be drawn on top of the bodies."""
SAMPLES = 60
"""Number of key frames from which the extent of the motion is determined."""


@dataclass(frozen=True)
class Grid:
    """Grid of lines on the ground."""

    height: float
    centre: tuple[float, float]
    step: float
    cells: int


@dataclass(frozen=True)
class Scene:
    """A robot with its shapes, motion, overlays and camera."""

    model: Model
    motion: Motion
    shapes: list[list[Shape]]
    """Shapes of the base, then of the bodies."""
    masses: list[BodyMass]
    view: View
    grid: Grid | None
    size: float
    """Length that scales symbols, of the order of the robot's size, less for many bodies [m]."""
    overlays: tuple[str, ...]

    @cached_property
    def scales(self) -> Scales:
        """Scales of the lengths of arrows."""
        return scales_of(self.model, self.motion, self.size)

    def marks(self, overlay: str) -> list[Mark]:
        """Return the marks of an overlay that occur in this scene."""
        absent = {
            "contact force": self.motion.f_contact is None,
            "path of the centre of mass": len(self.motion.t) == 1,
        }
        return [mark for mark in MARKS[overlay] if not absent.get(mark.text, False)]

    @property
    def shown(self) -> tuple[str, ...]:
        """The chosen overlays, without those of which the scene has nothing."""
        moves, mass = len(self.motion.t) > 1, any(x.m > 0 for x in self.masses)
        there = {
            **dict.fromkeys(("com", "ellipsoids", "boxes"), mass),
            "velocities": moves,
            "momentum": moves and mass,
            "contacts": bool(self.model.gc),
            "forces": self.motion.f_ext is not None,
        }
        return tuple(x for x in self.overlays if there.get(x, True))

    def legend(self) -> list[Mark]:
        """Return the marks of the overlays that are shown."""
        return [mark for overlay in self.shown for mark in self.marks(overlay)]

    def as_dict(self) -> dict[str, Any]:
        """Return the data of the page for JSON, with poses in base64.

        Long motions are thinned, with a warning that says how much is lost.
        """
        model = self.model
        kept, notice = thinned(model, self.motion)
        if notice:
            warnings.warn(notice, stacklevel=4)
        motion = kept.refined(model)
        R, p = local_poses(model, motion.q)
        numbers = np.concatenate([_quaternions(R), p], axis=-1)
        moves = len(motion.t) > 1 and any(x.m > 0 for x in self.masses)
        gc = model.gc or {"body": [], "point": np.zeros((0, 3))}
        return {
            "name": model.name or "robot",
            "t": motion.t.tolist(),
            "poses": _packed(numbers),
            "forces": _packed(motion.f_ext),
            "contactForces": _packed(motion.f_contact),
            "momenta": _packed(
                np.concatenate(momenta_within(model, motion), axis=-1) if moves else None
            ),
            "scales": self.scales._asdict(),
            "base": [as_dict(x) for x in self.shapes[0]],
            "bodies": [self._body(i) for i in range(model.NB)],
            "contacts": [
                {"body": int(b), "point": [*np.ravel(x).tolist(), 0.0][:3]}
                for b, x in zip(gc["body"], np.asarray(gc["point"]), strict=True)
            ],
            "view": {
                "angle": ANGLE,
                **{k: np.asarray(x).tolist() for k, x in self.view._asdict().items()},
            },
            "grid": vars(self.grid) if self.grid else None,
            "size": self.size,
            "overlays": list(self.overlays),
            "marks": {name: self.marks(name) for name in OVERLAYS},
            "notice": notice,
        }

    def _body(self, i: int) -> dict[str, Any]:
        joint, mass = self.model.layout.joints[i], self.masses[i]
        kind = {REVOLUTE: "H" if joint.pitch else "R", PRISMATIC: "P"}.get(joint.kind, "")
        return {
            "name": self.model.body_names[i],
            "parent": int(self.model.parent[i]),
            "shapes": [as_dict(x) for x in self.shapes[i + 1]],
            "joint": {
                "kind": kind,
                "axis": (joint.sign * np.eye(3)[joint.axis]).tolist(),
                "pitch": joint.pitch,
                "q": float(self.motion.q[0, self.model.qinds[i]][0]) if kind else None,
                "range": self._range(i),
            },
            "mass": mass.m,
            "com": mass.c.tolist(),
            "ellipsoid": {"axes": _quaternions(mass.axes).tolist(), "radii": mass.radii.tolist()},
        }

    def _range(self, i: int) -> list[float]:
        """Return the least and the largest position that a slider gives to a joint."""
        limits = (self.model.limits or {}).get(self.model.joint_names[i])
        far = self.size if self.model.layout.joints[i].kind == PRISMATIC else np.pi
        start = float(self.motion.q[0, self.model.qinds[i]][0])
        low = limits.lower if limits and np.isfinite(limits.lower) else -far
        high = limits.upper if limits and np.isfinite(limits.upper) else far
        return [min(float(low), start), max(float(high), start)]


def _packed(x: np.ndarray | None) -> str:
    """Encode numbers as base64 of float32; None as an empty string."""
    values = np.empty(0) if x is None else x
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode()


def _quaternions(R: np.ndarray) -> np.ndarray:
    """Convert rotations from body to parent coordinates to quaternions [w, x, y, z]."""
    return np.asarray(rq(np.swapaxes(R, -1, -2)))


def make_scene(model: Model, motion: Motion, overlays: Any = ()) -> Scene:
    """Make the scene of a motion; the camera shows all of it, or follows a body."""
    chosen = (overlays,) if isinstance(overlays, str) else tuple(overlays)
    unknown = [x for x in chosen if x not in OVERLAYS]
    if unknown:
        from spatial_v2.exceptions import SpatialError

        raise SpatialError(f"overlays: want names among {', '.join(OVERLAYS)}; got {unknown[0]!r}")
    shapes = _shapes(model)
    follows = int((model.camera or {}).get("body", -1)) >= 0
    samples = np.unique(np.linspace(0, len(motion.q) - 1, 1 if follows else SAMPLES).astype(int))
    R, p = poses(model, motion.q[samples])
    moving = _cloud(shapes, R, p)
    if not len(moving):
        moving = np.concatenate([p.reshape(-1, 3) - 0.5, p.reshape(-1, 3) + 0.5])
    first = _cloud(shapes, R[:1], p[:1])
    first = first if len(first) else moving
    solid = [extent(x) for x in shapes[0] if np.ptp(extent(x), axis=0).all()]
    seen = np.concatenate([moving, *([] if follows else solid)])
    size = float(np.linalg.norm(np.ptp(first, axis=0))) or 1.0
    size /= max(1.0, np.sqrt(model.NB / 6))
    view = view_of(model, seen, R[0], p[0])
    return Scene(
        model, motion, shapes, body_masses(model), view, _grid(model, shapes, moving, first), size,
        chosen,
    )  # fmt: skip


def _shapes(model: Model) -> list[list[Shape]]:
    """Return the shapes of base and bodies, with bones in place of unreadable meshes."""
    if not model.appearance:
        return drawings_of(bones(model), model.NB)
    unread: dict[int, MeshError] = {}
    shapes = drawings_of(model.appearance, model.NB, unread)
    if unread:
        instead = drawings_of(bones(model), model.NB)
        shapes = [instead[i] if i in unread else x for i, x in enumerate(shapes)]
        warnings.warn(
            f"{len(unread)} of {len(shapes)} drawings have meshes that cannot be read, bones are "
            f"drawn instead: {next(iter(unread.values()))}",
            stacklevel=4,
        )
    return shapes


def _cloud(shapes: list[list[Shape]], R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Collect points of all bodies at all instants, in base coordinates, shape (N, 3)."""
    clouds = [np.empty((0, 3))]
    for i, drawing in enumerate(shapes[1:]):
        if drawing:
            points = np.concatenate([extent(x) for x in drawing])
            box = np.stack([points.min(axis=0), points.max(axis=0)])
            corners = np.stack(np.meshgrid(*box.T), axis=-1).reshape(-1, 3)
            clouds.append((corners @ np.swapaxes(R[:, i], -1, -2) + p[:, i, None]).reshape(-1, 3))
    return np.concatenate(clouds)


def _grid(
    model: Model, shapes: list[list[Shape]], moving: np.ndarray, first: np.ndarray
) -> Grid | None:
    """Make the grid on the ground, or None if the model draws its own floor."""
    if any(isinstance(x, Triangles) and not np.ptp(x.vertices[:, 2]) for x in shapes[0]):
        return None
    base = [extent(x) for x in shapes[0]]
    lowest = min(float(x[:, 2].min()) for x in [first, *base])
    height = 0.0 if model.gc else min(0.0, lowest)
    around = np.concatenate([moving, np.zeros((1, 3))])
    lower, upper = around.min(axis=0), around.max(axis=0)
    width = 1.3 * float((upper - lower).max()) or 1.0
    step = 10 ** np.floor(np.log10(width / 4))
    step *= next(k for k in (1, 2, 5, 10) if width / (step * k) <= 12)
    x, y, _ = (step * np.round((lower + upper) / 2 / step)).tolist()
    return Grid(height, (x, y), float(step), 2 * int(np.ceil(width / step / 2)))
