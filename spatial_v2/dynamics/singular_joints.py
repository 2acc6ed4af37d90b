"""Joints at which the joint-space inertia matrix has no correct pivot."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays.linear import pivots, solve
from spatial_v2.couplings import CoupledModel
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.dynamics.pivots import carried, least_pivots
from spatial_v2.dynamics.smallest_pivots import smallest_pivots
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal

__all__ = ["singular_joints"]

_MARGIN = 4.0
"""Factor on the size of a lost pivot: kernel and reference implementation round differently."""
_FAR = 1e12
"""Growth of a second moment of mass, relative to a configuration of the robot's own size, by which
a state has diverged: its lengths are 10^6 times the robot's, and no pivot of it has a meaning.
"""


def singular_joints(model: Model, q: np.ndarray | None = None) -> np.ndarray:
    """Return the outermost joint without inertia of its own, in each of several configurations.

    Parameters
    ----------
    model : Model
        The rigid-body tree, or a coupled model, of which joints of the variables are returned.
    q : array, shape (B, NQ), optional
        Configurations, in which a function that divides by the pivots is not finite; by default one
        configuration in general position, where a joint without inertia has none anywhere.

    Returns
    -------
    array of int, shape (B,)
        The joint whose pivot is lost in rounding errors; -1 if there is none, because numbers
        overflow or the state has diverged.

    Examples
    --------
    >>> from spatial_v2 import Model, mcI
    >>> ball = [np.zeros((6, 6)), np.zeros((6, 6)), mcI(1, [0, 0, 0], np.eye(3))]
    >>> model = Model(parent=[-1, 0, 1], jtype=["Rx", "Ry", "Rz"], Xtree=[np.eye(6)] * 3, I=ball)
    >>> singular_joints(model, np.array([[0.3, 0.2, 0.1], [0.3, np.pi / 2, 0.1]]))
    array([-1,  0])
    """
    with np.errstate(all="ignore"):
        if isinstance(model, CoupledModel):
            return _outermost_variable(model, q)
        return _outermost(model, _anywhere(model)[None] if q is None else np.real(q))


def _outermost(model: Model, q: np.ndarray) -> np.ndarray:
    """Do the inward sweep of the articulated-body algorithm."""
    T = np.matrix_transpose
    bodies, moved = moved_bodies(model)
    Xup, S, IA = {}, {}, {b: np.real(body.I) for b, body in enumerate(bodies)}
    for b, (i, _, jtype, Xtree, _, gear) in enumerate(bodies):
        XJ, Sb = jcalc(jtype, np.real(gear) * q[..., model.qinds[i]])
        Xup[b], S[b] = XJ @ np.real(Xtree), np.real(gear) * Sb
    outermost, least = np.full(q.shape[:-1], -1), least_pivots(bodies, Xup, S)
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        F = {b: IA[b] @ S[b] for b in moved[i]}
        D = np.real(joint_diagonal(model, "armature", q, model.vinds[i]))
        D = D + sum(T(S[b]) @ F[b] for b in moved[i])
        U = sum(T(Xup[b]) @ F[b] for b in moved[i])
        lost = (np.abs(pivots(D)) <= _MARGIN * np.abs(np.real(least[i]))).any(axis=-1)
        outermost = np.where((outermost < 0) & lost, i, outermost)
        if p >= 0:
            Ia = sum(T(Xup[b]) @ IA[b] @ Xup[b] for b in moved[i])
            IA[p] = IA[p] + Ia - U @ solve(D, T(U))
    return np.where(_has_diverged(model, bodies, Xup), -1, outermost)


def _outermost_variable(model: CoupledModel, q: np.ndarray | None) -> np.ndarray:
    """Return the joint of the last variable of a coupled model whose pivot of H is lost."""
    if q is None:
        numbers, joints = np.random.default_rng(0), model.layout.joints
        parts = [(x.group, numbers.uniform(0.5, 1.5, x.nv)) for x in joints]
        q = np.concatenate([g.add(np.array(g.neutral), dq, "exp") for g, dq in parts])[None]
    q = np.real(q)
    lost = np.abs(pivots(CRBA(model, q))) <= _MARGIN * smallest_pivots(model, q)
    last = model.NV - 1 - lost[..., ::-1].argmax(axis=-1)
    return np.where(lost.any(axis=-1), model.body_of_v[last], -1)


def _has_diverged(model: Model, bodies: Any, Xup: Any) -> np.ndarray:
    """Mask of the states in which a body carries others at distances far beyond the robot's own."""
    q, near = _anywhere(model), {}
    for b, (i, _, jtype, Xtree, _, gear) in enumerate(bodies):
        XJ, _ = jcalc(jtype, np.real(gear) * q[..., model.qinds[i]])
        near[b] = XJ @ np.real(Xtree)
    pairs = zip(carried(bodies, Xup), carried(bodies, near), strict=True)
    far = [np.real(now[1]) > _FAR * np.real(usual[1]) for now, usual in pairs]
    return np.asarray(np.logical_or.reduce(np.broadcast_arrays(*far)))


def _anywhere(model: Model) -> np.ndarray:
    """Return a configuration (NQ,) in general position, with displacements of the robot's size.

    Angles and displacements are irregular numbers, so that no symmetry distinguishes it.
    """
    turns = 1 if model.is_planar else 3
    I, X = np.real(model.I), np.real(model.Xtree)
    mass = I[:, -1:, -1:]
    centres = np.where(mass != 0, I[:, :turns, turns:] / np.where(mass != 0, mass, 1), 0)
    size = max(np.abs(X[:, turns:, :turns]).max(), np.abs(centres).max()) or 1.0
    numbers, parts = np.random.default_rng(0), []
    for joint in model.layout.joints:
        turning = joint.S[:turns].any(axis=0)
        dq = numbers.uniform(0.5, 1.5, joint.nv) * np.where(turning, 1.0, size)
        parts.append(joint.group.add(np.array(joint.group.neutral), dq, "exp"))
    return np.concatenate(parts)
