"""Rendering of triangles and lines to pixels, with hidden parts removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spatial_v2.calls.loading import has_compiler
from spatial_v2.show.camera import ANGLE, View

if TYPE_CHECKING:
    from spatial_v2.show.fill import Lens

__all__ = ["FINE", "Canvas"]

FINE = 2
"""Each pixel is the mean of FINE x FINE computed pixels."""
CHUNK, PIECE, RAISE = 10**6, 32.0, 1.003
"""Pixels computed at a time; longest piece of a line [pixels]; factor by which lines are drawn
nearer, so that they are visible on surfaces.
"""
AMBIENT, DIFFUSE, HEAD = 0.5, 0.45, 0.2
"""Brightness of a surface: ambient, towards the lamp above, and towards the camera."""
NEAREST = 0.02
"""Least depth of what is drawn, relative to the distance of the target."""


class Canvas:
    """A picture into which triangles and lines are drawn.

    Parameters
    ----------
    view : View
        The camera.
    size : (int, int)
        Width and height in pixels.
    background : array of three numbers
        Background colour, red, green and blue from 0 to 1.
    """

    def __init__(self, view: View, size: tuple[int, int], background: np.ndarray) -> None:
        self.width, self.height = FINE * size[0], FINE * size[1]
        back = view.eye - view.target
        self.reach = float(np.linalg.norm(back))
        back = back / self.reach
        right = np.cross(view.up, back)
        right = right / np.linalg.norm(right)
        self.axes = np.stack([right, np.cross(back, right), back])
        self.eye = view.eye
        sun = 1.6 * view.up + 0.7 * back - 0.7 * right
        self.sun = sun / np.linalg.norm(sun)
        self.scale = min(self.width, self.height) / 2 / np.tan(np.radians(ANGLE / 2))
        row = np.tile(_bytes(background), self.width)
        self.colour = np.tile(row, self.height).reshape(self.height, self.width, 3)
        self.near = np.zeros((self.height, self.width), dtype=np.float32)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Project points (..., 3): pixels to the right, pixels down, and 1 / depth.

        They are NaN for points behind the camera.
        """
        x, y, z = np.moveaxis((points - self.eye) @ self.axes.T, -1, 0)
        inverse = np.where(-z > NEAREST * self.reach, 1 / np.where(z == 0, 1.0, -z), np.nan)
        return np.stack(
            [self.width / 2 + self.scale * x * inverse,
             self.height / 2 - self.scale * y * inverse, inverse], axis=-1,
        )  # fmt: skip

    def triangles(self, corners: np.ndarray, colours: np.ndarray, lit: bool = True) -> None:
        """Draw the triangles (M, 3, 3) that face the camera, in their colours (M, 3).

        A kernel draws them where there is a compiler.
        """
        if not has_compiler():
            self.triangles_reference(corners, colours, lit)
            return
        from spatial_v2.show.fill import draw

        draw(_array(corners), _array(colours), lit, self._lens(), self.near, self.colour)

    def shadows(self, corners: np.ndarray, ground: float, shade: np.ndarray) -> None:
        """Draw the shadows of triangles (M, 3, 3) on the ground, of those that are above it.

        A kernel draws them where there is a compiler.
        """
        if has_compiler():
            from spatial_v2.show.fill import shadows

            tint = _bytes(shade)
            shadows(_array(corners), ground, tint, self._lens(), self.near, self.colour)
            return
        flat = corners[(corners[..., 2] >= ground).all(axis=1)]
        slope = self.sun / self.sun[2]
        along = np.eye(3) - np.outer([0, 0, 1], slope)
        flat = (flat.reshape(-1, 3) @ along + ground * slope).reshape(-1, 3, 3)
        self.triangles_reference(flat, np.broadcast_to(shade, (len(flat), 3)), lit=False)

    def _lens(self) -> Lens:
        """Return the camera and its light for the kernels."""
        from spatial_v2.show.fill import Lens

        light = np.array([AMBIENT, DIFFUSE, HEAD])
        return Lens(self.axes, self.eye, self.sun, light, self.scale, NEAREST * self.reach)

    def triangles_reference(
        self, corners: np.ndarray, colours: np.ndarray, lit: bool = True
    ) -> None:
        """Draw triangles without the kernel."""
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=-1)
        towards = self.eye - corners[:, 0]
        seen = (length > 0) & (((normal * towards).sum(axis=-1) > 0) | (not lit))
        corners, colours = corners[seen], colours[seen]
        if lit:
            normal = normal[seen] / length[seen, None]
            facing = (normal * towards[seen]).sum(axis=-1) / np.linalg.norm(towards[seen], axis=-1)
            light = AMBIENT + DIFFUSE * (normal @ self.sun).clip(0) + HEAD * facing
            colours = np.clip(colours * light[:, None], 0, 1)
        self.fill_reference(self.project(corners), colours)

    def lines(self, points: np.ndarray, colour: np.ndarray, width: float = 1.5) -> None:
        """Draw line segments (M, 2, 3) with a width in pixels."""
        a, b = np.moveaxis(self.project(points), 1, 0)
        seen = np.isfinite(a).all(axis=-1) & np.isfinite(b).all(axis=-1)
        a, d = a[seen], (b - a)[seen]
        length = np.hypot(d[:, 0], d[:, 1])
        pieces = np.ceil(length / PIECE).clip(1, 4 * self.width / PIECE).astype(int)
        which = np.repeat(np.arange(len(a)), pieces)
        k = np.arange(len(which)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        a, d = a[which], d[which] / pieces[which, None]
        side = np.stack([-d[:, 1], d[:, 0], 0 * d[:, 0]], axis=-1)
        side = side * (FINE * width / 2) / np.linalg.norm(side, axis=-1).clip(1e-9)[:, None]
        start = a + k[:, None] * d
        start, d = start * [1, 1, RAISE], d * [1, 1, RAISE]
        p, q, r, s = start - side, start + d - side, start + d + side, start + side
        both = np.concatenate([np.stack([p, q, r], axis=1), np.stack([p, r, s], axis=1)])
        self._fill(both, np.broadcast_to(colour, (len(both), 3)))

    def arrows(
        self, starts: np.ndarray, reach: np.ndarray, colour: np.ndarray, width: float = 3.0
    ) -> None:
        """Draw arrows from points (M, 3) along vectors (M, 3) with a width in pixels."""
        a, b = self.project(starts), self.project(starts + reach)
        d = (b - a)[:, :2]
        length = np.linalg.norm(d, axis=-1)
        head = np.minimum(FINE * 4 * width, length)
        there = length > FINE
        a, b, d, length, head = (x[there] for x in (a, b, d, length, head))
        if not len(a):
            return
        d = d / length[:, None]
        side = np.stack([-d[:, 1], d[:, 0]], axis=-1) * 0.4 * head[:, None]
        neck = b.copy()
        neck[:, :2] -= d * head[:, None]
        left, right = neck.copy(), neck.copy()
        left[:, :2] += side
        right[:, :2] -= side
        self.lines(np.stack([starts, starts + 0.98 * reach], axis=1)[there], colour, width)
        tips = np.stack([left, right, b], axis=1) * [1, 1, RAISE]
        self._fill(tips, np.broadcast_to(colour, (len(tips), 3)))

    def dots(self, points: np.ndarray, colour: np.ndarray, radius: float) -> None:
        """Draw round dots at points (M, 3), of a radius in pixels."""
        turn = 2 * np.pi * np.arange(25) / 24
        rim = FINE * radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
        fan = np.stack([0 * rim[1:], rim[:-1], rim[1:]], axis=1)
        corners = (self.project(points)[:, None, None] + fan).reshape(-1, 3, 3)
        self._fill(corners, np.broadcast_to(colour, (len(corners), 3)))

    def in_front(self) -> None:
        """Draw everything from now on in front of what has been drawn."""
        self.near[:] = 0

    def pixels(self) -> np.ndarray:
        """The picture, (height, width, 3) of uint8."""
        pixels = np.empty((self.height // FINE, self.width // FINE, 3), dtype=np.uint8)
        if has_compiler():
            from spatial_v2.show.fill import shrink

            shrink(self.colour, FINE, pixels)
        else:
            parts = [self.colour[i::FINE, j::FINE] for i in range(FINE) for j in range(FINE)]
            pixels[:] = (np.sum(parts, axis=0, dtype=int) + FINE**2 // 2) // FINE**2
        return pixels

    def _fill(self, corners: np.ndarray, colours: np.ndarray) -> None:
        """Draw triangles given in pixels, by a kernel where there is a compiler."""
        if not has_compiler():
            self.fill_reference(corners, colours)
            return
        from spatial_v2.show.fill import fill

        fill(_array(corners), _bytes(colours), self.near, self.colour)

    def fill_reference(self, corners: np.ndarray, colours: np.ndarray) -> None:
        """Draw triangles given in pixels, in groups that cover about a million pixels each."""
        low = np.floor(np.nan_to_num(corners[..., :2].min(axis=1), nan=1.0)).astype(int)
        high = np.ceil(np.nan_to_num(corners[..., :2].max(axis=1), nan=0.0)).astype(int)
        low = low.clip(0)
        high = np.minimum(high, [self.width - 1, self.height - 1])
        seen = np.flatnonzero(np.isfinite(corners).all(axis=(1, 2)) & (low <= high).all(axis=1))
        if len(seen):
            pixels = np.prod(high[seen] - low[seen] + 1, axis=1)
            parts = np.flatnonzero(np.diff(np.cumsum(pixels) // CHUNK)) + 1
            for part in np.split(seen, parts):
                self._fill_some(corners[part], colours[part], low[part], high[part])

    def _fill_some(
        self, corners: np.ndarray, colours: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> None:
        width, height = (high - low + 1).T
        pixels = width * height
        k = np.repeat(np.arange(len(corners)), pixels)
        place = np.arange(len(k)) - np.repeat(np.cumsum(pixels) - pixels, pixels)
        row, column = np.divmod(place, width[k])
        row, column = row + low[k, 1], column + low[k, 0]
        (x0, y0, d0), a, b = (
            corners[:, 0].T,
            corners[:, 1] - corners[:, 0],
            corners[:, 2] - corners[:, 0],
        )
        area = a[:, 0] * b[:, 1] - b[:, 0] * a[:, 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y = column + 0.5 - x0[k], row + 0.5 - y0[k]
            u = (x * b[k, 1] - y * b[k, 0]) / area[k]
            v = (y * a[k, 0] - x * a[k, 1]) / area[k]
            depth = (d0[k] + u * a[k, 2] + v * b[k, 2]).astype(np.float32)
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth > self.near[row, column])
        order = np.flatnonzero(hit)
        order = order[np.argsort(depth[order], kind="stable")]
        self.near[row[order], column[order]] = depth[order]
        self.colour[row[order], column[order]] = _bytes(colours)[k[order]]


def _array(x: np.ndarray) -> np.ndarray:
    """Return an array as kernels take it."""
    return np.array(x, dtype=float, order="C", copy=None)


def _bytes(colours: np.ndarray) -> np.ndarray:
    """Return colours from 0 to 1 as numbers from 0 to 255."""
    return np.asarray((255 * np.asarray(colours)).round().astype(np.uint8), order="C")
