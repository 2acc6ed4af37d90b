"""Inverse of the mass matrix of a tree on a moving base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, assemble, constant, namespace
from spatial_v2.arrays.linear import solve
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.Hinverse import Hinverse
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.dynamics.moving_base import at_states, check_moving_base
from spatial_v2.dynamics.pivots import least_pivots, regular
from spatial_v2.dynamics.singular_joints import singular_joints
from spatial_v2.joints import jcalc
from spatial_v2.model import Model

__all__ = ["IMMAmb"]


def by_Hinverse(
    model: Model, arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], batched: bool
) -> None:
    """Compute the result of `IMMAmb` with the kernel of `Hinverse`."""
    results[0][...] = at_states(Hinverse, model, arrays, batched)[0]


@accelerated(
    None,
    "(q)->(v,v)",
    rotors="own",
    composed=by_Hinverse,
    uses=("Hinverse",),
    accepts=check_moving_base,
    singular=singular_joints,
)
def IMMAmb(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the inverse of the mass matrix of a tree on a moving base.

    Parameters
    ----------
    model : Model
        A spatial tree in which body 0, the moving base, is connected to the fixed base by a joint
        ``Fb`` or ``SE3`` and carries all other bodies; geared rotors too.
    q : array, shape (..., NQ)
        Pose of the base and joint positions [rad or m]; the pose has no effect.

    Returns
    -------
    array, shape (..., NV, NV)
        Symmetric inverse; rows and columns 0 to 5 belong to the base, in body coordinates.

    Raises
    ------
    ArrayShapeError
        `q` has the wrong shape.
    ModelError
        A model without a moving base.
    SpatialError
        A joint that moves no inertia of its own in this configuration.

    Warns
    -----
    SingularWarning
        The inertia matrix is singular in some states of a batch, whose results are NaN.

    Notes
    -----
    Bos, Traversaro, Pucci, Saccon, "Efficient geometric linearization of moving-base rigid robot
    dynamics" (2022), Table 9, after Carpentier. U and F are in coordinates of the parent, and b are
    the bodies that a joint moves, its link and its rotor. Two errors of the table are corrected:
    the index in line 18, printed ``[i:i+6:]``, is ``[:, i+6:]``; and lines 21 to 25 leave the block
    ``[7:, 1:6]`` zero, which must be the transpose of the block of line 20. `Hinverse` computes the
    same matrix, and its kernel is used here.

    Examples
    --------
    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> q = np.array([1, 0, 0, 0, 0, 0, 0, 0.5])
    >>> np.allclose(IMMAmb(model, q) @ CRBA(model, q), np.eye(7))
    True
    """
    T = namespace(q).matrix_transpose
    bodies, moved = moved_bodies(model)
    links = list(enumerate(model.parent.tolist()))[1:]
    below = {i: [j for j, _ in links if i in model.ancestors[j]] for i in range(model.NB)}
    F: dict[tuple[int, int], Array] = {}
    Xup, S, U, D, P, Minv = ({} for _ in range(6))
    MA = {b: constant(body.I, q) for b, body in enumerate(bodies)}
    S[0] = Xup[0] = constant(np.eye(6), q) + 0 * q[..., :1, None]

    for b, (i, p, jtype, Xtree, _, gear) in enumerate(bodies):
        if p >= 0:
            XJ, Sb = jcalc(jtype, gear * q[..., model.qinds[i]])
            S[b] = constant(Sb, q) * gear
            Xup[b] = XJ @ constant(Xtree, q)

    least = least_pivots(bodies, Xup, S)
    for i, p in reversed(links):
        U[i] = sum(T(Xup[b]) @ MA[b] @ S[b] for b in moved[i])
        D[i] = sum(T(S[b]) @ MA[b] @ S[b] for b in moved[i])
        D[i] = regular(D[i], least[i])
        Minv[i, i] = solve(D[i], constant(np.eye(model.nv[i]), q))
        for j in below[i]:
            if j != i:
                Minv[i, j] = -solve(D[i], T(S[i]) @ F[i, j])
            passed = T(Xup[i]) @ F[i, j] if j != i else 0
            F[p, j] = passed + U[i] @ Minv[i, j]
        Ma = sum(T(Xup[b]) @ MA[b] @ Xup[b] for b in moved[i]) - U[i] @ solve(D[i], T(U[i]))
        MA[p] = MA[p] + Ma

    MA[0] = regular(MA[0], least[0])
    for j, _ in links:
        Minv[0, j] = P[0, j] = -solve(MA[0], F[0, j])
    for i, p in links:
        for j, _ in links[i - 1 :]:
            Minv[i, j] = Minv.get((i, j), 0) - solve(D[i], T(U[i]) @ P[p, j])
            P[i, j] = S[i] @ Minv[i, j] + Xup[i] @ P[p, j]
    for i, j in list(Minv):
        Minv[j, i] = T(Minv[i, j])
    Minv[0, 0] = solve(MA[0], constant(np.eye(6), q))
    return assemble(Minv, model.nv, model.nv, like=q)
