"""Long motions are thinned: the page is small, and a notice states how far it is from
the motion.
"""

import re
import warnings

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose
from show_pages import embedded

from spatial_v2 import configurationAddition, configurationDifference, neutral, planar, showmotion
from spatial_v2.model import Model
from spatial_v2.show import thin
from spatial_v2.show.motion import read_motion, with_forces
from spatial_v2.show.thin import most_frames, thinned


def long_motion(model: Model, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n instants and configurations of a smooth motion along the configuration space."""
    t = np.linspace(0, 10, n)
    step = 0.3 * np.sin(t[:, None] + np.arange(model.NV))
    return t, np.asarray(configurationAddition(model, neutral(model), step))


@pytest.mark.parametrize("name", ["branched", "mixed", "planar_tree"])
def test_notice_states_the_largest_difference(name: str) -> None:
    """The notice states the largest difference between interpolation and the configurations left
    out.

    The first and last instants are kept.
    """
    model = zoo.build(name)
    n = most_frames(model) + 5000
    t, q = long_motion(model, n)
    motion = read_motion(model, t, q)
    kept, notice = thinned(model, motion)
    assert 1000 <= len(kept.t) <= most_frames(model) + 2
    assert kept.t[0] == t[0] and kept.t[-1] == t[-1]
    off = np.abs(np.asarray(configurationDifference(model, q, kept.at(model, t)))).max()
    said = re.search(rf"shows {len(kept.t)} of {n} instants.* at most (\S+) ", notice)
    assert said and float(f"{off:.0e}") == float(said[1])
    assert off < 1e-4


def test_short_motions_are_kept() -> None:
    model = planar(2)
    motion = read_motion(model, *long_motion(model, 500))
    assert thinned(model, motion) == (motion, "")


@pytest.mark.slow
def test_page_of_a_long_motion_is_small_and_says_so() -> None:
    """The page of a hundred thousand instants of a robot with nine bodies has less than 10 MB."""
    model = zoo.build("branched")
    t, q = long_motion(model, 100_000)
    animation = showmotion(model, t, q)
    with pytest.warns(UserWarning, match="of 100000 instants"):
        page = animation.html
    assert len(page) < 10e6
    scene = embedded(page)
    assert "of 100000 instants" in scene["notice"]
    assert len(animation.scene.motion.t) == 100_000


def test_frames_are_dense_where_the_motion_bends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are dense where the motion changes: one that rests most of the time has most frames
    elsewhere.
    """
    monkeypatch.setattr(thin, "NUMBERS", 0)
    model = planar(1)
    t = np.linspace(0, 10, 20 * most_frames(model))
    q = np.where((t > 4) & (t < 5), 0.1 * np.sin(2 * np.pi * t) ** 2, 0.0)[:, None]
    kept, _ = thinned(model, read_motion(model, t, q))
    assert np.mean((kept.t > 3.9) & (kept.t < 5.1)) > 0.6


def test_both_frames_of_a_jump_and_short_forces_are_kept() -> None:
    model = planar(1)
    n = 2 * most_frames(model)
    t = np.linspace(0, 10, n)
    t[n // 3 + 1] = t[n // 3]
    q = np.where(np.arange(n) > n // 3, 1.0, 0.0)[:, None]
    f = np.zeros((n, 1, 3))
    f[n // 2, 0, 1] = 5.0
    motion = with_forces(model, read_motion(model, t, q), f)
    kept, notice = thinned(model, motion)
    assert kept.f_ext is not None and kept.f_ext[:, 0, 4].max() == 0.0
    assert kept.f_ext[:, 0, 3].max() == 5.0
    assert np.count_nonzero(kept.t == t[n // 3]) == 2
    assert "at most 0e+00" in notice


def test_short_motions_give_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert embedded(showmotion(planar(1), [0, 1], [[0], [1]]).html)["notice"] == ""


def test_bend_is_the_distance_from_the_line_between_neighbours() -> None:
    """This holds for frames at any instants; those at jumps have none, nor has the last one."""
    rng = np.random.default_rng(5)
    step = rng.uniform(0.1, 2.0, 30)
    t, x = np.concatenate([[0.0], np.cumsum(step)]), rng.normal(size=(31, 3))
    line = (x[:-2] * step[1:, None] + x[2:] * step[:-1, None]) / (t[2:] - t[:-2])[:, None]
    wanted = np.append(np.abs(x[1:-1] - line).max(axis=1), 0.0)
    assert_allclose(thin._bend(np.diff(x, axis=0) / step[:, None], step), wanted, rtol=1e-12)
    assert not thin._bend(np.ones((3, 2)) * [[1], [2], [3]], np.array([0.0, 0.0, 1.0])).any()
