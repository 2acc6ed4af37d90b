"""Units of length and mass do not affect results, other than by the factors that follow from their
dimensions.

A robot of revolute joints is described in two systems of units: lengths have numbers L times as
large in the second one, and masses 1/L^2 times, so that the unit of energy, kg m^2/s^2, is the
same. So are then joint angles, joint torques and the inertia matrix. The test finds tolerances that
are compared with a number of another dimension.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from public_functions import Function, arguments, functions, suits

from derivatives import KKT_FO_derivatives
from spatial_v2 import KKT_FD, Model, PointConstraint, RankWarning, xlt
from spatial_v2.models import autoTree

UNITS = [2.0**-14, 2.0**14]
TREE = autoTree(4, 1.5, 0.7, 0.8)
KNOWN = {
    "q", "q0", "q1", "qd", "qdd", "qd_r", "tau", "lambda_", "mu", "b", "f", "dq", "dqd", "dtau",
    "C", "body", "frame", "S", "Xend", "f_ext", "weight", "Xend_dot", "constraints", "forces", "nu",
}  # fmt: skip
"""Names of arguments with the same numbers in both systems of units, or known to `in_both`."""


def in_units(model: Model, L: float) -> Model:
    """Return a model with lengths L times as large, and masses divided by L^2."""
    X, I = np.array(model.Xtree), np.array(model.I)
    X[:, 3:, :3] *= L
    I[:, 3:, :3] /= L
    I[:, :3, 3:] /= L
    I[:, 3:, 3:] /= L**2
    return model.replace(Xtree=X, I=I, gravity=L * np.array(model.gravity))


def in_both(call: Function, L: float) -> list[dict[str, Any]]:
    """Return arguments of a function in both systems of units."""
    given = arguments(TREE, [x.strip("*") for x in call.parameters], np.random.default_rng(5))
    changed = dict(given)
    for name in {"f_ext", "weight", "Xend_dot"} & set(given):
        given[name], changed[name] = 0 * given[name], 0 * given[name]
    if "Xend" in given:
        changed["Xend"] = xlt([0.1 * L, 0.2 * L, -0.3 * L])
    if "constraints" in given:
        tip = np.array([0.1, 0.2, 0.3])
        for x, unit in ((given, 1.0), (changed, L)):
            x["constraints"] = [PointConstraint(3, unit * tip, -1, [0, 0, 0])]
        if "nu" in given:
            given["nu"] = changed["nu"] = np.zeros(3)
        if "forces" in given:
            given["forces"] = np.array([1.0, -2.0, 0.5])
            changed["forces"] = given["forces"] / L
    return [given, changed]


def parts(x: Any) -> list[Any]:
    """Return the arrays in a result."""
    return [z for y in x for z in parts(y)] if isinstance(x, list | tuple) else [x]


OTHER = {"damping", "tolerance", "rtol"}
"""Options that have a dimension."""
OF_UNITS = {"actuation_forces"}
"""Functions whose results depend on units: least-norm forces weight one N and one N m equally."""
CALLS = [
    f
    for f in functions()
    if {x.strip("*") for x in f.parameters} <= KNOWN
    and not OTHER & set(f.options)
    and f.name not in OF_UNITS
    and suits(f.function, TREE)
]


def assert_same_in_units(y: Any, x: Any, L: float) -> None:
    """Check that each number is that in other units, times a power of L that its dimension may
    have.
    """
    if x is None:
        assert y is None
        return
    x, y = np.asarray(x), np.asarray(y)
    if not np.issubdtype(x.dtype, np.inexact):
        assert_array_equal(x, y)
        return
    assert x.shape == y.shape and x.dtype == y.dtype
    factor = L ** np.arange(-4.0, 5.0).reshape(-1, *[1] * x.ndim)
    error = np.abs(y - factor * x) / factor
    size = np.abs(x).max(initial=0.0)
    large = np.abs(x) > 1e-9 * size
    assert (error.min(axis=0, initial=np.inf)[large] <= 1e-9 * size).all()


@pytest.mark.parametrize("L", UNITS)
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_results_are_the_same_in_other_units(call: Function, L: float) -> None:
    """Each number of a result changes by a power of the unit of length only."""
    given, changed = in_both(call, L)
    found = call(in_units(TREE, L), changed)
    for x, y in zip(parts(call(TREE, given)), parts(found), strict=True):
        assert_same_in_units(y, x, L)


@pytest.mark.parametrize("L", [2.0**-18, 2.0**14])
@pytest.mark.parametrize("rank", ["minimum_norm", "proximal"])
def test_a_change_of_rank_is_seen_in_other_units(rank: Any, L: float) -> None:
    """Results and their NaN, at a stretched arm with two constraint rows at its tip, do not depend
    on units.
    """
    model = autoTree(3)
    q = np.array([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [-0.3, 0.5, 0.2]])
    given, results = (model, np.full((3, 3), 0.2), np.ones(3)), []
    for unit in (1.0, L):
        tip = [PointConstraint(2, [unit, 0, 0], directions=[[1, 0, 0], [0, 1, 0]])]
        state = in_units(given[0], unit), q, *given[1:], tip
        with pytest.warns(RankWarning, match="rank of the constraints changes"):
            derivatives = KKT_FO_derivatives(*state, rank=rank)
        results.append([KKT_FD(*state, rank=rank).qdd, *derivatives[:2]])
    assert np.isnan(results[0][1]).any(axis=(1, 2)).tolist() == [False, True, False]
    for x, y in zip(*results, strict=True):
        assert_allclose(y, x, rtol=1e-9, atol=1e-9)
