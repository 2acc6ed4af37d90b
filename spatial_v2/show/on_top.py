"""What a teacher points at, in pictures: frames, axes, centre of mass, ellipsoids, contacts."""

from __future__ import annotations

import numpy as np

from spatial_v2.joints.table import SPHERICAL
from spatial_v2.show.meshes import ball
from spatial_v2.show.poses import poses
from spatial_v2.show.raster import Canvas
from spatial_v2.show.scene import Scene

__all__ = ["draw_overlays", "mass_centre"]

HUES = np.array([[0.85, 0.15, 0.15], [0.1, 0.6, 0.15], [0.15, 0.3, 0.9]])
PURPLE, GOLD, YELLOW = np.array([[0.55, 0.15, 0.65], [0.75, 0.55, 0.0], [1.0, 0.83, 0.0]])
BLUE, RED = np.array([0.2, 0.45, 0.75]), np.array([0.82, 0.01, 0.1])
STEPS = 200
"""Pieces of the path of the centre of mass."""


def mass_centre(scene: Scene, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The centre of mass of all bodies (..., 3), at poses (..., NB, 3, 3) and (..., NB, 3)."""
    m = np.array([x.m for x in scene.masses])
    c = np.array([x.c for x in scene.masses])
    centres = p + (R @ c[..., None])[..., 0]
    return np.asarray((m[:, None] * centres).sum(axis=-2) / m.sum())


def draw_overlays(canvas: Canvas, scene: Scene, R: np.ndarray, p: np.ndarray, time: float) -> None:
    """Draw those of ``scene.overlays`` that pictures have, over the bodies at poses R, p."""
    chosen = scene.overlays
    if "ellipsoids" in chosen:
        _ellipsoids(canvas, scene, R, p)
    canvas.in_front()
    if "axes" in chosen:
        for joint, Ri, pi in zip(scene.model.layout.joints, R, p, strict=True):
            if joint.kind < SPHERICAL:
                reach = 0.11 * scene.size * Ri[:, joint.axis]
                canvas.lines(np.stack([pi - reach, pi + reach])[None], PURPLE, 2.0)
    if "frames" in chosen:
        origins = np.concatenate([np.zeros((1, 3)), p])
        turns = np.concatenate([np.eye(3)[None], R])
        for k, hue in enumerate(HUES):
            ends = origins + 0.12 * scene.size * turns[..., k]
            canvas.lines(np.stack([origins, ends], axis=1), hue, 2.0)
    if "forces" in chosen and scene.motion.f_ext is not None:
        _forces(canvas, scene, p, time)
    if "com" in chosen and any(x.m > 0 for x in scene.masses):
        t = scene.motion.t
        if len(t) > 1:
            times = np.linspace(t[0], t[-1], STEPS + 1)
            path = mass_centre(scene, *poses(scene.model, scene.motion.at(scene.model, times)))
            canvas.lines(np.stack([path[:-1], path[1:]], axis=1), GOLD, 1.5)
        canvas.in_front()
        canvas.dots(mass_centre(scene, R, p)[None], np.zeros(3), 6.0)
        canvas.in_front()
        canvas.dots(mass_centre(scene, R, p)[None], YELLOW, 4.0)
    if "contacts" in chosen and scene.model.gc:
        body, point = scene.model.gc["body"], np.asarray(scene.model.gc["point"])
        point = np.concatenate([point, np.zeros((len(point), 3 - point.shape[1]))], axis=1)
        turns, places = np.concatenate([R, np.eye(3)[None]]), np.concatenate([p, np.zeros((1, 3))])
        canvas.dots(places[body] + (turns[body] @ point[..., None])[..., 0], RED, 3.0)


def _forces(canvas: Canvas, scene: Scene, p: np.ndarray, time: float) -> None:
    """Each as an arrow on its axis, where that is nearest to the body."""
    assert scene.motion.f_ext is not None
    largest = np.linalg.norm(scene.motion.f_ext[..., 3:], axis=-1).max(initial=0.0)
    for (*n, fx, fy, fz), place in zip(scene.motion.forces(time), p, strict=True):
        f = np.array([fx, fy, fz])
        square = f @ f
        if square > 1e-12 * largest**2:
            start = np.cross(f, n) / square
            start = start + f * (f @ (place - start)) / square
            end = start + f * (0.4 * scene.size / largest)
            canvas.lines(np.stack([start, end])[None], RED, 3.0)
            canvas.dots(end[None], RED, 4.0)


def _ellipsoids(canvas: Canvas, scene: Scene, R: np.ndarray, p: np.ndarray) -> None:
    """Half transparent, over what is there."""
    before = canvas.colour.copy()
    canvas.in_front()
    for mass, Ri, pi in zip(scene.masses, R, p, strict=True):
        if mass.m > 0:
            radii = mass.radii.clip(0.004 * scene.size)
            corners = (mass.c + (ball(32) * radii) @ mass.axes.T) @ Ri.T + pi
            canvas.triangles(corners, np.broadcast_to(BLUE, (len(corners), 3)))
    canvas.colour = 0.6 * before + 0.4 * canvas.colour
