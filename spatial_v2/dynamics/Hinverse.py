"""Inverse of the joint-space inertia matrix."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, assemble, constant, namespace
from spatial_v2.arrays.linear import solve
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.dynamics.pivots import least_pivots, regular
from spatial_v2.dynamics.robot_frame import motion_inverse, on_robot
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.dynamics.smallest_pivots import solve_coupled
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal

__all__ = ["Hinverse"]


def _of_coupled(model: Model, q: Array) -> Array:
    """Compute the inverse of the inertia matrix of a coupled model's independent variables."""
    H = CRBA(model, q)
    return solve_coupled(model, H, constant(np.eye(model.NV), H))


@accelerated(
    "Hinverse",
    "(q)->(v,v)",
    rotors="own",
    joint_terms=True,
    singular=singular_joints,
    coupled=_of_coupled,
    coupled_kernel="Hinverse_coupled",
)
def Hinverse(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the inverse of the joint-space inertia matrix without forming that matrix.

    MATLAB: ``Hinv = Hinverse(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., NV, NV)
        ``H(q)^-1``, symmetric.

    Raises
    ------
    ArrayShapeError
        `q` has the wrong shape.
    SpatialError
        A joint that moves no inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    The articulated-body algorithm for all unit joint forces at once, at rest, without gravity and
    in axes parallel to those of the base: entry [i, j] is the acceleration of joint i under a unit
    force of joint j. F has the forces that the unit forces transmit towards the base, A the
    accelerations of the sweep from the base; b are the bodies that a joint moves, its link and its
    rotor; armature is added to the diagonals of D. Carpentier, "Analytical inverse of the joint
    space inertia matrix" (2018); Bos, Traversaro, Pucci, Saccon (2022), Table 9.

    Examples
    --------
    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> model, q = autoTree(3), [0.1, 0.2, 0.3]
    >>> np.allclose(Hinverse(model, q) @ CRBA(model, q), np.eye(3))
    True
    """
    T = namespace(q).matrix_transpose
    bodies, moved = moved_bodies(model)
    joints, parent = range(model.NB), model.parent.tolist()
    A: dict[tuple[int, int], Array] = {}
    Xup, S, IA, U, D, F, Minv = {}, {}, {}, {}, {}, {}, {}

    for b, (i, _, jtype, Xtree, _, gear) in enumerate(bodies):
        XJ, S[b] = jcalc(jtype, gear * q[..., model.qinds[i]])
        Xup[b] = XJ @ constant(Xtree, q)
    least = least_pivots(bodies, Xup, S)
    X0, _ = on_robot([b.parent for b in bodies], Xup)
    for b, body in enumerate(bodies):
        S[b] = motion_inverse(X0[b]) @ constant(body.gear * S[b], q)
        IA[b] = T(X0[b]) @ constant(body.I, q) @ X0[b]
        F[b] = 0 * S[b]

    subtree = {i: [j for j in joints if i in model.ancestors[j]] for i in joints}
    for i in reversed(joints):
        U[i] = sum(IA[b] @ S[b] for b in moved[i])
        D[i] = joint_diagonal(model, "armature", q, model.vinds[i])
        D[i] = D[i] + sum(T(S[b]) @ IA[b] @ S[b] for b in moved[i])
        D[i] = regular(D[i], least[i])
        for j in subtree[i]:
            unit = constant(np.eye(model.nv[i]) if i == j else 0.0 * np.eye(1), q)
            Minv[i, j] = solve(D[i], unit - T(S[i]) @ F[j])
            F[j] = F[j] + U[i] @ Minv[i, j]
        if (p := parent[i]) >= 0:
            IA[p] = IA[p] + sum(IA[b] for b in moved[i]) - U[i] @ solve(D[i], T(U[i]))

    for i, p in enumerate(parent):
        for j in joints:
            if p >= 0:
                Minv[i, j] = Minv.get((i, j), 0) - solve(D[i], T(U[i]) @ A[p, j])
            elif (i, j) not in Minv:
                Minv[i, j] = 0 * T(S[i]) @ S[j]
            A[i, j] = S[i] @ Minv[i, j] + (A[p, j] if p >= 0 else 0)
    return assemble(Minv, model.nv, model.nv, like=q)
