"""Dynamics and kinematics agree with Pinocchio, on robots and on trees of every joint type."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_allclose

from derivatives import CoriolisMatrix
from spatial_v2 import (
    CMM,
    ID,
    BodyJacobian,
    BodyJacobianTimeDerivative,
    CMMTimeDerivative,
    EnerMo,
    FDab,
    HandC,
    Model,
    RegressorClassical,
    RegressorEnergy,
    RegressorHandG,
    autoTree,
    configurationAddition,
    configurationAddition_derivatives,
    configurationDifference,
    configurationDifference_derivatives,
    configurationTransport,
    forward_kinematics,
    getModelInertialParams,
    individualRegressor,
    puma560,
    random_configuration,
)

pin = pytest.importorskip("pinocchio")
from pinocchio_map import (  # noqa: E402
    LINEAR_FIRST,
    pinocchio_model,
    placement,
    position,
    transform,
    velocity_order,
)
from urdf_text import BALL, joint, link, read  # noqa: E402

SHARED = [
    name
    for name in zoo.SPATIAL
    if not {"SO3", "SE3"} & {j for j in zoo.build(name).jtype if isinstance(j, str)}
]
ONE = ("R", "Rx", "Ry", "Rz", "P", "Px", "Py", "Pz", "H")


def every_joint() -> Model:
    """Make a tree with each type of joint, and with that of the other sense of rotation."""
    rng = np.random.default_rng(1)
    codes = [f"{code}{sense}" for sense in ("", "-") for code in ONE]
    codes = ["Fb", *codes[:9], "S", *codes[9:], "Fb", "S", "Rz"]
    return Model(
        parent=[i - 1 - i % 2 for i in range(len(codes))],
        jtype=[{"code": x, "pars": {"pitch": 0.3}} if x[0] == "H" else x for x in codes],
        Xtree=[zoo.random_transform(rng, 6) for _ in codes],
        I=[zoo.random_inertia(rng, 6) for _ in codes],
        gravity=[1, 2, -3],
    )


ROBOTS = {
    "puma560": puma560,
    "floating_puma": lambda: puma560().replace(jtype=["Fb"] + ["Rz"] * 5),
    "autoTree": lambda: autoTree(12, 1.5, 0.4, 0.95),
    "floating_tree": lambda: autoTree(12, 2, 0.4, 0.95).replace(jtype=["Fb"] + ["R"] * 11),
}
EVERY = {"every joint": every_joint}


class Pair:
    """A model of this library, the same model in Pinocchio, and the map of states between them."""

    def __init__(self, name: str) -> None:
        self.model = (ROBOTS | EVERY)[name]() if name in ROBOTS | EVERY else zoo.build(name)
        self.peer = pinocchio_model(self.model)
        self.data = self.peer.createData()
        self.p = velocity_order(self.model, self.peer)

    def position(self, q: np.ndarray) -> np.ndarray:
        return position(self.model, self.peer, q)

    def states(self, n: int = 5) -> Any:
        rng = np.random.default_rng(17)
        return zip(*zoo.states(self.model, rng, (n,)), strict=True)


@pytest.fixture(scope="module", params=[*zoo.over([*SHARED, *ROBOTS]), *EVERY])
def pair(request: pytest.FixtureRequest) -> Pair:
    return Pair(request.param)


close = partial(near, tolerance=1e-11, least=0.0)


def forces(pair: Pair, q: np.ndarray, f_ext: np.ndarray) -> Any:
    """Convert forces in base coordinates to Pinocchio's: in joint frames, linear part first."""
    result = pin.StdVec_Force()
    result.append(pin.Force.Zero())
    for X, f in zip(forward_kinematics(pair.model, q).X0, f_ext, strict=True):
        local = np.linalg.solve(X.T, f)
        result.append(pin.Force(local[3:], local[:3]))
    return result


def test_inverse_dynamics_agrees_with_pinocchio(pair: Pair) -> None:
    for q, qd, qdd, _, f_ext in pair.states():
        args = (pair.position(q), qd[pair.p], qdd[pair.p])
        close(ID(pair.model, q, qd, qdd)[pair.p], pin.rnea(pair.peer, pair.data, *args))
        theirs = pin.rnea(pair.peer, pair.data, *args, forces(pair, q, f_ext))
        close(ID(pair.model, q, qd, qdd, f_ext)[pair.p], theirs)


def test_states_of_a_planar_joint_are_mapped(tmp_path: Path) -> None:
    """Pinocchio's planar joint has body velocities v = B(q) qd; in this library it is a chain of
    three joints.
    """
    model = read(
        tmp_path, link("a"), link("b", BALL), link("c", BALL),
        joint("j", "planar", "a", "b", "0 0 1"), joint("k", "revolute", "b", "c", "1 2 3",
              '<origin xyz="1 2 3"/><limit velocity="1" effort="1"/>'),
    )  # fmt: skip
    peer = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"))
    q, qd, qdd = np.random.default_rng(3).standard_normal((3, 4))
    c, s = np.cos(q[2]), np.sin(q[2])
    B, B_dot = np.eye(4), np.zeros((4, 4))
    B[:2, :2] = [[c, s], [-s, c]]
    B_dot[:2, :2] = qd[2] * np.array([[-s, c], [-c, -s]])
    pq = np.array([q[0], q[1], c, s, q[3]])
    tau = pin.rnea(peer, peer.createData(), pq, B @ qd, B @ qdd + B_dot @ qd)
    assert_allclose(ID(model, q, qd, qdd), B.T @ tau, rtol=0, atol=1e-11)


