"""Lines and arrows of pictures look the same in every direction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from spatial_v2.show.camera import View
from spatial_v2.show.raster import FINE, Canvas

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
