"""RPNA_rotor: the recursive parameter nullspace algorithm with geared rotors."""

from __future__ import annotations

from typing import Any

from spatial_v2.identification.nullspace import ParameterNullspace, sweep
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.model import Model

__all__ = ["RPNA_rotor"]


def RPNA_rotor(
    model: Model,
    free_base: bool = False,
    *,
    rotor_constraint: Any = None,
    tol: float = TOLERANCE,
) -> ParameterNullspace:
    """Unidentifiable inertial parameters of links and rotors, joint by joint.

    MATLAB: ``[N,M,V,C] = RPNA_rotor(model,free_base)``, where every joint needs a rotor.

    Parameters
    ----------
    model : Model
        The rigid-body tree with any joints and rotors. Its inertias are not used.
    free_base : bool, optional
        True if the base moves freely, with unknown inertia, and the force on it is measured too.
    rotor_constraint : array_like, shape (10, 10) or (NB, 10, 10), optional
        Projector onto the parameters that a rotor can have, MATLAB's ``model.rotor_constraint``; by
        default that of `symmetric_rotor`, a body that is round about the axis it turns about.
        ``numpy.eye(10)`` makes a rotor a body as any other.
    tol : float, optional
        Directions below this share of the largest one count as none.

    Returns
    -------
    N, M, V, C : list of array
        As of `RPNA`; where joint i has a rotor, N[i] has 20 columns, and M[i] and V[i] have twice
        the rows: the link first, then the rotor.

    Raises
    ------
    ArrayShapeError
        If `rotor_constraint` is of another shape.
    SpatialError
        If `tol` is not between 0 and 1.

    Notes
    -----
    As `RPNA`, with link and rotor as two bodies that one joint moves: a transfer to the parent may
    come from both together.

    Examples
    --------
    >>> from spatial_v2 import Puma560_model
    >>> null = RPNA_rotor(Puma560_model())
    >>> sum(20 - len(rows) for rows in null.N)
    80
    """
    return sweep(model, free_base, True, rotor_constraint, tol)