def test_mass_matrix_and_bias_force_agree_with_pinocchio(pair: Pair) -> None:
    """Mass matrix and bias force agree.

    Pinocchio's crba needs bodies numbered depth first; for other trees the mass matrix is computed
    by its rnea.
    """
    depth_first = all(np.ptp(tree) == len(tree) - 1 for tree in map(list, pair.peer.subtrees))
    for q, qd, *_ in pair.states():
        H, C = HandC(pair.model, q, qd)
        args = (pair.peer, pair.data, pair.position(q))
        bias = pin.nonLinearEffects(*args, qd[pair.p])
        close(C[pair.p], bias)
        if depth_first:
            upper = np.triu(pin.crba(*args))
            theirs = upper + np.triu(upper, 1).T
        else:
            columns = [pin.rnea(*args, qd[pair.p], unit) - bias for unit in np.eye(pair.model.NV)]
            theirs = np.stack(columns, axis=-1)
        close(H[np.ix_(pair.p, pair.p)], theirs)


def test_forward_dynamics_agrees_with_pinocchio(pair: Pair) -> None:
    for q, qd, _, tau, f_ext in pair.states():
        args = (pair.position(q), qd[pair.p], tau[pair.p])
        close(
            FDab(pair.model, q, qd, tau)[pair.p],
            pin.aba(pair.peer, pair.data, *args),
            tolerance=1e-9,
        )
        theirs = pin.aba(pair.peer, pair.data, *args, forces(pair, q, f_ext))
        close(FDab(pair.model, q, qd, tau, f_ext)[pair.p], theirs, tolerance=1e-9)


def test_poses_and_velocities_agree_with_pinocchio(pair: Pair) -> None:
    for q, qd, *_ in pair.states():
        kin = forward_kinematics(pair.model, q, qd)
        pin.forwardKinematics(pair.peer, pair.data, pair.position(q), qd[pair.p])
        for i in range(pair.model.NB):
            pose = pair.data.oMi[i + 1]
            assert_allclose(kin.R[i], pose.rotation, atol=1e-13)
            assert_allclose(kin.p[i], pose.translation, atol=1e-13)
            assert_allclose(kin.X0[i], transform(pose), atol=1e-12)
            assert_allclose(placement(kin.X0[i]).homogeneous, pose.homogeneous, atol=1e-13)
            assert_allclose(kin.v[i][LINEAR_FIRST], pair.data.v[i + 1].vector, atol=1e-12)


def test_configuration_steps_agree_with_pinocchio(pair: Pair) -> None:
    """Addition and difference of configurations agree with Pinocchio's ``integrate`` and
    ``difference``.
    """
    model, rng = pair.model, np.random.default_rng(23)
    for _ in range(5):
        q = random_configuration(model, rng)
        dq = rng.uniform(-1, 1, model.NV)
        moved = configurationAddition(model, q, dq)
        theirs = pin.integrate(pair.peer, pair.position(q), dq[pair.p])
        ours = pair.position(moved)
        assert_allclose(pin.difference(pair.peer, theirs, ours), 0, atol=1e-12)
        back = pin.difference(pair.peer, pair.position(q), ours)
        assert_allclose(configurationDifference(model, q, moved)[pair.p], back, atol=1e-12)


def test_derivatives_of_configuration_steps_agree_with_pinocchio(pair: Pair) -> None:
    """Derivatives of addition and difference, and the transport of tangent vectors, agree with
    Pinocchio's ``dIntegrate``, ``dDifference`` and ``dIntegrateTransport``.
    """
    model, rng, at = pair.model, np.random.default_rng(24), np.ix_(pair.p, pair.p)
    for size in (0.0, 1e-5, 1.0, 1.8):
        q, v = random_configuration(model, rng), rng.normal(size=model.NV)
        dq = size * rng.uniform(-1, 1, model.NV)
        args = pair.peer, pair.position(q), dq[pair.p]
        ours = configurationAddition_derivatives(model, q, dq)
        for x, theirs in zip(ours, pin.dIntegrate(*args), strict=True):
            assert_allclose(x[at], theirs, atol=1e-12)
        moved = configurationAddition(model, q, dq)
        carried = configurationTransport(model, q, dq, v)[pair.p]
        theirs = pin.dIntegrateTransport(*args, v[pair.p][:, None], pin.ArgumentPosition.ARG0)
        assert_allclose(carried, np.ravel(theirs), atol=1e-12)
        ours = configurationDifference_derivatives(model, q, moved)
        args = pair.peer, pair.position(q), pair.position(moved)
        for x, theirs in zip(ours, pin.dDifference(*args), strict=True):
            assert_allclose(x[at], theirs, atol=1e-11)


