"""RPNA: the recursive parameter nullspace algorithm."""

from __future__ import annotations

from spatial_v2.identification.nullspace import ParameterNullspace, refuse_coupled, sweep
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["RPNA"]


def RPNA(model: Model, free_base: bool = False, *, tol: float = TOLERANCE) -> ParameterNullspace:
    """Find the unidentifiable combinations of inertial parameters of the links, joint by joint.

    MATLAB: ``[N,M,V,C] = RPNA(model,free_base)``, for joints with one degree of freedom only. The
    result follows from the kinematics of the tree; no motions are sampled. Parameters of rotors
    count as known; see `RPNA_rotor`.

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
        The null space of N[i] has the inertias that can be transferred from body i to its parent
        without effect on forces.
    M : list of array, shapes (10, r)
        Unit vectors of parameters that remain when all others are set to zero.
    V : list of array, shapes (6, n)
        Columns span the possible velocities of body i and accelerations due to gravity.
    C : list of array, shapes (m, 10)
        The null space of C[i] has the changes of parameters of body i alone without effect on
        forces.

    Raises
    ------
    ModelError
        A coupled model: its parameters are not exchanged joint by joint; see `ComputeBases`.
    SpatialError
        If `tol` is not between 0 and 1.

    Notes
    -----
    A transfer of inertia dI from body i to its parent has no effect if ``S^T dI v = 0`` for all
    motions v of the body, and if the inertia in coordinates of the parent, ``X(q)^T dI X(q)``,
    varies with q only by changes that have no effect at the parent. Both conditions are linear in
    the ten entries of dI. Wensing, Niemeyer, Slotine, "A geometric characterization of
    observability in inertial parameter identification" (2024). Subspaces that are invariant under
    the motions of a joint are computed from a few finite displacements.

    Examples
    --------
    >>> from spatial_v2 import puma560
    >>> null = RPNA(puma560())
    >>> sum(10 - len(rows) for rows in null.N)
    24
    """
    check_model(model)
    refuse_coupled(model, "RPNA")
    return sweep(model, free_base, False, None, tol)
