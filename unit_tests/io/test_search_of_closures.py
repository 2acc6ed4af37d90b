"""Loops of files that are open at zero: readers close them near a keyframe, within the limits of
joints, or from other starts, and complete independent joints that are too few.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import spatial_v2 as sv
from spatial_v2 import LoaderWarning
from spatial_v2.io import load_mjcf

pytest.importorskip("mujoco")

MASS = '<inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .1"/>'


def four_bar(
    tmp_path: Path,
    lengths: tuple[float, float, float] = (0.35, 0.9, 0.7),
    ranges: tuple[str, str, str] = ("", "", ""),
    more: str = "",
) -> sv.Model:
    """Return a four-bar linkage of crank, rod and rocker, read without warnings."""
    crank, rod, rocker = lengths
    a, b, c = (f'range="{x}" limited="true"' if x else "" for x in ranges)
    path = tmp_path / "bars.xml"
    path.write_text(
        f"""<mujoco><compiler angle="radian"/><worldbody>
        <body><joint name="crank" axis="0 0 1" {a}/>{MASS}
          <body pos="{crank} 0 0"><joint name="rod" axis="0 0 1" {b}/>{MASS}
            <site name="end" pos="{rod} 0 0"/></body></body>
        <body pos="1 0 0"><joint name="rocker" axis="0 0 1" {c}/>{MASS}
          <site name="tip" pos="{rocker} 0 0"/></body></worldbody>
        <equality><connect name="pin" site1="end" site2="tip"/></equality>{more}</mujoco>"""
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", LoaderWarning)
        return load_mjcf(path)


def placed(model: sv.Model) -> np.ndarray:
    """Return the configuration of the tree at which a model begins, after a check of its loop."""
    q = np.asarray(model.position(model.start))
    assert np.abs(sv.position_error(model.tree, q, sv.loop_constraints(model.tree))).max() < 1e-12
    return q


UP = np.array([0.7, -0.14565278682336594, 1.5237581508615203])
DOWN = np.array([0.7, -1.5, -2.2])


def test_a_keyframe_selects_the_branch(tmp_path: Path) -> None:
    """Of the two positions of rod and rocker at one crank angle, that of the keyframe is taken,
    also if it is closed in its first digits only.
    """
    down = placed(sv.couple(four_bar(tmp_path).tree, guess=DOWN, independent=["crank"],
                            constraints=sv.loop_constraints(four_bar(tmp_path).tree)))  # fmt: skip
    for q in (UP, down):
        for digits in (12, 4):
            key = " ".join(str(x) for x in q.round(digits))
            keys = f'<keyframe><key qpos="0 0 0"/><key name="home" qpos="{key}"/></keyframe>'
            found = placed(four_bar(tmp_path, more=keys))
            np.testing.assert_allclose(found, q, atol=0.01)
    assert np.abs(UP - down).max() > 0.5


@pytest.mark.parametrize("side", [1, -1])
def test_a_position_within_the_limits_is_preferred(side: int, tmp_path: Path) -> None:
    range_of_rocker = "0.3 3" if side > 0 else "-3 -0.3"
    q = placed(four_bar(tmp_path, ranges=("", "", range_of_rocker)))
    assert 0.3 <= side * q[2] <= 3
    again = placed(four_bar(tmp_path, ranges=("", "", range_of_rocker)))
    np.testing.assert_array_equal(q, again)


def test_a_linkage_that_is_flat_at_zero_is_closed_elsewhere(tmp_path: Path) -> None:
    """A parallelogram is closed at zero, where it branches, so that no joint determines it."""
    model = four_bar(tmp_path, (0.5, 1.0, 0.5))
    assert model.NV == 1 and np.abs(placed(model)).max() > 0.1


def test_independent_joints_are_completed(tmp_path: Path) -> None:
    """A file names the motors alone, and a rod spins by itself."""
    path = tmp_path / "rod.xml"
    path.write_text(
        f"""<mujoco><worldbody>
        <body><joint name="motor" axis="0 0 1"/>{MASS}
          <body pos=".3 0 0"><joint name="u" axis="0 1 0"/><joint name="v" axis="0 0 1"/>{MASS}
            <body pos=".1 0 0"><joint name="spin" axis="1 0 0"/>{MASS}
              <site name="end" pos=".7 0 0"/></body></body></body>
        <body pos="1 .2 0"><joint name="lever" axis="0 1 0"/>{MASS}<site name="tip" pos="0 0 .4"/>
        </body></worldbody><equality><connect name="pin" site1="end" site2="tip"/></equality>
        <custom><tuple name="independent"><element objtype="joint" objname="spin"/></tuple></custom>
        </mujoco>"""
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", LoaderWarning)
        model = load_mjcf(path)
    assert "spin" in model.joint_names and model.NV == 2
    placed(model)


def test_what_closes_nowhere_is_named_with_its_gap(tmp_path: Path) -> None:
    with pytest.raises(LoaderWarning, match=r"'pin' stays open: .* open by 0.\d+ m .*guess=q"):
        four_bar(tmp_path, (0.1, 0.1, 0.1))


def test_loops_are_closed_away_from_dead_centres(tmp_path: Path) -> None:
    """A slider is nearly at its dead centre where the loop closes from zero, and drives the crank:
    there the states beside it could not be reached.
    """
    path = tmp_path / "slider.xml"
    path.write_text(
        f"""<mujoco><worldbody>
        <body><joint name="crank" axis="0 0 1"/>{MASS}
          <body pos=".3 0 0"><joint name="rod" axis="0 0 1"/>{MASS}
            <site name="end" pos=".8 0 0"/></body></body>
        <body pos="1.105 .01 0"><joint name="slider" type="slide" axis="1 0 0"/>{MASS}
          <site name="tip"/></body></worldbody>
        <equality><connect name="pin" site1="end" site2="tip"/></equality>
        <custom><tuple name="independent"><element objtype="joint" objname="slider"/></tuple>
        </custom></mujoco>"""
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = load_mjcf(path)
        states = model.start + np.linspace(-0.01, 0.01, 5)[:, None]
        q = np.asarray(model.position(states))
        assert np.isfinite(sv.FDab(model, states, 0 * states, 0 * states)).all()
    assert np.abs(sv.position_error(model.tree, q, sv.loop_constraints(model.tree))).max() < 1e-12
