"""The map to Pinocchio's conventions, by joint type: ID, mass matrix and poses agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spatial_v2 import ID, HandC, Model, mcI, plux, random_configuration, rq

pin = pytest.importorskip("pinocchio")
from pinocchio_map import pinocchio_model, position, velocity_order  # noqa: E402
from urdf_text import BALL, joint, link, read  # noqa: E402


def tree(codes: list[object]) -> Model:
    """Make a tree with one joint of each type, with random transforms and inertias."""
    rng = np.random.default_rng(1)
    n = len(codes)
    A = rng.standard_normal((n, 3, 6))
    return Model(
        parent=[max(-1, i - 1 - i % 2) for i in range(n)],
        jtype=codes,
        Xtree=[plux(rq(rng.standard_normal(4)), rng.standard_normal(3)) for _ in range(n)],
        I=[
            mcI(1 + i, rng.standard_normal(3), np.trace(a @ a.T) * np.eye(3) - a @ a.T)
            for i, a in enumerate(A)
        ],
        gravity=[1, 2, -3],
    )


@pytest.mark.parametrize(
    "codes",
    [[code, "Ry", code] for code in ("R", "Rx", "Ry", "Rz", "P", "Px", "Py", "Pz", "S", "Fb")]
    + [[code, "Ry", code] for code in ("R-", "Rx-", "Ry-", "Rz-", "P-", "Px-", "Py-", "Pz-")]
    + [[{"code": code, "pars": {"pitch": 0.3}}, "Ry"] for code in ("H", "H-")]
    + [["Fb", "Rx", "S", "Pz-", "Ry", "Fb", "S", "Rz"]],
    ids=str,
)
def test_states_of_every_joint_type_are_mapped(codes: list[object]) -> None:
    model = tree(codes)
    peer = pinocchio_model(model)
    rng = np.random.default_rng(2)
    q = random_configuration(model, rng)
    qd, qdd = rng.standard_normal((2, model.NV))
    p, data, pq = velocity_order(model, peer), peer.createData(), position(model, peer, q)
    tau = pin.rnea(peer, data, pq, qd[p], qdd[p])
    np.testing.assert_allclose(ID(model, q, qd, qdd)[p], tau, atol=1e-11 * np.abs(tau).max())
    H = pin.crba(peer, data, pq)
    H = np.triu(H) + np.triu(H, 1).T
    ours = HandC(model, q, qd)[0][np.ix_(p, p)]
    np.testing.assert_allclose(ours, H, atol=1e-11 * np.abs(H).max())


def test_states_of_a_planar_joint_are_mapped(tmp_path: Path) -> None:
    """States of a planar joint are mapped by v = B(q) qd.

    Pinocchio's planar joint has body velocities; in this library it is a chain of three joints.
    """
    model = read(
        tmp_path, link("a"), link("b", BALL), link("c", BALL),
        joint("j", "planar", "a", "b", "0 0 1"), joint("k", "revolute", "b", "c", "1 2 3",
              '<origin xyz="1 2 3"/><limit velocity="1" effort="1"/>'),
    )  # fmt: skip
    peer = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"))
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.standard_normal((3, 4))
    c, s = np.cos(q[2]), np.sin(q[2])
    B, B_dot = np.eye(4), np.zeros((4, 4))
    B[:2, :2] = [[c, s], [-s, c]]
    B_dot[:2, :2] = qd[2] * np.array([[-s, c], [-c, -s]])
    pq = np.array([q[0], q[1], c, s, q[3]])
    tau = pin.rnea(peer, peer.createData(), pq, B @ qd, B @ qdd + B_dot @ qd)
    np.testing.assert_allclose(ID(model, q, qd, qdd), B.T @ tau, rtol=0, atol=1e-11)
