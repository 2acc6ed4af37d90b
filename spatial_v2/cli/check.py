"""Verification of results by independent methods, which agree up to rounding errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

import derivatives
import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from derivatives.reference.complex_step import complex_step, complex_step_q
from spatial_v2 import ID, HandC
from spatial_v2.cli.states import States
from spatial_v2.model import Model

__all__ = ["checked_states", "relative_errors"]


def checked_states(model: Model, n: int) -> np.ndarray:
    """Choose the indices of the states to check: all n for a small robot, a few for a large one."""
    count = max(3, 50_000 // model.NV**3)
    return np.unique(np.linspace(0, n - 1, min(n, count)).round().astype(np.int64))


def reference(model: Model, states: States, order: int) -> dict[str, np.ndarray]:
    """Compute every quantity without compiled kernels and without analytic derivatives.

    tau and C come from `ID.reference`, H and the first derivatives from complex steps of
    `ID.reference`, the second derivatives from complex steps of `ID_derivatives.reference`, and
    dM_dq from complex steps of `HandC.reference`.
    """
    q, qd, qdd = states

    def inverse_dynamics(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        return np.asarray(ID.reference(model, q, qd, qdd))

    def first(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        lead = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
        x = [np.broadcast_to(x, (*lead, x.shape[-1])) for x in (q, qd, qdd)]
        return np.stack(derivatives.ID_derivatives.reference(model, *x), axis=-3)

    out = {
        "tau": inverse_dynamics(q, qd, qdd),
        "H": complex_step(lambda x: inverse_dynamics(q, qd, x), qdd),
        "C": inverse_dynamics(q, qd, 0 * qdd),
        "dtau_dq": complex_step_q(model, lambda x: inverse_dynamics(x, qd, qdd), q),
        "dtau_dqd": complex_step(lambda x: inverse_dynamics(q, x, qdd), qd),
    }
    if order == 1:
        return out
    by_q = complex_step_q(model, lambda x: first(x, qd), q)
    by_qd = complex_step(lambda x: first(q, x), qd)
    return out | {
        "d2tau_dq": by_q[:, 0],
        "d2tau_dqd": by_qd[:, 1],
        "d2tau_cross": by_qd[:, 0],
        "dM_dq": complex_step_q(model, lambda x: HandC.reference(model, x, qd).H, q),
    }


def relative_errors(
    model: Model,
    states: States,
    values: Mapping[str, np.ndarray],
    advance: Callable[[int], None],
) -> dict[str, float]:
    """Compute the largest relative error of each quantity over the checked states.

    Parameters
    ----------
    model : Model
        The robot.
    states : States
        States at which the derivatives are checked.
    values : dict
        The quantities at these states, as `evaluate` returns them.
    advance : callable
        Called with the number of states that were checked since the last call.

    Returns
    -------
    dict of str to float
        Largest error at any state, relative to the largest entry of the quantity at that state.
        That entry may vanish, so it counts as at least a millionth of the largest over all states.
    """
    order = 2 if "dM_dq" in values else 1
    errors = dict.fromkeys(values, 0.0)
    batch = max(1, 200 // model.NV)
    for start in range(0, len(states.q), batch):
        rows = slice(start, start + batch)
        wanted = reference(model, states.at(rows), order)
        size = {name: _largest(x) for name, x in wanted.items()}
        least = np.max(list(size.values()), axis=0, initial=1e-300) * 1e-6
        for name in values:
            error = _largest(values[name][rows] - wanted[name]) / np.maximum(size[name], least)
            errors[name] = max(errors[name], float(np.nan_to_num(error, nan=np.inf).max()))
        advance(len(states.at(rows).q))
    return errors


def _largest(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(x).reshape(len(x), -1).max(axis=1))
