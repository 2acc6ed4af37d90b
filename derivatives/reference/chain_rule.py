"""Derivatives by the chain rule through every line of RNEA and ABA, for comparison."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.checks import one_of
from derivatives.reference.functions import (
    BLOCKS,
    Block,
    FunctionName,
    SecondOrder,
    State,
    Variable,
    as_state,
)
from derivatives.reference.jet import Jet, rows
from derivatives.reference.seeds import Seeds, seeds
from spatial_v2 import crf, crm, get_gravity
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.rotors import contract, expand, expand_vector

__all__ = ["FirstOrder", "chain_rule", "second_order_chain_rule"]


@shown_in_notebooks
class FirstOrder(NamedTuple):
    """First derivatives of a function f(q, qd, u), each (..., NV, NV), a column per variable.

    Attributes
    ----------
    dq, dqd, du : array
        Derivatives with respect to q, qd and u.
    """

    dq: np.ndarray
    dqd: np.ndarray
    du: np.ndarray


def _rnea(model: Model, s: Seeds) -> Jet:
    """Compute inverse dynamics with jets by the recursive Newton-Euler algorithm: Featherstone
    (2008), Table 5.1.
    """
    g = get_gravity(model)[:, None]
    v: dict[int, Any] = {-1: 0 * g}
    a: dict[int, Any] = {-1: -g}
    f, tau = {}, {}
    for i, p in enumerate(model.parent.tolist()):
        vJ = s.S[i] @ s.qd[i]
        v[i] = s.Xup[i] @ v[p] + vJ
        a[i] = s.Xup[i] @ a[p] + s.S[i] @ s.u[i] + v[i].map(crm) @ vJ
        f[i] = model.I[i] @ a[i] + v[i].map(crf) @ (model.I[i] @ v[i])
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        tau[i] = s.S[i].T @ f[i]
        if p >= 0:
            f[p] = f[p] + s.Xup[i].mT @ f[i]
    return rows([tau[i] for i in range(model.NB)])


def _aba(model: Model, s: Seeds) -> Jet:
    """Compute forward dynamics with jets by the articulated-body algorithm: Featherstone (2008),
    Table 7.1.
    """
    g = get_gravity(model)[:, None]
    v: dict[int, Any] = {-1: 0 * g}
    IA: dict[int, Any] = {}
    c, pA, U, V, u = {}, {}, {}, {}, {}
    for i, p in enumerate(model.parent.tolist()):
        vJ = s.S[i] @ s.qd[i]
        v[i] = s.Xup[i] @ v[p] + vJ
        c[i] = v[i].map(crm) @ vJ
        IA[i] = model.I[i]
        pA[i] = v[i].map(crf) @ (model.I[i] @ v[i])
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        U[i] = IA[i] @ s.S[i]
        D = s.S[i].T @ U[i]
        V[i] = D.inv() if isinstance(D, Jet) else np.linalg.inv(D)
        u[i] = s.u[i] - s.S[i].T @ pA[i]
        if p >= 0:
            UV = U[i] @ V[i]
            Ia = IA[i] - UV @ U[i].mT
            pa = pA[i] + Ia @ c[i] + UV @ u[i]
            IA[p] = IA[p] + s.Xup[i].mT @ Ia @ s.Xup[i]
            pA[p] = pA[p] + s.Xup[i].mT @ pa
    a: dict[int, Any] = {-1: -g}
    qdd = {}
    for i, p in enumerate(model.parent.tolist()):
        a[i] = s.Xup[i] @ a[p] + c[i]
        qdd[i] = V[i] @ (u[i] - U[i].mT @ a[i])
        a[i] = a[i] + s.S[i] @ qdd[i]
    return rows([qdd[i] for i in range(model.NB)])


_RULES = {"ID": _rnea, "FD": _aba}


def _tree(model: Model, state: State, function: FunctionName) -> tuple[Model, State]:
    """Return tree and state with rotors as separate bodies; raise an error for FD with rotors."""
    one_of("function", function, _RULES)
    if not model.has_rotors:
        return model, state
    if function == "FD":
        raise ModelError(
            "model: the chain rule through ABA does not support geared rotors; use function='ID' "
            "or second_order_bicomplex"
        )
    big = (expand_vector(model, x, c) for x, c in zip(state, "qvv", strict=True))
    return expand(model), State(*big)


def chain_rule(
    model: Model, q: ArrayLike, qd: ArrayLike, u: ArrayLike, function: FunctionName = "ID"
) -> FirstOrder:
    """Compute first derivatives by the chain rule through RNEA (RNEACR) or ABA (ABACR).

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors for ID only.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Inverse dynamics by RNEA or forward dynamics by ABA.

    Returns
    -------
    FirstOrder
        Named tuple ``dq, dqd, du``; dq has the right Lie derivatives.

    Raises
    ------
    ModelError
        FD for a model with rotors.

    Notes
    -----
    The methods RNEACR and ABACR of Singh, Russell, Wensing (2022), Table II.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> chain_rule(autoTree(3), [0.1, 0.2, 0.3], [1, 2, 3], [0, 0, 0]).dq.round(3)
    array([[  0.   , -27.118, -28.255],
           [  0.   ,   1.909, -12.458],
           [  0.   ,   0.439,   4.738]])
    """
    tree, state = _tree(model, as_state(model, q, qd, u), function)

    def block(variable: Variable) -> np.ndarray:
        first = _RULES[function](tree, seeds(tree, state, variable, None)).first
        return np.moveaxis(first[:, 0, ..., 0], 0, -1)

    derivatives = FirstOrder(block("q"), block("qd"), block("u"))
    return contract(model, derivatives, (("v", "v"),) * 3) if model.has_rotors else derivatives


def second_order_chain_rule(
    model: Model, q: ArrayLike, qd: ArrayLike, u: ArrayLike, function: FunctionName = "ID"
) -> SecondOrder:
    """Compute second derivatives by the chain rule through every line of RNEA or ABA.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors for ID only.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Inverse dynamics by RNEA or forward dynamics by ABA.

    Returns
    -------
    SecondOrder
        Ordered second derivatives ``dq, dqd, cross, du_dq``.

    Raises
    ------
    ModelError
        FD for a model with rotors.

    Notes
    -----
    O(N^3): every intermediate quantity carries all its derivatives, with no simplification. The
    "RNEA SO Chain-Rule" and "ABA SO Chain-Rule" of Singh, Russell, Wensing (2023), Sections V-A and
    VII.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> second_order_chain_rule(autoTree(2), [0.1, 0.2], [1, 2], [0, 0]).dq[0].round(3)
    array([[0.   , 0.   ],
           [0.   , 0.795]])
    """
    tree, state = _tree(model, as_state(model, q, qd, u), function)

    def block(b: Block) -> np.ndarray:
        mixed = _RULES[function](tree, seeds(tree, state, *b)).mixed
        return np.moveaxis(mixed[..., 0], (0, 1), (-2, -1))

    tensors = SecondOrder(*map(block, BLOCKS))
    return contract(model, tensors, (("v", "v", "v"),) * 4) if model.has_rotors else tensors
