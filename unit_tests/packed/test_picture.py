"""The picture of second derivatives: it shows their entries, slice beside slice."""

import io
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from spatial_v2 import Model
from spatial_v2.cli.plot import plot_writer
from spatial_v2.models import autoTree, floatbase
from spatial_v2.plots.branches import branches

NAMES = ("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq")
ROBOTS = {
    "one": autoTree(1),
    "small": autoTree(4, 1.5, 0.3, 0.9),
    "two": autoTree(2).replace(parent=[-1, -1]),
    "floating": floatbase(autoTree(2)),
    "large": autoTree(20, 2),
}


class Picture:
    """Pictures of random tensors, a third of whose entries are zero."""

    def __init__(self, model: Model) -> None:
        rng = np.random.default_rng(0)
        shape = (model.NV,) * 3
        zero = rng.random(shape) < 1 / 3
        self.model = model
        self.largest = {x: np.where(zero, 0.0, rng.uniform(0.1, 9, shape)) for x in NAMES}
        figures: list[Figure] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Figure, "savefig", lambda self, *_, **__: figures.append(self))
            plot_writer(model, self.largest, "A title", ".png")(io.BytesIO())
        (self.figure,) = figures
        self.pages = [ax for ax in self.figure.axes if ax.images]
        self.texts = [text.get_text() for text in self.figure.texts]


@pytest.fixture(params=ROBOTS, scope="module")
def picture(request: pytest.FixtureRequest) -> Picture:
    return Picture(ROBOTS[request.param])


def test_pages_show_the_entries_relative_to_the_largest(picture: Picture) -> None:
    """Each slice (torque row) of a tensor has a picture with entries relative to the largest; zeros
    are blank.

    For large models there is one picture, of the largest entries of all rows.
    """
    wanted: list[np.ndarray] = []
    for tensor in picture.largest.values():
        share = tensor / tensor.max()
        wanted += list(share) if picture.model.NV <= 8 else [share.max(axis=0)]
    assert len(picture.pages) == len(wanted)
    for ax, page in zip(picture.pages, wanted, strict=True):
        shown: Any = ax.images[0].get_array()
        np.testing.assert_array_equal(np.ma.getmaskarray(shown), page == 0)
        np.testing.assert_array_equal(shown.filled(0.0), page)


def test_white_lines_part_all_neighbours(picture: Picture) -> None:
    n = picture.model.NV
    for ax in picture.pages:
        ends = [
            x for c in ax.collections if isinstance(c, LineCollection) for x in c.get_segments()
        ]
        part, edge = np.arange(n - 1) + 0.5, np.array([-0.5, n - 0.5])
        wanted = [[[edge[0], y], [edge[1], y]] for y in part]
        wanted += [[[x, edge[0]], [x, edge[1]]] for x in part]
        assert np.array_equal(np.reshape(ends, (-1, 2, 2)), np.reshape(wanted, (-1, 2, 2)))
        assert ax.get_xlim() == (-0.5, n - 0.5) and ax.get_ylim() == (n - 0.5, -0.5)


def test_white_lines_leave_the_entries_to_be_seen(picture: Picture) -> None:
    """White lines have one width, smaller for more entries, so that they leave the
    entries visible.
    """
    for ax in picture.pages:
        widths = {w for c in ax.collections for w in np.atleast_1d(c.get_linewidths()).tolist()}
        assert widths == {min(1.0, 10 / picture.model.NV)}


def test_nothing_lies_over_another_page_or_outside(picture: Picture) -> None:
    boxes = [ax.get_position() for ax in picture.figure.axes]
    for box in boxes:
        assert 0 <= box.x0 < box.x1 <= 1 and 0 <= box.y0 < box.y1 <= 1
    for a, b in combinations([ax.get_position() for ax in picture.pages], 2):
        assert not a.overlaps(b)


def test_pages_are_squares_of_one_size(picture: Picture) -> None:
    width, height = picture.figure.get_size_inches()
    sizes = {
        (round(b.width * width, 9), round(b.height * height, 9)) for b in map(box, picture.pages)
    }
    ((w, h),) = sizes
    assert w == h


def box(ax: Any) -> Any:
    return ax.get_position()


def test_counts_are_those_of_entries_that_are_not_zero(picture: Picture) -> None:
    counts = [x for x in picture.texts if re.fullmatch(r"\d+ of \d+", x)]
    assert counts == [f"{np.count_nonzero(x)} of {x.size}" for x in picture.largest.values()]


def test_indices_stand_at_the_outer_pages_alone(picture: Picture) -> None:
    """Only the outermost pictures have indices: j at the left, k below; branches are drawn along
    both.
    """
    left = min(box(ax).x0 for ax in picture.pages)
    bottom = min(box(ax).y0 for ax in picture.pages)
    paged = picture.model.NV <= 8
    for ax in picture.pages:
        at_left = not paged or np.isclose(box(ax).x0, left)
        below = not paged or np.isclose(box(ax).y0, bottom)
        assert bool(ax.get_ylabel()) == bool(len(ax.get_yticks())) == at_left
        assert bool(ax.get_xlabel()) == bool(len(ax.get_xticks())) == below
    if paged:
        assert picture.pages[0].get_yticks().tolist() == list(range(picture.model.NV))
        rows = [f"$i = {i}$" for i in range(picture.model.NV)]
        assert [x for x in picture.texts if x.startswith("$i")] == rows


def test_branches_have_colours_along_outer_edges(picture: Picture) -> None:
    """If there are several branches, coloured lines of one width along the outer edges mark the
    indices of their bodies.
    """
    model, lines = picture.model, branches(picture.model)
    left = min(box(ax).x0 for ax in picture.pages)
    wanted = [
        (to_hex(line.color), model.vinds[body].start - 0.5, model.vinds[body].stop - 0.5)
        for line in lines
        for body in line.bodies
        if len(lines) > 1
    ]
    for ax in picture.pages:
        data = data_of(ax)
        down = [(color, *y) for color, x, y in data if x[0] == x[1] < -0.5]
        across = [(color, *x) for color, x, y in data if y[0] == y[1] < -0.5]
        assert down in ([], wanted) and across in ([], wanted) and len(down + across) == len(data)
        assert down == wanted or not np.isclose(box(ax).x0, left)
    assert len(picture.pages[0].lines) == 2 * len(wanted)
    assert len({x.get_linewidth() for ax in picture.pages for x in ax.lines}) == bool(wanted)


def data_of(ax: Any) -> list[tuple[str, list[float], list[float]]]:
    return [(to_hex(x.get_color()), *map(list, x.get_data())) for x in ax.lines]
