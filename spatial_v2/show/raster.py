"""Pictures of triangles and lines, nearer ones before farther ones, computed pixel by pixel."""

from __future__ import annotations

import numpy as np

from spatial_v2.show.camera import ANGLE, View

__all__ = ["Canvas"]

FINE = 2
"""Each pixel is the mean of so many in both directions."""
AMBIENT, DIFFUSE, HEAD = 0.5, 0.45, 0.2
"""How bright a surface is: anyhow, towards the lamp above, and towards the camera."""


class Canvas:
    """A picture that is drawn into.

    Parameters
    ----------
    view : View
        The camera.
    size : (int, int)
        Width and height in pixels.
    background : array of three numbers
        Its colour.
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
        self.colour = np.tile(np.asarray(background, dtype=float), (self.height, self.width, 1))
        self.near = np.zeros((self.height, self.width))

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels right and down, and one over the depth, of points (..., 3); nan behind the eye."""
        x, y, z = np.moveaxis((points - self.eye) @ self.axes.T, -1, 0)
        inverse = np.where(-z > 0.02 * self.reach, 1 / np.where(z == 0, 1.0, -z), np.nan)
        return np.stack(
            [self.width / 2 + self.scale * x * inverse,
             self.height / 2 - self.scale * y * inverse, inverse], axis=-1,
        )  # fmt: skip

    def triangles(self, corners: np.ndarray, colours: np.ndarray, lit: bool = True) -> None:
        """Draw triangles (M, 3, 3) of colours (M, 3) that turn their front to the camera."""
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
        pixels = self.project(corners)
        for triangle, colour in zip(pixels, colours, strict=True):
            self._fill(triangle, colour)

    def lines(self, points: np.ndarray, colour: np.ndarray, width: float = 1.5) -> None:
        """Draw straight pieces (M, 2, 3), so many pixels wide."""
        pixels = self.project(points)
        along = pixels[:, 1, :2] - pixels[:, 0, :2]
        length = np.hypot(*along.T)
        for (a, b), d, n in zip(pixels, along, length, strict=True):
            if n > 0:
                side = np.array([-d[1], d[0], 0.0]) * (FINE * width / 2 / n)
                a, b = a * [1, 1, 1.003], b * [1, 1, 1.003]
                self._fill(np.stack([a - side, b - side, b + side]), colour)
                self._fill(np.stack([a - side, b + side, a + side]), colour)

    def dots(self, points: np.ndarray, colour: np.ndarray, radius: float) -> None:
        """Draw round dots at points (M, 3), of a radius in pixels."""
        turn = 2 * np.pi * np.arange(25) / 24
        rim = FINE * radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
        for centre in self.project(points):
            for a, b in zip(rim[:-1], rim[1:], strict=True):
                self._fill(np.stack([centre, centre + a, centre + b]), colour)

    def in_front(self) -> None:
        """Let what is drawn from now on lie before all that has been drawn."""
        self.near[:] = 0

    def pixels(self) -> np.ndarray:
        """The picture, (height, width, 3) of uint8."""
        h, w = self.height // FINE, self.width // FINE
        mean = self.colour.reshape(h, FINE, w, FINE, 3).mean(axis=(1, 3))
        return np.asarray((255 * mean.clip(0, 1)).round().astype(np.uint8))

    def _fill(self, triangle: np.ndarray, colour: np.ndarray) -> None:
        if not np.isfinite(triangle).all():
            return
        (x0, y0, d0), (x1, y1, d1), (x2, y2, d2) = triangle.tolist()
        left, right = max(int(min(x0, x1, x2)), 0), min(int(max(x0, x1, x2)) + 1, self.width - 1)
        top, low = max(int(min(y0, y1, y2)), 0), min(int(max(y0, y1, y2)) + 1, self.height - 1)
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if left > right or top > low or area == 0:
            return
        x = np.arange(left, right + 1) + 0.5
        y = np.arange(top, low + 1)[:, None] + 0.5
        u = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
        v = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
        depth = d0 + u * (d1 - d0) + v * (d2 - d0)
        window = (slice(top, low + 1), slice(left, right + 1))
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth > self.near[window])
        self.near[window][hit] = depth[hit]
        self.colour[window][hit] = colour
