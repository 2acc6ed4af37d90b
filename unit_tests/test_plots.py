"""Laws of the charts: axes in, the same axes out, and what they show is what was given."""

from __future__ import annotations

import numpy as np
import pytest
import zoo
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from spatial_v2 import ArrayShapeError, HandC, autoTree, neutral, planar, simulate
from spatial_v2.io import JointLimits
from spatial_v2.plots import plot_energy, plot_motion, plot_sparsity, plot_tree


@pytest.mark.parametrize("name", zoo.NAMES)
def test_tree_names_every_joint_and_body_index(name: str) -> None:
    model, ax = zoo.build(name), Figure().subplots()
    assert plot_tree(model, ax) is ax
    texts = [text.get_text() for text in ax.texts]
    assert all(x in texts for x in model.joint_names)


def test_sparsity_is_blank_just_where_entries_are_zero() -> None:
    model, ax = autoTree(6, 2), Figure().subplots()
    H, _ = HandC(model, 0.3 * np.arange(6), np.zeros(6))
    assert plot_sparsity(H, ax) is ax
    shown = np.ma.getmaskarray(ax.images[0].get_array())
    np.testing.assert_array_equal(shown, H == 0)
    assert ax.get_title() == f"{np.count_nonzero(H)} of 36"
    T = np.zeros((2, 3, 4))
    T[1, 2, 3] = -5
    shown = np.ma.getmaskarray(plot_sparsity(T, Figure().subplots()).images[0].get_array())
    assert list(zip(*np.nonzero(~shown), strict=True)) == [(2, 3)]
    for bad in (np.ones(3), np.array([[np.nan]]), np.ones((0, 2))):
        with pytest.raises(ArrayShapeError):
            plot_sparsity(bad)


def test_motion_has_a_line_for_each_variable_and_shows_its_limits() -> None:
    model = planar(2)
    model.limits = {"joint1": JointLimits(-np.inf, 0.5)}
    t, q = np.arange(4.0), np.array([[0, 0], [0.1, 0.4], [0.2, 0.6], [0.9, 0.7]])
    ax = plot_motion(model, t, q, Figure().subplots())
    lines = {str(line.get_label()): line for line in ax.lines}
    for k in range(2):
        np.testing.assert_array_equal(lines[f"joint{k}"].get_ydata(), q[:, k])
    np.testing.assert_array_equal(lines["_limit"].get_ydata(), [0.5, 0.5])
    np.testing.assert_array_equal(lines["_beyond"].get_xdata(), [2, 3])
    free = zoo.build("mixed")
    ax = plot_motion(free, [0, 1], np.stack([neutral(free)] * 2), Figure().subplots())
    assert len(ax.lines) == free.NQ
    with pytest.raises(ArrayShapeError, match=r"\(N, 2\)"):
        plot_motion(model, t[:3], q)


def test_energy_less_work_is_flat() -> None:
    model = autoTree(2, 1, 0.5)
    motion = simulate(model, ([0.1, 0.2], [0, 0]), np.linspace(0, 1, 11), lambda t, q, qd: -qd)
    ax = plot_energy(motion.t, motion.energy)
    total, rest = (np.asarray(line.get_ydata()) for line in ax.lines[2:])
    assert np.ptp(total) > 0.01
    assert np.ptp(rest) < 1e-5
    with pytest.raises(ArrayShapeError):
        plot_energy(motion.t[1:], motion.energy)
    plt.close("all")
