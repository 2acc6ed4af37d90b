"""IsIdentifiable: test whether a parameter is identifiable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.identification.nullspace import transfers
from spatial_v2.identification.places import place
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["IsIdentifiable"]


def IsIdentifiable(
    model: Model, N: Sequence[Any], i: int, k: int | str, *, rotor_constraint: Any = None
) -> bool:
    """Return whether the value of parameter k of body i can be found from joint forces.

    MATLAB: ``IsIdentifiable(model,N,i,k)`` and ``IsIdentifiable_rotor``, counted from 1.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    N : sequence of array_like
        Field N of the result of `RPNA` or `RPNA_rotor`.
    i : int
        The link, from 0; NB + j is the rotor of joint j.
    k : int or str
        The parameter, 0 to 9, or its name in `INERTIAL_PARAMETERS`.
    rotor_constraint : array_like, optional
        The argument `rotor_constraint` of the call of `RPNA_rotor`.

    Returns
    -------
    bool
        True if no change of parameters that leaves all forces the same changes this parameter.

    Raises
    ------
    ModelError, SpatialError
        An unknown body or parameter, or an N of another model.

    Examples
    --------
    >>> from spatial_v2 import RPNA, puma560
    >>> model = puma560()
    >>> N = RPNA(model).N
    >>> IsIdentifiable(model, N, 5, "Izz"), IsIdentifiable(model, N, 5, "m")
    (True, False)
    """
    check_model(model)
    joint, row = place(model, i, k)
    moved = transfers(model, N, rotor_constraint)
    if row >= len(moved[joint][0]):
        raise ModelError(
            f"i: {i} is a rotor, but N is the result for links only; want N of RPNA_rotor"
        )
    parts = [moved[joint][0][row]]
    if row < 10:
        parts += [moved[j][1][row] for j in np.flatnonzero(model.parent == joint)]
    return all(bool(np.all(np.abs(x) < 1e-6)) for x in parts)
