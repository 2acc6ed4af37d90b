"""Charts return the axes that they are given, and show the given data."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from command_line import refused, run
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import spatial_v2 as sv
from derivatives.reference import verify
from spatial_v2 import plots
from spatial_v2.cli.plot import BOTTOM, PAGES, _draw
from spatial_v2.io import JointLimits
from spatial_v2.plots import (
    plot_energy,
    plot_errors,
    plot_motion,
    plot_residuals,
    plot_sparsity,
    plot_tree,
)  # fmt: skip
from tensor_sva.identities import table


@pytest.mark.parametrize("name", zoo.MODELS)
def test_tree_names_every_joint_and_body_index(name: str) -> None:
    model, ax = zoo.build(name), Figure().subplots()
    assert plot_tree(model, ax) is ax
    texts = [text.get_text() for text in ax.texts]
    assert all(x in texts for x in model.joint_names)
    for i, (k, n) in enumerate(zip(model.vinds, model.nv, strict=True)):
        shown = str(k.start) if n == 1 else f"{k.start}-{k.stop - 1}"
        assert [t.get_position()[1] for t in ax.texts if t.get_text() == shown] == [i]
    heights = [float(y) for line in ax.lines for y in line.get_ydata()]
    assert sorted(heights) == list(range(-1, model.NB))


@pytest.mark.parametrize("count", [1, 2, 9])
def test_rows_of_a_tree_are_a_third_of_an_inch_high(count: int) -> None:
    """New axes are as high as their rows and a margin, for any number of bodies."""
    ax = plot_tree(sv.autoTree(count))
    rows = abs(np.diff(ax.get_ylim())).item()
    height = ax.figure.get_size_inches()[1]
    plt.close(ax.figure)
    assert abs(rows - (count + 1)) < 0.5
    assert abs(height - 0.32 * (count + 1) - 0.3) < 1e-9


@pytest.mark.parametrize("joint", ["R", "Fb"])
@pytest.mark.parametrize("count", [1, 7, 18, 60])
def test_indices_of_a_tree_stand_close_to_its_stations(count: int, joint: str) -> None:
    """The longest index begins a tenth of an inch to the right of the last station, however many
    digits it has and however high the rows are.
    """
    figure = Figure((4.5, 8))
    renderer = FigureCanvasAgg(figure).get_renderer()
    model = sv.autoTree(count, 1.5).replace(jtype=[joint] * count, appearance=None)
    ax = plot_tree(model, figure.add_axes((0, 0, 1, 1)))
    size = ax.texts[0].get_size() / 10
    begin = min(x.get_window_extent(renderer).x0 for x in ax.texts if x.get_ha() == "right")
    radius = max(x.get_markersize() for x in ax.lines[:-1]) / 2 / 72 * figure.dpi
    ends = [ax.transData.transform(x.get_xydata()[0])[0] + radius for x in ax.lines]
    assert 0.05 * size < (begin - max(ends)) / figure.dpi < 0.15 * size


def test_sparsity_is_blank_just_where_entries_are_zero() -> None:
    model, ax = sv.autoTree(6, 2), Figure().subplots()
    H, _ = sv.HandC(model, 0.3 * np.arange(6), np.zeros(6))
    assert plot_sparsity(H, ax) is ax
    shown = np.ma.getmaskarray(ax.images[0].get_array())
    np.testing.assert_array_equal(shown, H == 0)
    assert ax.get_title() == f"{np.count_nonzero(H)} of 36"
    T = np.zeros((2, 3, 4))
    T[1, 2, 3] = -5
    shown = np.ma.getmaskarray(plot_sparsity(T, Figure().subplots()).images[0].get_array())
    assert list(zip(*np.nonzero(~shown), strict=True)) == [(2, 3)]
    for bad in (np.ones(3), np.array([[np.nan]]), np.ones((0, 2))):
        with pytest.raises(sv.ArrayShapeError):
            plot_sparsity(bad)


def test_motion_has_a_line_for_each_variable_and_shows_its_limits() -> None:
    model = sv.planar(2)
    model.limits = {"joint1": JointLimits(-np.inf, 0.5)}
    t, q = np.arange(4.0), np.array([[0, 0], [0.1, 0.4], [0.2, 0.6], [0.9, 0.7]])
    ax = plot_motion(model, t, q, Figure().subplots())
    lines = {str(line.get_label()): line for line in ax.lines}
    for k in range(2):
        np.testing.assert_array_equal(lines[f"joint{k}"].get_ydata(), q[:, k])
    np.testing.assert_array_equal(lines["_limit"].get_ydata(), [0.5, 0.5])
    np.testing.assert_array_equal(lines["_beyond"].get_xdata(), [2, 3])
    free = zoo.build("mixed")
    ax = plot_motion(free, [0, 1], np.stack([sv.neutral(free)] * 2), Figure().subplots())
    assert len(ax.lines) == free.NQ
    with pytest.raises(sv.ArrayShapeError, match=r"\(N, 2\)"):
        plot_motion(model, t[:3], q)


def test_energy_less_work_is_flat() -> None:
    model = sv.autoTree(2, 1, 0.5)
    motion = sv.simulate(model, ([0.1, 0.2], [0, 0]), np.linspace(0, 1, 11), lambda t, q, qd: -qd)
    ax = plot_energy(motion.t, motion.energy)
    total, rest = (np.asarray(line.get_ydata()) for line in ax.lines[2:])
    assert np.ptp(total) > 0.01
    assert np.ptp(rest) < 1e-5
    with pytest.raises(sv.ArrayShapeError):
        plot_energy(motion.t[1:], motion.energy)
    plt.close("all")


def test_errors_stand_where_they_were_measured() -> None:
    """There is a dot at the error of every method and quantity, finite differences to the right of
    exact methods.
    """
    rows = verify(
        sv.planar(2),
        ([0.1, 0.2], [1, 2], [0, 0]),
        methods=["analytic", "finite-diff-1"],
        orders=[1],
    )
    ax = Figure().subplots()
    assert plot_errors(rows, ax) is ax
    drawn = {str(line.get_label()): np.asarray(line.get_xdata()) for line in ax.lines}
    for method in ("analytic", "finite-diff-1"):
        wanted = [r.errors.rmsre for r in rows if r.method == method and r.quantity != "all"]
        np.testing.assert_array_equal(drawn[method], np.maximum(wanted, 1e-17))
    assert drawn["finite-diff-1"].min() > drawn["analytic"].max()
    for bad, words in ((rows[:0], "none"), (rows, "'size'")):
        with pytest.raises(sv.SpatialError, match=words):
            plot_errors(bad, Figure().subplots(), metric="size")


def test_residuals_are_those_of_the_table() -> None:
    rows, ax = table(), Figure().subplots()
    assert plot_residuals(rows, ax) is ax
    drawn = np.concatenate([np.asarray(line.get_ydata()) for line in ax.lines[:-1]])
    np.testing.assert_array_equal(drawn, np.maximum([row.residual for row in rows], 1e-18))
    families = [str(line.get_label()) for line in ax.lines[:-1]]
    shown = [x.get_text() for x in ax.get_legend().get_texts()]
    assert shown == [*families, "rounding level"]
    with pytest.raises(sv.SpatialError, match="none"):
        plot_residuals([])


@pytest.mark.parametrize("chart", ["tree", "sparsity", "motion", "energy", "errors", "identities"])
def test_command_draws_every_chart(
    chart: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command draws a chart with the function that is named after it, and with no other."""
    called = []
    for name in plots.__all__:
        function = getattr(plots, name)

        def noted(*args: Any, name: str = name, function: Any = function) -> Any:
            called.append(name)
            return function(*args)

        monkeypatch.setattr(plots, name, noted)
    out = tmp_path / "a.svg"
    assert run("plot", chart, "planar:2", "--out", out, "--seconds", 0.1).strip() == str(out)
    assert "<svg" in out.read_text(encoding="utf-8")
    assert called == [f"plot_{'residuals' if chart == 'identities' else chart}"]


