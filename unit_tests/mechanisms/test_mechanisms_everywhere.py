"""Mechanisms in functions of more than one state, and in the operators of other tools."""

import importlib

import numpy as np
import pytest
from helpers import near
from mechanisms import ZOO, five_bar, slider_crank, state, walker

from derivatives import FD_derivatives
from spatial_v2 import (
    ID,
    KKT_FD,
    CentreOfMassTask,
    ConvergenceWarning,
    EnerMo,
    FrameJacobian,
    Hinverse,
    PointConstraint,
    PoseTask,
    SpatialError,
    configurationAddition,
    differential_inverse_kinematics,
    forward_kinematics,
    inverse_kinematics,
    inverse_kinematics_of_tasks,
    operational_space_inertia,
    rollout,
    rollout_gradient,
)
from spatial_v2.control import ContactForce, Instants


def interop(name):
    """Return a module of `spatial_v2.interop`, which imports another library."""
    return importlib.import_module(f"spatial_v2.interop.{name}")


@pytest.mark.parametrize("name", ["five_bar", "polynomial"])
def test_contact_forces_have_exact_derivatives(name):
    model, rng = ZOO[name](), np.random.default_rng(3)
    tip = PointConstraint(2, [0.3, 0.1, 0], directions=[[0, 1, 0.3]])
    force, (y, yd, tau), n = ContactForce(model, [tip]), state(model, rng), model.NV

    def at(d):
        return Instants(configurationAddition(model, y, d[:n]), yd + d[n : 2 * n], tau + d[2 * n :])

    def by_steps(f):
        steps = 1e-6 * np.eye(3 * n)
        return np.stack([(f(at(d)) - f(at(-d))) / 2e-6 for d in steps], axis=-1)

    here = at(np.zeros(3 * n))
    near(force.value(here), KKT_FD(model, y, yd, tau, [tip])[1], 1e-10)
    near(force.jacobian(here), by_steps(force.value), 1e-6)
    hessian = np.zeros((3 * n, 3 * n))
    force.add_hessian(here, np.ones(1), hessian)
    near(hessian, by_steps(lambda x: force.jacobian(x)[0]), 1e-5)


def test_dask_arrays():
    da, lazy = pytest.importorskip("dask.array"), interop("dask").lazy
    model, rng = walker(), np.random.default_rng(0)
    given = state(model, rng, 6)
    chunks = [da.from_array(x, chunks=(2, -1)) for x in given]
    near(lazy(ID)(model, *chunks).compute(), ID(model, *given), 1e-11)
    for x, z in zip(
        lazy(FD_derivatives)(model, *chunks), FD_derivatives(model, *given), strict=True
    ):
        near(x.compute(), z, 1e-10)


@pytest.mark.parametrize("name", ["four_bar", "walker", "polynomial"])
def test_gradients_of_rollouts_agree_with_differences(name):
    model, rng = ZOO[name](), np.random.default_rng(1)
    y, yd, ydd = state(model, rng)
    n, tau = model.NV, np.tile(ID(model, y, yd, ydd), (3, 1))
    weights = np.zeros((4, n)), np.zeros((4, n))
    weights[1][-1] = c = rng.normal(size=n)

    def cost(z, zd, forces):
        return rollout(model, z, zd, forces, 0.01).qd[-1] @ c

    motion = rollout(model, y, yd, tau, 0.01)
    gradient = rollout_gradient(model, motion, *weights)
    one, step = np.eye(n), 1e-6
    for k in range(n):
        ends = [cost(configurationAddition(model, y, s * step * one[k]), yd, tau) for s in (1, -1)]
        assert abs((ends[0] - ends[1]) / (2 * step) - gradient.by_q[k]) < 1e-6
        ends = [cost(y, yd + s * step * one[k], tau) for s in (1, -1)]
        assert abs((ends[0] - ends[1]) / (2 * step) - gradient.by_qd[k]) < 1e-6
    forces = rng.normal(size=tau.shape)
    ends = [cost(y, yd, tau + s * step * forces) for s in (1, -1)]
    near((ends[0] - ends[1]) / (2 * step), np.sum(gradient.by_tau * forces), 1e-6)


@pytest.mark.parametrize(
    ("name", "body"),
    [("walker", 2), ("five_bar", 3), ("functions_of_two", 4), ("geared_walker", 2)],
)
def test_inverse_kinematics(name, body):
    model, rng = ZOO[name](), np.random.default_rng(3)
    y, z = (state(model, rng)[0] for _ in range(2))
    X = forward_kinematics(model, z, frame=body).X0
    found = inverse_kinematics(model, body, X, y)
    assert found.converged and found.q.shape == (model.NQ,)
    near(forward_kinematics(model, found.q, frame=body).X0, X, 1e-9)
    mass = EnerMo(model, z, np.zeros(model.NV)).cm
    tasks = [PoseTask(body, X), CentreOfMassTask(mass, weight=0.1)]
    near_by = configurationAddition(model, z, 0.02 * rng.normal(size=model.NV))
    found = inverse_kinematics_of_tasks(model, tasks, near_by)
    assert found.converged
    near(forward_kinematics(model, found.q, frame=body).X0, X, 1e-8)
    yd = differential_inverse_kinematics(model, tasks[:1], z, 0.1)
    near(yd, np.zeros(model.NV), 1e-8)  # the target is reached
    J = FrameJacobian(model, y, body)
    towards = differential_inverse_kinematics(model, tasks[:1], y, 0.1)
    assert np.isfinite(towards).all() and np.abs(J @ towards).max() > 1e-3


def test_inverse_kinematics_beyond_the_reach_of_loops():
    far = np.eye(4)
    far[0, 3] = 9.0
    for model, body, start in ((slider_crank(), 2, [0.9]), (five_bar(), 3, [2.0, 1.1])):
        with pytest.warns(ConvergenceWarning, match="targets are not reached"):
            found = inverse_kinematics(model, body, far, start)
        assert not found.converged and np.isfinite(found.q).all()
    with pytest.raises(SpatialError, match="cannot be followed"):
        inverse_kinematics(model, 3, far, [np.pi, 0.0])


def test_operational_space_inertia():
    model, rng = walker(), np.random.default_rng(2)
    y, _, _ = state(model, rng)
    J = FrameJacobian(model, y, 2)
    near(operational_space_inertia(model, y, 2) @ J @ Hinverse(model, y) @ J.T, np.eye(6), 1e-8)
