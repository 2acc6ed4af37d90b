"""Mechanisms in functions of more than one state, and in the operators of other tools."""

import importlib

import numpy as np
import pytest
from helpers import near
from mechanisms import ZOO, state, walker

from derivatives import FD_derivatives
from spatial_v2 import (
    ID,
    KKT_FD,
    FrameJacobian,
    Hinverse,
    PointConstraint,
    configurationAddition,
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


def test_operational_space_inertia():
    model, rng = walker(), np.random.default_rng(2)
    y, _, _ = state(model, rng)
    J = FrameJacobian(model, y, 2)
    near(operational_space_inertia(model, y, 2) @ J @ Hinverse(model, y) @ J.T, np.eye(6), 1e-8)
