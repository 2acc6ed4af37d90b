"""Time steps: derivatives by complex steps, order of convergence, rollouts and their adjoints."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import all_near, near
from parameters import chosen

import spatial_v2 as sv
from derivatives.reference import complex_step
from spatial_v2.control import (
    modTimeStep_second_derivatives,
    rollout,
    rollout_gradient,
    rollout_hessian_product,
    time_step,
    time_step_derivatives,
)

METHODS = ("semi_implicit_euler", "rk4")
models = pytest.mark.parametrize("name", zoo.MODELS)
methods = pytest.mark.parametrize("method", METHODS)
H = 0.05


def held(model: sv.Model) -> dict[str, Any]:
    """Return options: a constraint on one coordinate of a point of the last body, and Baumgarte
    gains.
    """
    point = sv.PointConstraint(
        model.NB - 1, [0.3, 0.1, -0.2], point1=[0.1, 0.2, 0.3], directions=[[0.0, 0.6, 0.8]]
    )
    return {"constraints": [point], "baumgarte": (30.0, 5.0)}


CASES = [(name, {}) for name in zoo.NAMES] + [
    (name, {"constraints": True}) for name in ("chain", "floating", "mixed", "SE3")
]


class Case:
    """A model at a random state, with costates p and increments z of the arguments of a time step.

    z = (dq, dqd, dtau, dh) are increments of positions, velocities, joint forces and step size.
    """

    def __init__(self, name: str, constrained: bool, method: Any) -> None:
        self.model, self.method = zoo.build(name), method
        self.n = self.model.NV
        self.rng = np.random.default_rng(7)
        self.s = zoo.states(self.model, self.rng)
        self.p = self.rng.normal(size=2 * self.n)
        self.options = held(self.model) if constrained else {}

    def at(self, z: Any) -> Any:
        s, n = self.s, self.n
        q = sv.configurationAddition(self.model, s.q, z[..., :n])
        return q, s.qd + z[..., n : 2 * n], s.tau + z[..., 2 * n : 3 * n], H + z[..., -1]

    def moved(self, z: Any) -> Any:
        """Compute the displacement of the next state that the increments z cause."""
        q0, qd0 = time_step(self.model, *self.at(0 * self.zero), self.method, **self.options)
        q, qd = time_step(self.model, *self.at(z), self.method, **self.options)
        return np.concatenate([sv.configurationDifference(self.model, q0, q), qd - qd0], -1)

    def matrix(self, z: Any) -> Any:
        d = time_step_derivatives(self.model, *self.at(z), self.method, **self.options)
        return np.concatenate([d.by_state, d.by_tau, d.by_h[..., None]], -1)

    @property
    def zero(self) -> np.ndarray:
        return np.zeros(3 * self.n + 1)


@pytest.mark.parametrize(
    ("name", "options"),
    chosen(
        [pytest.param(name, o, id=name + "-held" * bool(o)) for name, o in CASES],
        zoo.CHOSEN.__contains__,
    ),
)
@methods
def test_derivatives_of_a_step_are_complex_steps(
    name: str, options: dict[str, Any], method: str
) -> None:
    """First derivatives agree with complex steps; second, ordered ones with complex steps of the
    first.
    """
    case = Case(name, bool(options), method)
    near(case.matrix(case.zero), complex_step(case.moved, case.zero), 1e-11)

    def weighted(z: Any) -> Any:
        return np.swapaxes(case.matrix(z), -1, -2) @ case.p

    found = modTimeStep_second_derivatives(
        case.model, *case.at(case.zero), case.p[: case.n], case.p[case.n :], method, **case.options
    )
    near(found, complex_step(weighted, case.zero), 1e-11)


@models
@methods
def test_a_step_of_no_time_is_the_identity(name: str, method: Any) -> None:
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(8))
    step = time_step(model, s.q, s.qd, s.tau, 0.0, method)
    np.testing.assert_array_equal(step.q, s.q)
    np.testing.assert_array_equal(step.qd, s.qd)
    d = time_step_derivatives(model, s.q, s.qd, s.tau, 0.0, method)
    near(d.by_state, np.eye(2 * model.NV), 1e-15)
    assert not d.by_tau.any()
    near(d.by_h, np.concatenate([s.qd, sv.FDab(model, s.q, s.qd, s.tau)]), 1e-12)


@pytest.mark.parametrize("name", ["chain", "floating", "mixed", "SE3", "spherical", "planar_tree"])
@pytest.mark.parametrize(("method", "order"), [("semi_implicit_euler", 1), ("rk4", 4)])
@pytest.mark.slow
def test_methods_converge_with_their_order(name: str, method: Any, order: int) -> None:
    """Halving the time step divides the error of a motion by 2^order."""
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(9))

    def end(steps: int, how: Any = method) -> Any:
        tau = np.broadcast_to(0.2 * s.tau, (steps, model.NV))
        motion = rollout(model, s.q, 0.3 * s.qd, tau, 0.1 / steps, how)
        return motion.q[-1], motion.qd[-1]

    q, qd = end(160, "rk4")

    def error(steps: int) -> float:
        there = end(steps)
        off = sv.configurationDifference(model, q, there[0]), there[1] - qd
        return float(np.linalg.norm(np.concatenate(off)))

    ratio = error(10) / error(20)
    assert abs(np.log2(ratio) - order) < 0.25, (error(10), error(20))


@methods
def test_motions_under_several_external_forces(method: Any) -> None:
    """External forces with leading axes give a motion for each, with its gradient."""
    model, rng = sv.autoTree(3, 2), np.random.default_rng(4)
    force, tau = rng.normal(size=(2, 3, 6)), rng.normal(size=(4, 3))
    state = np.ones(3), np.zeros(3)
    g = [rng.normal(size=n) for n in ((2, 5, 3), (2, 5, 3), (2, 4, 3))]
    whole = rollout(model, *state, tau, 0.01, method, f_ext=force)
    found = rollout_gradient(model, whole, *g, method=method, f_ext=force)
    for k in range(2):
        one = rollout(model, *state, tau, 0.01, method, f_ext=force[k])
        all_near([x[k] for x in whole], one, 1e-13)
        all_near(
            [x[k] for x in found],
            rollout_gradient(model, one, *(x[k] for x in g), method=method, f_ext=force[k]),
            1e-12,
        )
    change = np.ones(3), np.ones(3), rng.normal(size=(4, 3))

    def product(f_ext: Any, i: int | slice, *change: Any) -> Any:
        motion, zero = type(whole)(*(x[i] for x in whole)), 0 * whole.qd[i]
        return rollout_hessian_product(
            model, motion, zero, zero, lambda dq, dqd, dtau: (dq, dqd, dtau), *change,
            method=method, f_ext=f_ext,
        )  # fmt: skip

    both = product(force, slice(None), *(np.array([x, x]) for x in change))
    for k in range(2):
        all_near([x[k] for x in both], product(force[k], k, *change), 1e-12)
    with pytest.raises(sv.ArrayShapeError, match="f_ext"):
        rollout(model, *np.ones((2, 4, 3)), tau, 0.01, method, f_ext=np.zeros((3, 3, 6)))


@pytest.mark.parametrize("name", ["mixed", "planar_chain"])
@methods
@pytest.mark.slow
def test_batches_are_loops(name: str, method: Any) -> None:
    model, rng = zoo.build(name), np.random.default_rng(10)
    s, h = zoo.states(model, rng, (2, 3)), rng.uniform(0.01, 0.02, 3)
    p = rng.normal(size=(2, 2, 3, model.NV))
    state = s.q, s.qd, s.tau
    for function, more in (
        (time_step, ()), (time_step_derivatives, ()), (modTimeStep_second_derivatives, p)
    ):  # fmt: skip
        whole = function(model, *state, h, *more, method=method)  # type: ignore[operator]
        whole = whole if isinstance(whole, tuple) else (whole,)
        for k in np.ndindex(2, 3):
            one = [x[k] for x in (*state, np.broadcast_to(h, (2, 3)))]
            each = function(model, *one, *(x[k] for x in more), method=method)  # type: ignore[operator]
            each = each if isinstance(each, tuple) else (each,)
            all_near(each, [x[k] for x in whole], 1e-12)


class Cost:
    """A cost of a motion: half the weighted squares of distances from a goal, velocities and joint
    forces.

    It is summed over all instants.
    """

    def __init__(self, model: sv.Model, motion: Any, goal: np.ndarray) -> None:
        self.model, self.motion = model, motion
        self.goal = np.broadcast_to(goal, motion.q.shape)
        self.dq = sv.configurationDifference(model, self.goal, motion.q)
        self.J = sv.configurationDifference_derivatives(model, self.goal, motion.q).ddq_dq1

    def value(self) -> Any:
        m = self.motion
        return sum((x * x).sum((-2, -1)) for x in (self.dq, 0.3 * m.qd, 0.5 * m.tau)) / 2

    def gradients(self) -> Any:
        g_q = (np.swapaxes(self.J, -1, -2) @ self.dq[..., None])[..., 0]
        return g_q, 0.09 * self.motion.qd, 0.25 * self.motion.tau

    def product(self, dq: Any, dqd: Any, dtau: Any) -> Any:
        bend = sv.modConfigurationDifference_second_derivatives(
            self.model, self.goal, self.motion.q, self.dq
        ).H_q1q1
        H_qq = np.swapaxes(self.J, -1, -2) @ self.J + bend
        return (H_qq @ dq[..., None])[..., 0], 0.09 * dqd, 0.25 * dtau


class Shot:
    """A rollout as a function of increments z = (dq, dqd, dtau, dh).

    They are those of initial position and velocity, of joint forces, and of step sizes.
    """

    def __init__(self, name: str, method: Any, constrained: bool = False, steps: int = 4) -> None:
        self.model, self.method, self.steps = zoo.build(name), method, steps
        self.rng = np.random.default_rng(12)
        self.s = zoo.states(self.model, self.rng)
        self.tau = self.rng.normal(size=(steps, self.model.NV))
        self.goal = zoo.states(self.model, self.rng).q
        self.options = held(self.model) if constrained else {}

    def split(self, z: Any) -> Any:
        n, N = self.model.NV, self.steps
        tau = z[..., 2 * n : (2 + N) * n].reshape(*z.shape[:-1], N, n)
        return z[..., :n], z[..., n : 2 * n], tau, z[..., (2 + N) * n :]

    def cost(self, z: Any) -> Cost:
        dq, dqd, dtau, dh = self.split(z)
        q = sv.configurationAddition(self.model, self.s.q, dq)
        state = q, 0.3 * self.s.qd + dqd, self.tau + dtau, 0.02 + dh
        motion = rollout(self.model, *state, self.method, **self.options)
        return Cost(self.model, motion, self.goal)

    def gradient(self, z: Any) -> Any:
        cost = self.cost(z)
        g = rollout_gradient(
            self.model, cost.motion, *cost.gradients(), method=self.method, **self.options
        )
        return self.joined(g)

    def joined(self, g: Any) -> Any:
        flat = g.by_tau.reshape(*g.by_h.shape[:-1], -1)
        return np.concatenate([g.by_q, g.by_qd, flat, g.by_h], -1)

    @property
    def zero(self) -> np.ndarray:
        return np.zeros((2 + self.steps) * self.model.NV + self.steps)


SHOTS = [(name, False) for name in ("chain", "floating", "mixed", "planar_tree", "SE3")]
SHOTS += [("floating", True)]


@pytest.mark.parametrize(("name", "constrained"), SHOTS)
@methods
@pytest.mark.slow
def test_gradient_and_hessian_of_a_rollout_are_complex_steps(
    name: str, constrained: bool, method: Any
) -> None:
    """The gradient agrees with complex steps of the cost, the Hessian with those of the gradient
    along a direction.
    """
    shot = Shot(name, method, constrained)
    gradient = shot.gradient(shot.zero)
    near(gradient, complex_step(lambda z: shot.cost(z).value(), shot.zero), 1e-11)

    direction = shot.rng.normal(size=shot.zero.shape)
    cost = shot.cost(shot.zero)
    product = rollout_hessian_product(
        shot.model,
        cost.motion,
        *cost.gradients()[:2],
        cost.product,
        *shot.split(direction),
        method=method,
        **shot.options,
    )
    wanted = complex_step(shot.gradient, shot.zero, direction[None])[..., 0]
    near(shot.joined(product), wanted, 1e-11)


def test_leading_axes_of_rollouts_broadcast() -> None:
    """Leading axes of states, forces and times broadcast."""
    model, rng = zoo.build("mixed"), np.random.default_rng(13)
    s = zoo.states(model, rng, (3,))
    tau, h = rng.normal(size=(2, 1, 5, model.NV)), rng.uniform(0.01, 0.02, 5)
    whole = rollout(model, s.q, s.qd, tau, h)
    assert whole.q.shape == (2, 3, 6, model.NQ)
    assert whole.h.shape == (2, 3, 5)
    g = rng.normal(size=(2, *whole.qd.shape))
    gradient = rollout_gradient(model, whole, *g)
    dq, dqd = rng.normal(size=(2, 2, 3, model.NV))
    dtau = rng.normal(size=whole.tau.shape)

    def product(dq: Any, dqd: Any, dtau: Any) -> Any:
        return dq, 2 * dqd, 3 * dtau

    bent = rollout_hessian_product(model, whole, *g, product, dq, dqd, dtau)
    for k in np.ndindex(2, 3):
        one = rollout(model, s.q[k[1]], s.qd[k[1]], tau[k[0], 0], h)
        all_near(one, [x[k] for x in whole])
        all_near(rollout_gradient(model, one, *g[:, *k]), [x[k] for x in gradient], 1e-11)
        each = rollout_hessian_product(model, one, *g[:, *k], product, dq[k], dqd[k], dtau[k])
        all_near(each, [x[k] for x in bent], 1e-11)


def test_memory_is_linear_in_steps() -> None:
    """Four times the steps take four times the memory, not sixteen times."""
    model = zoo.build("chain")
    zero, peaks = np.zeros(model.NV), []
    for steps in (100, 100, 400):
        motion = rollout(model, zero, zero + 0.1, np.zeros((steps, model.NV)), 0.01)
        args = motion, 0 * motion.qd, motion.qd
        product = (lambda dq, dqd, dtau: (0 * dq, dqd, dtau)), zero, zero, motion.tau + 1
        tracemalloc.start()
        rollout_gradient(model, *args)
        rollout_hessian_product(model, *args, *product)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[-1] < 5 * peaks[-2], peaks


def test_wrong_arguments_are_refused() -> None:
    model = zoo.build("floating")
    s = zoo.states(model, np.random.default_rng(14))
    state = s.q, s.qd, s.tau
    with pytest.raises(
        sv.SpatialError, match="method: want 'semi_implicit_euler' or 'rk4', got 'e'"
    ):
        time_step(model, *state, 0.1, "e")  # type: ignore[arg-type]
    with pytest.raises(sv.ArrayShapeError, match=r"h: want a number, or an array whose shape is"):
        time_step(model, *state, [0.1, 0.2])
    for h in (np.nan, np.inf):
        for step in (time_step, time_step_derivatives):
            with pytest.raises(sv.SpatialError, match=f"h: want finite time steps .* got {h}"):
                step(model, *state, h)
    with pytest.raises(sv.ArrayShapeError, match=r"q: want shape \(\.\.\., 11\)"):
        time_step_derivatives(model, s.q[1:], s.qd, s.tau, 0.1)
    with pytest.raises(sv.ArrayShapeError, match=r"p_qd: want shape \(\.\.\., 10\)"):
        modTimeStep_second_derivatives(model, *state, 0.1, s.qd, s.qd[1:])
    with pytest.raises(sv.ArrayShapeError, match=r"tau: want shape \(\.\.\., N, 10\)"):
        rollout(model, *state, 0.1)
    tau = np.tile(s.tau, (3, 1))
    with pytest.raises(sv.ArrayShapeError, match=r"tau: want shape \(\.\.\., N, 10\)"):
        rollout(model, s.q, s.qd, tau[:0], 0.1)
    with pytest.raises(sv.ArrayShapeError, match=r"h: want a number, or shape \(\.\.\., 3\)"):
        rollout(model, s.q, s.qd, tau, [0.1, 0.2])
    motion = rollout(model, s.q, s.qd, tau, 0.1)
    with pytest.raises(sv.ArrayShapeError, match=r"g_qd: want shape \(4, 10\)"):
        rollout_gradient(model, motion, motion.qd, motion.qd[1:])
    with pytest.raises(sv.ArrayShapeError, match=r"dtau: want shape \(3, 10\)"):
        rollout_hessian_product(
            model, motion, motion.qd, motion.qd, lambda *d: d, s.qd, s.qd, tau[1:]
        )


@pytest.mark.parametrize("function", [time_step, rollout])
def test_unknown_options_are_refused(function: Any) -> None:
    model, zero = zoo.build("chain"), np.zeros(zoo.build("chain").NV)
    with pytest.raises(TypeError, match="'constraint'; there are constraints, baumgarte"):
        function(model, sv.neutral(model), zero, np.zeros((3, zero.size)), 0.1, constraint=[])


def test_a_motion_owns_its_arrays() -> None:
    """Changes of joint forces after a rollout do not change its motion."""
    model = zoo.build("chain")
    tau, h = np.ones((3, model.NV)), np.full(3, 0.1)
    motion = rollout(model, sv.neutral(model), np.zeros(model.NV), tau, h)
    tau[:], h[:] = 5.0, 5.0
    assert (motion.tau == 1.0).all() and (motion.h == 0.1).all()
