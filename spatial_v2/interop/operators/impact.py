"""Impacts as an operator."""

from __future__ import annotations

from typing import Any

from derivatives import Impact_FO_derivatives, Impact_SO_derivatives
from spatial_v2.constraints import Impact_dyn
from spatial_v2.interop.operators.blocks import by_swap, times, weighted
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.model import Model

__all__ = ["IMPACT"]


def _jacobian(model: Model, x: Any, **options: Any) -> Blocks:
    d = Impact_FO_derivatives(model, *x, **options)
    return [d[:2], d[2:]]


def _gradient(model: Model, x: Any, weights: Any, **options: Any) -> Any:
    mu, nu = weights
    of_qd, of_impulse = _jacobian(model, x, **options)
    pairs = zip(of_qd, of_impulse, strict=True)
    return [times(by_swap(P), mu) + times(by_swap(L), nu) for P, L in pairs]


def _hessian(model: Model, x: Any, weights: Any, **options: Any) -> Blocks:
    mu, nu = weights
    d = Impact_SO_derivatives(model, *x, **options)
    qq = weighted(d.d2qd_dq, mu) + weighted(d.d2impulse_dq, nu)
    qv = weighted(d.d2qd_cross, mu) + weighted(d.d2impulse_cross, nu)
    return [[qq, qv], [by_swap(qv), None]]


def _tensors(model: Model, x: Any, **options: Any) -> Blocks:
    d = Impact_SO_derivatives(model, *x, **options)
    return [[[qq, qv], [by_swap(qv), None]] for qq, qv in (d[:2], d[2:])]


IMPACT = Operator(
    "Impact_dyn", Impact_dyn, ("q", "qd"), (("v",), ("m",)),
    _jacobian, _gradient, _hessian, _tensors,
)  # fmt: skip
