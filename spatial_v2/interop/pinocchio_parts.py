"""Conversion of placements, inertias and joints from and to Pinocchio."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.spatial import mcI, plux, transform_parts
from spatial_v2.spatial.mcI import inertia_parts

try:
    import pinocchio as pin
except ModuleNotFoundError as error:
    raise ImportError("spatial_v2.interop.pinocchio needs Pinocchio: pip install pin") from error

__all__ = [
    "LINEAR_FIRST",
    "Atom",
    "atoms",
    "check_peer",
    "check_plane",
    "inertia",
    "inertia_matrix",
    "joint_model",
    "pin",
    "placement",
    "transform",
]

LINEAR_FIRST = np.array([3, 4, 5, 0, 1, 2])

_JOINTS = {
    "R": "RZ", "Rx": "RX", "Ry": "RY", "Rz": "RZ", "P": "PZ", "Px": "PX", "Py": "PY", "Pz": "PZ",
    "S": "Spherical", "Fb": "FreeFlyer",
}  # fmt: skip
_WHOLE = {"JointModelSpherical": ("S", "ball_xyzw"), "JointModelFreeFlyer": ("Fb", "free_xyzw")}
_CHAINS = ("JointModelTranslation", "JointModelSphericalZYX", "JointModelUniversal")


def check_peer(peer: Any) -> None:
    """Raise an error for anything that is not a model of Pinocchio."""
    if not isinstance(peer, pin.Model):
        raise TypeError(f"peer: want a pinocchio.Model, got {type(peer).__name__}")


class Atom(NamedTuple):
    """A Pinocchio joint, or one part of a composite joint.

    Attributes
    ----------
    kind : str
        Kind of conversion between its variables and those of this library; see `Part`.
    X : (6, 6) array
        Motion transform into its frame from the frame of the atom before it.
    code : str
        Joint type in this library if one joint with several degrees of freedom represents it,
        otherwise empty.
    axes : tuple of (str, array, float)
        Otherwise, the joints that represent it in this library: type, axis and pitch of each.
    """

    kind: str
    X: np.ndarray
    code: str
    axes: tuple[tuple[str, np.ndarray, float], ...]

    @property
    def n(self) -> int:
        """Number of joints that represent it in this library."""
        return len(self.axes) or 1


def placement(X: Any) -> Any:
    """Convert the motion transform (6, 6) into a frame's coordinates to the frame's `SE3` pose."""
    E, r = transform_parts(X)
    return pin.SE3(np.asarray(E).T.copy(), np.asarray(r))


def transform(place: Any) -> np.ndarray:
    """Convert a frame's `SE3` pose to the motion transform (6, 6) into the frame's coordinates."""
    return np.asarray(plux(place.rotation.T, place.translation))


def inertia(I: Any) -> Any:
    """Convert a spatial inertia (6, 6) to a Pinocchio inertia."""
    m, c, I_C = inertia_parts(I) if I[5, 5] else (0.0, np.zeros(3), I[:3, :3])
    value = pin.Inertia.Zero()
    value.mass, value.lever, value.inertia = float(m), np.asarray(c), np.asarray(I_C)
    return value


def inertia_matrix(value: Any) -> np.ndarray:
    """Convert a Pinocchio inertia to a spatial inertia (6, 6)."""
    return np.asarray(mcI(value.mass, value.lever, value.inertia))


def joint_model(row: Any) -> Any:
    """Make the Pinocchio joint for a row of the joint table."""
    if row.pitch:
        return pin.JointModelHelicalUnaligned(row.sign * np.eye(3)[2], row.pitch)
    if row.code in _JOINTS:
        return getattr(pin, f"JointModel{_JOINTS[row.code]}")()
    if row.planar or row.nv > 1:
        raise ModelError(f"model: Pinocchio has no joint like {row.code!r}")
    kind = {"R": "Revolute", "P": "Prismatic", "H": "Revolute"}[row.code[0]]
    return getattr(pin, f"JointModel{kind}Unaligned")(row.sign * np.eye(3)[row.axis])


def atoms(joint: Any, name: str, neutral: np.ndarray, X: np.ndarray | None = None) -> list[Atom]:
    """Return the atoms of a Pinocchio joint; composite joints are split into their parts."""
    X = np.eye(6) if X is None else X
    kind = joint.shortname()
    if kind == "JointModelComposite":
        whole = joint.extract() if hasattr(joint, "extract") else joint
        pairs = zip(whole.joints, whole.jointPlacements, strict=True)
        return [a for j, place in pairs for a in atoms(j, name, neutral, transform(place))]
    if kind in _WHOLE:
        code, conversion = _WHOLE[kind]
        return [Atom(conversion, X, code, ())]
    plane = kind == "JointModelPlanar"
    if not (plane or joint.nv == 1 or kind in _CHAINS) or kind == "JointModelMimic":
        raise ModelError(f"joint {name!r} is a {kind}, which models here cannot represent")
    data = joint.createData()
    joint.calc(data, neutral)
    columns = np.reshape(data.S, (6, -1))
    axes = [_axis(*np.split(column, 2)) for column in columns.T]
    if plane:
        return [Atom("plane", X, "", tuple(axes))]
    steps = [X] + [np.eye(6)] * (len(axes) - 1)
    line = "line" if joint.nq == joint.nv else "turn"
    return [Atom(line, step, "", (axis,)) for step, axis in zip(steps, axes, strict=True)]


def _axis(linear: np.ndarray, angular: np.ndarray) -> tuple[str, np.ndarray, float]:
    if not angular.any():
        return "P", linear, 0.0
    pitch = float(linear @ angular)
    return ("H" if pitch else "R"), angular, pitch


def check_plane(model: Model, ours: list[int], peer: Any, j: int, first: int) -> None:
    """Raise an error unless the joints `ours` move in the same plane as joint j of `peer`.

    `first` is the first column of joint j's motion subspace to compare, at the neutral
    configuration.
    """
    data = peer.createData()
    pin.forwardKinematics(peer, data, pin.neutral(peer))
    joint, own = peer.joints[j], peer.joints[j].createData()
    joint.calc(own, pin.neutral(peer))
    theirs = (data.oMi[j].toActionMatrix() @ np.reshape(own.S, (6, -1)))[LINEAR_FIRST]
    theirs = theirs[:, first : first + len(ours)]
    X: dict[int, np.ndarray] = {-1: np.eye(6)}
    for i, parent in enumerate(model.parent):
        X[i] = np.asarray(model.Xtree[i]) @ X[int(parent)]
    columns = [np.linalg.solve(X[i], np.asarray(model.layout.joints[i].S)[:, 0]) for i in ours]
    size = 1 + np.abs(theirs).max()
    if not np.allclose(np.column_stack(columns), theirs, rtol=0, atol=1e-6 * size):
        raise ModelError(
            f"model: joint {peer.names[j]!r} moves in another plane than that of Pinocchio, which "
            "keeps to the x-y plane of its frame whatever the axis in the file"
        )
