"""Quantities and costs of frames and of the centre of mass, of coupled models."""

import numpy as np

from spatial_v2 import Frame, PointConstraint, autoTree, couple, mcI, xlt
from spatial_v2.control import (
    CentreOfMass,
    FramePlacementCost,
    FramePosition,
    FrameVelocityCost,
    Instants,
)
from unit_tests.support.helpers import for_each

STEP = 1e-5


def wrist():
    """Two joints follow, one of them two variables."""
    matrix = [[1, 0, 0], [0.5, -2, 0], [0, 1, 0], [0, 0, 1], [0, 1.5, 0]]
    return couple(autoTree(5, 2), matrix=matrix, offset=[0, 0.3, 0, 0, -0.2])


def linkage():
    """A four-bar linkage, with y the angle of its crank."""
    bar = mcI(1, [0.4, 0, 0], np.diag([0.1, 0.1, 0.1]))
    tree = autoTree(3, 1).replace(
        parent=[-1, 0, -1], jtype=["Rz"] * 3, I=[bar] * 3,
        Xtree=[xlt([0, 0, 0]), xlt([0.4, 0, 0]), xlt([1, 0, 0])],
    )  # fmt: skip
    pin = PointConstraint(2, [0.7, 0, 0], 1, [0.9, 0, 0])
    return couple(tree, constraints=[pin], independent=["joint0"], guess=[0.7, 0, 1.5])


def at(model, z):
    n = model.NV
    return Instants(z[:n].copy(), z[n:].copy(), np.zeros(n))


def state(model):
    rng = np.random.default_rng(0)
    return np.concatenate([rng.uniform(0.4, 0.9, model.NV), rng.standard_normal(model.NV)])


def differences(function, z):
    steps = STEP * np.eye(z.size)
    return np.stack([(function(z + h) - function(z - h)) / (2 * STEP) for h in steps], -1)


@for_each([wrist, linkage])
def test_quantities_have_derivatives_along_y(make):
    model = make()
    n, z, w = model.NV, state(model), np.array([0.3, -0.2, 0.7])
    for quantity in (FramePosition(model, Frame(2, xlt([0.3, 0.2, 0.1]))), CentreOfMass(model)):
        of_y = differences(lambda x, f=quantity: f.value(at(model, x)), z)
        assert np.allclose(quantity.jacobian(at(model, z))[..., : 2 * n], of_y, 0, 1e-8)
        H = np.zeros((3 * n, 3 * n))
        quantity.add_hessian(at(model, z), w, H)
        bend = differences(lambda x, f=quantity: w @ f.jacobian(at(model, x)), z)
        assert np.allclose(H[:, : 2 * n], bend, 0, 1e-8) and np.abs(H).max() > 1e-3


@for_each([wrist, linkage])
def test_costs_of_frames_have_derivatives_along_y(make):
    model = make()
    n, z, frame = model.NV, state(model), Frame(2, xlt([0.3, 0.2, 0.1]))
    placed = FramePlacementCost(model, frame, xlt([0.3, 0.2, 0.1]), 2.0)
    for cost in (placed, FrameVelocityCost(model, frame, [1, 1, 1, 2, 2, 2], 0.1)):

        def derivatives(x, cost=cost):
            g, H = np.zeros(3 * n), np.zeros((3 * n, 3 * n))
            cost.add_derivatives(at(model, x), g, H, True)
            return g, H

        g, H = derivatives(z)
        of_y = differences(lambda x, f=cost: f.value(at(model, x)), z)
        assert np.allclose(g[: 2 * n], of_y, 0, 1e-8) and np.abs(g).max() > 1e-2
        bend = differences(lambda x, f=derivatives: f(x)[0], z)
        assert np.allclose(H[:, : 2 * n], bend, 0, 1e-8)
