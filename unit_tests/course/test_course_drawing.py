"""Drawings of the course are at the coordinates that are passed to them."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from mpl_toolkits.mplot3d import art3d

from spatial_v2 import rotz
from spatial_v2.course.drawing import arrow, box


class Recorded:
    """Axes that record which of their methods are called, with which arguments."""

    def __init__(self) -> None:
        self.calls: dict[str, tuple[Any, ...]] = {}

    def __getattr__(self, name: str) -> Any:
        def note(*args: Any, **_: Any) -> Any:
            self.calls[name] = args
            return (0.0, 1.0)

        return note


@pytest.mark.parametrize("place", [{}, {"r": [1, 2, 3]}, {"E": rotz(0.5)[:3, :3], "r": [1, 2, 3]}])
def test_corners_of_a_box_are_in_its_frame(
    place: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(art3d, "Poly3DCollection", lambda sides, **_: np.concatenate(sides))
    ax = Recorded()
    box(ax, [1, 2, 3], [2, 4, 7], **place)
    (corners,) = ax.calls["add_collection3d"]
    E, r = place.get("E", np.eye(3)), place.get("r", np.zeros(3))
    wanted = np.array(list(product((1, 2), (2, 4), (3, 7)))) @ E + r
    found = np.unique(np.round(corners, 9), axis=0)
    np.testing.assert_allclose(found, np.unique(np.round(wanted, 9), axis=0), atol=1e-9)


def test_an_arrow_goes_from_its_start_along_its_vector() -> None:
    """In space and in the plane, an arrow goes from start to start + vector; its label is beyond
    the tip.
    """
    ax = Recorded()
    arrow(ax, [1, 2, 3], [0, 0, 2], label="f")
    np.testing.assert_array_equal(ax.calls["quiver"], [1, 2, 3, 0, 0, 2])
    assert ax.calls["text"] == (1, 2, 3 + 1.08 * 2, "f")
    ax = Recorded()
    arrow(ax, [1, 2], [0, 2])
    _, tip, start = ax.calls["annotate"]
    np.testing.assert_array_equal([start, tip], [[1, 2], [1, 4]])
    assert "quiver" not in ax.calls and "text" not in ax.calls
