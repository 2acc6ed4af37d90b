"""What kernels give to CasADi: a function, its Jacobians, and the Jacobians of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    KKT_FO_derivatives,
    KKT_SO_derivatives,
    SO_pattern,
)
from spatial_v2.constraints import KKT_FD
from spatial_v2.dynamics import CRBA, ID, FDab
from spatial_v2.model import Model

__all__ = ["RULES", "Level", "Rule"]

Blocks = list[Any]
"""Matrices, in the order of outputs, and for each of them that of the inputs; None for zeros."""


class Level(NamedTuple):
    """Matrices that a kernel computes, and where they can be other than zero."""

    compute: Callable[..., Blocks]
    """Of model, arrays and options."""
    pattern: Callable[[Model], Blocks | None]
    """Of the model: matrices of truth values; none if any entry can be other than zero."""


class Rule(NamedTuple):
    """A function with its derivatives; those along q have a column for each freedom."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    levels: tuple[Level, ...]
    """The outputs; their derivatives by each input; the derivatives of each of these."""


def _columns(*vectors: Any) -> Blocks:
    return [x[..., None] for x in vectors]


def _stacked(tensor: Any) -> Any:
    """The Jacobian of the columns of a matrix, one below the other: rows (i, j), i the faster."""
    turned = np.swapaxes(tensor, -3, -2)
    return turned.reshape(*turned.shape[:-3], -1, turned.shape[-1])


def _second(qq: Any, vv: Any, qv: Any, xq: Any) -> Blocks:
    """Jacobians by q, v, x of the matrices of derivatives by q, by v and by x, which is linear."""
    by_q, by_v = np.swapaxes(xq, -2, -1), np.swapaxes(qv, -2, -1)
    rows = [[qq, qv, by_q], [by_v, vv, None], [xq, None, None]]
    return [None if t is None else _stacked(t) for row in rows for t in row]


def _id_first(model: Model, q: Any, qd: Any, qdd: Any, **options: Any) -> Blocks:
    return [*ID_derivatives(model, q, qd, qdd, **options), CRBA(model, q)]


def _kkt_second(model: Model, *state: Any, **options: Any) -> Blocks:
    d = KKT_SO_derivatives(model, *state, **options)
    return _second(*d[:4]) + _second(*d[4:])


def _branches(model: Model) -> np.ndarray:
    """Whether of two velocity variables one is on the way from the other to the root."""
    above = np.zeros((model.NV, model.NV), dtype=bool)
    for body in range(model.NB):
        above[model.vinds[body], model.ancestor_vinds[body]] = True
    return above | above.T


def _id_second_pattern(model: Model) -> Blocks:
    n, dense = model.NV, []
    for p in SO_pattern(model):
        dense.append(np.zeros((n, n, n), dtype=bool))
        dense[-1][p.i, p.j, p.k] = True
    return _second(*dense)


def _any(model: Model) -> None:
    return None


_ID = (
    Level(lambda m, *x, **o: _columns(ID(m, *x, **o)), _any),
    Level(_id_first, lambda m: [_branches(m)] * 3),
    Level(lambda m, *x, **o: _second(*ID_SO_derivatives(m, *x, **o)), _id_second_pattern),
)
_FD = (
    Level(lambda m, *x, **o: _columns(FDab(m, *x, **o)), _any),
    Level(lambda m, *x, **o: list(FD_derivatives(m, *x, **o)), _any),
    Level(lambda m, *x, **o: _second(*FD_SO_derivatives(m, *x, **o)), _any),
)
_KKT = (
    Level(lambda m, *x, **o: _columns(*KKT_FD(m, *x, **o)), _any),
    Level(lambda m, *x, **o: list(KKT_FO_derivatives(m, *x, **o)), _any),
    Level(_kkt_second, _any),
)
RULES: dict[str, Rule] = {
    "ID": Rule(("q", "qd", "qdd"), ("tau",), _ID),
    "FDab": Rule(("q", "qd", "tau"), ("qdd",), _FD),
    "KKT_FD": Rule(("q", "qd", "tau"), ("qdd", "lambda_"), _KKT),
}
"""The functions that have a kernel for CasADi, by name."""
