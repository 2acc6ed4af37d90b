"""Drawing of screws: joint axes, velocities, forces, momentum."""

from __future__ import annotations

import numpy as np

from spatial_v2.joints.table import PRISMATIC, REVOLUTE, JointType
from spatial_v2.show.marks import hue
from spatial_v2.show.raster import Canvas
from spatial_v2.show.rates import momenta, screw_axes, world_velocities
from spatial_v2.show.scene import Scene

__all__ = ["draw_axes", "draw_forces", "draw_momentum", "draw_velocities"]


def draw_axes(canvas: Canvas, scene: Scene, R: np.ndarray, p: np.ndarray) -> None:
    """Draw each joint axis as an arrow, with an arc or a thread about it.

    Joints without an axis are drawn as three circles.
    """
    for joint, Ri, pi in zip(scene.model.layout.joints, R, p, strict=True):
        if joint.nv == 1:
            reach = 0.11 * scene.size * joint.sign * Ri[:, joint.axis]
            canvas.arrows((pi - reach)[None], 2 * reach[None], hue("axes"), 2.0)
        for curve in _curves(joint, scene.size):
            points = pi + curve @ Ri.T
            canvas.lines(np.stack([points[:-1], points[1:]], axis=1), hue("axes"), 1.7)


def _curves(joint: JointType, unit: float) -> list[np.ndarray]:
    if joint.kind == PRISMATIC:
        return []
    if joint.kind != REVOLUTE:
        return [_arc(axis, 0.045 * unit, 0.0, 2 * np.pi) for axis in np.eye(3)]
    axis = joint.sign * np.eye(3)[joint.axis]
    if not joint.pitch:
        return [_arc(axis, 0.05 * unit, 0.0, 4.7)]
    half = 0.11 * unit
    turns = min(12.0, half / (2 * np.pi * abs(joint.pitch)))
    rise = joint.pitch if turns < 12 else np.sign(joint.pitch) * half / (24 * np.pi)
    ends = 2 * np.pi * turns
    return [_arc(axis, 0.03 * unit, -ends, ends, rise, 400)]


def _arc(
    axis: np.ndarray, radius: float, start: float, end: float, rise: float = 0.0, n: int = 48
) -> np.ndarray:
    """Return points (n + 1, 3) of an arc about an axis that advances by `rise` per radian."""
    x = np.eye(3)[0] if abs(axis[0]) < 0.9 else np.eye(3)[1]
    x = x - (x @ axis) * axis
    x = x / np.linalg.norm(x)
    a = np.linspace(start, end, n + 1)[:, None]
    circle = np.cos(a) * x + np.sin(a) * np.cross(axis, x)
    return np.asarray(radius * circle + rise * a * axis)


def draw_velocities(canvas: Canvas, scene: Scene, time: float) -> None:
    """Draw the velocity of each body: rotation along its axis, and translation beside it."""
    model, motion, scales = scene.model, scene.motion, scene.scales
    w, v, p = world_velocities(model, motion.at(model, time), motion.velocity(model, time))
    foot, turn, advance = screw_axes(w, v, p)
    canvas.arrows(foot, scales.turn * turn, hue("velocities"), 3.0)
    canvas.arrows(foot, scales.advance * advance, hue("velocities", 1), 3.0)


def draw_momentum(canvas: Canvas, scene: Scene, time: float) -> None:
    """Draw linear momentum, and angular momentum about the centre of mass, as arrows from there."""
    model, motion, scales = scene.model, scene.motion, scene.scales
    h = momenta(model, motion.at(model, time), motion.velocity(model, time))
    canvas.arrows(h.centre[None], scales.momentum * h.linear[None], hue("momentum"), 4.0)
    canvas.arrows(h.centre[None], scales.spin * h.spin[None], hue("momentum", 1), 4.0)


def draw_forces(canvas: Canvas, scene: Scene, p: np.ndarray, time: float) -> None:
    """Draw each force as an arrow on its axis, at the point nearest to the body, and its couple."""
    forces = scene.motion.f_ext
    if forces is None:
        return
    largest, turned = (
        float(np.linalg.norm(x, axis=-1).max(initial=1e-12))
        for x in (forces[..., 3:], forces[..., :3])
    )
    now = scene.motion.forces(time)
    n, f = now[:, :3], now[:, 3:]
    pushes = np.linalg.norm(f, axis=-1, keepdims=True) > 1e-6 * largest
    foot, f, n = screw_axes(np.where(pushes, f, 0.0), n, p)
    axis = np.where(pushes, f, 0.0)
    square = np.where(pushes, (f * f).sum(axis=-1, keepdims=True), 1.0)
    along = foot + axis * (axis * (p - foot)).sum(axis=-1, keepdims=True) / square
    canvas.arrows(along, 0.4 * scene.size / largest * axis, hue("forces"), 3.0)
    canvas.arrows(along, 0.3 * scene.size / turned * n, hue("forces", 1), 3.0)
