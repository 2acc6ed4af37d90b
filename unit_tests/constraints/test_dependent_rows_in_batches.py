"""Batches with states in which constraint rows are dependent: each state has the result that it has
alone.
"""

import inspect
import warnings
from typing import Any

import numpy as np
import pytest
from constraint_samples import F, P
from helpers import near as close
from test_dependent_rows import ARM, BATCH, FAMILY, TIP, given_to, parts
from units import rescaled

import spatial_v2 as sv
from derivatives import KKT_FO_derivatives
from spatial_v2.models import autoTree


def solvers() -> list[str]:
    return [x for x, f in FAMILY.items() if "rank" in inspect.signature(f).parameters]


def states(given: dict[str, Any], which: Any) -> dict[str, Any]:
    """Return the arguments for the states `which` of a batch."""
    return {k: x if k == "constraints" else x[which] for k, x in given.items()}


@pytest.mark.parametrize(
    ("name", "reference"),
    [(x, form) for x in solvers() for form in (False, True)[: 1 + hasattr(FAMILY[x], "reference")]],
)
def test_a_state_that_cannot_be_solved_does_not_refuse_the_others(
    name: str, reference: bool
) -> None:
    """Such states give NaN and one warning; it is an error only if no state can be solved."""
    function: Any = FAMILY[name]
    function = function.reference if reference else function
    given = given_to(name, ARM, TIP, (3,)) | {"q": BATCH}
    alone = parts(function(ARM, **states(given, slice(0, 1)), rank="raise"))
    with pytest.warns(sv.RankWarning, match=r"rank 1 only in 1 of 3 states, \(1,\): rows") as told:
        found = parts(function(ARM, **given, rank="raise"))
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = parts(function(ARM, **given, rank="nan"))
    for x, y, z in zip(found, alone, silent, strict=True):
        close(x[0], y[0])
        assert np.isfinite(x[2]).all()
        assert np.array_equal(x, z, equal_nan=True)
    assert np.isnan(np.concatenate([x[1].ravel() for x in found])).any()
    for which in (1, [1, 1]):
        with pytest.raises(sv.SpatialError, match="rank 1 only"):
            function(ARM, **states(given, which), rank="raise")


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("name", FAMILY)
def test_nan_stays_in_its_state(name: str) -> None:
    """For every function of constraints, NaN affects its own state only, without error
    or warning.
    """
    held = list(sv.ConstraintSet(ARM, TIP).placed(ARM, BATCH[0]).constraints)
    given = given_to(name, ARM, held, (3,)) | {"q": BATCH.copy()}
    given["q"][1] = [0.4, -0.7, 0.3]
    good = parts(FAMILY[name](ARM, **given))
    given["q"][1, 0] = np.nan
    found = parts(FAMILY[name](ARM, **given))
    for x, y in zip(found, good, strict=True):
        close(x[::2], y[::2], 1e-11)
    if name != "project_configuration":
        assert np.isnan(np.concatenate([x[1].ravel() for x in found])).any()


def test_least_squares_in_states_of_different_rank() -> None:
    """Each state of a batch has the least-squares result that it has alone."""
    qd, tau = np.full(3, 0.2), np.ones(3)
    for rank in ("minimum_norm", "proximal"):
        many = sv.KKT_FD(ARM, BATCH, qd, tau, TIP, rank=rank)
        for k, q in enumerate(BATCH):
            for x, y in zip(many, sv.KKT_FD(ARM, q, qd, tau, TIP, rank=rank), strict=True):
                close(x[k], y, 1e-9)


@pytest.mark.filterwarnings("ignore::spatial_v2.RankWarning")
@pytest.mark.parametrize("rank", ["minimum_norm", "proximal"])
def test_derivatives_beside_a_state_with_dependent_rows(rank: Any) -> None:
    """The terms for dependent rows are zero in other states, also for an arm of 16 km."""
    L = 2.0**14
    arm = rescaled(ARM, L, L**-2.0)
    tip = [P(2, [L, 0.0, 0.0], directions=[[1, 0, 0], [0, 1, 0]])]
    given = np.full(3, 0.2), np.ones(3), tip
    many = KKT_FO_derivatives(arm, BATCH, *given, rank=rank)
    for k in (0, 2):
        for x, y in zip(many, KKT_FO_derivatives(arm, BATCH[k], *given, rank=rank), strict=True):
            close(x[k], y, 1e-13)


def test_bodies_without_inertia_in_a_batch() -> None:
    """A massless body that is constrained gives finite accelerations beside a state with NaN,
    without a warning.
    """
    arm = autoTree(3)
    arm = arm.replace(I=[0 * I if i == 2 else I for i, I in enumerate(arm.I)])
    held = [F(2, body1=1, rows=[2])]
    q = np.array([[0.1, 0.2, 0.3], [np.nan, 0.0, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sv.KKT_FD(arm, q, 0 * q, 0 * q, held)
    assert np.isfinite(found.qdd[0]).all()
    assert np.isnan(found.qdd[1]).all()


def test_projections_of_a_batch_are_those_of_its_states() -> None:
    """The number of steps that one state needs does not affect the others."""
    held = [P(2, [1.0, 0.0, 0.0], point1=[1.0, 1.0, 0.0])]
    q = np.array([[0.1, 0.2, 0.3], [2.0, 2.5, -1.9], [0.6, 0.4, 0.5]])
    many = sv.project_configuration(ARM, q, held, tolerance=1e-3)
    assert len(set(many.iterations.tolist())) > 1
    for k in range(3):
        for x, y in zip(
            many, sv.project_configuration(ARM, q[k], held, tolerance=1e-3), strict=True
        ):
            close(x[k], y)
