"""The style of charts: colours can be told apart, units follow from joint types, and rounding
errors are marked.
"""

from itertools import combinations

import numpy as np
import pytest
import zoo
from helpers import for_each
from matplotlib.figure import Figure

from derivatives.reference.metrics import Errors
from derivatives.reference.verify import Row
from spatial_v2 import autoTree, configurationAddition, neutral, planar, simulate
from spatial_v2.joints import JOINT_TYPES, joint_type
from spatial_v2.plots import plot_energy, plot_errors, plot_motion, plot_sparsity
from spatial_v2.plots.style import PALETTE, ROUNDING, line_styles
from spatial_v2.plots.units import position_variables
from spatial_v2.simulation import EnergyReport

CONES = np.array(
    [[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]]
)
"""Responses of the three kinds of cones of the eye to linear red, green and blue: Vienot et al.
(1999).
"""
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
    "deuteranopia": np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, sight: str) -> np.ndarray:
    """Return the CIELAB coordinates of a colour as people with a given kind of sight see it."""
    s = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.linalg.solve(CONES, SIGHT[sight] @ CONES @ linear), 0, 1)
    x = XYZ @ seen / [0.9505, 1.0, 1.089]
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_can_be_told_apart(sight: str) -> None:
    """Any two colours differ by more than 15 in CIELAB, also for people without red or
    green cones.
    """
    seen = [lab(colour, sight) for colour in PALETTE]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 15


def test_lines_differ_in_colour_or_in_dashes() -> None:
    looks = [(x["color"], x["linestyle"]) for x in line_styles(4 * len(PALETTE))]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("code", JOINT_TYPES)
def test_units_are_those_of_the_joint_table(code: str) -> None:
    """Each position variable of a joint has a name, and the unit that the joint table states."""
    joint = JOINT_TYPES[code]
    found = position_variables(joint)
    assert len(found) == joint.nq == len({x.name for x in found})
    assert {x.unit for x in found} - {"1"} >= {
        u for u in ("rad", "m") if f"[{u}]" in joint.position
    }
    assert ("1" in {x.unit for x in found}) == (joint.nq > 1)


@for_each(JOINT_TYPES)
def test_translations_change_the_position_variables_in_metres(code: str) -> None:
    """Position variables in metres are those that translations along the joint change."""
    pars = {"pitch": 0.3} if code.startswith("H") else {}
    joint = joint_type({"code": code, "pars": pars})
    flat = len(joint.S) == 3
    model = (planar(1) if flat else autoTree(1)).replace(jtype=[{"code": code, "pars": pars}])
    q, turns = neutral(model), joint.S[: 1 if flat else 3].any(axis=0)
    moved = [np.asarray(configurationAddition(model, q, 0.1 * e)) for e in np.eye(joint.nv)]
    changed = np.any([x != q for x, turn in zip(moved, turns, strict=True) if not turn], axis=0)
    found = [x.unit == "m" for x in position_variables(joint)]
    np.testing.assert_array_equal(found, np.broadcast_to(changed, joint.nq))


@pytest.mark.parametrize(
    ("name", "label"),
    [("branched", "angle [rad]"), ("SE3", "rotation matrix [1], displacement [m]")],
)
def test_axis_of_a_motion_names_quantities_and_units(name: str, label: str) -> None:
    model = zoo.build(name)
    q = np.stack([neutral(model)] * 2)
    ax = plot_motion(model, [0, 1], q, Figure().subplots())
    assert set(label.split(", ")) <= set(ax.get_ylabel().split(", "))
    legend = ax.get_legend()
    assert legend is not None and len(legend.get_texts()) == min(model.NQ, 80)


def test_constant_values_are_not_magnified() -> None:
    """For a variable that is constant up to rounding, the axis has a wide range."""
    q = 0.7 + 1e-16 * np.random.default_rng(0).normal(size=(50, 1))
    low, high = plot_motion(planar(1), np.arange(50.0), q, Figure().subplots()).get_ylim()
    assert high - low > 0.1


def test_energy_says_whether_it_is_constant_up_to_rounding() -> None:
    zero = np.zeros(3)
    flat = EnergyReport(KE=np.array([1.0, 2, 3]), PE=np.array([4.0, 3, 2]), work=zero, drift=zero)
    ax = plot_energy([0, 1, 2], flat, Figure().subplots())
    assert "constant up to rounding" in str(ax.lines[-1].get_label())
    off = flat._replace(PE=np.array([4.0, 3, 2.25]))
    ax = plot_energy([0, 1, 2], off, Figure().subplots())
    assert "departs 2e-01 J" in str(ax.lines[-1].get_label())


def test_entries_at_rounding_level_have_a_colour_of_their_own() -> None:
    x = [[1.0, 0.5 * ROUNDING], [0.0, 2 * ROUNDING]]
    ax = plot_sparsity(x, Figure().subplots())
    assert ax.get_title() == "3 of 4, 1 at rounding level"
    image = ax.images[0]
    shown = image.to_rgba(image.get_array())
    under = image.get_cmap().get_under()
    assert (shown[0, 1] == under).all() and not (shown[1, 1] == under).all()
    assert float(np.asarray(image.get_array())[1, 1]) >= 1e-4


@pytest.mark.parametrize("bar", [None, True, False])
def test_new_axes_have_a_colour_bar(bar: bool | None) -> None:
    from matplotlib import pyplot as plt

    figures = [plot_sparsity(np.eye(2), bar=bar).figure]
    figures.append(plot_sparsity(np.eye(2), Figure().subplots(), bar=bar).figure)
    wanted = [bar is not False, bar is True]
    assert [len(figure.get_axes()) == 2 for figure in figures] == wanted
    plt.close("all")


@pytest.mark.parametrize("metric", ["rmsre", "mae"])
def test_relative_errors_at_rounding_level_are_hollow(metric: str) -> None:
    """Relative errors at rounding level are drawn hollow; absolute errors, which have a unit, are
    not.
    """
    rows = [Row("a", x, Errors(e, e, e, e), 0.0) for x, e in (("one", 1e-16), ("two", 1e-9))]
    ax = plot_errors(rows, Figure().subplots(), metric=metric)
    hollow = ax.collections[0].get_offsets()
    assert np.asarray(hollow)[:, 0].tolist() == ([1e-16] if metric == "rmsre" else [])
    assert ("rounding level" in [x.get_label() for x in ax.patches]) == (metric == "rmsre")


def test_a_free_motion_conserves_energy_up_to_its_tolerance() -> None:
    motion = simulate(planar(2), ([0.1, 0.2], [1, 0]), [0, 1], rtol=1e-8)
    ax = plot_energy(motion.t, motion.energy, Figure().subplots())
    assert "departs" in str(ax.lines[-1].get_label())
