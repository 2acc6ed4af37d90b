"""The Coriolis matrix, and the joint-space inertia matrix with its rate of change."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.per_velocity import ancestry
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics import Factorization
from spatial_v2.dynamics.factorization import body_factor
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal
from spatial_v2.model.subtrees import composite, each

__all__ = ["CoriolisMatrix", "CoriolisTerms"]


@shown_in_notebooks
class CoriolisTerms(NamedTuple):
    """Matrices (..., NV, NV) of the equation of motion ``H qdd + C qd + g = tau``."""

    C: Array
    """Coriolis matrix, shape (..., NV, NV)."""
    Hdot: Array
    """Rate of H along the motion, ``C + C^T``."""
    H: Array
    """Joint-space inertia matrix."""


@accelerated("CoriolisMatrix", "(q),(v)->(v,v),(v,v),(v,v)", joint_terms=True)
def CoriolisMatrix(
    model: Model, q: Array, qd: Array, factorization: Factorization = 3, **options: Unpack[Options]
) -> CoriolisTerms:
    """Compute the Coriolis matrix C, for which ``dH/dt = C + C^T``, together with H and dH/dt.

    MATLAB: ``[C,Hdot,H] = CoriolisMatrix(model,q,qd,factorFunction)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    factorization : {3, 1, 2} or callable, optional
        The factor B of the velocity-product force of a body, ``B v = v x* I v``: a number for
        `factorFunctions`, or a function B(I, v) of arrays (..., NB, 6, 6) and (..., NB, 6) in body
        coordinates. All three numbers give admissible matrices C. Number 3, the only one with a
        compiled kernel, gives the C of the Christoffel symbols.

    Returns
    -------
    C, Hdot, H : array, shape (..., NV, NV)
        Named tuple of the Coriolis matrix, the rate of H and H. Hdot is correct if the
        factorisation is admissible, ``B + B^T = crf(v) I - I crm(v)``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown factorization.

    Notes
    -----
    Echeandia, Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols"
    (2021), Algorithm 1 in ground coordinates: with i an ancestor of j or j itself,
    ``C_ij = S_i^T F1_j`` and ``C_ji = F2_j^T Sd_i + F3_j^T S_i``. O(N d). For joints with one
    degree of freedom ``dtau/dqd = 2 C`` with number 3; in general
    ``dtau_i/dqd_k = 2 C_ik + sum_j s_ikj qd_j`` with the constants of the first kind of
    `StructureConstants`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> C, Hdot, H = CoriolisMatrix(autoTree(2), [0, 1], [1, 2])
    >>> Hdot - (C + C.T)
    array([[0., 0.],
           [0., 0.]])
    """
    T = namespace(q, qd).matrix_transpose
    g, _ = robot_frame(model, q, qd, 0 * qd)
    X0, S, Sd = g.X0, g.S, g.Sd
    B = body_factor(constant(model.I, q), uncolumn(X0 @ column(g.v)), factorization)
    IC, BC = composite(model, g.I), composite(model, T(X0) @ B @ X0)
    below, above = ancestry(model, like=q)

    F1, F2, F3 = each(IC, Sd) + each(BC, S), each(IC, S), each(T(BC), S)
    up, down, inertia = T(S) @ F1, T(Sd) @ F2 + T(S) @ F3, T(S) @ F2
    rate = up + down
    return CoriolisTerms(
        C=above * up + below * T(down),
        Hdot=above * rate + below * T(rate),
        H=above * inertia + below * T(inertia) + joint_diagonal(model, "armature", q),
    )
