"""Kernels that draw triangles; their reference implementations are methods of `raster.Canvas`."""

from __future__ import annotations

from math import ceil, floor, isfinite, sqrt
from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part

__all__ = ["Lens", "draw", "fill", "place", "shadows", "shrink"]


class Lens(NamedTuple):
    """Camera and lamp of a picture; see `raster.Canvas`."""

    axes: np.ndarray
    eye: np.ndarray
    sun: np.ndarray
    light: np.ndarray
    """Brightness of a surface: ambient, towards the lamp, and towards the camera."""
    scale: float
    nearest: float
    """Least depth of points that are drawn."""


@part
def fill_one(p: np.ndarray, tint: np.ndarray, near: np.ndarray, colour: np.ndarray) -> None:
    """Draw the triangle with corners p (3, 3), in pixels, where it is nearer than what is drawn."""
    height, width = near.shape
    x0, y0, d0 = p[0, 0], p[0, 1], p[0, 2]
    ax, ay, ad = p[1, 0] - x0, p[1, 1] - y0, p[1, 2] - d0
    bx, by, bd = p[2, 0] - x0, p[2, 1] - y0, p[2, 2] - d0
    area = ax * by - bx * ay
    if area == 0 or not isfinite(area + d0 + ad + bd):
        return
    left = max(floor(x0 + min(0.0, ax, bx)), 0)
    right = min(ceil(x0 + max(0.0, ax, bx)), width - 1)
    top = max(floor(y0 + min(0.0, ay, by)), 0)
    bottom = min(ceil(y0 + max(0.0, ay, by)), height - 1)
    ax, ay, bx, by = ax / area, ay / area, bx / area, by / area
    for row in range(top, bottom + 1):
        y = row + 0.5 - y0
        for column in range(left, right + 1):
            x = column + 0.5 - x0
            u, v = x * by - y * bx, y * ax - x * ay
            depth = np.float32(d0 + u * ad + v * bd)
            if u >= 0 and v >= 0 and u + v <= 1 and depth > near[row, column]:
                near[row, column] = depth
                for c in range(3):
                    colour[row, column, c] = tint[c]


@jit
def fill(corners: np.ndarray, colours: np.ndarray, near: np.ndarray, colour: np.ndarray) -> None:
    """Draw triangles with corners (M, 3, 3) in pixels and colours (M, 3).

    `near` (height, width) has 1 / depth of what is seen in each pixel, `colour` (height, width, 3)
    its colour; both are written.
    """
    for k in range(len(corners)):
        fill_one(corners[k], colours[k], near, colour)


@part
def project(point: np.ndarray, lens: Lens, height: int, width: int, p: np.ndarray) -> None:
    """Write to p (3,) where a point is seen: pixels to the right, pixels down, and 1 / depth, which
    is NaN behind the camera.
    """
    x, y, z = 0.0, 0.0, 0.0
    for c in range(3):
        d = point[c] - lens.eye[c]
        x, y, z = x + d * lens.axes[0, c], y + d * lens.axes[1, c], z + d * lens.axes[2, c]
    inverse = 1 / -z if -z > lens.nearest else np.nan
    p[0] = width / 2 + lens.scale * x * inverse
    p[1] = height / 2 - lens.scale * y * inverse
    p[2] = inverse


@jit
def draw(
    corners: np.ndarray, colours: np.ndarray, lit: bool, lens: Lens, near: np.ndarray,
    colour: np.ndarray,
) -> None:  # fmt: skip
    """Draw triangles with corners (M, 3, 3) in space; lit ones are seen from their front only."""
    height, width = near.shape
    p, tint, a, b, to = (
        np.empty((3, 3)),
        np.empty(3, np.uint8),
        np.empty(3),
        np.empty(3),
        np.empty(3),
    )
    for k in range(len(corners)):
        for c in range(3):
            a[c] = corners[k, 1, c] - corners[k, 0, c]
            b[c] = corners[k, 2, c] - corners[k, 0, c]
            to[c] = lens.eye[c] - corners[k, 0, c]
        nx, ny, nz = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        length = sqrt(nx * nx + ny * ny + nz * nz)
        facing = nx * to[0] + ny * to[1] + nz * to[2]
        if length == 0 or (lit and facing <= 0):
            continue
        brightness = 1.0
        if lit:
            facing /= length * sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2])
            sunny = (nx * lens.sun[0] + ny * lens.sun[1] + nz * lens.sun[2]) / length
            ambient, diffuse, head = lens.light
            brightness = ambient + diffuse * max(sunny, 0.0) + head * facing
        for c in range(3):
            tint[c] = round(255 * min(max(colours[k, c] * brightness, 0.0), 1.0))
        for i in range(3):
            project(corners[k, i], lens, height, width, p[i])
        fill_one(p, tint, near, colour)


@jit
def shadows(
    corners: np.ndarray, ground: float, tint: np.ndarray, lens: Lens, near: np.ndarray,
    colour: np.ndarray,
) -> None:  # fmt: skip
    """Draw the shadows that the sun casts of triangles with corners (M, 3, 3) above the ground."""
    height, width = near.shape
    p, flat = np.empty((3, 3)), np.empty(3)
    flat[2] = ground
    for k in range(len(corners)):
        if min(corners[k, 0, 2], corners[k, 1, 2], corners[k, 2, 2]) < ground:
            continue
        for i in range(3):
            fall = (corners[k, i, 2] - ground) / lens.sun[2]
            flat[0] = corners[k, i, 0] - fall * lens.sun[0]
            flat[1] = corners[k, i, 1] - fall * lens.sun[1]
            project(flat, lens, height, width, p[i])
        fill_one(p, tint, near, colour)


@jit
def place(
    points: np.ndarray, counts: np.ndarray, R: np.ndarray, p: np.ndarray, placed: np.ndarray
) -> None:
    """Write points (M, 3) of bodies, of which body i has counts[i], to `placed` in coordinates of
    the base.
    """
    k = 0
    for i in range(len(counts)):
        for _ in range(counts[i]):
            x, y, z = points[k, 0], points[k, 1], points[k, 2]
            for c in range(3):
                placed[k, c] = R[i, c, 0] * x + R[i, c, 1] * y + R[i, c, 2] * z + p[i, c]
            k += 1


@jit
def shrink(colour: np.ndarray, fine: int, pixels: np.ndarray) -> None:
    """Write the means of fine x fine colours to pixels (height, width, 3)."""
    height, width, _ = pixels.shape
    for row in range(height):
        for column in range(width):
            for c in range(3):
                total = fine * fine // 2
                for i in range(fine):
                    for j in range(fine):
                        total += colour[fine * row + i, fine * column + j, c]
                pixels[row, column, c] = total // (fine * fine)
