"""Charts, drawings, overlays and answers of exercises agree with a recorded file, so that no number
in them changes unnoticed.

``python unit_tests/test_recorded_numbers.py`` records them again after an intended change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import ImageDraw

from spatial_v2 import (
    HandC,
    autoTree,
    configurationAddition,
    neutral,
    planar,
    showmotion,
    simulate,
    singlebody,
)
from spatial_v2.cli.plot import _draw
from spatial_v2.cli.plot_robot import _drawn
from spatial_v2.course import drawing
from spatial_v2.course.named import exercises
from spatial_v2.io import JointLimits
from spatial_v2.plots import (
    plot_energy,
    plot_motion,
    plot_sparsity,
    plot_tree,
)  # fmt: skip
from spatial_v2.show.raster import Canvas
from spatial_v2.show.scene import OVERLAYS

FILE = Path(__file__).with_name("recorded_numbers.json")


def summed(x: Any) -> list[float]:
    """Return the number of entries of an array and two weighted sums of them."""
    x = np.asarray(np.ma.filled(x, -1.0) if np.ma.isMA(x) else x).ravel()
    x = np.concatenate([x.real, x.imag]) if np.iscomplexobj(x) else x.astype(float)
    x = np.where(np.isfinite(x), x, -7.0)
    k = np.arange(len(x))
    return [len(x), float(np.cos(k) @ x), float(np.sin(1 + 2 * k) @ x)]


def texts(found: Iterable[Text]) -> list[float]:
    shown = [t for t in found if t.get_text()]
    return [
        *summed([t.get_position() for t in shown]),
        *summed([t.get_fontsize() for t in shown]),
        *summed(
            [hash_of(t.get_text() + str(t.get_color()) + t.get_ha() + t.get_va()) for t in shown]
        ),
    ]


def hash_of(text: str) -> float:
    return float(sum((k % 97 + 1) * ord(c) for k, c in enumerate(text)))


def figure_numbers(figure: Figure) -> list[list[float]]:
    """Return numbers for the size of a figure, its texts, and what its axes show."""
    rows = [summed(figure.get_size_inches()), texts(figure.texts)]
    for ax in figure.axes:
        rows.append(summed([*ax.get_position().bounds, *ax.get_xlim(), *ax.get_ylim()]))
        rows.append(texts([*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]))
        for line in ax.lines:
            rows.append([
                *summed(line.get_xydata()), line.get_linewidth(), line.get_markersize(),
                hash_of(f"{line.get_color()}{line.get_linestyle()}{line.get_marker()}"),
            ])  # fmt: skip
        rows += [summed(patch.get_path().vertices) for patch in ax.patches]
        rows += [summed(image.get_array()) for image in ax.images]
    return rows


def models() -> Iterator[Any]:
    yield from (autoTree(4, 1.5), planar(12), zoo.build("mixed"), singlebody())


def trees() -> Iterator[list[list[float]]]:
    for model in models():
        yield figure_numbers(plot_tree(model, Figure(figsize=(6, 4)).subplots()).figure)


def sparsities() -> Iterator[list[list[float]]]:
    for n in (2, 9):
        H = HandC(autoTree(n, 2), 0.3 * np.arange(n), np.zeros(n)).H
        yield figure_numbers(plot_sparsity(H, Figure(figsize=(6, 4)).subplots()).figure)
    T = np.arange(24.0).reshape(2, 3, 4) - 5
    yield figure_numbers(plot_sparsity(T, Figure(figsize=(6, 4)).subplots(), bar=True).figure)


def motions() -> Iterator[list[list[float]]]:
    model = planar(2)
    model.limits = {"joint1": JointLimits(-np.inf, 0.5)}
    t, q = np.arange(4.0), np.array([[0, 0], [0.1, 0.4], [0.2, 0.6], [0.9, 0.7]])
    yield figure_numbers(plot_motion(model, t, q, Figure().subplots()).figure)
    free = zoo.build("mixed")
    at = np.stack([neutral(free), neutral(free)])
    yield figure_numbers(plot_motion(free, [0, 1], at, Figure().subplots()).figure)
    found = simulate(model, ([0.3, -0.2], [1.0, 0.5]), np.linspace(0, 0.2, 5), rtol=1e-10)
    yield figure_numbers(plot_energy(found.t, found.energy, Figure().subplots()).figure)[:2]


def sheets() -> Iterator[list[list[float]]]:
    for n in (3, 10):
        x = np.arange(float(n**3)).reshape(n, n, n) % 7
        largest = dict.fromkeys(("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq"), x)
        yield figure_numbers(_draw(autoTree(n, 2), largest, "A title"))


def charts_of_the_command() -> Iterator[list[list[float]]]:
    """Charts of ``spatial-v2 plot``; of those that show rounding errors, the texts alone."""
    for chart in ("tree", "sparsity", "motion", "energy", "errors", "identities"):
        ax = _drawn(chart, planar(2), None, 0.1, 0)
        if chart in ("tree", "sparsity", "motion"):
            yield figure_numbers(ax.figure)
        else:
            yield [texts([ax.title, ax.xaxis.label, ax.yaxis.label])]
        plt.close(ax.figure)


def figures_of_the_course() -> Iterator[list[list[float]]]:
    for ax in (*drawing.planes(2), drawing.plane()):
        drawing.arrow(ax, [0, 1], [2, 3], label="a")
        drawing.text(ax, [1, 2], "b")
        drawing.line(ax, [[0, 1], [2, 5]])
        drawing.frame(ax, r=(1, 2), name="A")
        yield figure_numbers(ax.figure)
    for ax in (*drawing.spaces(2), drawing.space()):
        before = set(ax.collections)
        drawing.arrow(ax, [0, 1, 0], [2, 3, 1], label="a")
        drawing.frame(ax, r=(1, 0, 2), name="A", size=0.7)
        drawing.box(ax, [0, 0, 0], [1, 2, 3], r=(1, 0, 0))
        drawn = [x for x in ax.collections if x not in before]
        parts = [getattr(x, "_segments3d", getattr(x, "_vec", None)) for x in drawn]
        yield [summed(x) for x in parts if x is not None]
        yield [summed([ax.elev, ax.azim, *ax.get_zlim(), *ax.figure.get_size_inches()])]


def overlays() -> Iterator[list[list[float]]]:
    """Yield what is drawn on the canvas for every overlay, with forces, at a time in a motion."""
    t, rows = np.linspace(0, 1, 3), list[list[float]]()
    names = ("triangles", "lines", "arrows", "dots")
    kept = {name: getattr(Canvas, name) for name in names}

    def noting(draws: Callable[..., None]) -> Callable[..., None]:
        def noted(canvas: Canvas, *args: Any, **options: Any) -> None:
            rows.append([x for a in (*args, *options.values()) for x in summed(a)])
            draws(canvas, *args, **options)

        return noted

    pen, dot = ImageDraw.ImageDraw, ImageDraw.ImageDraw.ellipse

    def dotted(self: Any, xy: Any, **options: Any) -> None:
        rows.append(summed(xy))
        dot(self, xy, **options)

    for name, draws in kept.items():
        setattr(Canvas, name, noting(draws))
    pen.ellipse = dotted  # type: ignore[method-assign]
    try:
        for model in models():
            rate = np.cos(np.arange(model.NV))
            q = np.stack([configurationAddition(model, neutral(model), x * rate) for x in t])
            f = np.zeros((3, model.NB, len(model.I[0])))
            f[:, -1, -3:] = [[1, 2, 3], [1, 0, 2], [0.5, 0, 1]]
            f[1, 0, :2] = 0.3, 0.2
            showmotion(model, t, q, f_ext=f, overlays=OVERLAYS).image(time=0.25, size=(80, 60))
            yield rows
            rows.clear()
    finally:
        pen.ellipse = dot  # type: ignore[method-assign]
        for name, draws in kept.items():
            setattr(Canvas, name, draws)


def answers() -> Iterator[list[list[float]]]:
    """Answers of exercises, right and wrong, as far as they are numbers."""
    for exercise in exercises().values():
        for answer in (exercise.solution, *exercise.mistakes.values()):
            try:
                yield [summed(exercise.view(answer()))]
            except (TypeError, ValueError):
                yield []


RECORDED: dict[str, Callable[[], Iterator[list[list[float]]]]] = {
    "trees": trees,
    "sparsities": sparsities,
    "motions": motions,
    "sheets": sheets,
    "charts of the command": charts_of_the_command,
    "figures of the course": figures_of_the_course,
    "overlays": overlays,
    "answers": answers,
}


def numbers_of(name: str) -> list[list[list[float]]]:
    return [[[float(f"{x:.9g}") for x in row] for row in part] for part in RECORDED[name]()]


@pytest.mark.parametrize("name", RECORDED)
def test_numbers_are_as_recorded(name: str) -> None:
    recorded, found = json.loads(FILE.read_text())[name], numbers_of(name)
    assert len(found) == len(recorded)
    for k, (ours, theirs) in enumerate(zip(found, recorded, strict=True)):
        assert [len(x) for x in ours] == [len(x) for x in theirs], k
        flat = [np.array([x for row in rows for x in row]) for rows in (ours, theirs)]
        np.testing.assert_allclose(*flat, rtol=1e-6, atol=1e-6, err_msg=f"{name}, part {k}")


def record() -> None:
    """Record the numbers in the file."""
    parts = [
        f'"{name}": [\n' + ",\n".join(map(json.dumps, numbers_of(name))) + "]" for name in RECORDED
    ]
    FILE.write_text("{" + ",\n".join(parts) + "}\n")


if __name__ == "__main__":
    record()
