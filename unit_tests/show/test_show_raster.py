"""Lines and arrows of pictures look the same in every direction."""

from collections.abc import Callable

import numpy as np
import pytest

from spatial_v2 import puma560, showmotion
from spatial_v2.show import pictures, raster
from spatial_v2.show.camera import View
from spatial_v2.show.pictures import frames
from spatial_v2.show.progress import with_bar
from spatial_v2.show.raster import FINE, Canvas
from spatial_v2.show.scene import OVERLAYS

EYE = np.array([0.0, 0.0, 10.0])
VIEW = View(EYE, np.zeros(3), np.array([0.0, 1.0, 0.0]), -1, np.zeros(3))
LENGTH, WIDTH = 60.0, 4.0
"""Length and width of the drawn lines and arrows [pixels]."""


def drawn(angle: float, draw: Callable[[Canvas, np.ndarray], None]) -> np.ndarray:
    """Return the coloured pixels (n, 2) of a drawing along a vector at an angle, relative to the
    picture's middle.

    The coordinates are along the vector and across it.
    """
    canvas = Canvas(VIEW, (160, 160), np.zeros(3))
    reach = FINE * LENGTH * EYE[2] / canvas.scale
    draw(canvas, reach * np.array([np.cos(angle), np.sin(angle), 0.0]))
    down, right = np.nonzero(canvas.colour.any(axis=-1))
    x, y = (right + 0.5) / FINE - 80, 80 - (down + 0.5) / FINE
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x + s * y, c * y - s * x], axis=-1)


@pytest.mark.parametrize("angle", np.linspace(0, 2 * np.pi, 9))
def test_lines_are_as_long_and_wide_as_asked(angle: float) -> None:
    one = np.ones(3)
    seen = drawn(angle, lambda canvas, v: canvas.lines(np.stack([0 * v, v])[None], one, WIDTH))
    assert len(seen) / FINE**2 == pytest.approx(LENGTH * WIDTH, rel=0.05)
    np.testing.assert_allclose(seen.min(axis=0), [0, -WIDTH / 2], atol=1)
    np.testing.assert_allclose(seen.max(axis=0), [LENGTH, WIDTH / 2], atol=1)


@pytest.mark.parametrize("angle", np.linspace(0, 2 * np.pi, 9))
def test_heads_of_arrows_are_four_widths_long_at_their_tips(angle: float) -> None:
    one = np.ones(3)
    seen = drawn(angle, lambda canvas, v: canvas.arrows(0 * v[None], v[None], one, WIDTH))
    np.testing.assert_allclose(seen.min(axis=0), [0, -1.6 * WIDTH], atol=1)
    np.testing.assert_allclose(seen.max(axis=0), [LENGTH, 1.6 * WIDTH], atol=1)
    head = seen[np.abs(seen[:, 1]) > WIDTH / 2 + 0.5, 0]
    assert LENGTH - 4 * WIDTH - 1 < head.min() < head.max() < LENGTH


@pytest.mark.parametrize("lit", [True, False])
def test_triangles_are_seen_from_their_front_and_flat_ones_from_behind(lit: bool) -> None:
    """Lit triangles are visible from their front only; flat ones, drawn without light, also from
    behind.
    """
    front = np.array([[[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]]])
    for corners, there in ((front, True), (front[:, ::-1], not lit), (front * [1, 0, 1], False)):
        canvas = Canvas(VIEW, (40, 40), np.zeros(3))
        canvas.triangles(corners, np.ones((1, 3)), lit=lit)
        assert canvas.colour.any() == there


def test_the_kernels_draw_what_the_reference_implementation_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pictures differ by the rounding of edges at most, in few pixels."""
    animation = showmotion(puma560(), overlays=OVERLAYS)
    fast = animation.image(1.3, (320, 240)).astype(int)
    for module in (raster, pictures):
        monkeypatch.setattr(module, "has_compiler", lambda: False)
    plain = animation.image(1.3, (320, 240)).astype(int)
    assert np.ptp(plain) > 200
    assert (np.abs(fast - plain).max(axis=-1) > 2).mean() < 2e-3


def test_triangles_behind_the_camera_and_without_area_are_not_drawn() -> None:
    corners = np.array([[[-1.0, -1, 11], [1, -1, 11], [0, 1, 11]], [[0, 0, 0]] * 3])
    canvas = Canvas(VIEW, (40, 40), np.zeros(3))
    for lit in (True, False):
        canvas.triangles(corners, np.ones((2, 3)), lit=lit)
    assert not canvas.colour.any()


def test_movies_have_their_pictures_in_order() -> None:
    """Threads draw the pictures; the caller gets them in the order of the instants."""
    animation = showmotion(puma560())
    times = np.linspace(0, 3, 12)
    drawn = list(frames(animation.scene, times, (64, 48), browser=False, clock=False))
    for time, pixels in zip(times, drawn, strict=True):
        np.testing.assert_array_equal(pixels, animation.image(float(time), (64, 48)))


def test_a_bar_counts_the_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [np.zeros((2, 2, 3))] * 4
    assert len(list(with_bar(pictures, 4))) == 4
    assert capsys.readouterr().err == ""
    list(with_bar(pictures, 4, shown=True))
    bars = capsys.readouterr().err.split("\r")
    assert [x.split(" of ")[0][-1] for x in bars[1:-1]] == list("1234")
    assert "4 of 4 pictures, 0 s left" in bars[-2]
    assert bars[-1] == "\x1b[K"
