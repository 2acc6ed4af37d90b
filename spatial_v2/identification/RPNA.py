"""RPNA: the recursive parameter nullspace algorithm."""

from __future__ import annotations

from spatial_v2.identification.nullspace import ParameterNullspace, sweep
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.model import Model

__all__ = ["RPNA"]


def RPNA(model: Model, free_base: bool = False, *, tol: float = TOLERANCE) -> ParameterNullspace:
    """Unidentifiable inertial parameters of the links, joint by joint.

    MATLAB: ``[N,M,V,C] = RPNA(model,free_base)``, there for joints with one degree of freedom. It
    follows from the geometry of the tree, without motions. Rotors count as known, see `RPNA_rotor`.

    Parameters
    ----------
    model : Model
        The rigid-body tree with any joints, planar models too. Its inertias are not used.
    free_base : bool, optional
        True if the base moves freely, with unknown inertia, and the force on it is measured too.
    tol : float, optional
        Relative tolerance: smaller directions count as zero. For robot files with rounded angles it
        must exceed the rounding error: 1e-4, for instance, for angles like 1.5708.

    Returns
    -------
    N : list of array, shapes (r, 10)
        Null space of N[i]: inertias that can move from body i to its parent without effect.
    M : list of array, shapes (10, r)
        Unit vectors of parameters that may stay when all others are set to zero.
    V : list of array, shapes (6, n)
        Span of the velocities of body i, and of its accelerations due to gravity.
    C : list of array, shapes (m, 10)
        Null space of C[i]: changes of the parameters of body i alone without effect.

    Raises
    ------
    SpatialError
        If `tol` is not between 0 and 1.

    Notes
    -----
    A transfer dI across joint i has no effect if ``S^T dI v = 0`` for all motions v of the body,
    and if the parent's loss, ``X(q)^T dI X(q)``, differs from a constant only by changes without
    effect at the parent. For each joint both conditions are linear in ten unknowns. Wensing,
    Niemeyer, Slotine, "A geometric characterization of observability in inertial parameter
    identification" (2024). The motions of one joint form a group, whose invariant subspaces are
    sought by finite motions.

    Examples
    --------
    >>> from spatial_v2 import puma560
    >>> null = RPNA(puma560())
    >>> sum(10 - len(rows) for rows in null.N)
    24
    """
    return sweep(model, free_base, False, None, tol)
