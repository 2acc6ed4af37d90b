"""`simulate`: known motions, energy, events, contact, and errors."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import for_each
from numpy.testing import assert_allclose

from spatial_v2 import (
    HD,
    Actuators,
    ConstraintSet,
    EnerMo,
    FDab,
    FDcrb,
    FDgq,
    Ground,
    Model,
    ModelError,
    PointConstraint,
    Sensors,
    SpatialError,
    autoTree,
    configurationAddition,
    configurationDifference,
    doubleElbow,
    hinge_loop,
    mcI,
    neutral,
    planar,
    position_error,
    project_configuration,
    project_velocity,
    rollingdisc,
    simulate,
    xlt,
)

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


@pytest.mark.parametrize("name", zoo.MODELS)
def test_energy_changes_by_the_work(name: str) -> None:
    """The energy changes by the work of joint forces and external forces that change with time."""
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(5))

    def tau(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.asarray(np.cos(3 * t) * s.tau - 0.1 * qd)

    if name == "massless":
        s = s._replace(f_ext=0 * s.f_ext)
    motion = simulate(
        model, (s.q, s.qd), [0, 0.2], tau, f_ext=lambda t, q, qd: (1 + t) * s.f_ext,
        rtol=1e-9, atol=1e-11,
    )  # fmt: skip
    e = motion.energy
    assert np.ptp(e.work) > 1e-3
    assert np.abs(e.drift).max() < 1e-6 * (np.ptp(e.KE) + np.ptp(e.work))
    assert abs(e.drift[0]) < 1e-12


def test_a_pendulum_has_the_exact_period() -> None:
    """The period agrees with the exact one, by the arithmetic-geometric mean; the event is the
    lowest point.
    """
    model = Model(
        parent=[-1], jtype=["Ry"], Xtree=np.eye(6)[None], I=[mcI(1, [0, 0, -1], np.zeros((3, 3)))]
    )
    a, b = 1.0, np.cos(1.0)
    for _ in range(8):
        a, b = (a + b) / 2, np.sqrt(a * b)
    period = 2 * np.pi / a / np.sqrt(9.81)

    def lowest(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return float(q[0])

    motion = simulate(model, ([2.0], [0.0]), [0, 2 * period], events=lowest, rtol=1e-11)
    (times,) = motion.t_events
    assert_allclose(times, period * (np.arange(4) / 2 + 0.25), rtol=1e-8)
    ((q, qd),) = motion.x_events
    assert_allclose(q, np.zeros((4, 1)), atol=1e-8)
    assert_allclose(np.abs(qd), np.sqrt(2 * 9.81 * (1 - np.cos(2.0))) * np.ones((4, 1)), rtol=1e-8)

    lowest.terminal = True  # type: ignore[attr-defined]
    motion = simulate(model, ([2.0], [0.0]), [0, 2 * period], events=[lowest], rtol=1e-11)
    assert_allclose(motion.t[-1], period / 4, rtol=1e-8)
    assert "termination event" in motion.message


@pytest.mark.parametrize("jtype", ["Fb", "SE3"])
def test_a_free_body_falls_on_a_parabola_and_spins_uniformly(jtype: str) -> None:
    """The centre of mass moves on a parabola, and the body rotates at a constant rate about a
    principal axis.
    """
    body = mcI(2.0, [0.3, -0.2, 0.1], np.diag([0.3, 0.4, 0.5]))
    model = Model(parent=[-1], jtype=[jtype], Xtree=np.eye(6)[None], I=[body])
    rng = np.random.default_rng(1)
    q0 = configurationAddition(model, neutral(model), rng.normal(size=6))
    w, c = np.array([0, 0, 5.0]), np.array([0.3, -0.2, 0.1])
    v = np.concatenate([w, [1, 2, 3] - np.cross(w, c)])
    t = np.linspace(0, 3, 13)
    motion = simulate(model, (q0, v), t, rtol=1e-10, atol=1e-12)
    e = EnerMo(model, motion.q, motion.qd)
    fall = t[:, None] * e.vcm[0] + 0.5 * t[:, None] ** 2 * model.gravity
    assert_allclose(e.cm - e.cm[0], fall, atol=1e-6)
    assert_allclose(motion.qd[:, :3], np.tile(w, (13, 1)), atol=1e-8)
    turn = configurationAddition(model, q0, np.concatenate([w * t[-1], np.zeros(3)]))
    assert_allclose(configurationDifference(model, turn, motion.q[-1])[:3], np.zeros(3), atol=1e-7)


def test_quaternions_of_long_motions_stay_on_their_group() -> None:
    model = zoo.build("spherical")
    s = zoo.states(model, np.random.default_rng(2))
    motion = simulate(model, (s.q, 3 * s.qd), np.linspace(0, 5, 11), rtol=1e-4, atol=1e-6)
    for inds, n in zip(model.qinds, model.nq, strict=True):
        if n == 4:
            assert_allclose(np.linalg.norm(motion.q[:, inds], axis=1), np.ones(11), atol=1e-15)


def test_dense_output_agrees_with_given_times() -> None:
    model = zoo.build("floating")
    s = zoo.states(model, np.random.default_rng(3))
    given = np.linspace(0.1, 0.5, 7)
    motion = simulate(model, np.concatenate([s.q, s.qd]), given, dense_output=True)
    assert_allclose(motion.t, given, rtol=0)
    assert motion.sol is not None
    q, qd = motion.sol(given)
    assert_allclose(q, motion.q, atol=1e-9)
    assert_allclose(qd, motion.qd, atol=1e-9)
    assert motion.sol(0.3)[0].shape == (model.NQ,)
    steps = simulate(model, (s.q, s.qd), [0.1, 0.5])
    assert len(steps.t) > 3 and steps.sol is None and steps.u is None


def test_progress_grows_to_one() -> None:
    told: list[float] = []
    simulate(autoTree(3), np.ones(6), [0, 1], progress=told.append)
    assert len(told) > 10 and told == sorted(told)
    assert told[-1] == 1.0 and told[0] > 0


def test_other_forward_dynamics_give_the_same_motion() -> None:
    """The composite-rigid-body algorithm gives the same motion, and so does hybrid dynamics, with
    the work of the acting forces.
    """
    model, start = autoTree(3, 1, 0.3), ([0.1, 0.2, 0.3], [1.0, -1.0, 0.5])
    one, other = (simulate(model, start, [0, 1], dynamics=f) for f in (simulate_default(), FDcrb))
    assert_allclose(one.q[-1], other.q[-1], atol=1e-7)

    def driven(model: Model, q: Any, qd: Any, tau: Any) -> Any:
        return HD(model, [1, 0, 1], q, qd, [0, -4 * (q[1] - 0.2), 0], tau)

    motion = simulate(model, start, np.linspace(0, 2, 9), dynamics=driven)
    assert_allclose(motion.q[:, 1], 0.2 - 0.5 * np.sin(2 * motion.t), atol=1e-7)
    assert np.abs(motion.energy.drift).max() < 1e-6 < np.ptp(motion.energy.work)


def simulate_default() -> Any:
    return simulate.__kwdefaults__["dynamics"]


def test_explicit_constraints_hold() -> None:
    """The two elbow joints have equal angles, and constraint forces do no work."""
    motion = simulate(doubleElbow(), ([0.1, 0.4, 0.4], [1, 2, 2]), [0, 3], dynamics=FDgq)
    assert_allclose(motion.q[:, 1], motion.q[:, 2], atol=1e-8)
    assert np.abs(motion.energy.drift).max() < 1e-6
    astray = simulate(doubleElbow(), ([0.1, 0.4, 0.5], [0, 0, 0]), [0, 2], dynamics=FDgq)
    assert abs(astray.q[-1, 1] - astray.q[-1, 2]) < 1e-5


def test_a_ball_bounces_and_comes_to_rest() -> None:
    """The ball bounces, loses energy to the ground and comes to rest; then the ground bears its
    weight.
    """
    model = Model(
        parent=[-1], jtype=["Pz"], Xtree=np.eye(6)[None], I=[mcI(0.5, [0, 0, 0], np.zeros((3, 3)))],
        gc={"point": [[0, 0, 0]], "body": [0]},
    )  # fmt: skip
    ground = Ground(K=1e4, D=500, mu=0.5)
    motion = simulate(model, ([0.1], [0.0]), [0, 3], contact=ground, rtol=1e-9)
    e = motion.energy
    assert motion.q.min() < -1e-3
    assert_allclose(motion.q[-1], [-((0.5 * 9.81 / 1e4) ** (2 / 3))], rtol=1e-5)
    assert (np.diff(e.work) <= 1e-9).all() or e.work[-1] < -0.4
    assert np.abs(e.drift).max() < 1e-6


@pytest.mark.slow
def test_a_planar_point_sticks_with_deformed_ground() -> None:
    """A planar point pressed on the ground and pushed sideways sticks, with deformed ground."""
    model = Model(
        parent=[-1, 0], jtype=["px", "py"], Xtree=[np.eye(3)] * 2,
        I=[np.zeros((3, 3)), mcI(1, [0, 0], 0.1)], gravity=[0, -9.81],
        gc={"point": [[0, 0]], "body": [1]},
    )  # fmt: skip
    motion = simulate(
        model, ([0, 0], [0, 0]), [0, 4], [2.0, 0], contact=Ground(1e4, 1e3, 0.5), u0=[[0.0]]
    )
    assert motion.u is not None and motion.u.shape[1:] == (1, 1)
    depth = (9.81 / 1e4) ** (2 / 3)
    assert_allclose(motion.u[-1], [[2.0 / 1e4 / np.sqrt(depth)]], rtol=1e-4)
    assert_allclose(motion.q[-1, 0], motion.u[-1, 0, 0], rtol=1e-3)


SAMPLED = {"tau": lambda t, q, qd: q, "control_step": 0.1}
BAD: dict[str, dict[str, Any]] = {
    "x0 must be a tuple": {"x0": np.zeros(3)},
    r"shapes \(2,\) and \(2,\)": {"x0": (np.zeros(3), np.zeros(2))},
    "x0 must be finite": {"x0": [0, 0, np.nan, 0]},
    "t must have shape": {"t": 1.0},
    "t must be finite and increase": {"t": [0, 2, 1]},
    r"tau must be, or give, an array of shape \(2,\)": {"tau": np.zeros(3)},
    "method 'euler' is unknown": {"method": "euler"},
    "no contact points": {"contact": Ground(1, 1, 1)},
    "u0 must have shape": {"u0": np.zeros((1, 2))},
    "f_ext: want": {"f_ext": np.zeros(6)},
    "x0 must be one array": {"x0": [[0, 0], [0]]},
    "x0 must be real": {"x0": np.zeros(4) + 1j},
    "t must be real": {"t": [0, 1j]},
    "tau must be real": {"tau": np.zeros(2) + 1j},
    "tau must be numbers": {"tau": lambda *_: None},
    "f_ext must be real": {"f_ext": np.zeros((2, 3)) + 1j},
    r"f_ext must be, or give,.* shape \(2, 3\), got \(1, 2, 3\)": {"f_ext": np.zeros((1, 2, 3))},
    r"dynamics must give accelerations of shape \(2,\), got \(3,\)": {
        "dynamics": lambda *_: np.zeros(3)
    },
    "dynamics: want a function, got 'FDab'": {"dynamics": "FDab"},
    "progress: want a function": {"progress": "bar"},
    "sensors: want control_step": {"sensors": Sensors()},
    "a delay: want control_step": {"actuators": Actuators(delay=0.1)},
    "actuators: want Actuators": {"actuators": 5},
    r"limit: want one number or shape \(2,\)": {"actuators": Actuators(np.ones(3))},
    "q_noise: want numbers, 0 or greater": {**SAMPLED, "sensors": Sensors(-1)},
    "control_step: want a number": {**SAMPLED, "control_step": 0},
    "tau, with control_step: want a function": {"control_step": 0.1},
    r"tau must give an array of shape \(2,\), got \(3,\)": {
        **SAMPLED, "tau": lambda t, q, qd: np.ones(3),
    },
    "stops: want True, False": {"stops": "hard"},
    "stops: no joint": {"stops": True},
    "time_limit: want a number": {"time_limit": -1},
    "contact: D must be positive": {"contact": (1, 0, 1)},
    "events: want a function": {"events": [1]},
    "events: want one number": {"events": lambda t, q, v: q},
    "method 5 is unknown": {"method": 5},
    "rtol: want a number, greater than 0": {"rtol": np.nan},
    "atol: want a number, 0 or greater": {"atol": -1},
    "max_step: want a number": {"max_step": 0},
    "contact: want Ground": {"contact": 1e6},
    "baumgarte: want": {"baumgarte": 100},
    "rank: want": {"rank": "least"},
    "damping: want": {"damping": -1},
    "rest: want a speed": {"rest": 0},
    "contact: K must be positive": {
        "model": rollingdisc(2), "x0": np.zeros(12), "contact": Ground(-1, 1, 1),
    },
    "the solver stopped at t": {
        "x0": np.ones(4), "t": [0, 2], "tau": lambda t, q, qd: 1e3 * qd**3, "rtol": 1e-3,
    },
    "not finite at t = 1": {
        "t": [0, 2], "tau": lambda t, q, qd: [0, 1.0 if t < 1 else np.nan], "rtol": 1e-3,
    },
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@for_each(BAD.items())
def test_bad_input_is_refused(message: str, change: dict[str, Any]) -> None:
    with pytest.raises(SpatialError, match=message):
        simulate(**{"model": planar(2), "x0": np.zeros(4), "t": [0, 1], **change})


def test_times_of_a_dense_output_are_checked() -> None:
    sol = simulate(planar(2), np.zeros(4), [0, 1], dense_output=True).sol
    assert sol is not None
    for time, message in ((2, "sol: want times from 0 to 1 s, got 2"), ([[0.5]], "sol: t must be")):
        with pytest.raises(SpatialError, match=message):
            sol(time)


@pytest.mark.parametrize("name", ["planar_tree", "floating"])
@pytest.mark.parametrize("method", ["DOP853", "LSODA"])
@pytest.mark.parametrize("which", ["tau", "f_ext", "events", "dynamics"])
def test_functions_may_keep_and_change_their_arguments(name: str, method: str, which: str) -> None:
    """A function that stores the state, or changes it in place, does not change the motion, and
    what it stores stays as it was.
    """
    model = zoo.build(name)
    q, qd = zoo.states(model, np.random.default_rng(5))[:2]
    kept: list[Any] = []
    before: list[Any] = []
    results = {
        "tau": np.zeros(model.NV),
        "f_ext": np.zeros((model.NB, 3 if model.is_planar else 6)),
        "events": 1.0,
    }

    def changes(*given: Any) -> Any:
        q, qd = given[1:3]
        result = results.get(which)
        if which == "dynamics":
            result = FDab(model, q, qd, given[3])
        kept.append((q, qd))
        q *= 1.5
        qd -= 1.0
        before.append((q.copy(), qd.copy()))
        return result

    args: dict[str, Any] = {"method": method, "rtol": 1e-6}
    if which == "f_ext":
        args["f_ext"] = results["f_ext"]
    plain = simulate(model, (q, qd), [0, 0.1], **args)
    changed = simulate(model, (q, qd), [0, 0.1], **{**args, which: changes})
    assert_allclose(changed.q, plain.q, atol=1e-14)
    assert len(kept) > 2
    for now, then in zip(kept, before, strict=True):
        for x, y in zip(now, then, strict=True):
            assert np.array_equal(x, y)


def test_contact_without_points_is_refused() -> None:
    with pytest.raises(ModelError):
        simulate(planar(2), np.zeros(4), [0, 1], contact=Ground(1, 1, 1))


def test_constraints_are_kept_during_a_motion() -> None:
    """A loop closed by a ball joint stays closed, and its energy changes only by the work done
    on it.
    """
    model = zoo.build("floating")
    rng = np.random.default_rng(3)
    q, qd = zoo.states(model, rng)[:2]
    held = ConstraintSet(model, [PointConstraint(4, [0.1, 0.2, 0.3], 2, [0.0, 0.1, 0.0])])
    held = held.placed(model, q)
    qd = project_velocity(model, q, 0.3 * qd, held)
    motion = simulate(model, (q, qd), [0, 0.1, 0.2], constraints=held, baumgarte=(400.0, 40.0))
    assert np.abs(position_error(model, motion.q, held)).max() < 1e-7
    assert np.abs(motion.energy.drift).max() < 1e-6
    with pytest.raises(SpatialError, match="constraints or dynamics"):
        simulate(model, (q, qd), [0, 1], constraints=held, dynamics=FDcrb)


def test_the_textbook_four_bar_runs() -> None:
    """A linkage of three links is closed by a hinge in space, of whose five constraint rows two are
    independent.
    """
    model = autoTree(3).replace(gravity=[0, -9.81, 0])
    loop = [hinge_loop(2, xlt([1.0, 0, 0]), -1, xlt([1.0, 0.6, 0]))]
    q = project_configuration(model, [1.2, -0.8, -0.9], loop).q
    qd = project_velocity(model, q, [1.0, 0, 0], loop)
    times = [0, 0.1, 0.2]
    with pytest.raises(SpatialError, match="rank 2 only.*minimum_norm.*damping"):
        simulate(model, (q, qd), times, constraints=loop)
    point = [PointConstraint(2, [1.0, 0, 0], point1=[1.0, 0.6, 0], directions=np.eye(3)[:2])]
    plane = simulate(model, (q, qd), times, constraints=point, baumgarte=(100.0, 20.0), rtol=1e-6)
    for how in ({"rank": "minimum_norm"}, {"damping": 1e-9}):
        motion = simulate(
            model, (q, qd), times, constraints=loop, baumgarte=(100.0, 20.0), rtol=1e-6, **how
        )
        assert_allclose(motion.q, plane.q, atol=1e-6)
        assert np.abs(position_error(model, motion.q, loop)).max() < 1e-6


@pytest.mark.parametrize("method", [None, "BDF"])
def test_dry_friction_brings_to_rest(method: str | None) -> None:
    """A sliding block stops when its energy is used up; a pushed one stays or continues, depending
    on the force.
    """
    block = autoTree(1).replace(jtype=["Px"], gravity=[0, 0, 0], friction=2.0, I=[np.eye(6)])
    stop = simulate(block, ([0.0], [1.0]), [0, 0.25, 5], method=method)
    assert_allclose(stop.q[:, 0], [0, 0.1875, 0.25], atol=1e-6)
    assert abs(stop.qd[-1, 0]) < 1e-9
    assert np.abs(stop.energy.drift).max() < 1e-6
    held = simulate(block, ([0.0], [0.0]), [0, 5], [1.9], method=method)
    assert abs(held.q[-1, 0]) < 5e-5
    pushed = simulate(block, ([0.0], [0.0]), [0, 2], [3.0], method=method)
    assert_allclose(pushed.q[-1], [2.0], atol=1e-4)


@pytest.mark.slow
def test_dry_friction_lets_joints_stop_and_start_again() -> None:
    """Links swing and stop repeatedly, under gravity and constraints."""
    model = autoTree(2).replace(friction=3.0, gravity=[0, -9.81, 0])
    for how in ({}, {"constraints": [PointConstraint(1, [1, 0, 0], directions=[[1.0, 0, 0]])]}):
        motion = simulate(model, ([0.1, 0.9], [0.0, 0.0]), [0, 3.0], **how)  # type: ignore[arg-type]
        assert np.abs(motion.energy.drift).max() < 1e-4
        assert motion.energy.work[-1] < 0


@pytest.mark.parametrize("method", ["DOP853", "RK45", "LSODA", "Radau", "BDF"])
@pytest.mark.parametrize("begin", [0.0, 0.05])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_accelerations_that_are_not_finite_end_the_simulation(method: str, begin: float) -> None:
    """Accelerations that are not finite, from the start or later, end the simulation
    with an error.
    """
    model = autoTree(2)
    for bad in (np.nan, np.inf):

        def tau(t: float, q: Any, qd: Any, bad: float = bad) -> np.ndarray:
            return np.full(2, bad if t >= begin else 1.0)

        with pytest.raises(SpatialError, match=r"simulate: accelerations.* not finite at t = 0"):
            simulate(model, ([0.1, 0.2], [0, 0]), [0, 0.2], tau, method=method)


def test_states_that_cannot_be_solved_end_the_simulation() -> None:
    loop = [hinge_loop(2, xlt([1.0, 0, 0]), -1, xlt([1.0, 0.6, 0]))]
    with pytest.raises(SpatialError, match="not finite at t = 0 s"):
        simulate(autoTree(3), ([0.1, 0.2, 0.3], [0, 0, 0]), [0, 1], constraints=loop, rank="nan")


def test_trial_steps_may_leave_where_forces_are_finite() -> None:
    """A trial step that meets NaN is shortened; the motion itself never reaches that region."""
    block = autoTree(1).replace(jtype=["Px"], gravity=[0, 0, 0], I=[np.eye(6)])

    def tau(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.where(q > 0.1, -1e3 * qd / np.where(q < 0.3, 1.0, np.nan), 0.0)

    motion = simulate(block, ([0.0], [1.0]), [0, 1], tau, method="RK45")
    assert_allclose(motion.q[-1], [0.101], atol=1e-5)


@pytest.mark.parametrize("name", ["tau", "f_ext"])
def test_functions_of_other_arguments_are_named(name: str) -> None:
    """The message says how the function is called."""
    start = [0.1, 0.2], [0, 0]
    with pytest.raises(TypeError, match=rf"^simulate: {name} is called as {name}\(t, q, qd\)"):
        simulate(autoTree(2), start, [0, 0.1], **{name: lambda q, qd: qd})
    simulate(autoTree(2), start, [0, 0.1], lambda *state: -state[2])
