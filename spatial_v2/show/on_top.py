"""Overlays of pictures: frames, names, masses, contacts, joint axes, velocities and forces."""

from __future__ import annotations

import numpy as np

from spatial_v2.show.marks import hue
from spatial_v2.show.meshes import ball, facets_of
from spatial_v2.show.poses import poses
from spatial_v2.show.raster import Canvas
from spatial_v2.show.scene import Scene
from spatial_v2.show.screws import draw_axes, draw_forces, draw_momentum, draw_velocities
from spatial_v2.show.shapes import Box

__all__ = ["draw_overlays", "mass_centre"]

BOX = np.sqrt(3 / 5) * facets_of(Box(-np.ones(3), np.ones(3), hue("boxes")))[0]
"""Triangles of the box whose inertia is that of a unit ball of equal mass."""
STEPS = 200
"""Number of segments of the path of the centre of mass."""


def mass_centre(scene: Scene, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Compute the robot's centre of mass (..., 3) from poses (..., NB, 3, 3) and (..., NB, 3)."""
    m = np.array([x.m for x in scene.masses])
    c = np.array([x.c for x in scene.masses])
    centres = p + (R @ c[..., None])[..., 0]
    return np.asarray((m[:, None] * centres).sum(axis=-2) / m.sum())


def draw_overlays(canvas: Canvas, scene: Scene, R: np.ndarray, p: np.ndarray, time: float) -> None:
    """Draw the overlays of a scene over the bodies at poses R, p."""
    chosen = scene.shown
    for form in ("ellipsoids", "boxes"):
        if form in chosen:
            _solids(canvas, scene, R, p, form)
    canvas.in_front()
    if "axes" in chosen:
        draw_axes(canvas, scene, R, p)
    if "frames" in chosen:
        origins = np.concatenate([np.zeros((1, 3)), p])
        turns = np.concatenate([np.eye(3)[None], R])
        for k in range(3):
            reach = 0.12 * scene.size * turns[..., k]
            canvas.arrows(origins, reach, hue("frames", k), 2.0)
    if "forces" in chosen:
        draw_forces(canvas, scene, p, time)
    if "velocities" in chosen:
        draw_velocities(canvas, scene, time)
    if "com" in chosen:
        t = scene.motion.t
        if len(t) > 1:
            times = np.linspace(t[0], t[-1], STEPS + 1)
            path = mass_centre(scene, *poses(scene.model, scene.motion.at(scene.model, times)))
            canvas.lines(np.stack([path[:-1], path[1:]], axis=1), hue("com", 1), 1.5)
        canvas.in_front()
        canvas.dots(mass_centre(scene, R, p)[None], np.zeros(3), 6.0)
        canvas.in_front()
        canvas.dots(mass_centre(scene, R, p)[None], hue("com"), 4.0)
    if "momentum" in chosen:
        draw_momentum(canvas, scene, time)
    if "contacts" in chosen and scene.model.gc:
        body, point = scene.model.gc["body"], np.asarray(scene.model.gc["point"])
        point = np.concatenate([point, np.zeros((len(point), 3 - point.shape[1]))], axis=1)
        turns, places = np.concatenate([R, np.eye(3)[None]]), np.concatenate([p, np.zeros((1, 3))])
        points = places[body] + (turns[body] @ point[..., None])[..., 0]
        if scene.motion.f_contact is not None:
            largest = np.linalg.norm(scene.motion.f_contact, axis=-1).max(initial=1e-12)
            now = scene.motion.forces(time, "f_contact")
            canvas.arrows(points, 0.4 * scene.size / largest * now, hue("contacts", 1), 3.0)
        canvas.dots(points, hue("contacts"), 3.0)


def _solids(canvas: Canvas, scene: Scene, R: np.ndarray, p: np.ndarray, form: str) -> None:
    """Draw ellipsoids or boxes with the bodies' inertias, half transparent over the picture."""
    before = canvas.colour.copy()
    canvas.in_front()
    unit = ball(32) if form == "ellipsoids" else BOX
    for mass, Ri, pi in zip(scene.masses, R, p, strict=True):
        if mass.m > 0:
            radii = mass.radii.clip(0.004 * scene.size)
            corners = (mass.c + (unit * radii) @ mass.axes.T) @ Ri.T + pi
            canvas.triangles(corners, np.broadcast_to(hue(form), (len(corners), 3)))
    canvas.colour[:] = (0.6 * before + 0.4 * canvas.colour).round()
