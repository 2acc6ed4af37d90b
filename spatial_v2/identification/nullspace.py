"""The recursion of `RPNA`: transfers of inertia across each joint without effect on forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.couplings.coupled_model import CoupledModel, CoupledModelError
from spatial_v2.dynamics import get_gravity
from spatial_v2.dynamics.moved_bodies import MovedBody, moved_bodies
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.identification.matrices import block_diagonal, null_space
from spatial_v2.identification.natural_units import (
    length_of_tree,
    motion_units,
    parameter_units,
    slides,
)
from spatial_v2.identification.OutputMatrix import OutputMatrix
from spatial_v2.identification.RangeBasis import TOLERANCE, RangeBasis, check_tolerance
from spatial_v2.identification.Rate_Parameters import Rate_Parameters
from spatial_v2.identification.SwitchedControllabilityMatrix import SwitchedControllabilityMatrix
from spatial_v2.identification.SwitchedObservabilityMatrix import SwitchedObservabilityMatrix
from spatial_v2.identification.symmetric_rotor import symmetric_rotor
from spatial_v2.identification.Transform_Parameters import Transform_Parameters
from spatial_v2.identification.UnitVectorComplementarySubspace import (
    UnitVectorComplementarySubspace,
)
from spatial_v2.joints.table import joint_type
from spatial_v2.model import Model
from spatial_v2.spatial import crm, planar_transform_parts, plux
from spatial_v2.three_d import rz

__all__ = [
    "ParameterNullspace",
    "across",
    "bodies_of",
    "projectors",
    "refuse_coupled",
    "sweep",
    "transfers",
]

_STEPS = (0.7, 1.3, 1.9)
"""Joint displacements at which invariance is tested: Fourier terms of the motion cannot vanish at
all three.
"""


@shown_in_notebooks
class ParameterNullspace(NamedTuple):
    """Result of `RPNA` and `RPNA_rotor`: lists of NB arrays, one per joint.

    Parameters
    ----------
    N : list of array, shapes (r, 10) or with a rotor (r, 20)
        The null space of N[i] has the transfers of inertia across joint i without effect on forces.
    M : list of array, shapes (10, r) or (20, r)
        Unit vectors of parameters that remain when all others are set to zero.
    V : list of array, shapes (6, n) or (12, n)
        Columns span the possible velocities of body i and accelerations due to gravity, stacked
        with those of its rotor.
    C : list of array, shapes (m, 10)
        The null space of C[i] has the changes of body i alone without effect on forces.

    Examples
    --------
    >>> from spatial_v2 import RPNA, puma560
    >>> [len(rows) for rows in RPNA(puma560()).N]
    [1, 7, 7, 7, 7, 7]
    """

    N: list[np.ndarray]
    M: list[np.ndarray]
    V: list[np.ndarray]
    C: list[np.ndarray]


def refuse_coupled(model: Model, name: str) -> None:
    """Raise an error for a coupled model."""
    if isinstance(model, CoupledModel):
        raise CoupledModelError(
            f"{name}: takes no coupled model, whose parameters are not exchanged joint by joint; "
            "ComputeBases(model) computes its base parameters, and model.tree is the tree with all "
            "joints free"
        )


def sweep(
    model: Model, free_base: bool, rotors: bool, rotor_constraint: Any, tol: float
) -> ParameterNullspace:
    """Run the recursion from the base to the tips; see `RPNA`.

    Everything is computed in units in which `length_of_tree` is 1, and converted at the end.
    """
    from scipy.linalg import expm

    check_tolerance(tol, "tol")
    length = length_of_tree(model) or 1.0
    P = projectors(model, rotors, rotor_constraint, length)
    N, M = [], []
    V: dict[int, np.ndarray] = {-1: np.eye(6) if free_base else _gravity(model)}
    C: dict[int, np.ndarray] = {-1: np.eye(10) if free_base else np.zeros((0, 10))}
    for i, p in enumerate(model.parent.tolist()):
        moved = bodies_of(model, i, rotors)
        X = np.vstack([_transform(b.Xtree, length) for b in moved])
        S = np.vstack([b.gear * _freedoms(b, length) for b in moved])
        # A slide moves by the length of the tree where a turn is by one radian.
        S = S * np.where(slides(model.jtype[i]), length, 1.0)
        exp = [
            [expm(-q * crm(s)) for s in S[:, k].reshape(-1, 6)]
            for k in range(S.shape[1])
            for q in _STEPS
        ]
        turned = SwitchedControllabilityMatrix([block_diagonal(*e) for e in exp], X @ V[p][:6], tol)
        V[i] = RangeBasis(np.hstack([turned, S]), tol).Q

        A = np.hstack([Transform_Parameters(_transform(b.Xtree, length)) for b in moved])
        along = [block_diagonal(*(Transform_Parameters(x) for x in e)) for e in exp]
        O = SwitchedObservabilityMatrix(C[p] @ A, along, tol)
        rates = [
            block_diagonal(*(Rate_Parameters(s) for s in column.reshape(-1, 6))) for column in S.T
        ]
        shown = [OutputMatrix(V[i], S, tol), *(O @ R / max(1.0, np.abs(R).max()) for R in rates)]
        N.append(RangeBasis((np.vstack(shown) @ P[i]).T, tol).Q.T)
        M.append(UnitVectorComplementarySubspace(null_space(N[i], tol), tol))
        C[i] = RangeBasis(np.vstack([C[p] @ A[:, :10], N[i][:, :10]]).T, tol).Q.T
    u, v = parameter_units(length), motion_units(length)
    return ParameterNullspace(
        [x / np.tile(u, x.shape[1] // 10) for x in N],
        M,
        [V[i] * np.tile(v, len(V[i]) // 6)[:, None] for i in range(model.NB)],
        [C[i] / u for i in range(model.NB)],
    )


def bodies_of(model: Model, i: int, rotors: bool) -> list[MovedBody]:
    """Return body i, followed by the rotor of joint i if it has one and `rotors` is True."""
    bodies, moved = moved_bodies(model)
    return [bodies[b] for b in (moved[i] if rotors else moved[i][:1])]


def projectors(
    model: Model, rotors: bool, rotor_constraint: Any, length: float
) -> list[np.ndarray]:
    """Return, for each joint, the projector onto admissible parameters of its link and rotor, in
    the given unit of length.
    """
    one = np.eye(10)
    constraints = [
        _round(model, i) if rotors and model.has_rotor[i] else one for i in range(model.NB)
    ]
    if rotor_constraint is not None:
        constraint = as_real(rotor_constraint, "rotor_constraint")
        if constraint.shape not in ((10, 10), (model.NB, 10, 10)):
            raise ArrayShapeError(
                f"rotor_constraint: want shape (10, 10), or ({model.NB}, 10, 10) with one for each "
                f"joint, got {constraint.shape}"
            )
        u = parameter_units(length)
        constraints = list(np.broadcast_to(constraint * (u / u[:, None]), (model.NB, 10, 10)))
    return [
        block_diagonal(one, constraints[i]) if rotors and model.has_rotor[i] else one
        for i in range(model.NB)
    ]


def _round(model: Model, i: int) -> np.ndarray:
    """Return the projector onto parameters that are symmetric about the axis of the rotor."""
    S = joint_type(model.jtype_rotor[i]).S
    turn = (_lifted(S) if len(S) == 3 else S)[:3, 0]
    return symmetric_rotor("xyz"[int(np.abs(turn).argmax())]) if turn.any() else np.eye(10)


def across(model: Model, i: int, P: np.ndarray, length: float) -> np.ndarray:
    """Return the matrix (10, 10), with a rotor (10, 20), that projects inertial parameters of link
    and rotor by P and transforms them from joint i, at zero displacement, to the parent body, in
    the given unit of length.
    """
    moved = bodies_of(model, i, len(P) == 20)
    A = np.hstack([Transform_Parameters(_transform(b.Xtree, length)) for b in moved])
    return np.asarray(A @ P)


def transfers(
    model: Model, N: Sequence[Any], rotor_constraint: Any = None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return, for each joint, the d transfers of inertia without effect on forces.

    Each joint has a pair of matrices, with a column for each transfer: what the parameters of link
    and rotor gain (10 or 20, d), and what those of the parent lose (10, d), in units in which
    `length_of_tree` is 1.
    """
    if len(N) != model.NB:
        raise ModelError(
            f"N: want {model.NB} entries, one for each body, as in the result N of RPNA(model); "
            f"got {len(N)}"
        )
    rows = [as_real(x, f"N[{i}]") for i, x in enumerate(N)]
    rotors = any(x.ndim == 2 and x.shape[1] == 20 for x in rows)
    length = length_of_tree(model) or 1.0
    P, moved = projectors(model, rotors, rotor_constraint, length), []
    for i, x in enumerate(rows):
        if x.ndim != 2 or x.shape[1] != len(P[i]):
            raise ArrayShapeError(f"N[{i}]: want {len(P[i])} columns, got shape {x.shape}")
        R = null_space(x * parameter_units(length, len(P[i]) // 10), TOLERANCE)
        moved.append((R, across(model, i, P[i], length) @ R))
    return moved


def _freedoms(body: MovedBody, length: float) -> np.ndarray:
    """Return the motion subspace of the joint as spatial motion vectors, in a unit of length."""
    S = joint_type(body.jtype).S
    S = _lifted(S) if len(S) == 3 else S
    return np.asarray(S / motion_units(length)[:, None])


def _gravity(model: Model) -> np.ndarray:
    g = as_real(get_gravity(model), "RPNA: model.gravity")[:, None]
    return RangeBasis(_lifted(g) if len(g) == 3 else g).Q


def _lifted(m: np.ndarray) -> np.ndarray:
    """Convert planar motion vectors (3, n) to spatial motion vectors (6, n)."""
    return np.vstack([np.zeros((2, m.shape[1])), m, np.zeros((1, m.shape[1]))])


def _transform(X: Any, length: float) -> np.ndarray:
    """Convert a planar or spatial transform to a spatial transform (6, 6) in a unit of length."""
    X, u = as_real(X, "RPNA: model.Xtree"), motion_units(length)
    if len(X) == 3:
        theta, r = planar_transform_parts(X)
        X = plux(rz(theta), [*r, 0.0])
    return np.asarray(X * (u / u[:, None]))
