"""A contact in this library and in Pinocchio: frames, signs, derivatives.

The foot of a quadruped is held as a point, along the axes of the ground or of the foot, as joint 1
or as joint 2 of Pinocchio's contact, and as a rigid frame. The page "Contacts and loops" lists the
conventions in a table. Needs the packages pin and example-robot-data. Run it:

    python examples/contacts_against_pinocchio.py
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from spatial_v2 import (
    KKT_FD,
    FrameJacobian,
    KKT_FO_derivatives,
    forward_kinematics,
    load_urdf,
    point_contact,
    random_configuration,
    weld,
)
from spatial_v2.io import example_robots

FILE, FOOT = str(example_robots()["solo12"]), "FL_FOOT"
CASES = {
    "point, ground's axes, joint1": (pin.ContactType.CONTACT_3D, pin.LOCAL_WORLD_ALIGNED, 1),
    "point, ground's axes, joint2": (pin.ContactType.CONTACT_3D, pin.LOCAL_WORLD_ALIGNED, 2),
    "point, foot's axes, joint1": (pin.ContactType.CONTACT_3D, pin.LOCAL, 1),
    "weld, foot's axes, joint1": (pin.ContactType.CONTACT_6D, pin.LOCAL, 1),
}


def compare(case: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """This library's lambda converted to Pinocchio's convention, Pinocchio's lambda, and the
    relative difference of each result by name.
    """
    kind, axes, end = CASES[case]
    model = load_urdf(FILE, floating_base=True)
    peer = pin.buildModelFromUrdf(FILE, pin.JointModelFreeFlyer())
    nq, nv = np.empty(peer.nq, int), np.empty(peer.nv, int)
    nq[:7], nv[:6] = [4, 5, 6, 1, 2, 3, 0], [3, 4, 5, 0, 1, 2]
    for i, name in enumerate(model.joint_names[1:]):
        joint = peer.joints[peer.getJointId(name)]
        nq[joint.idx_q], nv[joint.idx_v] = 7 + i, 6 + i
    rng = np.random.default_rng(seed)
    q, (qd, tau) = random_configuration(model, rng), rng.normal(size=(2, model.NV))

    held = [point_contact(FOOT) if kind == pin.ContactType.CONTACT_3D else weld(FOOT)]
    qdd, force = KKT_FD(model, q, qd, tau, held)
    d = KKT_FO_derivatives(model, q, qd, tau, held)
    T, turn = np.eye(len(force)), np.zeros((len(force), model.NV))
    if kind == pin.ContactType.CONTACT_6D:
        # this library puts the angular part first, Pinocchio the linear part
        T = T[[3, 4, 5, 0, 1, 2]]
    elif end == 2:
        T = -T  # Pinocchio's force acts on joint 1, ours on joint 2
    elif axes == pin.LOCAL:
        # Pinocchio's axes are those of the foot, which rotates: T converts lambda, turn dlambda/dq
        T = forward_kinematics(model, q, frame=FOOT).X0[:3, :3]
        turn = np.cross(FrameJacobian(model, q, FOOT, "mixed")[:3], force, axis=0)

    frame = peer.frames[peer.getFrameId(FOOT)]
    ends = [(frame.parentJoint, frame.placement), (0, pin.SE3.Identity())][:: 3 - 2 * end]
    contacts = pin.StdVec_RigidConstraintModel()
    contacts.append(pin.RigidConstraintModel(kind, peer, *ends[0], *ends[1], axes))
    datas = pin.StdVec_RigidConstraintData()
    datas.append(contacts[0].createData())
    data = peer.createData()
    pin.initConstraintDynamics(peer, data, contacts, datas)
    ddq = pin.constraintDynamics(peer, data, q[nq], qd[nv], tau[nv], contacts, datas)
    theirs = pin.computeConstraintDynamicsDerivatives(peer, data, contacts, datas)

    ours = [x[np.ix_(nv, nv)] for x in d[:3]]
    ours += [(T @ x)[:, nv] for x in (d.dlambda_dq - turn, *d[4:])]
    pairs = dict(zip(d._fields, zip(ours, theirs, strict=True), strict=True))
    pairs = {"qdd": (qdd[nv], ddq), "lambda_": (T @ force, data.lambda_c), **pairs}
    off = {name: np.abs(a - b).max() / np.abs(b).max() for name, (a, b) in pairs.items()}
    return T @ force, np.array(data.lambda_c), off


if __name__ == "__main__":
    np.set_printoptions(precision=4, suppress=True)
    for case in CASES:
        ours, theirs, off = compare(case)
        print(f"{case}\n  here      {ours}\n  Pinocchio {theirs}")
        print("  apart by ", ", ".join(f"{name} {x:.0e}" for name, x in off.items()))
