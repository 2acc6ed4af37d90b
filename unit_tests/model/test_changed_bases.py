"""`change_base`: the same robot, whatever body is its base."""

import numpy as np
import pytest
from helpers import near, refusals

import spatial_v2 as sv

JTYPES = ["Fb", "Rx", "Py-", {"code": "H", "pars": {"pitch": 0.1}}, "R-", "Rz", "Ry"]
PARENT = [-1, 0, 1, 2, 1, 0, 3]


def robot() -> sv.Model:
    rng = np.random.default_rng(0)
    X = [sv.plux(sv.rx(a) @ sv.rz(b), r) for a, b, r in
         zip(*rng.normal(size=(2, 7)), rng.normal(size=(7, 3)), strict=True)]  # fmt: skip
    X[0] = np.eye(6)
    I = [sv.mcI(1 + k, r, np.diag([0.3, 0.4, 0.5])) for k, r in enumerate(rng.normal(size=(7, 3)))]
    model = sv.Model(parent=PARENT, jtype=JTYPES, Xtree=X, I=I, armature=0.1 * np.arange(12.0))
    model.damping = np.r_[np.zeros(6), np.arange(6.0)]
    model.armature = np.r_[np.zeros(6), 0.1 * np.arange(6.0)]
    model.gc = {"point": rng.normal(size=(7, 3)), "body": range(7)}
    model.frames = {f"tip{k}": (k, sv.plux(sv.rx(0.3), [0.1, 0.2, k])) for k in range(7)}
    return model


def state(
    old: sv.Model, new: sv.Model, q: np.ndarray, qd: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the state of a robot with another base."""
    at = sv.forward_kinematics(old, q, qd)
    first = list(old.body_names).index(new.body_names[0])
    x, xd = np.zeros(new.NQ), np.zeros(new.NV)
    x[:4], x[4:7] = sv.rotToQuat(at.R[first]), at.p[first]
    xd[:6] = at.v[first]
    for name in old.joint_names[1:]:
        x[new.q_of(name)], xd[new.v_of(name)] = q[old.q_of(name)], qd[old.v_of(name)]
    return x, xd


@pytest.mark.parametrize("body", range(7))
def test_energies_and_motion_do_not_depend_on_the_base(body: int) -> None:
    """Positions, momentum, energies, and the accelerations of joints under the same forces."""
    old, rng = robot(), np.random.default_rng(1)
    new = sv.change_base(old, f"body{body}")
    assert new.body_names[0] == f"body{body}" and set(new.body_names) == set(old.body_names)
    q, qd = sv.random_configuration(old, rng), rng.normal(size=old.NV)
    x, xd = state(old, new, q, qd)
    for a, b in zip(sv.EnerMo(new, x, xd), sv.EnerMo(old, q, qd), strict=True):
        near(a, b, 1e-11)
    tau = np.r_[np.zeros(6), rng.normal(size=6)]
    order = [new.v_of(name).start for name in old.joint_names[1:]]
    force = np.zeros(12)
    force[order] = tau[6:]
    near(sv.FDab(new, x, xd, force)[order], sv.FDab(old, q, qd, tau)[6:], 1e-10)
    for tip in old.frames or {}:
        there, here = (sv.forward_kinematics(m, y, frame=tip) for m, y in ((new, x), (old, q)))
        near(there.X0, here.X0, 1e-11)


def test_the_former_base_is_that_again() -> None:
    old = robot()
    other = sv.change_base(old, 6)
    again, rng = sv.change_base(other, "body0"), np.random.default_rng(2)
    q, qd = sv.random_configuration(old, rng), rng.normal(size=old.NV)
    x, xd = state(other, again, *state(old, other, q, qd))
    near(sv.EnerMo(again, x, xd).KE, sv.EnerMo(old, q, qd).KE, 1e-11)
    jtypes = [again.jtype[again.joint_names.index(name)] for name in old.joint_names]
    assert jtypes == list(old.jtype)


BAD = [
    (lambda: sv.change_base(robot(), "hand"), "no body is called 'hand'"),
    (lambda: sv.change_base(sv.autoTree(2), 1), "one floating base"),
    (lambda: sv.change_base(sv.autoTree(2).replace(jtype=["Fb", "S"]), 1), "several degrees"),
]
test_wrong_arguments_are_named = refusals(sv.ModelError, BAD)
