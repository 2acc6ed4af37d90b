"""Prepared steps of a controller under contacts are those of the problem."""

import gc
import tracemalloc
from itertools import product
from typing import Any

import numpy as np
import pytest
from helpers import near
from test_shooting import Case, N, foot, replaced

from spatial_v2 import PointConstraint, configurationAddition, set_workers
from spatial_v2.calls.loading import has_kernels, without_kernels
from spatial_v2.control import Command, ContactPhase, ModelPredictiveControl, solve

if not has_kernels("riccati"):
    pytest.skip("prepared steps are calls of kernels", allow_module_level=True)


def under_contact(name: str) -> Case:
    """Return a case with a contact that holds throughout."""
    return Case(name, phases=[ContactPhase(N, foot(name))], baumgarte=(0.0, 5.0))


def both(case: Case, *kind: bool) -> tuple[ModelPredictiveControl, ModelPredictiveControl]:
    """Return two controllers from the solution: with and without prepared steps."""
    guess = solve(case.problem)
    made = [ModelPredictiveControl(case.problem, guess, *kind) for _ in range(2)]
    assert made[0]._steps.prepared is not None
    made[1]._steps.prepared = None
    return made[0], made[1]


def alike(x: Command, y: Command, tolerance: float = 1e-9) -> None:
    for name in ("u", "gains", "cost", "step"):
        near(getattr(x, name), getattr(y, name), tolerance)
    assert x.iterations == y.iterations and abs(x.error - y.error) < 1e-6 * (1 + y.error)


def states(case: Case, count: int, size: float) -> Any:
    """Iterate over states near the initial one."""
    rng, p = np.random.default_rng(5), case.problem
    for _ in range(count):
        off = size * rng.normal(size=(2, case.model.NV))
        yield configurationAddition(case.model, p.q, off[0]), p.qd + off[1]


@pytest.mark.parametrize(("line_search", "exact"), [*product([True, False], repeat=2)])
@pytest.mark.parametrize("name", ["chain", "floating", "spherical"])
def test_commands_are_those_of_plain_steps(name: str, line_search: bool, exact: bool) -> None:
    """Also in several iterations, after the horizon has moved, for another problem, and where
    targets move.
    """
    case = under_contact(name)
    fast, plain = both(case, line_search, exact)
    goal = case.problem.running[0]
    for k, (q, qd) in enumerate(states(case, 8, 0.03)):
        if k == 4:
            goal.qd = np.full(case.model.NV, 0.1)  # type: ignore[attr-defined]
        x, y = (c.step(q, qd, 1 + k % 2) for c in (fast, plain))
        alike(x, y)
        for c in (fast, plain):
            c.shift(replaced(case.problem) if k == 5 else None)
        plain._steps.prepared = None
        near(fast.trajectory.q, plain.trajectory.q, 1e-9)
    assert fast._steps.prepared is not None


@pytest.mark.parametrize("exact", [True, False])
def test_warm_calls_allocate_nothing_for_their_horizon(exact: bool) -> None:
    """The memory that a call uses beside its arrays does not depend on the number of intervals.

    The kernels of the dynamics stand aside, since here they may run state by state.
    """
    case, used, sizes = under_contact("floating"), [], []
    p = case.problem
    for steps in (16, 64):
        phases = [ContactPhase(steps, p.phases[0].constraints)]
        free: Any = {"lower": -np.inf, "upper": np.inf}
        long = replaced(p, h=np.full(steps, p.h.sum() / steps), phases=phases, **free)
        control = ModelPredictiveControl(long, solve(long), False, exact)
        for _ in range(3):
            control.step(p.q, p.qd)
        prepared: Any = control._steps.prepared
        prepared._first = prepared._second = dict
        tracemalloc.start()
        control.step(p.q, p.qd)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        control.step(p.q, p.qd)
        used.append(tracemalloc.get_traced_memory()[1] - before)
        tracemalloc.stop()
        sizes.append(prepared.x.g.nbytes)
    assert abs(used[1] - used[0]) < (sizes[1] - sizes[0]) / 20, (used, sizes)


def test_another_model_is_prepared_anew() -> None:
    case = under_contact("floating")
    fast, plain = both(case, False)
    for gravity in (case.model.gravity, np.array([0.0, 1.0, -5.0])):
        case.model.gravity = gravity
        for q, qd in states(case, 3, 0.02):
            alike(fast.step(q, qd), plain.step(q, qd))


def test_other_ways_where_prepared_steps_do_not_fit() -> None:
    """On several threads, without kernels, where rows are nearly dependent, and where the Hessian
    is indefinite or has been corrected, steps are those of the problem.
    """
    case = under_contact("floating")
    fast, plain = both(case, False)
    (q, qd), *_ = states(case, 1, 0.02)
    with set_workers(2):
        alike(fast.step(q, qd), plain.step(q, qd))
    with without_kernels():
        alike(fast.step(q, qd), plain.step(q, qd), 1e-7)
    prepared: Any = fast._steps.prepared
    first, riccati = prepared._first, prepared._riccati

    def in_doubt() -> None:
        first()
        prepared.doubt[:] = 1.0

    def without_minimum() -> None:
        riccati()
        prepared.feedback.failed[:] = 1.0

    for name, call in (("_first", in_doubt), ("_riccati", without_minimum)):
        setattr(prepared, name, call)
        alike(fast.step(q, qd), plain.step(q, qd))
        setattr(prepared, name, first if name == "_first" else riccati)
    fast._steps.correction = plain._steps.correction = np.array([0.1])
    alike(fast.step(q, qd), plain.step(q, qd))
    alike(fast.step(q, qd), plain.step(q, qd))


def test_what_is_not_prepared() -> None:
    """Bounds on controls, other dynamics, several phases and robots with rotors take the general
    steps.
    """
    two = [PointConstraint(1, [0.0, 0.0, 0.0], directions=[[1.0, 0.0, 0.0]])]
    cases = [
        Case("chain", phases=[ContactPhase(N, foot("chain"))], lower=-1.0, upper=1.0),
        Case("chain"), Case("chain", phases=[ContactPhase(N, foot("chain"))], method="rk4"),
        Case("chain", phases=[ContactPhase(N // 2, foot("chain")), ContactPhase(N - N // 2, two)]),
        Case("rotors", phases=[ContactPhase(N, foot("rotors"))]),
    ]  # fmt: skip
    for case in cases:
        control = ModelPredictiveControl(case.problem)
        assert control._steps.prepared is None
        assert np.isfinite(control.step(case.problem.q, case.problem.qd).u).all()
