"""Costs of shooting problems: gradients and Hessians agree with differences along the configuration
space.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near

import spatial_v2 as sv
from spatial_v2.control import (
    ControlCost,
    Cost,
    FramePlacementCost,
    FrameVelocityCost,
    Instants,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    SquareCost,
    StateCost,
    displacements,
)
from spatial_v2.control.cost_sums import CostSum
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.frames.residuals import log6_residual
from spatial_v2.joints import tangent

M = 3


def state(model: sv.Model, rng: np.random.Generator) -> Any:
    W, V = rng.uniform(1, 2, (2, model.NV))
    return StateCost(model, sv.random_configuration(model, rng), W, V, rng.normal(size=model.NV))


def placement(model: sv.Model, rng: np.random.Generator) -> Any:
    target = sv.plux(sv.rq(rng.normal(size=4)), rng.normal(size=3))
    return FramePlacementCost(model, model.NB - 1, target, rng.uniform(1, 2, 6))


def velocity(model: sv.Model, rng: np.random.Generator) -> Any:
    return FrameVelocityCost(model, model.NB - 1, rng.uniform(1, 2, 6), rng.normal(size=6))


def control(model: sv.Model, rng: np.random.Generator) -> Any:
    return ControlCost(rng.uniform(1, 2, M), rng.normal(size=M))


COSTS = [state, placement, velocity, control]


class Case:
    """A cost at two instants of a motion, its derivatives there, and neighbouring instants in a
    random direction.
    """

    def __init__(self, kind: Any, name: str) -> None:
        self.model, rng = zoo.build(name), np.random.default_rng(11)
        self.cost, self.n = kind(self.model, rng), 2 * self.model.NV + M
        s = zoo.states(self.model, rng, (2,))
        self.at, self.d = Instants(s.q, s.qd, rng.normal(size=(2, M))), rng.normal(size=self.n)

    def moved(self, h: float) -> Instants:
        n, d = self.model.NV, h * self.d
        q = sv.configurationAddition(self.model, self.at.q, d[:n] + 0 * self.at.qd)
        return Instants(q, self.at.qd + d[n : 2 * n], self.at.u + d[2 * n :])

    def derivatives(self, exact: bool) -> tuple[np.ndarray, np.ndarray]:
        g, H = np.zeros((2, self.n)), np.zeros((2, self.n, self.n))
        self.cost.add_derivatives(self.at, g, H, exact)
        return g, H


@pytest.mark.parametrize("name", ["chain", "floating", "spherical", "SE3", "mixed", "rotors"])
@pytest.mark.parametrize("kind", COSTS)
@pytest.mark.slow
def test_derivatives_by_differences(kind: Any, name: str) -> None:
    case, h = Case(kind, name), 1e-3
    g, H = case.derivatives(True)
    values = [case.cost.value(case.moved(k * h)) for k in range(-2, 3)]
    first = np.array([1, -8, 0, 8, -1]) / 12 / h
    second = np.array([-1, 16, -30, 16, -1]) / 12 / h**2
    near(g @ case.d, first @ values, 1e-7)
    near(case.d @ H @ case.d, second @ values, 1e-6)
    near(H, np.swapaxes(H, 1, 2), 1e-14)


@pytest.mark.parametrize("kind", COSTS)
def test_hessians_of_gauss_newton_are_semidefinite(kind: Any) -> None:
    for name in ("floating", "mixed"):
        case = Case(kind, name)
        g, H = case.derivatives(False)
        near(g, case.derivatives(True)[0], 1e-15)
        assert np.linalg.eigvalsh(H).min() > -1e-12 * np.abs(H).max()


@pytest.mark.parametrize("kind", COSTS)
def test_costs_add(kind: Any) -> None:
    case = Case(kind, "floating")
    g, H = case.derivatives(True)
    g2, H2 = g.copy(), H.copy()
    case.cost.add_derivatives(case.at, g2, H2, True)
    near(g2, 2 * g, 1e-15)
    near(H2, 2 * H, 1e-15)


@pytest.mark.parametrize("name", ["chain", "floating", "spherical", "mixed", "SE3"])
@pytest.mark.parametrize("kind", COSTS)
def test_kernels_compute_what_numpy_does(
    kind: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values and derivatives of a batch of motions, with weights and targets for each instant, are
    those of the functions without a compiler; derivatives are added to views of larger arrays.
    """
    case, rng = Case(kind, name), np.random.default_rng(3)
    s = zoo.states(case.model, rng, (2, 3))
    at = Instants(s.q, s.qd, rng.normal(size=(2, 3, M)))
    for x in ("weight", "velocity_weight", "u", "qd"):
        if np.ndim(getattr(case.cost, x, 0.0)):
            old = getattr(case.cost, x)
            setattr(case.cost, x, old * rng.uniform(1, 2, (3, 1)))

    def results(which: Any, exact: bool) -> list[np.ndarray]:
        part = Instants(*(x[which] for x in at))
        g = np.zeros((*part.u.shape[:-1], case.n + 2))
        H = np.zeros((*g.shape, case.n + 2))
        case.cost.add_derivatives(part, g[..., 2:], H[..., 2:, 2:], exact)
        assert not g[..., :2].any()
        assert not H[..., :2, :].any()
        return [case.cost.value(part), g, H]

    cases = [(which, exact) for which in (slice(None), 1) for exact in (True, False)]
    compiled = [results(*x) for x in cases]
    with monkeypatch.context() as patch:
        for module in ("cost_kernels", "displacements"):
            patch.setattr(f"spatial_v2.control.{module}.has_kernels", lambda *names: False)
        for x, found in zip(cases, compiled, strict=True):
            for a, b in zip(found, results(*x), strict=True):
                near(a, b, 1e-13)


