"""Constrained dynamics, impacts and their derivatives agree with Pinocchio, for each kind of
contact.

Pinocchio's constraint forces act on joint 1, this library's on body 2. Pinocchio's wrenches have
the linear part first, and its LOCAL forces have the axes of the frame on joint 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
import zoo
from constraint_trees import R1, R2, R3, tree_of_14
from helpers import near

from derivatives import Impact_FO_derivatives, KKT_FO_derivatives, linearize
from spatial_v2 import (
    ID,
    KKT_FD,
    BodyJacobian,
    FrameConstraint,
    Impact_dyn,
    Model,
    PointConstraint,
    constraint_jacobian,
    forward_kinematics,
    project_velocity,
    rotx,
    roty,
    xlt,
)

pin = pytest.importorskip("pinocchio")
from pinocchio_map import (  # noqa: E402
    LINEAR_FIRST,
    pinocchio_model,
    placement,
    position,
    velocity_order,
)

TREE = tree_of_14(depth_first=True)
S = zoo.states(TREE, np.random.default_rng(5))
WITHIN = 1e-11
X1, X2 = rotx(0.3) @ xlt(R1), roty(0.4) @ rotx(-0.2) @ xlt(R2)
LOCAL, ALIGNED = "LOCAL", "LOCAL_WORLD_ALIGNED"


@dataclass
class Contact:
    """A constraint in both libraries: its ends (body, transform), and the conversion of its
    multipliers.

    `first` is the end in this library that is joint 1 in Pinocchio.
    """

    ours: Any
    body1: int
    X1: np.ndarray
    body2: int
    X2: np.ndarray
    first: int
    axes: str

    @property
    def is_frame(self) -> bool:
        return isinstance(self.ours, FrameConstraint)

    def theirs(self, peer: Any) -> Any:
        ends = [(self.body1 + 1, placement(self.X1)), (self.body2 + 1, placement(self.X2))]
        one, two = ends if self.first == 1 else ends[::-1]
        kind = pin.ContactType.CONTACT_6D if self.is_frame else pin.ContactType.CONTACT_3D
        axes = getattr(pin.ReferenceFrame, self.axes)
        return pin.RigidConstraintModel(kind, peer, *one, *two, axes)

    def forces(self, model: Model, q: np.ndarray, lambda_: np.ndarray, d: Any) -> list[np.ndarray]:
        """Convert multipliers, and derivatives of them, to Pinocchio's conventions."""
        sign = 1.0 if self.first == 2 else -1.0
        if self.is_frame:
            M = sign * np.eye(6)[LINEAR_FIRST]
            return [M @ lambda_, *(M @ x for x in d)]
        body, X = (self.body1, self.X1) if self.first == 1 else (self.body2, self.X2)
        if self.axes == ALIGNED or body < 0:
            return [sign * lambda_, *(sign * x for x in d)]
        R = forward_kinematics(model, q).R[body]
        w = R @ BodyJacobian(model, q, body, np.eye(6))[:3]
        M = sign * (R @ X[:3, :3].T).T
        turned = d[0] - np.cross(w.T, lambda_).T
        return [M @ lambda_, M @ turned, *(M @ x for x in d[1:])]


def point(body: int, r: Any, axes: str = ALIGNED, first: int = 2, X: Any = None) -> Contact:
    ours = PointConstraint(body, r, point1=[0.0, 0.0, 0.0])
    at = (np.eye(6) if X is None else X) @ xlt(r)
    return Contact(ours, -1, np.eye(6), body, at, first, axes)


def point_loop(body1: int, r1: Any, body2: int, r2: Any, axes: str) -> Contact:
    turned = rotx(0.5) @ xlt(r1)
    return Contact(PointConstraint(body2, r2, body1, r1), body1, turned, body2, xlt(r2), 1, axes)


def frame(body: int, X: np.ndarray, axes: str = LOCAL) -> Contact:
    own = "mixed" if axes == ALIGNED else None
    ours = FrameConstraint(body, X, frame1=np.eye(6), axes=own, error="log6")
    return Contact(ours, -1, np.eye(6), body, X, 2, axes)


CASES: dict[str, list[Contact]] = {
    "point LOCAL_WORLD_ALIGNED": [point(2, R1)],
    "point LOCAL": [point(2, R1, LOCAL, X=rotx(0.7))],
    "point, joint 1 the universe": [point(2, R1, first=1)],
    "point of the base": [point(0, R3)],
    "frame LOCAL": [frame(6, X1)],
    "point loop LOCAL_WORLD_ALIGNED": [point_loop(3, R1, 6, R2, ALIGNED)],
    "point loop LOCAL": [point_loop(3, R1, 6, R2, LOCAL)],
    "frame loop LOCAL": [
        Contact(FrameConstraint(6, X2, 3, X1, error="log6"), 3, X1, 6, X2, 1, LOCAL),
    ],
    "two points": [point(2, R1), point(6, R2)],
    "frame and point": [frame(6, X1), point(2, R1)],
    "point and loop": [point(2, R1), point_loop(3, R1, 6, R2, ALIGNED)],
}
every_case = pytest.mark.parametrize("name", CASES)


