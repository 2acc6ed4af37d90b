"""Base parameters of coupled models, by regressors at many states.

A coupled model shows less of the parameters than its tree, by combinations that extend across its
loops. So they are not found joint by joint: they are the null space of regressors along y.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from spatial_v2.configuration import configurationAddition
from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.dynamics import get_gravity
from spatial_v2.exceptions import SingularWarning
from spatial_v2.identification.matrices import null_space
from spatial_v2.identification.natural_units import (
    force_units,
    length_of_tree,
    parameter_units,
)
from spatial_v2.identification.unknowns import Unknowns
from spatial_v2.regressors import RegressorClassical

__all__ = ["unseen_parameters", "unseen_terms"]

_WIDTHS = np.pi * 0.7 ** np.arange(20)
"""Distances of states from the guess; within the least of them every loop can be followed."""


def unseen_parameters(model: CoupledModel, kept: np.ndarray, tol: float) -> np.ndarray:
    """Return a basis of the combinations of some parameters that no force along y shows.

    Numbers of parameters `kept` are those of base parameters of the tree; the result has a row for
    each, in units in which `length_of_tree` is 1.
    """
    length = length_of_tree(model) or 1.0
    units = parameter_units(length, model.tree.NB)[kept]
    parts = [
        RegressorClassical(model, *state).Y[..., kept] * units
        for state in _states(model, length, len(kept))
    ]
    return _null_space(model, parts, length, tol)


def unseen_terms(unknowns: Unknowns, tol: float) -> list[np.ndarray]:
    """Return, for each term of `identify` beside links, a basis of the combinations of its entries
    that no force along y shows, in natural units.
    """
    model, n, of_tree = unknowns.model, unknowns.links, len(unknowns.terms) * unknowns.NV
    if not isinstance(model, CoupledModel):
        return [np.zeros((unknowns.NV, 0)) for _ in unknowns.terms]
    length = length_of_tree(model) or 1.0
    units = unknowns.units(length)[n:]
    parts = [unknowns.regressors(*x) * units for x in _states(model, length, of_tree)]
    each = [np.split(x, len(unknowns.terms) or 1, axis=-1) for x in parts]
    return [
        _null_space(model, [x[k] for x in each], length, tol) for k in range(len(unknowns.terms))
    ]


def _null_space(
    model: CoupledModel, parts: list[np.ndarray], length: float, tol: float
) -> np.ndarray:
    """Return the null space of regressors, each state of which weighs as much as the others."""
    A = np.concatenate(parts) / force_units(model, length)[:, None]
    sizes = np.linalg.norm(A, axis=(-2, -1), keepdims=True)
    A = np.divide(A, sizes, out=A, where=sizes > 0)
    return null_space(A.reshape(-1, A.shape[-1]), tol)


def _states(
    model: CoupledModel, length: float, columns: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield states (y, yd, ydd), always the same, with more forces than columns; y may be the full
    q of the tree.
    """
    need, rng = 10 + 2 * columns // model.NV, np.random.default_rng(0)
    units = 1 / force_units(model, length)
    pull = float(np.linalg.norm(np.asarray(get_gravity(model.tree), dtype=float)))
    rate = np.sqrt(pull / length) or 1.0
    for width in _WIDTHS:
        dy = width * units * rng.uniform(-1, 1, (need, model.NV))
        y = configurationAddition(model, np.tile(model.start, (need, 1)), dy)
        if not model.is_linear:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SingularWarning)
                y = model.position(y)
        y = y[np.isfinite(y).all(axis=-1)]
        yd, ydd = units * rng.normal(size=(2, len(y), model.NV))
        yield y, rate * yd, rate**2 * ydd
        need -= len(y)
        if need <= 0:
            return
