"""Pictures and movies of a scene, drawn without a browser."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_compiler
from spatial_v2.exceptions import SpatialError
from spatial_v2.show.meshes import facets_of
from spatial_v2.show.on_top import draw_overlays
from spatial_v2.show.poses import poses
from spatial_v2.show.raster import Canvas
from spatial_v2.show.scene import Grid, Scene
from spatial_v2.show.shapes import Line
from spatial_v2.show.texts import draw_texts, with_clock

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw", "frames", "instants", "picture", "write_gif", "write_png"]

SKY, SHADE, GRID = np.array([0.933, 0.945, 0.957]), np.full(3, 0.83), np.array([0.78, 0.81, 0.84])
FRAMES = 2000
"""Largest number of pictures in a movie."""


class Solids(NamedTuple):
    """Triangles of a scene in the frames of their bodies, for its pictures."""

    facets: np.ndarray
    """The three corners of each triangle (3 M, 3), first those of the base."""
    counts: list[int]
    """Number of corners of the base, then of each body."""
    colours: np.ndarray
    """The colour of each triangle (M, 3)."""

    def placed(self, R: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the triangles (M, 3, 3) in coordinates of the base, for poses of base and bodies.

        A kernel places them where there is a compiler.
        """
        if has_compiler():
            from spatial_v2.show.fill import place

            corners = np.empty_like(self.facets)
            place(self.facets, np.array(self.counts), R, p, corners)
        else:
            parts = np.split(self.facets, np.cumsum(self.counts)[:-1])
            placed = [x @ Ri.T + pi for x, Ri, pi in zip(parts, R, p, strict=True)]
            corners = np.concatenate(placed)
        return corners.reshape(-1, 3, 3)


def solids_of(scene: Scene) -> Solids:
    """Convert the shapes of a scene to triangles."""
    none = np.empty((0, 3, 3)), np.empty((0, 3))
    solids = [[none, *map(facets_of, shapes)] for shapes in scene.shapes]
    facets = [np.concatenate([x for x, _ in pairs]).reshape(-1, 3) for pairs in solids]
    colours = np.concatenate([colour for pairs in solids for _, colour in pairs])
    return Solids(np.concatenate(facets), [len(x) for x in facets], colours)


def picture(
    scene: Scene, time: float | None, size: tuple[int, int], clock: bool = False,
    solids: Solids | None = None,
) -> np.ndarray:  # fmt: skip
    """Draw the scene at an instant, (height, width, 3) of uint8; `clock` adds the time."""
    if min(size) < 1:
        raise SpatialError(f"size: want a width and a height in pixels, got {size}")
    model, motion, view = scene.model, scene.motion, scene.view
    time = float(motion.t[0]) if time is None else time
    R, p = poses(model, motion.at(model, time))
    if view.body >= 0:
        R0, p0 = poses(model, motion.q[0])
        there = p[view.body] + R[view.body] @ view.trackpoint
        view = view.moved(there - p0[view.body] - R0[view.body] @ view.trackpoint)
    canvas = Canvas(view, size, SKY)
    R, p = np.concatenate([np.eye(3)[None], R]), np.concatenate([np.zeros((1, 3)), p])
    solids = solids or solids_of(scene)
    solid = solids.placed(R, p)
    if scene.grid:
        _ground(canvas, scene.grid, solid)
    canvas.triangles(solid, solids.colours)
    for shapes, Ri, pi in zip(scene.shapes, R, p, strict=True):
        for shape in shapes:
            if isinstance(shape, Line):
                points = shape.points @ Ri.T + pi
                canvas.lines(np.stack([points[:-1], points[1:]], axis=1), shape.colour)
    draw_overlays(canvas, scene, R[1:], p[1:], time)
    pixels = draw_texts(canvas.pixels(), canvas, scene, p[1:])
    return with_clock(pixels, time) if clock else pixels


def _ground(canvas: Canvas, grid: Grid, solid: np.ndarray) -> None:
    """Draw shadows and grid lines on the ground."""
    z = grid.height
    if canvas.sun[2] > 0.1:
        canvas.shadows(solid, z, SHADE)
    x, y, half = *grid.centre, grid.step * grid.cells / 2
    k = np.linspace(-half, half, grid.cells + 1)
    low, high = np.full_like(k, -half), np.full_like(k, half)
    one, other = np.stack([k, low], axis=-1), np.stack([k, high], axis=-1)
    flat = np.concatenate([np.stack([one, other], 1), np.stack([one, other], 1)[..., ::-1]])
    points = np.concatenate([flat + np.array([x, y]), np.full((*flat.shape[:-1], 1), z)], axis=-1)
    canvas.lines(points, GRID, 1.0)


def frames(
    scene: Scene, times: np.ndarray, size: tuple[int, int], browser: bool, clock: bool = True
) -> Iterator[np.ndarray]:
    """Draw the pictures of given instants, in a browser or without one; `clock` adds the time."""
    if not browser:
        solids = solids_of(scene)
        yield from in_order(lambda time: picture(scene, time, size, clock, solids), times.tolist())
        return
    from spatial_v2.show.browser import browser_frames

    for time, pixels in zip(times.tolist(), browser_frames(scene, times, size), strict=True):
        yield with_clock(pixels, time) if clock else pixels


def in_order(draw: Callable[[float], np.ndarray], times: list[float]) -> Iterator[np.ndarray]:
    """Draw pictures in as many threads as there are processors, a few ahead of the caller."""
    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        drawn: deque[Future[np.ndarray]] = deque()
        for time in times:
            drawn.append(pool.submit(draw, time))
            if len(drawn) > threads:
                yield drawn.popleft().result()
        while drawn:
            yield drawn.popleft().result()


def write_png(
    scene: Scene, file: BinaryIO, time: float | None, size: tuple[int, int], browser: bool = False
) -> None:
    """Write the picture of one instant to a PNG file."""
    from PIL import Image

    times = np.array([scene.motion.t[0] if time is None else time])
    (pixels,) = frames(scene, times, size, browser, clock=False)
    Image.fromarray(pixels).save(file, format="PNG")


def instants(scene: Scene, fps: float, most: float = 50.0) -> np.ndarray:
    """Return the instants of a movie's pictures."""
    if not 0 < fps <= most:
        raise SpatialError(f"fps: want pictures a second, above 0 and up to {most:g}, got {fps:g}")
    t = scene.motion.t
    n = int(np.ceil((t[-1] - t[0]) * fps)) + 1
    if n > FRAMES:
        raise SpatialError(
            f"{n} pictures are too many (at most {FRAMES}): lower fps, or save an .html"
        )
    return np.linspace(t[0], t[-1], n) if n > 1 else t[:1]


def write_gif(file: BinaryIO, pictures: Iterable[np.ndarray], fps: float) -> None:
    """Write pictures to a GIF file that repeats endlessly."""
    from PIL import Image

    images = [Image.fromarray(x) for x in pictures]
    palette = images[len(images) // 2].quantize(255)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    flat[0].save(
        file, format="GIF", save_all=True, append_images=flat[1:], duration=round(1000 / fps),
        loop=0,
    )  # fmt: skip


def draw(scene: Scene, ax: Axes | None, time: float | None, size: tuple[int, int]) -> Axes:
    """Draw the picture of one instant into matplotlib axes."""
    if ax is None:
        from matplotlib import pyplot as plt

        figure = plt.figure(figsize=(size[0] / 100, size[1] / 100))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.imshow(picture(scene, time, size))
    ax.set_axis_off()
    return ax