class Peer(NamedTuple):
    """A model and its contacts in Pinocchio."""

    model: Any
    data: Any
    contacts: Any
    contact_data: Any
    p: np.ndarray
    q: np.ndarray


def peer_of(model: Model, contacts: list[Contact], gains: tuple[float, float] = (0, 0)) -> Peer:
    peer = pinocchio_model(model)
    data = peer.createData()
    theirs = [c.theirs(peer) for c in contacts]
    for c in theirs:
        c.m_baumgarte_parameters.Kp, c.m_baumgarte_parameters.Kd = gains
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    models.extend(theirs)
    datas.extend([c.createData() for c in theirs])
    pin.initConstraintDynamics(peer, data, models, datas)
    p = velocity_order(model, peer)
    return Peer(peer, data, models, datas, p, position(model, peer, S.q))


def multipliers(
    contacts: list[Contact], lambda_: np.ndarray, d: tuple[np.ndarray, ...]
) -> list[np.ndarray]:
    """Convert the multipliers of all contacts to Pinocchio's signs and axes."""
    found, k = [], 0
    for c in contacts:
        part = slice(k, k + (6 if c.is_frame else 3))
        found.append(c.forces(TREE, S.q, lambda_[part], [x[part] for x in d]))
        k = part.stop
    return [np.concatenate(x) for x in zip(*found, strict=True)]


def agree(contacts: list[Contact], gains: tuple[float, float] | None = None) -> None:
    """Check that accelerations, multipliers and their six derivatives agree."""
    held = [c.ours for c in contacts]
    peer = peer_of(TREE, contacts, gains or (0, 0))
    p = peer.p
    given = peer.q, S.qd[p], S.tau[p], peer.contacts, peer.contact_data
    ddq = pin.constraintDynamics(peer.model, peer.data, *given)
    theirs = pin.computeConstraintDynamicsDerivatives(
        peer.model, peer.data, peer.contacts, peer.contact_data
    )
    qdd, lambda_ = KKT_FD(TREE, S.q, S.qd, S.tau, held, baumgarte=gains)
    d = KKT_FO_derivatives(TREE, S.q, S.qd, S.tau, held, baumgarte=gains)
    force, *dforce = multipliers(contacts, lambda_, d[3:])
    near(qdd[p], ddq, WITHIN)
    near(force, peer.data.lambda_c, WITHIN)
    for ours, x in zip(d[:3], theirs[:3], strict=True):
        near(ours[np.ix_(p, p)], x, WITHIN)
    for ours, x in zip(dforce, theirs[3:], strict=True):
        near(ours[:, p], x, WITHIN)


@every_case
def test_forward_dynamics_and_derivatives_agree_with_pinocchio(name: str) -> None:
    agree(CASES[name])


@pytest.mark.parametrize(
    "name",
    ["point LOCAL_WORLD_ALIGNED", "two points", "frame LOCAL", "frame and point",
     "frame loop LOCAL"],
)  # fmt: skip
def test_baumgarte_stabilisation_agrees_with_pinocchio(name: str) -> None:
    """Results with Baumgarte gains agree, with points and frames away from their targets; frames
    use the error log6.
    """
    agree(CASES[name], (30.0, 7.0))


@pytest.mark.parametrize("moving", [False, True], ids=["at rest", "moving"])
def test_frames_along_the_axes_of_the_base_agree_with_pinocchio(moving: bool) -> None:
    """For LOCAL_WORLD_ALIGNED all results agree on motions that satisfy the constraints.

    Pinocchio's rows are the rotated spatial acceleration of LOCAL; this library's are time
    derivatives of ``[omega; p']``. Their difference is a product of velocities that are zero on the
    constraint. Derivatives of accelerations therefore agree along motions on the constraint.
    Pinocchio's derivatives along q are those of LOCAL, whose accelerations are the same. In motion,
    version 4.1 has other derivatives, which differ from differences of its own accelerations (by
    2.6 here).
    """
    contact = frame(6, X1, ALIGNED)
    qd = project_velocity(TREE, S.q, moving * S.qd, [contact.ours])
    peer = peer_of(TREE, [contact])
    p = peer.p
    given = peer.q, qd[p], S.tau[p], peer.contacts, peer.contact_data
    ddq = pin.constraintDynamics(peer.model, peer.data, *given)
    theirs = pin.computeConstraintDynamicsDerivatives(
        peer.model, peer.data, peer.contacts, peer.contact_data
    )
    qdd, lambda_ = KKT_FD(TREE, S.q, qd, S.tau, [contact.ours])
    d = KKT_FO_derivatives(TREE, S.q, qd, S.tau, [contact.ours])
    near(qdd[p], ddq, WITHIN)
    near(lambda_[LINEAR_FIRST], peer.data.lambda_c, WITHIN)
    for k, rows in ((0, p), (3, LINEAR_FIRST)):
        for by in (1, 2) if moving else (0, 1, 2):
            near(d[k + by][rows][:, p], theirs[k + by], WITHIN)
    local = peer_of(TREE, [frame(6, X1)])
    given = local.q, qd[p], S.tau[p], local.contacts, local.contact_data
    near(pin.constraintDynamics(local.model, local.data, *given), ddq, WITHIN)
    by_q = pin.computeConstraintDynamicsDerivatives(
        local.model, local.data, local.contacts, local.contact_data
    )[0]
    how: Any = {"constraints": [contact.ours], "reduce": True}
    along = linearize(TREE, S.q, qd, S.tau, **how).basis
    dq, dqd = along[: TREE.NV], along[TREE.NV :]
    near((d[0] @ dq + d[1] @ dqd)[p], by_q @ dq[p] + theirs[1] @ dqd[p], WITHIN)


