"""Overlays: the legend says what is drawn, lengths do not depend on units, dots are at bodies."""

import re
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import zoo
from helpers import for_each
from PIL import Image, ImageDraw
from show_pages import contact_bodies

from spatial_v2 import planar, rollingdisc, show, showmotion
from spatial_v2.show import texts
from spatial_v2.show.on_top import draw_overlays
from spatial_v2.show.poses import poses
from spatial_v2.show.raster import FINE, Canvas
from spatial_v2.show.scene import OVERLAYS, Scene

BLACK = (0.0, 0.0, 0.0)
"""The rim of a dot that has a colour."""


class Drawn(NamedTuple):
    """Arrows, lines, dots or triangles of one colour."""

    colour: tuple[float, ...]
    vectors: np.ndarray


class Recorder(Canvas):
    """A canvas that notes what is drawn, in place of drawing it."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene.view, (40, 30), np.zeros(3))
        self.drawn: list[Drawn] = []

    def _note(self, vectors: np.ndarray, colour: np.ndarray) -> None:
        if len(vectors):
            self.drawn.append(Drawn(tuple(np.ravel(colour)[:3].tolist()), vectors))

    def arrows(self, starts: Any, reach: Any, colour: Any, width: float = 3.0) -> None:
        self._note(reach[reach.any(axis=-1)], colour)

    def lines(self, points: Any, colour: Any, width: float = 1.5) -> None:
        self._note(points, colour)

    def dots(self, points: Any, colour: Any, radius: float) -> None:
        self._note(points, colour)

    def triangles(self, corners: Any, colours: Any, lit: bool = True) -> None:
        self._note(corners, colours)


def drawn(scene: Scene) -> list[Drawn]:
    """Return what the overlays of a scene draw at time 0."""
    canvas = Recorder(scene)
    draw_overlays(canvas, scene, *poses(scene.model, scene.motion.at(scene.model, 0.0)), 0.0)
    return canvas.drawn


@cache
def disc(moves: bool, pushed: bool, factor: float = 1.0, rate: float = 1.0) -> Scene:
    """Make the scene of a rolling disc, at rest or in motion, without forces or with forces that
    are multiplied by a factor; all masses are multiplied by it, too.
    """
    model = rollingdisc(8)
    f, points = np.zeros((2, 6, 6)), np.zeros((2, len(contact_bodies(model)), 3))
    f[:, 5], points[:, 2] = [0.3, 0, 0, 2.0, 0, 0], [0, 0, 5.0]
    forces = {"f_ext": factor * f, "f_contact": factor * points} if pushed else {}
    q, t = np.outer([0, 1], [0.1, 0, 0.05, 0.3, 0.4, 2]), np.array([0, 1]) / rate
    model = model.replace(I=factor * model.I)
    return (showmotion(model, t, q, **forces) if moves else show(model)).scene


@for_each([*product([x for x in OVERLAYS if x != "names"], ["at rest", "moves", "moves, pushed"])])
def test_the_legend_says_what_is_drawn(overlay: str, what: str) -> None:
    """Colours that an overlay draws are those of its marks in the legend, and none is missing."""
    moves, pushed = what != "at rest", "pushed" in what
    scene = replace(disc(moves, pushed), overlays=(overlay,))
    assert {x.colour for x in drawn(scene)} - {BLACK} == {x.colour for x in scene.legend()}


@for_each([*product(["ellipsoids", "boxes"], ["massless", "mixed", "planar_tree"])])
def test_each_body_with_mass_has_a_solid_of_its_inertia(overlay: str, name: str) -> None:
    model = zoo.build(name)
    scene = show(model, overlays=overlay).scene
    assert len(drawn(scene)) == np.count_nonzero(np.asarray(model.I)[:, -1, -1])


@for_each([*product(["forces", "contacts", "velocities", "momentum"], [1e3, 1e6])])
def test_lengths_of_arrows_do_not_depend_on_units(overlay: str, factor: float) -> None:
    """All arrows are as long as before if forces, masses and rates are many times greater."""
    one, other = (
        drawn(replace(disc(True, True, x, 10 * x), overlays=(overlay,))) for x in (1.0, factor)
    )
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a.vectors, b.vectors, rtol=1e-6)


@for_each(zoo.NAMES)
def test_names_have_dots_at_their_bodies(name: str) -> None:
    """Dots are at the bodies' origins, also without place for names: they reach two pixels beyond
    the outermost origins to each side, and not farther than four from any.
    """
    scene = show(zoo.build(name), overlays="names").scene
    _, p = poses(scene.model, scene.motion.q[0])
    canvas = Canvas(scene.view, (160, 120), np.ones(3))
    image = Image.new("RGB", (160, 120), "white")
    texts._names(ImageDraw.Draw(image), canvas, scene, p, [(0, 0, 160, 120)])
    where = canvas.project(p)[:, :2] / FINE
    dotted = np.argwhere(np.asarray(image)[..., 0] < 255)[:, ::-1]
    np.testing.assert_allclose(dotted.min(axis=0), where.min(axis=0) - 2, atol=1)
    np.testing.assert_allclose(dotted.max(axis=0), where.max(axis=0) + 2, atol=1)
    assert np.linalg.norm(dotted[:, None] - where, axis=-1).min(axis=1).max() < 4


@for_each([(640, 480), (160, 120), (300, 80), (200, 400), (1920, 1080)])
def test_clock_and_legend_are_whole_and_in_their_corners(width: int, height: int) -> None:
    """The time is at the lower right and the legend at the lower left, at equal distances from the
    edges, of which none cuts them.
    """
    blank = np.full((height, width, 3), 255, np.uint8)
    scene = replace(disc(True, False), overlays=("frames",))
    clock = texts.with_clock(blank, 1.5)
    legend = texts.draw_texts(blank, Canvas(scene.view, (width, height), np.ones(3)), scene, [])
    for picture, flipped in ((clock, True), (legend, False)):
        rows, columns = np.nonzero((picture != 255).any(axis=-1))
        side = width - 1 - columns.max() if flipped else columns.min()
        below = height - 1 - rows.max()
        margin = max(9, min(width, height) / 36)
        assert 0.5 * margin < side < 1.5 * margin and abs(side - below) <= 0.3 * margin
        assert rows.min() > 0 and columns.min() > 0 and columns.max() < width - 1


def test_an_animation_in_a_notebook_is_as_high_as_its_picture() -> None:
    animation = show(planar(1))
    (height,) = re.findall(
        r"height:(\d+)px", animation._repr_html_().partition("srcdoc=")[2].rpartition("style=")[2]
    )
    assert int(height) == len(animation.image())


@for_each([x for x in OVERLAYS if x != "names"])
def test_the_legend_shows_the_colour_of_each_mark(overlay: str) -> None:
    """Beside the text of a mark there is a patch of its colour, as a line, a dot or a box.

    The fill of a box is lighter, so that its outline alone has the colour.
    """
    scene = replace(disc(True, True), overlays=(overlay,))
    blank, canvas = (
        np.full((480, 640, 3), 255, np.uint8),
        Canvas(scene.view, (640, 480), np.ones(3)),
    )
    picture = texts.draw_texts(blank, canvas, scene, []).astype(int)
    for mark in scene.legend():
        wanted = np.round(255 * np.array(mark.colour))
        assert (np.abs(picture - wanted).max(axis=-1) <= 2).sum() >= 12, mark
