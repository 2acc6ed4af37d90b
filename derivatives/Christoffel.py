"""The Christoffel symbols of the first kind."""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np

from derivatives.per_velocity import ancestry, put
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace
from spatial_v2.arrays.numbers import is_one_of
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.engine.tensors.runs import CHRISTOFFEL
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.subtrees import composite
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["Christoffel"]


@accelerated("Christoffel", "(q)->(v,v,v)", runs=CHRISTOFFEL, joint_terms=True)
def Christoffel(
    model: Model,
    q: Array,
    order: Literal["matlab", "textbook"] = "matlab",
    *,
    packed: bool = False,
    **options: Unpack[Options],
) -> Array:
    """Compute the Christoffel symbols, whose contraction with qd is the Coriolis matrix.

    MATLAB: ``Gamma = Christoffel(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    order : {"matlab", "textbook"}, optional
        Order of the last two indices. MATLAB contracts the middle one with the velocity,
        ``C[i, k] = sum_j Gamma[i, j, k] qd[j]``, textbooks the last one,
        ``C[i, j] = sum_k Gamma[i, j, k] qd[k]``. The two orders agree if all joints have one degree
        of freedom.
    packed : bool, optional
        If True, return a `PackedTensor`, which stores only entries that can be nonzero.

    Returns
    -------
    array, shape (..., NV, NV, NV)
        The symbols Gamma, which belong to C of `CoriolisMatrix` with its default factorisation.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `order`.

    Notes
    -----
    Echeandia, Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols"
    (2021), Algorithm 2, for any joints: in textbook order ``Gamma_ijk = S_i^T B(S_m, IC) S_n`` with
    IC the composite inertia of the deepest of the three bodies, B the Coriolis matrix of a body, m
    the deeper of j and k (j if both belong to one joint) and n the other; ``Gamma_iii = 0``. Not
    symmetric within a joint: ``Gamma[i, j, k] - Gamma[i, k, j]`` are the constants of the first
    kind of `StructureConstants`. The kernel is O(N d^2).

    Examples
    --------
    >>> from spatial_v2 import CoriolisMatrix
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd = autoTree(3), np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    >>> C = np.einsum("ijk,j->ik", Christoffel(model, q), qd)
    >>> np.allclose(C, CoriolisMatrix(model, q, qd).C)
    True
    """
    xp = namespace(q)
    T = xp.matrix_transpose
    if not is_one_of(order, "matlab", "textbook"):
        raise SpatialError(f"order: want 'matlab' or 'textbook', got {order!r}")
    if order == "textbook":
        return T(Christoffel(model, q))
    rest = constant(np.zeros(model.NV), q)
    g, _ = robot_frame(model, q, rest, rest)
    IC, S = composite(model, g.I), g.S
    s = column(T(S))
    U = icrf(IC @ s)
    B = (crf(s) @ IC - IC @ crm(s) + U) / 2
    D = U - B

    def products(A: Array) -> Array:
        """Return the array with entries [p, j, k] ``S_k^T A_p S_j``, for one matrix A_p for each
        velocity variable p.
        """
        return T(A @ S[..., None, :, :]) @ S[..., None, :, :]

    below, above = ancestry(model, like=q)
    same, before = below - T(above), T(above)
    k_lt_j, k_is_j = below[:, :, None] * before[None, :, :], below[:, :, None] * same[None, :, :]
    j_lt_i = before[:, :, None] * below[None, :, :]
    k_lt_j_lt_i = before[:, :, None] * before[None, :, :]

    kpj, jpk, pjk = products(B), products(T(B)), products(D)
    i = np.arange(model.NV)
    not_alone = np.ones(3 * [model.NV])
    not_alone[i, i, i] = 0.0
    return constant(not_alone, q) * (
        put(pjk, k_lt_j, "ptr", "prt")
        + put(pjk, k_is_j, "prt")
        + put(jpk, j_lt_i, "trp", "tpr")
        + put(kpj, k_lt_j, "rtp")
        + put(kpj, k_lt_j_lt_i, "rpt")
    )