def test_command_draws_a_given_motion_and_refuses_a_wrong_one(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", t=[0.0, 1.0], q=np.zeros((2, 2)))
    run("plot", "motion", "planar:2", "--motion", tmp_path / "a.npz", "--out", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    for words, text in (
        (["motion", "planar:3", "--motion", tmp_path / "a.npz"], "(instants, 3)"),
        (["tree", "planar:2", "--motion", tmp_path / "a.npz"], "--motion"),
        (["tree", "planar:2", "--out", tmp_path / "b.gif"], ".png"),
    ):
        out = [] if "--out" in words else ["--out", tmp_path / "b.png"]
        assert text in refused("plot", *words, *out)
    assert not list(tmp_path.glob("b.*"))


@pytest.mark.parametrize("shape", [(3, 3), (5, 12), (30, 20)])
def test_lines_run_between_the_entries_and_are_thin_where_these_are_small(
    shape: tuple[int, int],
) -> None:
    """Lines are between the entries of a matrix, and thin if the entries are small."""
    m, n = shape
    ax = plot_sparsity(np.ones(shape), Figure().subplots())
    rows, columns = (np.array(x.get_segments()) for x in ax.collections)
    np.testing.assert_array_equal(rows[:, 0, 1], np.arange(m - 1) + 0.5)
    np.testing.assert_array_equal(columns[:, 0, 0], np.arange(n - 1) + 0.5)
    widths = [float(x.get_linewidth()[0]) for x in ax.collections]
    np.testing.assert_allclose(widths, [min(1, 10 / m), min(1, 10 / n)])


@pytest.mark.parametrize("n", [3, 12])
def test_pages_of_second_derivatives_fill_their_sheet(n: int) -> None:
    model = sv.autoTree(n)
    largest = {x: np.ones((n, n, n)) for x in ("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq")}
    figure = _draw(model, largest, "a title")
    height = figure.get_figheight()
    pages = [ax for ax in figure.axes if ax.images]
    assert len(pages) == (4 * n if n <= PAGES else 4)
    for ax in pages:
        for x in ax.collections:
            assert float(x.get_linewidth()[0]) == pytest.approx(min(1, 10 / n))
    below = min(ax.get_position().y0 for ax in pages) * height
    assert below == pytest.approx(BOTTOM, abs=0.01)
