"""Our conventions and Pinocchio's, mapped onto each other for tests and benchmarks.

============  ======================================  ==========================================
quantity      here                                    Pinocchio
============  ======================================  ==========================================
vectors       angular first                           linear first
floating q    [w x y z, position]                     [position, x y z w]
floating v    [omega; v], body coordinates            [v; omega], body coordinates
spherical q   [w x y z]                               [x y z w]
unbounded q   angle                                   [cos, sin]
body frame    turned so that S is a unit column       frame of the child link, any axis
============  ======================================  ==========================================
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from spatial_v2 import Model

LINEAR_FIRST = np.array([3, 4, 5, 0, 1, 2])

_JOINTS = {
    "R": pin.JointModelRZ, "Rx": pin.JointModelRX, "Ry": pin.JointModelRY, "Rz": pin.JointModelRZ,
    "P": pin.JointModelPZ, "Px": pin.JointModelPX, "Py": pin.JointModelPY, "Pz": pin.JointModelPZ,
    "S": pin.JointModelSpherical, "Fb": pin.JointModelFreeFlyer,
}  # fmt: skip


def pinocchio_model(model: Model) -> Any:
    """A Pinocchio model with the bodies of `model`, joint by joint (no rotors, not planar)."""
    result = pin.Model()
    result.gravity.linear = np.asarray(model.gravity)
    for i in range(model.NB):
        joint = _joint(model.layout.joints[i])
        place = placement(model.Xtree[i])
        j = result.addJoint(int(model.parent[i]) + 1, joint, place, model.joint_names[i])
        result.appendBodyToJoint(j, inertia(model.I[i]), pin.SE3.Identity())
    return result


def _joint(row: Any) -> Any:
    code = row.code
    if row.pitch:
        return pin.JointModelHelicalUnaligned(row.sign * np.eye(3)[2], row.pitch)
    if code in _JOINTS:
        return _JOINTS[code]()
    axis = -np.eye(3)[row.axis]
    unaligned = {"R": pin.JointModelRevoluteUnaligned, "P": pin.JointModelPrismaticUnaligned}
    return unaligned[code[0]](axis)


def placement(X: np.ndarray) -> Any:
    """Pose of a frame, from the motion transform into its coordinates."""
    E, low = X[:3, :3], X[3:, :3]
    rx = -E.T @ low
    return pin.SE3(E.T, np.array([rx[2, 1], rx[0, 2], rx[1, 0]]))


def transform(place: Any) -> np.ndarray:
    """Motion transform (6, 6) into the coordinates of a frame, from its pose."""
    return np.asarray(place.toActionMatrixInverse())[np.ix_(LINEAR_FIRST, LINEAR_FIRST)]


def inertia(I: np.ndarray) -> Any:
    """A Pinocchio inertia from a spatial inertia (6, 6)."""
    m, h = I[5, 5], np.array([I[2, 4], I[0, 5], I[1, 3]])
    c = h / m if m else np.zeros(3)
    C = pin.skew(c)
    return pin.Inertia(m, c, I[:3, :3] + m * C @ C)


def inertia_matrix(value: Any) -> np.ndarray:
    """The spatial inertia (6, 6), angular first, of a Pinocchio inertia."""
    return np.asarray(value.matrix())[np.ix_(LINEAR_FIRST, LINEAR_FIRST)]


def position(model: Model, pin_model: Any, q: np.ndarray) -> np.ndarray:
    """Pinocchio's q (..., nq) for our q (..., NQ); joints are paired by their names."""
    result = np.zeros((*q.shape[:-1], pin_model.nq))
    for i, name in enumerate(model.joint_names):
        joint = pin_model.joints[pin_model.getJointId(name)]
        ours, code = q[..., model.qinds[i]], model.layout.joints[i].code
        if code == "Fb":
            ours = ours[..., [4, 5, 6, 1, 2, 3, 0]]
        elif code == "S":
            ours = ours[..., [1, 2, 3, 0]]
        elif (joint.nq, joint.nv) == (2, 1):
            ours = np.concatenate([np.cos(ours), np.sin(ours)], axis=-1)
        result[..., joint.idx_q : joint.idx_q + joint.nq] = ours
    return result


def velocity_order(model: Model, pin_model: Any) -> np.ndarray:
    """Indices p such that ``v_pinocchio = v[..., p]``, and so for accelerations and torques.

    The mass matrix follows as ``M_pinocchio = H[np.ix_(p, p)]``.
    """
    order = np.full(pin_model.nv, -1)
    for i, name in enumerate(model.joint_names):
        joint = pin_model.joints[pin_model.getJointId(name)]
        own = np.arange(model.NV)[model.vinds[i]]
        order[joint.idx_v : joint.idx_v + joint.nv] = own[LINEAR_FIRST] if len(own) == 6 else own
    assert sorted(order) == list(range(model.NV))
    return order
