"""Timed calls of Pinocchio's constrained dynamics from Python, one state at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from benchmarks.peers.pinocchio_twin import twin, twin_states
from spatial_v2 import Model

__all__ = ["pinocchio_contacts"]


def pinocchio_contacts(
    model: Model, feet: Mapping[int, np.ndarray], states: dict[str, np.ndarray]
) -> dict[str, Callable[[], tuple[np.ndarray, ...]]]:
    """Return calls at the first state, with contact points of bodies and forces along the axes of
    the ground.

    The result is empty without the package. Results of Pinocchio are in its own order;
    `velocity_order` converts it.
    """
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    other = twin(model)
    data = other.createData()
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for body, point in feet.items():
        foot = other.getJointId(model.joint_names[body]), pin.SE3(np.eye(3), point)
        ground = 0, pin.SE3.Identity()
        kind, axes = pin.ContactType.CONTACT_3D, pin.LOCAL_WORLD_ALIGNED
        contacts.append(pin.RigidConstraintModel(kind, other, *foot, *ground, axes))
        datas.append(contacts[len(contacts) - 1].createData())
    pin.initConstraintDynamics(other, data, contacts, datas)
    q, v, x = (values[0] for values in twin_states(model, other, states))

    def forward() -> tuple[np.ndarray, ...]:
        return pin.constraintDynamics(other, data, q, v, x, contacts, datas), data.lambda_c

    def derivatives() -> tuple[np.ndarray, ...]:
        return pin.computeConstraintDynamicsDerivatives(other, data, contacts, datas)

    def both() -> tuple[np.ndarray, ...]:
        forward()
        return derivatives()

    forward()
    return {
        "constraintDynamics": forward,
        "computeConstraintDynamicsDerivatives": derivatives,
        "constraintDynamics, its derivatives": both,
    }
