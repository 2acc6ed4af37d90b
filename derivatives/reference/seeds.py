"""Joint transforms and joint variables with their derivatives, the inputs of the chain rule."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from derivatives.reference.functions import State, Variable
from derivatives.reference.jet import Jet
from spatial_v2 import crm
from spatial_v2.joints import jcalc
from spatial_v2.model import Model

__all__ = ["Seeds", "seeds"]


class Seeds(NamedTuple):
    """Inputs of the chain rule: one entry for each body.

    Attributes
    ----------
    Xup : list of Jet, (..., 6, 6)
        Transforms from the parents.
    S : list of array, (6, nv)
        Motion subspaces, constant in body coordinates.
    qd, u : list of Jet, (..., nv, 1)
        Joint velocities, and joint accelerations (ID) or forces (FD), as columns.
    """

    Xup: list[Jet]
    S: list[np.ndarray]
    qd: list[Jet]
    u: list[Jet]


def _transform(
    model: Model, i: int, q: np.ndarray, S: np.ndarray, by: tuple[Variable, Variable | None]
) -> Jet:
    X = jcalc(model.jtype[i], q[..., model.qinds[i]])[0] @ model.Xtree[i]
    n, own = model.NV, model.vinds[i]
    cross = crm(S.T[..., None]).reshape(-1, *[1] * (X.ndim - 2), *X.shape[-2:])
    first, mixed = np.zeros((n, *X.shape)), np.zeros((n, n, *X.shape))
    first[own] = -cross @ X
    if by == ("q", "q"):
        mixed[own, own] = cross[:, None] @ cross @ X
    K = 0 if by[1] is None else n
    return Jet(X, first[:, None] * (by[0] == "q"), first[None, :K] * (by[1] == "q"), mixed[:, :K])


def _column(
    model: Model, i: int, state: State, name: Variable, by: tuple[Variable, Variable | None]
) -> Jet:
    x = getattr(state, name)[..., model.vinds[i], None]
    n, lead = model.NV, [1] * (x.ndim - 2)
    unit = np.eye(n)[:, model.vinds[i]].reshape(n, *lead, -1, 1)
    K = 0 if by[1] is None else n
    mixed = np.zeros((n, K, *lead, *x.shape[-2:]))
    return Jet(x, unit[:, None] * (by[0] == name), unit[None, :K] * (by[1] == name), mixed)


def seeds(model: Model, state: State, first: Variable, second: Variable | None) -> Seeds:
    """Compute transforms and joint variables with their derivatives.

    ``X(q (+) s e_j) = exp(-s crm(S_j)) X(q)``, hence ``d_j X = -crm(S_j) X`` and, in order,
    ``d_k d_j X = crm(S_j) crm(S_k) X``, whatever the joint type (Kudruss, Manns, Kirches, 2019,
    Proposition 1).

    Parameters
    ----------
    model : Model
        The rigid-body tree, without rotors.
    state : State
        State of evaluation.
    first, second : {"q", "qd", "u"}
        Variables with respect to which the first and then the second derivative is taken. If
        `second` is None, there are no second derivatives.

    Returns
    -------
    Seeds
        One entry for each body.
    """
    by = first, second
    bodies = range(model.NB)
    S = [jcalc(model.jtype[i], state.q[..., model.qinds[i]])[1] for i in bodies]
    return Seeds(
        [_transform(model, i, state.q, S[i], by) for i in bodies],
        S,
        [_column(model, i, state, "qd", by) for i in bodies],
        [_column(model, i, state, "u", by) for i in bodies],
    )
