"""Construction of a model joint by joint, for the functions that read robot files."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import InertiaWarning
from spatial_v2.files.wording import unused
from spatial_v2.inertia import inertiaMatToVec, inertiaVecToMat
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.spatial import plux
from spatial_v2.three_d.skew import cross_matrix

__all__ = ["TreeBuilder", "align_axes", "join", "move", "rigid_body_inertias"]


def align_axes(a: np.ndarray, closest: np.ndarray) -> np.ndarray:
    """Compute the smallest coordinate rotations (n, 3, 3) that map unit vectors a to `closest`."""
    V = np.asarray(cross_matrix(np.cross(a, closest)))
    return np.asarray(np.eye(3) + V + V @ V / (1 + (a * closest).sum(axis=1)[:, None, None]))


def join(frame: Frame, X: np.ndarray) -> Frame:
    """Return the frame on the same body to which the transform X leads from a given frame."""
    return Frame(frame.body, X @ frame.X)


def move(frame: Frame, r: Any) -> Frame:
    """Return the frame on the same body with the same axes and its origin at r."""
    return join(frame, np.asarray(plux(np.eye(3), np.asarray(r, dtype=np.float64))))


class TreeBuilder:
    """Fields of a model under construction.

    For a joint about an oblique axis the body frame is rotated so that the axis is a coordinate
    axis.

    Parameters
    ----------
    joints, bodies : iterable of str, optional
        Names in the file, which generated names must avoid.

    Attributes
    ----------
    frames : dict
        Frames by name, to be filled by the caller.
    """

    def __init__(self, joints: Iterable[str] = (), bodies: Iterable[str] = ()) -> None:
        self._taken = set(joints), set(bodies)
        self.parent: list[int] = []
        self.jtype: list[Any] = []
        self.joint_names: list[str] = []
        self.body_names: list[str] = []
        self.frames: dict[str, Frame] = {}
        self._Xtree: list[np.ndarray] = []
        self._I: list[np.ndarray] = []

    def add(self, at: Frame, jtype: Any, joint: str, body: str) -> Frame:
        """Add a body on a joint at a frame; return the frame of the body."""
        self.parent.append(at.body)
        self.jtype.append(jtype)
        self._Xtree.append(np.asarray(at.X))
        self._I.append(np.zeros((6, 6)))
        self.joint_names.append(joint)
        self.body_names.append(body)
        return Frame(len(self.parent) - 1, np.eye(6))

    def add_axis(
        self, at: Frame, kind: str, axis: Any, joint: str, body: str, pitch: float = 0.0
    ) -> Frame:
        """Add a body on a joint with one degree of freedom about an axis; return its frame.

        Parameters
        ----------
        at : Frame
            The frame in which the joint is placed.
        kind : {"R", "P", "H"}
            Motion of the body: about the axis, along it, or both by `pitch`.
        axis : array_like, shape (3,)
            Direction of the axis, a unit vector.
        joint, body : str
            Names of the joint and the body.
        pitch : float, optional
            Advance of a helical joint [m/rad].
        """
        a = np.asarray(axis, dtype=np.float64)
        k = 2 if kind == "H" else int(np.argmax(np.abs(a)))
        negative = bool(a[k] < -0.5)
        closest = np.eye(3)[k] * (-1.0 if negative else 1.0)
        E = align_axes(a[None], closest[None])[0]
        code = kind + ("" if kind == "H" else "xyz"[k]) + "-" * negative
        jtype = {"code": code, "pars": {"pitch": pitch}} if kind == "H" else code
        still = np.zeros(3)
        moved = self.add(join(at, np.asarray(plux(E, still))), jtype, joint, body)
        return join(moved, np.asarray(plux(E.T, still)))

    def add_chain(self, at: Frame, axes: Sequence[tuple[str, Any]], joint: str, body: str) -> Frame:
        """Add a joint with several variables as a chain of joints name_1, name_2, ..., name."""
        for n, (kind, axis) in enumerate(axes, 1):
            names = joint, body
            if n < len(axes):
                taken, bodies = self._taken
                names = unused(f"{joint}_{n}", taken), unused(f"{body}_{n}", bodies)
            at = self.add_axis(at, kind, axis, *names)
        return at

    def add_inertia(self, frame: Frame, I: np.ndarray) -> None:
        """Add the inertia of a mass that is fixed to a frame; ignore masses fixed to the base."""
        if frame.body >= 0:
            X = np.asarray(frame.X)
            self._I[frame.body] = self._I[frame.body] + X.T @ I @ X

    def inertia(self, body: int) -> np.ndarray:
        """Return the inertia of a body, summed so far."""
        return self._I[body]

    def model(self, **fields: Any) -> Model:
        """Make the model from the tree and further fields."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InertiaWarning)
            return Model(
                parent=self.parent,
                jtype=self.jtype,
                Xtree=self._Xtree,
                I=rigid_body_inertias(np.reshape(self._I, (-1, 6, 6))),
                joint_names=self.joint_names,
                body_names=self.body_names,
                frames=self.frames,
                **fields,
            )


def rigid_body_inertias(I: np.ndarray) -> np.ndarray:
    """Return sums of transformed inertias (n, 6, 6) without their rounding errors against symmetry,
    which would remain in computations with more digits.
    """
    return np.asarray(inertiaVecToMat(inertiaMatToVec(I)))
