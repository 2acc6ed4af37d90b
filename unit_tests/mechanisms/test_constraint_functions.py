"""Models with MATLAB's constraint function gamma_q, coupled by it."""

import numpy as np
import pytest
from helpers import near

from derivatives import FD_derivatives
from spatial_v2 import (
    ID,
    FDab,
    FDgq,
    ModelError,
    SpatialError,
    autoTree,
    couple,
    doubleElbow,
)


def sine(model, q0, qd0):
    """Return MATLAB's results for a tree whose last joint turns by a sine of the one before."""
    x, xd = q0[-2], qd0[-2]
    q, qd = np.append(q0[:-1], np.sin(x)), np.append(qd0[:-1], np.cos(x) * xd)
    G = np.array(np.eye(model.NV, model.NV - 1), dtype=q.dtype)
    G[-1, -1] = np.cos(x)
    return q, qd, G, np.append(0 * qd0[:-1], -np.sin(x) * xd**2)


MODELS = {
    "elbow": doubleElbow().replace(gravity=[0, -9.81]),
    "sine": autoTree(4, 1.5).replace(gamma_q=sine),
    "floating": autoTree(3).replace(jtype=["Fb", "R", "R"], gamma_q=sine),
}


@pytest.mark.parametrize("name", [*MODELS])
def test_forward_dynamics_is_that_of_FDgq(name):
    tree = MODELS[name]
    model, rng = couple(tree), np.random.default_rng(0)
    assert model.NV == tree.NV - 1 and model.joint_names == tree.joint_names[:-1]
    y = rng.normal(size=model.NQ)
    if name == "floating":
        y[:4] /= np.sqrt(y[:4] @ y[:4])
    yd, tau = rng.normal(size=(2, model.NV))
    q, qd = model.coupling.configuration(y), model.motion(y, yd)
    whole = rng.normal(size=tree.NV)
    pulled = model.forces(y, whole)
    ydd = FDab(model, y, yd, pulled)
    near(ydd, FDgq(tree, q, qd, whole)[: model.NV], 1e-10)
    near(FDgq(tree, q, qd, whole), model.coupling.jet(q, yd, ydd).qdd, 1e-10)
    near(ID(model, y, yd, FDab(model, y, yd, tau)), tau, 1e-10)


def test_derivatives_are_those_of_FDgq():
    tree = MODELS["sine"]
    model, rng = couple(tree), np.random.default_rng(1)
    y, yd, tau = rng.normal(size=(3, model.NV))
    tau = np.append(tau, 0.0)
    h = 1e-6

    def qdd(y):
        q, qd = model.coupling.configuration(y), model.motion(y, yd)
        return FDgq(tree, q, qd, tau)[: model.NV]

    columns = [(qdd(y + h * e) - qdd(y - h * e)) / (2 * h) for e in np.eye(model.NV)]
    near(FD_derivatives(model, y, yd, tau[:-1]).dqdd_dq, np.transpose(columns), 1e-7)


def test_which_joints_are_independent():
    elbow = MODELS["elbow"]
    last = couple(elbow, independent=[0, 1])
    near(ID(last, [0.1, 0.2], [1.0, 2.0], [3.0, 4.0]),
         ID(couple(elbow), [0.1, 0.2], [1.0, 2.0], [3.0, 4.0]))  # fmt: skip
    with pytest.raises(ModelError, match="gives its own variables back|columns .* are dependent"):
        couple(elbow, independent=[0, 2])
    with pytest.raises(ModelError, match="want either matrix=G"):
        couple(autoTree(3))
    half = elbow.replace(gamma_q=lambda m, q, qd: (q, qd, 0.5 * np.eye(3), 0 * qd))
    with pytest.raises(ModelError, match=r"G contain no identity.*independent="):
        couple(half)
    assert couple(elbow).tree.gamma_q is None
    with pytest.raises(SpatialError, match="no constraint function"):
        FDgq(couple(elbow).tree, [0, 0, 0], [0, 0, 0], [0, 0, 0])
