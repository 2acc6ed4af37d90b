"""IsUnidentifiable: test whether a parameter has no effect on any force."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ModelError
from spatial_v2.identification.natural_units import length_of_tree, parameter_units
from spatial_v2.identification.nullspace import across, projectors, transfers
from spatial_v2.identification.places import place
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["IsUnidentifiable"]


def IsUnidentifiable(
    model: Model,
    N: Sequence[Any],
    i: int,
    k: int | str,
    *,
    free_base: bool = False,
    rotor_constraint: Any = None,
) -> bool:
    """Return whether parameter k of body i has no effect on joint forces at all.

    MATLAB: ``IsUnidentifiable(model,N,i,k)`` and ``IsUnidentifiable_rotor``, counted from 1; the
    latter is wrong there for parameters of rotors.

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
    free_base : bool, optional
        The argument `free_base` of the call of `RPNA`; MATLAB's function is for fixed bases only.
    rotor_constraint : array_like, optional
        The argument `rotor_constraint` of the call of `RPNA_rotor`.

    Returns
    -------
    bool
        True if the parameter's column is zero in every regressor. A parameter may be neither
        identifiable nor unidentifiable: then forces depend on it in a sum with other parameters.

    Raises
    ------
    ModelError, SpatialError
        An unknown body or parameter, or an N of another model.

    Notes
    -----
    The parameter is unidentifiable if a unit of it can be transferred from body to body down to the
    base, each time without effect on forces. With a free base, any inertia that arrives at the base
    has an effect.

    Examples
    --------
    >>> from spatial_v2 import RPNA, puma560
    >>> model = puma560()
    >>> N = RPNA(model).N
    >>> IsUnidentifiable(model, N, 0, "m"), IsUnidentifiable(model, N, 5, "m")
    (True, False)
    """
    check_model(model)
    joint, row = place(model, i, k)
    transfers(model, N, rotor_constraint)
    rows = [as_real(x, "N") for x in N]
    rotors = any(x.shape[1] == 20 for x in rows)
    if row >= rows[joint].shape[1]:
        raise ModelError(
            f"i: {i} is a rotor, but N is the result for links only; want N of RPNA_rotor"
        )
    length = length_of_tree(model) or 1.0
    rows = [x * parameter_units(length, x.shape[1] // 10) for x in rows]
    P = projectors(model, rotors, rotor_constraint, length)
    direction = np.eye(len(P[joint]))[row]
    while True:
        if np.any(np.abs(rows[joint] @ direction) > 1e-6 * np.abs(direction).max(initial=1.0)):
            return False
        # What the joint does not see acts on as a combination of the parent's parameters.
        direction = across(model, joint, P[joint], length) @ direction
        joint = int(model.parent[joint])
        if joint < 0:
            return not free_base or not np.any(np.abs(direction) > 1e-6)
        direction = np.concatenate([direction, np.zeros(len(P[joint]) - 10)])