@pytest.mark.parametrize(
    "name", [k for k, contacts in CASES.items() if all(c.first == 2 for c in contacts)]
)
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_impacts_agree_with_pinocchio(name: str, e: float) -> None:
    """Velocities, impulses and derivatives agree; Pinocchio differentiates the jump of the
    velocity.
    """
    contacts = CASES[name]
    held, peer = [c.ours for c in contacts], peer_of(TREE, contacts)
    p, data = peer.p, peer.data
    both = peer.contacts, peer.contact_data
    after = pin.impulseDynamics(peer.model, data, peer.q, S.qd[p], *both, e)
    pin.computeImpulseDynamicsDerivatives(peer.model, data, *both, e)
    qd_plus, impulse = Impact_dyn(TREE, S.q, S.qd, held, e)
    d = Impact_FO_derivatives(TREE, S.q, S.qd, held, e)
    force, *dforce = multipliers(contacts, impulse, d[2:])
    near(qd_plus[p], after, WITHIN)
    near(force, data.impulse_c, WITHIN)
    near(d.dqd_dq[np.ix_(p, p)], data.ddq_dq, WITHIN)
    near(d.dqd_dqd[np.ix_(p, p)] - np.eye(TREE.NV), data.ddq_dv, WITHIN)
    near(dforce[0][:, p], data.dlambda_dq, WITHIN)
    near(dforce[1][:, p], data.dlambda_dv, WITHIN)


@every_case
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_impacts_with_a_jacobian_agree_with_pinocchio(name: str, e: float) -> None:
    """Velocities and impulses agree for loops as well if Pinocchio gets the Jacobian.

    From contacts, Pinocchio's impacts only use the end on joint 1.
    """
    held, peer = [c.ours for c in CASES[name]], peer_of(TREE, CASES[name])
    p, data = peer.p, peer.data
    G = constraint_jacobian(TREE, S.q, held)
    after = pin.impulseDynamics(peer.model, data, peer.q, S.qd[p], G[:, p], e, 0.0)
    qd_plus, impulse = Impact_dyn(TREE, S.q, S.qd, held, e)
    near(qd_plus[p], after, WITHIN)
    near(impulse, data.impulse_c, WITHIN)


def test_impacts_of_loops_differ_from_those_of_pinocchio() -> None:
    contacts = CASES["point loop LOCAL_WORLD_ALIGNED"]
    peer, G = peer_of(TREE, contacts), constraint_jacobian(TREE, S.q, [contacts[0].ours])
    both = peer.contacts, peer.contact_data
    after = pin.impulseDynamics(peer.model, peer.data, peer.q, S.qd[peer.p], *both, 0.0)
    assert np.abs(G[:, peer.p] @ after).max() > 0.1
    near(G @ Impact_dyn(TREE, S.q, S.qd, [contacts[0].ours]).qd_plus, np.zeros(3), WITHIN)


def test_trees_not_numbered_depth_first_differ_in_pinocchio() -> None:
    """For trees that are not numbered depth first, Pinocchio's accelerations satisfy the rows but
    not the equation of motion.
    """
    model = tree_of_14()
    s = zoo.states(model, np.random.default_rng(5))
    contact = point(2, R1)
    peer = pinocchio_model(model)
    subtrees = map(list, peer.subtrees)
    assert not all(np.ptp(tree) == len(tree) - 1 for tree in subtrees)
    data, theirs = peer.createData(), contact.theirs(peer)
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    models.append(theirs)
    datas.append(theirs.createData())
    pin.initConstraintDynamics(peer, data, models, datas)
    p = velocity_order(model, peer)
    q = position(model, peer, s.q)
    ddq = pin.constraintDynamics(peer, data, q, s.qd[p], s.tau[p], models, datas)
    theirs_qdd = ddq[np.argsort(p)]
    qdd, lambda_ = KKT_FD(model, s.q, s.qd, s.tau, [contact.ours])
    R, J = forward_kinematics(model, s.q).R[2], BodyJacobian(model, s.q, 2, xlt(R1))
    GT = (R @ J[3:]).T
    near(ID(model, s.q, s.qd, qdd) - GT @ lambda_, s.tau, WITHIN)
    missing = ID(model, s.q, s.qd, theirs_qdd) - GT @ data.lambda_c - s.tau
    assert np.abs(missing).max() > 0.1
    near(GT.T @ theirs_qdd, GT.T @ qdd, 1e-9)
