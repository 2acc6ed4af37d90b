"""The contents of a file of test vectors: a robot, states, and results in Pinocchio's order."""

from __future__ import annotations

from typing import Any

import numpy as np

import derivatives as dv
from benchmarks.peers.pinocchio_twin import twin, twin_states, velocity_order
from benchmarks.robots import states
from spatial_v2 import CRBA, ID, KKT_FD, Model, PointConstraint, constraint_jacobian

__all__ = ["CONVENTIONS", "test_vectors"]

CONVENTIONS = """\
Pinocchio's conventions. Spatial vectors are linear first. A free flyer has q = position, quaternion
x y z w, and v = linear, angular velocity in body coordinates; a spherical joint has q = x y z w.
Joints are in Pinocchio's order; parent 0 is the universe. Arrays are stored row by row, the last
index fastest. Derivatives along q are along the velocity variables of the joints, as by integrate.
d2tau_dqdq[i,j,k] is the derivative along q_k of dtau_dq[i,j]; d2tau_dqdv[i,j,k] has q_j and v_k;
d2tau_dadq[i,j,k] has a_j and q_k, and is the derivative of M[i,j] along q_k; d2ddq_dtaudq[i,j,k]
has tau_j and q_k. Within one joint with several degrees of freedom d2tau_dqdq is not symmetric in
j and k. C is the matrix of the Christoffel symbols. Names that begin with held are of dynamics
under contacts; their forces act on the joint, in the axes of the world (CONTACT_3D,
LOCAL_WORLD_ALIGNED, joint 1), without stabilisation.
"""
POINT = (0.1, -0.2, 0.3)
"""Position of a contact in the frame of its joint [m]."""
LARGEST_CONDITION = 1e4


def test_vectors(model: Model, name: str, count: int = 2, seed: int = 0) -> dict[str, Any]:
    """Return states and results of a robot, as numbers and lists that JSON can hold."""
    peer, sample = twin(model), states(model, count, seed)
    order = velocity_order(model, peer)
    ends = contact_ends(model, sample["q"])
    theirs = zip(*twin_states(model, peer, sample), strict=True)
    ours = zip(sample["q"], sample["v"], sample["x"], strict=True)
    return {
        "name": name, "conventions": CONVENTIONS, "nq": peer.nq, "nv": peer.nv,
        "gravity": peer.gravity.linear.tolist(), "joints": joints(peer),
        "contacts": [{"joint": body + 1, "point": POINT} for body in ends],
        "states": [
            dict(zip("qva", map(array, state), strict=True))
            | {key: array(x[np.ix_(*axes(key, x, order))]) for key, x in results(model, ends, *own)}
            for state, own in zip(theirs, ours, strict=True)
        ],
    }  # fmt: skip


def array(x: np.ndarray) -> dict[str, Any]:
    return {"shape": list(x.shape), "data": x.ravel().tolist()}


def axes(key: str, x: np.ndarray, order: np.ndarray) -> list[np.ndarray]:
    """Return, for each axis of a result, the indices that give Pinocchio's order; multipliers keep
    theirs.
    """
    first = np.arange(len(x)) if "lambda" in key else order
    return [first, *[order] * (x.ndim - 1)]


def joints(peer: Any) -> list[dict[str, Any]]:
    found = []
    for j in range(1, peer.njoints):
        joint, place, inertia = peer.joints[j], peer.jointPlacements[j], peer.inertias[j]
        kind = joint.shortname()
        axis = joint.extract().axis if "Unaligned" in kind else np.zeros(3)
        numbers = {
            "axis": axis, "rotation": place.rotation, "translation": place.translation,
            "lever": inertia.lever, "inertia": inertia.inertia,
            "armature": peer.armature[joint.idx_v :][: joint.nv],
        }  # fmt: skip
        found.append(
            {"name": peer.names[j], "type": kind, "parent": int(peer.parents[j])}
            | {"mass": float(inertia.mass)}
            | {key: np.ravel(x).tolist() for key, x in numbers.items()}
        )
    return found


def contact_ends(model: Model, q: np.ndarray, most: int = 2) -> list[int]:
    """Return leaves of the tree that points can hold at the same time, in all states."""
    held: list[int] = []
    for body in sorted(set(range(model.NB)) - set(model.parent.tolist())):
        J = constraint_jacobian(model, q, contacts([*held, body]))
        if len(held) < most and np.linalg.cond(J).max() < LARGEST_CONDITION:
            held.append(body)
    return held


def contacts(ends: list[int]) -> list[PointConstraint]:
    return [PointConstraint(body, POINT) for body in ends]


def results(
    model: Model, ends: list[int], q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> list[tuple[str, np.ndarray]]:
    """Return results by Pinocchio's names; forward dynamics at the forces of inverse dynamics."""
    tau = ID(model, q, v, a)
    first, second = dv.ID_derivatives(model, q, v, a), dv.ID_SO_derivatives(model, q, v, a)
    forward = (*dv.FD_derivatives(model, q, v, tau), *dv.FD_SO_derivatives(model, q, v, tau))
    found = {
        "tau": tau, "M": CRBA(model, q), "C": dv.CoriolisMatrix(model, q, v).C,
        "dtau_dq": first.dtau_dq, "dtau_dv": first.dtau_dqd,
        "d2tau_dqdq": second.d2tau_dq, "d2tau_dvdv": second.d2tau_dqd,
        "d2tau_dqdv": second.d2tau_cross, "d2tau_dadq": second.dM_dq,
    }  # fmt: skip
    found |= dict(zip(FORWARD, forward, strict=True))
    if ends:
        held = contacts(ends)
        found |= dict(zip(("held_ddq", "held_lambda"), KKT_FD(model, q, v, tau, held), strict=True))
        under = dv.KKT_FO_derivatives(model, q, v, tau, held)
        found |= dict(
            zip(HELD, (*under, *dv.KKT_SO_derivatives(model, q, v, tau, held)), strict=True)
        )
    return list(found.items())


FORWARD = (
    "ddq_dq", "ddq_dv", "ddq_dtau", "d2ddq_dqdq", "d2ddq_dvdv", "d2ddq_dqdv", "d2ddq_dtaudq",
)  # fmt: skip
HELD = (
    *(f"held_{x}_{y}" for x in ("ddq", "lambda") for y in ("dq", "dv", "dtau")),
    *(
        f"held_d2{x}_{y}"
        for x in ("ddq", "lambda")
        for y in ("dqdq", "dvdv", "dqdv", "dtaudq")
    ),
)  # fmt: skip