@pytest.mark.parametrize("lead", [(1, 4), (3, 4), (3,), ()])
@pytest.mark.parametrize("name", ["chain", "floating", "mixed", "SE3"])
def test_sums_are_those_of_the_costs(name: str, lead: tuple[int, ...]) -> None:
    """Costs of states and controls that one call of a kernel computes, and others beside them, in
    any number and order, are added with their factors; weights are read in each call.
    """
    model, rng = zoo.build(name), np.random.default_rng(5)
    s, S = zoo.states(model, rng, lead), lead[-1] if len(lead) == 2 else 1
    at = Instants(s.q, s.qd, rng.normal(size=(*lead, M)))
    kinds = [control, state] if model.is_planar else [control, state, velocity, state]
    costs, factor = [x(model, rng) for x in kinds], rng.uniform(1, 2, S)
    costs.append(ControlCost(rng.uniform(1, 2, (S, 1)) if len(lead) == 2 else 0.3))
    both, n = CostSum(costs, factor), 2 * model.NV + M
    for _ in range(2):
        total, g, H = np.ones(lead[:1] or 1), np.zeros((*lead, n)), np.zeros((*lead, n, n + 2))
        both.add_values(at, total)
        both.add_derivatives(at, g, H[..., 2:], True)
        h = factor if len(lead) == 2 else factor[0]
        each = sum(x.value(at) * h for x in costs)
        near(total, np.atleast_1d(1 + (each.sum(-1) if len(lead) == 2 else each)), 1e-14)
        own_g, own_H = np.zeros_like(g), np.zeros((*lead, n, n))
        for x in costs:
            x.add_derivatives(at, own_g, own_H, True)
        near(g, np.expand_dims(h, -1) * own_g, 1e-14)
        near(H[..., 2:], np.expand_dims(h, (-1, -2)) * own_H, 1e-14)
        assert not H[..., :2].any()
        costs[1].weight *= 2.0
        costs[0].u += 1.0
        costs[-1].weight *= 3.0
        costs[1].q = sv.random_configuration(model, rng)


def test_weights_of_other_instants_are_refused() -> None:
    """Weights for three instants do not fit two, with and without kernels."""
    for kind in (state, placement):
        case = Case(kind, "floating")
        case.cost.weight = np.ones((3, 1)) * case.cost.weight
        with pytest.raises(ValueError, match="broadcast"):
            case.cost.value(case.at)
        with pytest.raises(ValueError, match="broadcast"):
            case.derivatives(True)


def test_a_frame_at_its_target_costs_nothing() -> None:
    model, rng = zoo.build("floating"), np.random.default_rng(1)
    q = sv.random_configuration(model, rng)
    target = sv.forward_kinematics(model, q, frame=2).X0
    at = Instants(q, np.zeros(model.NV), np.zeros(0))
    near(FramePlacementCost(model, 2, target, 1.0).value(at), 0.0, 1e-15)


