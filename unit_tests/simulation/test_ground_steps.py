"""`simulate` on stiff ground: Jacobians from batches, accuracy and work of the default method."""

from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose

from spatial_v2 import FDab, Ground, Model, configurationAddition, couple, mcI, simulate
from spatial_v2.contact import gcPosVel
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.simulation.ground import Contact
from spatial_v2.simulation.rates import Rates
from spatial_v2.simulation.stops import stops_of

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

GROUND = Ground(K=3e4, D=300.0, mu=0.4)


def on_the_ground(model: Model, q: np.ndarray) -> Model:
    """Return the model with contact points below height zero on its bodies, and one above."""
    d = 2 if model.is_planar else 3
    kin = forward_kinematics(model, q)
    places = []
    for R, p, depth in zip(kin.R, kin.p, np.linspace(0.01, 0.03, model.NB), strict=True):
        target = np.array(p)
        target[-1] = -depth
        places.append(R.T @ (target - p))
    places.append(kin.R[-1].T @ (np.array([*[0.0] * (d - 1), 1.0]) - kin.p[-1]))
    return model.replace(gc={"point": places, "body": [*range(model.NB), model.NB - 1]})


def rates_of(name: str) -> tuple[Rates, np.ndarray]:
    """Return the equation of a model with every kind of force, and a state."""
    rng = np.random.default_rng(4)
    model = zoo.build(name).replace(friction=0.3, damping=0.2)
    s = zoo.states(model, rng)
    model = on_the_ground(model, np.asarray(s.q))
    single = [i for i, v in enumerate(model.vinds) if v.stop - v.start == 1]
    model.limits = {model.joint_names[i]: (-0.01, 0.01) for i in single}
    rates = Rates(
        model, lambda t, q, qd: s.tau - 2 * qd, lambda t, q, qd: (1 + qd[0]) * s.f_ext,
        Contact(model, GROUND), FDab, 1e-2, stops_of(model, bool(single), np.asarray(s.q)),
        np.full(model.NV, 3.0),
    )  # fmt: skip
    u = 1e-3 * rng.normal(size=rates.points * rates.tangents)
    return rates, np.concatenate([s.q, s.qd, u, [0.2]])


TREES = [name for name in zoo.NAMES if name != "massless"]


@pytest.mark.parametrize("name", zoo.over(TREES))
def test_rates_of_several_states_are_those_of_each(name: str) -> None:
    """Rates of a batch are those of its states, with every kind of force."""
    rates, y = rates_of(name)
    model, Y = rates.model, y + 1e-3 * np.random.default_rng(1).normal(size=(5, len(y)))
    qd = Y[:, model.NQ : model.NQ + model.NV]
    Y[:, : model.NQ] = configurationAddition(model, y[: model.NQ], 1e-3 * qd)
    one_by_one = np.array([rates(0.3, x) for x in Y])
    assert np.abs(one_by_one).max() > 1e-3
    assert_allclose(rates(0.3, Y), one_by_one, rtol=1e-9, atol=1e-8 * np.abs(one_by_one).max())


@pytest.mark.parametrize("name", zoo.over(TREES))
def test_the_jacobian_is_that_of_the_rates(name: str) -> None:
    """The Jacobian from one batch is that of central differences, to the rounding of its steps."""
    rates, y = rates_of(name)
    J = rates.jacobian(0.3, y, 1e-2)
    rounding = 1e-6 * np.abs(rates(0.3, y)).max()
    steps = 1e-6 * np.maximum(np.abs(y), 1e-2)
    for k in rates.entries:
        h = steps[k]
        e = np.eye(len(y))[k] * h
        column = (rates(0.3, y + e) - rates(0.3, y - e)) / (2 * h)
        assert_allclose(J[:, k], column, atol=1e-4 * np.abs(column).max() + rounding)
    assert rates.columns == len(rates.entries) + 1
    constant = np.setdiff1d(np.arange(len(y)), rates.entries)
    assert not J[:, constant].any() and not rates(0.3, y)[constant[:-1]].any()


def test_rates_of_a_coupled_model_are_those_of_each_state() -> None:
    """The same of joints that follow others."""
    tree = zoo.build("branched")
    model = couple(tree, mimic={2: (0, -0.5, 0.1)})
    rates = Rates(model, lambda t, q, qd: -qd, None, None, FDab, 1e-5)
    Y = np.random.default_rng(2).normal(size=(4, model.NQ + model.NV + 1))
    assert_allclose(rates(0.0, Y), [rates(0.0, y) for y in Y], rtol=1e-9, atol=1e-9)


def box(size: float = 0.2) -> tuple[Model, Any]:
    """Return a box with contact points at its corners, and a state in which it falls and slides."""
    corners = size * np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T / 2
    model = Model(
        parent=[-1], jtype=["Fb"], Xtree=np.eye(6)[None],
        I=[mcI(2.0, [0, 0, 0], 2.0 * size**2 / 6 * np.eye(3))],
        gc={"point": corners, "body": [0] * 8},
    )  # fmt: skip
    q = np.array([1, 0.05, 0.1, 0, 0, 0, 0.15])
    q[:4] /= np.linalg.norm(q[:4])
    return model, (q, [0.3, 0, 0, 0.5, 0.2, 0])


@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_the_default_method_lands_as_a_fine_simulation_does(stiffness: float) -> None:
    """On soft and stiff ground, a box lands where an explicit method with small steps says."""
    model, start = box()
    ground = Ground(stiffness, stiffness / 100, 0.5)
    times = [0, 0.12]  # two corners have touched; later motions depend on rounding
    motion = simulate(model, start, times, contact=ground)
    fine = simulate(model, start, times, contact=ground, method="DOP853", rtol=1e-12, atol=1e-14)
    assert gcPosVel(model, motion.q, motion.qd).p[..., 2].min() < 0
    assert_allclose(motion.q[-1], fine.q[-1], atol=2e-7)
    assert np.abs(motion.energy.drift).max() < 1e-5


@pytest.mark.filterwarnings("ignore::spatial_v2.ConvergenceWarning")
def test_stiff_ground_does_not_limit_the_steps() -> None:
    """On stiff, strongly damped ground the default needs a tenth of an explicit method's
    evaluations.
    """
    ball = Model(
        parent=[-1], jtype=["Pz"], Xtree=np.eye(6)[None],
        I=[mcI(0.5, [0, 0, 0], np.zeros((3, 3)))], gc={"point": [[0, 0, 0]], "body": [0]},
    )  # fmt: skip
    given = ball, ([0.02], [0.0]), [0, 0.5]
    ground = Ground(1e7, 1e6, 0.5)
    implicit = simulate(*given, contact=ground)
    # A first step of DOP853 may be so long that numbers overflow.
    explicit = simulate(*given, contact=ground, method="DOP853", max_step=5e-3)
    assert implicit.nfev < explicit.nfev / 10
    assert_allclose(implicit.q[-1], explicit.q[-1], atol=1e-9)


@pytest.mark.parametrize("method", ["LSODA", "Radau", "BDF"])
def test_implicit_methods_take_small_tolerances(method: str) -> None:
    """Jacobians have no entry of the work, whose differences would grow beyond all numbers."""
    model, start = box()
    motion = simulate(model, start, [0, 0.12], contact=GROUND, method=method, rtol=1e-9, atol=1e-11)
    assert np.isfinite(motion.q).all()