def same(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Compare matrices; Pinocchio drops axes of length one."""
    assert_allclose(ours, np.reshape(theirs, ours.shape), rtol=1e-10, atol=1e-11)


def test_coriolis_matrix_agrees_with_pinocchio(pair: Pair) -> None:
    """Both libraries compute the Coriolis matrix of the Christoffel symbols; Pinocchio needs bodies
    numbered depth first.
    """
    if not all(np.ptp(tree) == len(tree) - 1 for tree in map(list, pair.peer.subtrees)):
        pytest.skip("bodies are not numbered depth first")
    for q, qd, *_ in pair.states():
        C = CoriolisMatrix(pair.model, q, qd).C[np.ix_(pair.p, pair.p)]
        args = (pair.peer, pair.data, pair.position(q), qd[pair.p])
        same(C, pin.computeCoriolisMatrix(*args))


def test_centroidal_momentum_agrees_with_pinocchio(pair: Pair) -> None:
    for q, qd, *_ in pair.states():
        pin.dccrba(pair.peer, pair.data, pair.position(q), qd[pair.p])
        pin.centerOfMass(pair.peer, pair.data, pair.position(q), qd[pair.p])
        same(CMM(pair.model, q)[LINEAR_FIRST][:, pair.p], pair.data.Ag)
        same(CMMTimeDerivative(pair.model, q, qd)[LINEAR_FIRST][:, pair.p], pair.data.dAg)
        e = EnerMo(pair.model, q, qd)
        assert_allclose(e.cm, pair.data.com[0], atol=1e-12)
        assert_allclose(e.vcm, pair.data.vcom[0], atol=1e-12)
        args = (pair.peer, pair.data, pair.position(q))
        assert_allclose(e.KE, pin.computeKineticEnergy(*args, qd[pair.p]), rtol=1e-12)
        assert_allclose(e.PE, pin.computePotentialEnergy(*args), rtol=1e-12, atol=1e-12)


def test_body_jacobians_and_rates_agree_with_pinocchio(pair: Pair) -> None:
    """Jacobians and their time derivatives agree in body coordinates."""
    for q, qd, *_ in pair.states():
        pin.computeJointJacobiansTimeVariation(pair.peer, pair.data, pair.position(q), qd[pair.p])
        for i in range(pair.model.NB):
            frame = (pair.peer, pair.data, i + 1, pin.LOCAL)
            J = BodyJacobian(pair.model, q, i)[LINEAR_FIRST][:, pair.p]
            same(J, pin.getJointJacobian(*frame))
            rate = BodyJacobianTimeDerivative(pair.model, q, qd, i)[LINEAR_FIRST][:, pair.p]
            same(rate, pin.getJointJacobianTimeVariation(*frame))


OF_PINOCCHIO = [0, 1, 2, 3, 4, 9, 5, 8, 7, 6]
"""Positions of [m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz] among this library's inertial
parameters.
"""


def columns(pair: Pair) -> np.ndarray:
    """Return indices c such that ``Y_pinocchio = Y[..., c]``."""
    return np.concatenate([10 * i + np.array(OF_PINOCCHIO) for i in range(pair.model.NB)])


def test_inertial_parameters_are_in_the_documented_order_of_pinocchio(pair: Pair) -> None:
    """Pinocchio's ``toDynamicParameters`` agrees with `inertiaVecToPinocchio`."""
    ours = getModelInertialParams(pair.model).a.reshape(-1, 10)[:, OF_PINOCCHIO]
    close(ours, np.array([x.toDynamicParameters() for x in list(pair.peer.inertias)[1:]]))


def test_regressors_agree_with_pinocchio(pair: Pair) -> None:
    c, none = columns(pair), np.zeros(pair.model.NV)
    for q, qd, qdd, *_ in pair.states():
        args = pair.peer, pair.data, pair.position(q)
        motion = RegressorClassical(pair.model, q, qd, qdd), (qd[pair.p], qdd[pair.p])
        rest = RegressorHandG(pair.model, q), (none, none)
        for Y, at in ((motion[0].Y, motion[1]), (rest[0].Yg, rest[1])):
            theirs = pin.computeJointTorqueRegressor(*args, *at)
            close(Y[pair.p][:, c], np.reshape(theirs, Y.shape))
        energy = RegressorEnergy(pair.model, q, qd)
        close(energy.Y_KE[c], pin.computeKineticEnergyRegressor(*args, qd[pair.p]).ravel())
        close(energy.Y_PE[c], pin.computePotentialEnergyRegressor(*args).ravel())


def test_regressor_of_a_body_agrees_with_pinocchio() -> None:
    """The regressors agree, of the spatial acceleration in both; Pinocchio has the linear part
    first.
    """
    a, v = np.random.default_rng(3).normal(size=(2, 6))
    first = LINEAR_FIRST
    theirs = pin.bodyRegressor(pin.Motion(v[first]), pin.Motion(a[first]))
    close(individualRegressor(a, v)[first][:, OF_PINOCCHIO], theirs)