def test_frames_of_planar_models_are_refused() -> None:
    with pytest.raises(ModelError, match="spatial"):
        FrameVelocityCost(zoo.build("planar_chain"), 1, 1.0)


SIZES = (0.0, 1e-160, 1e-9, 1e-3, 0.5, 1.9999, 2.0, 2.5, 3.14)


@pytest.mark.parametrize("name", ["one_S", "one_Fb", "mixed"])
@pytest.mark.parametrize("size", SIZES)
def test_kernels_of_steps(name: str, size: float) -> None:
    """Kernels of addition and difference, and of their derivatives, agree with the functions for
    any kind of array.
    """
    model, rng = zoo.build(name), np.random.default_rng(2)
    q = zoo.states(model, rng, (4,)).q
    dq = rng.normal(size=(4, model.NV))
    dq[:, :3] *= size / np.linalg.norm(dq[:, :3], axis=1, keepdims=True)
    from spatial_v2 import configurationDifference

    new = sv.configurationAddition(model, q, dq)
    near(displacements.add(model, q, dq), new, 1e-14)
    near(displacements.difference(model, q, new), configurationDifference(model, q, new), 1e-14)
    near(
        displacements.difference(model, q[0], new), configurationDifference(model, q[0], new), 1e-14
    )
    for n in (3, 6):
        x = np.tile(dq[:, :3], n // 3) + 0.0
        x[:, 3:] = rng.normal(size=(4, n - 3))
        p = rng.normal(size=(4, n))
        near(displacements.transport(x), tangent.transport(x), 1e-14)
        for ours, maps, derivatives in (
            (displacements.exponential, tangent.exponential, tangent.exponential_derivatives),
            (displacements.logarithm, tangent.logarithm, tangent.logarithm_derivatives),
        ):
            M, D = ours(x, p)
            near(M, maps(x), 1e-14)
            near(D, np.einsum("...i,...ijk->...jk", p, derivatives(x)), 1e-13)


@pytest.mark.parametrize("size", SIZES)
def test_kernel_of_relative_poses(size: float) -> None:
    rng = np.random.default_rng(12)
    w = rng.normal(size=(20, 3))
    w *= size / np.linalg.norm(w, axis=1, keepdims=True)
    target = sv.plux(sv.rq(rng.normal(size=(20, 4))), rng.normal(size=(20, 3)))
    X = sv.plux(sv.rv(w), rng.normal(size=(20, 3))) @ target
    near(displacements.relative_twist(X, target), log6_residual(X, target)[0], 1e-13)
    near(displacements.relative_twist(X, target)[:, :3], w, 1e-13)
    near(displacements.relative_twist(X, target[0]), log6_residual(X, target[0])[0], 1e-13)


@pytest.mark.parametrize("axis", np.eye(3))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_half_turns_are_about_positive_axes(axis: np.ndarray, sign: float) -> None:
    model = zoo.build("one_S")
    q = np.concatenate([[0.0], sign * axis])[None]
    found = displacements.difference(model, np.array([[1.0, 0, 0, 0]]), q)
    near(found, np.pi * axis[None], 1e-15)


@pytest.mark.parametrize("kind", ["StateCost", "JointPositions", "JointVelocities"])
@pytest.mark.parametrize("sizes", [(3, 2), (1, 2)])
def test_states_of_other_models_are_refused(kind: str, sizes: tuple[int, int]) -> None:
    """Kernels would read beyond the ends of such states."""
    of_cost, of_state = map(sv.autoTree, sizes)
    one = np.zeros(of_cost.NV)
    costs: dict[str, Cost] = {
        "StateCost": StateCost(of_cost, one, 1.0),
        "JointPositions": SquareCost(JointPositions(of_cost), 1.0),
        "JointVelocities": SquareCost(JointVelocities(of_cost), 1.0),
    }
    zero = np.zeros(of_state.NV)
    with pytest.raises(ArrayShapeError, match=r"running\[0\]: qd?: want shape"):
        ShootingProblem(of_state, zero, zero, [0.1, 0.1], [costs[kind]])
