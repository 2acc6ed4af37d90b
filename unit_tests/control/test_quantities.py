"""Quantities of states and controls, and their costs: derivatives agree with differences along the
configuration space.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near

import spatial_v2 as sv
from spatial_v2.constraints import KKT_FD
from spatial_v2.control import (
    Bounds,
    CentreOfMass,
    ContactForce,
    ContactPhase,
    ControlCost,
    Controls,
    FramePosition,
    Instants,
    JointPositions,
    JointVelocities,
    Quantity,
    ShootingProblem,
    SoftBounds,
    SquareCost,
    StateCost,
    solve,
)

MODELS = ("chain", "floating", "spherical", "SE3", "mixed", "rotors", "planar_chain")
H = 1e-3
FIRST = np.array([1, -8, 0, 8, -1]) / 12 / H
SECOND = np.array([-1, 16, -30, 16, -1]) / 12 / H**2


def foot(model: sv.Model) -> Any:
    directions = np.array([[0.0, 0.6, 0.8], [1.0, 0.0, 0.0]])
    return [sv.PointConstraint(model.NB - 1, [0.3, 0.1, -0.2], directions=directions)]


class Moved:
    """Two instants of a motion, and neighbouring instants along a direction d = (dq, dqd, du)."""

    def __init__(self, model: sv.Model, m: int) -> None:
        self.model, self.rng = model, np.random.default_rng(2)
        s, n = zoo.states(model, self.rng, (2,)), model.NV
        self.at, self.d = Instants(s.q, s.qd, self.rng.normal(size=(2, m))), None
        self.d = self.rng.normal(size=2 * n + m)

    def near(self) -> list[Instants]:
        n, at, found = self.model.NV, self.at, []
        for k in range(-2, 3):
            d = k * H * self.d
            q = sv.configurationAddition(self.model, at.q, d[:n] + 0 * at.qd)
            found.append(Instants(q, at.qd + d[n : 2 * n], at.u + d[2 * n :]))
        return found


def check_quantity(model: sv.Model, quantity: Quantity, m: int = 2) -> None:
    """Check Jacobian and weighted Hessian against differences of values."""
    case = Moved(model, m)
    values = np.array([quantity.value(x) for x in case.near()])
    near(quantity.jacobian(case.at) @ case.d, np.tensordot(FIRST, values, 1), 1e-7)
    w, n = case.rng.normal(size=values[0].shape), case.d.size
    start = case.rng.normal(size=(2, n, n))
    Q = start.copy()
    quantity.add_hessian(case.at, w, Q)
    Q -= start
    near(case.d @ Q @ case.d, (w * np.tensordot(SECOND, values, 1)).sum(-1), 1e-6)
    near(Q, np.matrix_transpose(Q), 1e-12)


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_frame_position(name: str) -> None:
    """The quantity is the position of a point of the last body."""
    model = zoo.build(name)
    r = np.array([0.3, -0.2] if model.is_planar else [0.3, -0.2, 0.5])
    foot = sv.Frame(model.NB - 1, sv.plnr(0.4, r) if model.is_planar else sv.rotx(0.4) @ sv.xlt(r))
    quantity = FramePosition(model, foot)
    check_quantity(model, quantity)
    at = Moved(model, 2).at
    held = [sv.PointConstraint(foot.body, r, point1=0 * r)]
    near(quantity.value(at), sv.position_error(model, at.q, held), 1e-12)


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_joint_positions_and_velocities(name: str) -> None:
    model, rng = zoo.build(name), np.random.default_rng(1)
    check_quantity(model, JointPositions(model))
    origin = sv.configurationAddition(model, sv.neutral(model), rng.normal(size=model.NV))
    check_quantity(model, JointPositions(model, origin))
    check_quantity(model, JointVelocities(model))
    check_quantity(model, Controls())


@pytest.mark.parametrize("name", ["floating", "planar_chain"])
def test_instants_may_have_any_leading_axes(name: str) -> None:
    """Values and Jacobians of an array of instants are those of each instant."""
    model, rng = zoo.build(name), np.random.default_rng(5)
    s = zoo.states(model, rng, (2, 3))
    every = Instants(s.q, s.qd, rng.normal(size=(2, 3, 2)))
    place = FramePosition(model, sv.Frame(model.NB - 1, np.eye(3 if model.is_planar else 6)))
    of_state = JointPositions(model), JointVelocities(model), CentreOfMass(model), place
    for quantity in (*of_state, Controls()):
        values, J = quantity.value(every), quantity.jacobian(every)
        for k in np.ndindex(2, 3):
            one = Instants(*(x[k] for x in every))
            near(values[k], quantity.value(one), 1e-13)
            near(J[k], quantity.jacobian(one), 1e-13)


@pytest.mark.parametrize("name", zoo.over(MODELS))
def test_centres_of_mass(name: str) -> None:
    model = zoo.build(name)
    check_quantity(model, CentreOfMass(model))
    s = zoo.states(model, np.random.default_rng(3), (4,))
    at = Instants(s.q, s.qd, np.zeros((4, 0)))
    near(CentreOfMass(model).value(at), sv.EnerMo(model, s.q, s.qd).cm, 1e-13)


@pytest.mark.parametrize("name", [x for x in MODELS if x != "planar_chain"])
@pytest.mark.parametrize("rows", [None, [[1.0, -0.5], [0.0, 1.0], [2.0, 0.3]]])
def test_contact_forces(name: str, rows: Any) -> None:
    model, rng = zoo.build(name), np.random.default_rng(4)
    S = rng.normal(size=(model.NV, 2))
    check_quantity(model, ContactForce(model, foot(model), S, rows, baumgarte=(0.0, 5.0)))
    force, s = ContactForce(model, foot(model), S, rows), zoo.states(model, rng, (3,))
    u = rng.normal(size=(3, 2))
    expected = KKT_FD(model, s.q, s.qd, u @ S.T, foot(model))[1]
    expected = expected if rows is None else expected @ np.transpose(rows)
    near(force.value(Instants(s.q, s.qd, u)), expected, 1e-12)


def soft(model: sv.Model, quantity: Any, values: np.ndarray, margin: float) -> SoftBounds:
    upper = values.max(axis=0) + 0.5
    upper[0] = np.inf
    return SoftBounds(quantity, values.min(axis=0) - 0.3, upper, 0.7, margin)


@pytest.mark.parametrize("name", zoo.over(MODELS))
@pytest.mark.parametrize("kind", ["square", "log", "parabola"])
def test_costs_of_quantities(name: str, kind: str) -> None:
    model = zoo.build(name)
    case, quantity = Moved(model, 2), CentreOfMass(model)
    values = quantity.value(case.at)
    cost: Any = {
        "square": SquareCost(quantity, [2.0, 3.0, 0.5][: values.shape[-1]], 0.2),
        "log": soft(model, quantity, values, 0.01),
        "parabola": soft(model, quantity, values, 50.0),
    }[kind]
    found = np.array([cost.value(x) for x in case.near()])
    n = case.d.size
    for exact in (True, False):
        g, Q = np.zeros((2, n)), np.zeros((2, n, n))
        cost.add_derivatives(case.at, g, Q, exact)
        near(g @ case.d, FIRST @ found, 1e-7)
        if exact:
            near(case.d @ Q @ case.d, SECOND @ found, 1e-5)
        else:
            assert np.linalg.eigvalsh(Q).min() > -1e-12 * np.abs(Q).max()


def test_barriers_are_twice_differentiable_at_their_margin() -> None:
    cost = SoftBounds(Controls(), upper=1.0, weight=2.0, margin=0.1)
    found = []
    for d in (0.1 - 1e-9, 0.1 + 1e-9):
        at, g, Q = (
            Instants(np.zeros(1), np.zeros(1), np.array([1 - d])),
            np.zeros(3),
            np.zeros((3, 3)),
        )
        cost.add_derivatives(at, g, Q, True)
        found.append((cost.value(at), g[-1], Q[-1, -1]))
    near(np.array(found[0]), np.array(found[1]), 1e-6)
    near(np.array(found[0][1:]), np.array([20.0, 200.0]), 1e-5)


def test_bad_costs_of_quantities_are_refused() -> None:
    model = zoo.build("chain")
    with pytest.raises(sv.SpatialError, match="less than the upper ones"):
        SoftBounds(Controls(), 1.0, 1.0)
    with pytest.raises(sv.SpatialError, match="positive"):
        SoftBounds(Controls(), 0.0, 1.0, margin=0.0)
    with pytest.raises(sv.ArrayShapeError, match="rows"):
        ContactForce(model, foot(model), rows=np.eye(3))
    with pytest.raises(sv.ArrayShapeError, match="actuation"):
        ContactForce(model, foot(model), np.eye(3))


def test_contact_forces_within_a_cone_and_a_centre_of_mass_that_moves() -> None:
    """In the optimal motion the contact force reaches its bound without exceeding it, and the
    centre of mass its goal.
    """
    model = zoo.build("floating")
    q, held = sv.neutral(model), foot(model)
    phases, n, v = [ContactPhase(6, held)], model.NV, np.zeros(model.NV)
    mass = CentreOfMass(model)
    start = mass.value(Instants(q, v, np.zeros(0)))
    running = [ControlCost(0.01), StateCost(model, q, 0.1, 0.1)]
    terminal = [SquareCost(mass, 1e3, start + np.array([0.02, 0.0, 0.02]))]
    parts: Any = (model, q, v, np.full(6, 0.02), running, terminal)
    free = solve(ShootingProblem(*parts, phases=phases), tolerance=1e-10)
    t, force = free.trajectory, ContactForce(model, held)
    values = force.value(Instants(t.q[:-1], t.qd[:-1], t.u))
    top = np.abs(values).max(axis=0) * 0.8
    bounds = [Bounds(force, -top, top)]
    found = solve(ShootingProblem(*parts, phases=phases, running_bounds=bounds), tolerance=1e-10)
    assert free.status == found.status == "converged"
    t = found.trajectory
    values = np.abs(force.value(Instants(t.q[:-1], t.qd[:-1], t.u)))
    assert (values <= top + 1e-8).all() and (values > top - 1e-8).any()
    assert found.cost > free.cost and found.multipliers[0].shape == (6, 2) and n
