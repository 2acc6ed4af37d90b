"""`simulate` with sampled controllers, actuators, sensors, stops, and limits of time."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

from spatial_v2 import (
    Actuators,
    ConvergenceWarning,
    Ground,
    LimitWarning,
    Sensors,
    autoTree,
    configurationRates,
    gcontact,
    gcPosVel,
    load_model,
    neutral,
    normalizeConfVec,
    planar,
    simulate,
)
from spatial_v2.calls.loading import load_function
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.contact.points import body_forces
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.simulation.ground import Contact
from spatial_v2.simulation.stops import warn_of_limits
from spatial_v2.spatial import Fpt

ARM = planar(2)


def controller(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    return np.array(-4 * (q - 1) - 2 * qd)


def test_a_sampled_controller_is_a_simulation_of_each_interval() -> None:
    step, x = 0.05, np.zeros(4)
    states = [x]
    for k in range(8):
        tau = controller(k * step, x[:2], x[2:])
        one = simulate(ARM, x, [k * step, (k + 1) * step], tau)
        x = np.concatenate([one.q[-1], one.qd[-1]])
        states.append(x)
    times = step * np.arange(9)
    motion = simulate(ARM, np.zeros(4), times, controller, control_step=step)
    assert_allclose(np.hstack([motion.q, motion.qd]), states, atol=1e-8)
    assert motion.tau is not None
    held = [controller(0, s[:2], s[2:]) for s in states[:-1]]
    assert_allclose(motion.tau, [held[0], *held], atol=1e-7)
    between = simulate(ARM, np.zeros(4), [0, 0.4], controller, control_step=step)
    assert between.t[0] == 0 and between.t[-1] == 0.4 and (np.diff(between.t) > 0).all()
    assert_allclose(between.q[-1], motion.q[-1], atol=1e-8)


def test_sampling_faster_and_faster_gives_the_motion_of_the_continuous_controller() -> None:
    times = np.linspace(0, 0.5, 6)
    exact = simulate(ARM, np.zeros(4), times, controller)
    errors = [
        abs(simulate(ARM, np.zeros(4), times, controller, control_step=h).q - exact.q).max()
        for h in (0.02, 0.01)
    ]
    assert errors[0] == pytest.approx(2 * errors[1], rel=0.1) and errors[1] < 0.01


def test_forces_act_after_the_delay_of_the_actuators() -> None:
    seen: list[float] = []

    def constant(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        seen.append(t)
        return np.ones(2)

    late = simulate(
        ARM, np.zeros(4), [0, 0.1, 0.25, 0.4], constant,
        control_step=0.1, actuators=Actuators(delay=0.25),
    )  # fmt: skip
    assert_allclose(seen, [0, 0.1, 0.2, 0.3], atol=1e-12)
    assert (late.q[2] == 0).all()
    assert_allclose(late.q[3], simulate(ARM, np.zeros(4), [0.25, 0.4], np.ones(2)).q[-1], atol=1e-9)


def test_times_of_samples_and_of_delayed_forces_are_one_instant_up_to_rounding() -> None:
    motion = simulate(
        ARM, np.zeros(4), [0, 1.0], controller, control_step=0.1, actuators=Actuators(delay=0.3)
    )
    assert np.diff(motion.t).min() > 1e-4


@pytest.mark.parametrize("step", [None, 0.05])
def test_actuators_limit_the_forces(step: float | None) -> None:
    limited = simulate(
        ARM, np.zeros(4), [0, 0.2], lambda t, q, qd: [9.0, -9.0],
        control_step=step, actuators=Actuators([1.0, 2.0]),
    )  # fmt: skip
    assert_allclose(limited.q[-1], simulate(ARM, np.zeros(4), [0, 0.2], [1.0, -2.0]).q[-1])
    panda = load_model("panda")
    assert (Actuators().limits(panda)[:7] == [87, 87, 87, 87, 12, 12, 12]).all()


def test_sensors_have_independent_noise_of_the_given_size() -> None:
    model = zoo.build("spherical")
    q0 = neutral(model)
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    def look(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        seen.append((q, qd))
        return np.zeros(model.NV)

    def run(seed: int) -> Any:
        seen.clear()
        simulate(
            model.replace(gravity=np.zeros(3)), (q0, np.zeros(model.NV)), [0, 0.5], look,
            control_step=0.001, sensors=Sensors(0.01, 0.1, seed),
        )  # fmt: skip
        return np.array([v for _, v in seen])

    noise = run(1)
    assert noise.std() == pytest.approx(0.1, rel=0.1) and abs(noise.mean()) < 0.01
    assert (noise == run(1)).all() and (noise != run(2)).any()
    q = np.array([x for x, _ in seen])
    assert_allclose(normalizeConfVec(model, q), q, atol=1e-12)


def test_stops_hold_joints_within_their_limits() -> None:
    panda = load_model("panda", couplings="free")
    start = np.zeros(2 * panda.NV)
    start[:9] = [0, -0.5, 0, -2, 0, 1.6, 0.8, 0.02, 0.02]
    with pytest.warns(LimitWarning, match=r"'panda_joint\d' by .*stops=True"):
        free = simulate(panda, start, [0, 1.0], rtol=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LimitWarning)
        held = simulate(panda, start, [0, 1.0], rtol=1e-6, stops=True, method="LSODA")
    inside = np.maximum(panda.lower - held.q, held.q - panda.upper).max()
    outside = np.maximum(panda.lower - free.q, free.q - panda.upper).max()
    assert inside < 0.1 < 0.5 < outside
    assert abs(held.energy.drift).max() < 1e-3 * abs(held.energy.work).max()


def test_a_stop_is_critically_damped_for_the_inertia_of_its_joint() -> None:
    bar = autoTree(1).replace(gravity=np.zeros(3))
    bar = bar.replace(limits={bar.joint_names[0]: (-1.0, 0.0)})
    motion = simulate(bar, [0.0, 1.0], [0, 0.2], stops=0.01, rtol=1e-9, dense_output=True)
    assert motion.sol is not None
    t = 0.005
    # x'' = -x/T^2 - 2 x'/T from x = 0, x' = 1: x = t exp(-t/T)
    assert_allclose(motion.sol(t)[0], t * np.exp(-t / 0.01), rtol=1e-6)


@pytest.mark.filterwarnings("ignore:simulate. at t = .* takes steps of")
def test_a_limit_of_time_ends_with_the_motion_so_far() -> None:
    """A fast processor does enough steps within the limit for the warning that they are small."""
    end = 50_000.0
    with pytest.warns(ConvergenceWarning, match=r"time_limit = 0.2 s was reached at t = "):
        motion = simulate(ARM, [0, 0, 1, 0], [0, end], controller, time_limit=0.2, progress=False)
    assert 0 < motion.t[-1] < end and "time_limit" in motion.message and motion.t_events == []
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        sampled = simulate(
            ARM, [0, 0, 1, 0], [0, end], controller, control_step=0.01, time_limit=0.2
        )
    assert sampled.tau is not None and len(sampled.t) == len(sampled.tau) > 10


def test_a_switching_controller_is_told() -> None:
    late = pytest.warns(ConvergenceWarning, match="was reached")
    with late, pytest.warns(ConvergenceWarning, match="control_step=.*time_limit="):
        simulate(
            ARM, [0, 0, 1, 0], [0, 20.0], lambda t, q, qd: -np.sign(q + qd), time_limit=3,
            method="LSODA",
        )  # fmt: skip


def test_events_end_a_sampled_motion() -> None:
    def high(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return float(q[0] - 0.2)

    high.terminal = True  # type: ignore[attr-defined]
    one = simulate(ARM, np.zeros(4), [0, 5], controller, control_step=0.01, events=high)
    assert one.t_events[0].shape == (1,) and one.t[-1] == one.t_events[0][0] < 1
    assert_allclose(one.x_events[0][0][0, 0], 0.2, atol=1e-9)


@pytest.mark.parametrize(
    "name", zoo.over([n for n in zoo.NAMES if spaces(zoo.build(n)) is not None])
)
def test_rates_of_configurations_by_the_kernel_are_those_of_the_function(name: str) -> None:
    model = zoo.build(name)
    rng = np.random.default_rng(0)
    state = zoo.states(model, rng)
    x, qd = state.q * 1.01, state.qd
    unit, rates = np.empty((2, 1, model.NQ))
    load_function("configurationRates")(spaces(model), x[None], qd[None], unit, rates)
    assert_allclose(rates[0], configurationRates(model, x, qd), atol=1e-14)
    assert_allclose(unit[0], normalizeConfVec(model, x), atol=1e-14)


@pytest.mark.parametrize("lift", [-0.3, -0.02, 0.02])
@pytest.mark.parametrize("mu", [0.0, 0.3, 5.0])
def test_forces_of_the_ground_by_the_kernel_are_those_of_the_function(
    lift: float, mu: float
) -> None:
    rng = np.random.default_rng(1)
    model = autoTree(5, 2).replace(jtype=["Fb", "Rx", "S", "Pz", "Ry"])
    body = np.array([0, 2, 4, 4])
    model = model.replace(gc={"point": rng.normal(size=(4, 3)), "body": body})
    for _ in range(20):
        q, qd = normalizeConfVec(model, rng.normal(size=model.NQ)), rng.normal(size=model.NV)
        q[6] = lift
        u, ground = 0.01 * rng.normal(size=(4, 2)), Ground(1e3, 50, mu)
        motion, (p, pd) = forward_kinematics(model, q, qd), gcPosVel(model, q, qd)
        f, ud, _ = gcontact(*ground, p, pd, u)
        pushed = Contact(model, ground).push(motion, u)
        assert_allclose(pushed.f_ext, body_forces(model, Fpt(f, p), "test"), atol=1e-10)
        assert_allclose(pushed.ud, ud, atol=1e-12)
        assert_allclose(pushed.power, np.sum(f * pd), atol=1e-10)


@pytest.mark.parametrize("width", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("share", "told"), [(5e-6, True), (5e-7, False)])
def test_how_far_joints_may_leave_their_limits(share: float, told: bool, width: float) -> None:
    """By a millionth of the distance between the limits, without a warning."""
    slide = autoTree(1).replace(jtype=["Px"])
    slide.limits = {slide.joint_names[0]: (-width / 2, width / 2)}
    with pytest.warns(LimitWarning) if told else nullcontext():
        warn_of_limits(slide, np.array([[0.0], [width * (0.5 + share)]]))
