"""RPNA_rotor: the recursive parameter nullspace algorithm with geared rotors."""

from __future__ import annotations

from typing import Any

from spatial_v2.identification.nullspace import ParameterNullspace, refuse_coupled, sweep
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["RPNA_rotor"]


def RPNA_rotor(
    model: Model,
    free_base: bool = False,
    *,
    rotor_constraint: Any = None,
    tol: float = TOLERANCE,
) -> ParameterNullspace:
    """Find the unidentifiable combinations of parameters of links and rotors, joint by joint.

    MATLAB: ``[N,M,V,C] = RPNA_rotor(model,free_base)``, where every joint needs a rotor.

    Parameters
    ----------
    model : Model
        The rigid-body tree with any joints and rotors. Its inertias are not used.
    free_base : bool, optional
        True if the base moves freely, with unknown inertia, and the force on it is measured too.
    rotor_constraint : array_like, shape (10, 10) or (NB, 10, 10), optional
        Projector onto the parameters that a rotor can have, MATLAB's ``model.rotor_constraint``; by
        default that of `symmetric_rotor`, for rotors symmetric about their axis of rotation.
        ``numpy.eye(10)`` allows any inertia.
    tol : float, optional
        Relative tolerance: smaller directions count as zero.

    Returns
    -------
    N, M, V, C : list of array
        Results as in `RPNA`. If joint i has a rotor, N[i] has 20 columns, and M[i] and V[i] have
        twice the rows: those of the link, then those of the rotor.

    Raises
    ------
    ModelError
        A coupled model: its parameters are not exchanged joint by joint; see `ComputeBases`.
    ArrayShapeError
        If `rotor_constraint` is of another shape.
    SpatialError
        If `tol` is not between 0 and 1.

    Notes
    -----
    The algorithm is that of `RPNA`, with link and rotor as two bodies that one joint moves: inertia
    may be transferred to the parent from both together.

    Examples
    --------
    >>> from spatial_v2 import Puma560_model
    >>> null = RPNA_rotor(Puma560_model())
    >>> sum(20 - len(rows) for rows in null.N)
    80
    """
    check_model(model)
    refuse_coupled(model, "RPNA_rotor")
    return sweep(model, free_base, True, rotor_constraint, tol)
