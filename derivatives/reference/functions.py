"""Inverse and forward dynamics as functions f(model, q, qd, u) for comparisons; u is qdd or tau."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from derivatives.FD_derivatives import FD_derivatives
from derivatives.FD_SO_derivatives import FD_SO_derivatives
from derivatives.ID_derivatives import ID_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from derivatives.reference.checks import one_of, real_vector
from spatial_v2 import CRBA, ID, FDab
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration import configurationAddition
from spatial_v2.model import Model
from spatial_v2.model.state import common_lead

__all__ = [
    "BLOCKS",
    "FUNCTIONS",
    "Block",
    "Function",
    "FunctionName",
    "SecondOrder",
    "State",
    "Variable",
    "as_state",
    "by_pairs",
    "function_of",
    "moved",
]

FunctionName: TypeAlias = Literal["ID", "FD"]
Variable: TypeAlias = Literal["q", "qd", "u"]


class State(NamedTuple):
    """The state (q, qd, u) at which a function is differentiated.

    Attributes
    ----------
    q : array, shape (..., NQ)
        Configuration.
    qd : array, shape (..., NV)
        Joint velocity.
    u : array, shape (..., NV)
        Third argument of the function: qdd for ID, tau for FD.
    """

    q: Array
    qd: Array
    u: Array


class Block(NamedTuple):
    """The variables of a tensor ``T[i,j,k] = d_k d_j f_i``: those of index j and of index k."""

    first: Variable
    second: Variable


@shown_in_notebooks
class SecondOrder(NamedTuple):
    """The nonzero blocks of second derivatives of f(q, qd, u), each (..., NV, NV, NV).

    Attributes
    ----------
    dq : array
        ``T[i,j,k] = d_k d_j f_i``, both derivatives along q; ordered, hence not symmetric.
    dqd : array
        Both derivatives with respect to qd.
    cross : array
        Derivative along q_j and with respect to qd_k.
    du_dq : array
        Derivative with respect to u_j and along q_k: dM/dq for ID, dM^-1/dq for FD.
    """

    dq: Array
    dqd: Array
    cross: Array
    du_dq: Array


BLOCKS = SecondOrder(Block("q", "q"), Block("qd", "qd"), Block("q", "qd"), Block("u", "q"))
"""The pair of variables of each field of `SecondOrder`."""


@dataclass(frozen=True)
class Function:
    """A function f(model, q, qd, u) and the names of its derivatives.

    Attributes
    ----------
    evaluate : callable
        ``f(model, q, qd, u)``, of shape (..., NV).
    derivatives : callable
        Analytic first derivatives with respect to q, qd, u.
    second_derivatives : callable
        Analytic second derivatives, in the order of `SecondOrder`.
    first, second : tuple of str
        Names of the derivatives with respect to q, qd, u, and of the fields of `SecondOrder`.
    """

    evaluate: Callable[[Model, Array, Array, Array], Array]
    derivatives: Callable[[Model, Array, Array, Array], Sequence[Array]]
    second_derivatives: Callable[[Model, Array, Array, Array], Sequence[Array]]
    first: tuple[str, str, str]
    second: tuple[str, str, str, str]


def _id_derivatives(model: Model, q: Array, qd: Array, qdd: Array) -> Sequence[Array]:
    return *ID_derivatives(model, q, qd, qdd), CRBA(model, q)


FUNCTIONS: dict[FunctionName, Function] = {
    "ID": Function(
        ID,
        _id_derivatives,
        ID_SO_derivatives,
        ("dtau_dq", "dtau_dqd", "dtau_dqdd"),
        ("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq"),
    ),
    "FD": Function(
        FDab,
        FD_derivatives,
        FD_SO_derivatives,
        ("dqdd_dq", "dqdd_dqd", "dqdd_dtau"),
        ("d2qdd_dq", "d2qdd_dqd", "d2qdd_cross", "dMinv_dq"),
    ),
}
"""Inverse and forward dynamics by name."""


def function_of(name: FunctionName) -> Function:
    """Return the `Function` for the name "ID" or "FD".

    Examples
    --------
    >>> function_of("FD").first
    ('dqdd_dq', 'dqdd_dqd', 'dqdd_dtau')
    """
    one_of("function", name, FUNCTIONS)
    return FUNCTIONS[name]


def as_state(model: Model, q: ArrayLike, qd: ArrayLike, u: ArrayLike) -> State:
    """Convert the arguments to real arrays and broadcast them to common leading axes."""
    arrays = {
        name: real_vector(model, name, x, core)
        for name, x, core in (("q", q, "q"), ("qd", qd, "v"), ("u", u, "v"))
    }
    lead = common_lead({name: x.shape[:-1] for name, x in arrays.items()})
    return State(*(np.broadcast_to(x, (*lead, x.shape[-1])) for x in arrays.values()))


def moved(model: Model, state: State, variable: Variable, dx: Array) -> State:
    """Add `dx` to one variable of a state; q is displaced by the exponential map of each joint."""
    if variable == "q":
        return state._replace(q=configurationAddition(model, state.q, dx))
    return state._replace(**{variable: getattr(state, variable) + dx})


def by_pairs(
    model: Model,
    block: Block,
    evaluate: Callable[[np.ndarray, np.ndarray], np.ndarray],
    chunk: int,
) -> np.ndarray:
    """Assemble the tensor of a block from ``evaluate(j, k) -> (pairs, ..., NV)``.

    The result has shape (..., NV, NV, NV). Index pairs are evaluated in chunks. If both derivatives
    are with respect to the same variable, derivatives along different joints commute, and half of
    these pairs are copied by symmetry.
    """
    n, body = model.NV, model.body_of_v
    keep = np.ones((n, n), dtype=bool)
    if block.first == block.second:
        keep = np.tri(n, dtype=bool) | (body[:, None] == body)
    j, k = np.nonzero(keep)
    values = np.concatenate(
        [evaluate(j[s : s + chunk], k[s : s + chunk]) for s in range(0, len(j), chunk)]
    )
    T = np.empty((n, n, *values.shape[1:]))
    T[j, k] = values
    j, k = np.nonzero(~keep)
    T[j, k] = T[k, j]
    return np.moveaxis(T, (0, 1), (-2, -1))
