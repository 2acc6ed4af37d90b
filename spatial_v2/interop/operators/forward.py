"""Forward dynamics, free and under constraints, as operators."""

from __future__ import annotations

from typing import Any

from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    KKT_FO_derivatives,
    KKT_SO_derivatives,
    modFD_derivatives,
    modFD_second_derivatives,
    modKKT_second_derivatives,
)
from spatial_v2.constraints import KKT_FD
from spatial_v2.dynamics import FDab
from spatial_v2.interop.operators.blocks import by_swap, grid, times
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.model import Model

__all__ = ["CONSTRAINED", "FORWARD"]

STATE = ("q", "qd", "tau")


def _jacobian(model: Model, x: Any, **options: Any) -> Blocks:
    return [FD_derivatives(model, *x, **options)]


def _gradient(model: Model, x: Any, weights: Any, **options: Any) -> Any:
    return modFD_derivatives(model, *x, *weights, **options)


def _hessian(model: Model, x: Any, weights: Any, **options: Any) -> Blocks:
    h = modFD_second_derivatives(model, *x, *weights, **options)
    return grid(h.H_qq, h.H_qdqd, by_swap(h.H_qdq), by_swap(h.H_tauq))


def _tensors(model: Model, x: Any, **options: Any) -> Blocks:
    qq, vv, qv, mass = FD_SO_derivatives(model, *x, **options)
    return [grid(qq, vv, qv, by_swap(mass))]


FORWARD = Operator(
    "FDab", FDab, STATE, (("v",),), _jacobian, _gradient, _hessian, _tensors,
    {"value": FDab, "pull": modFD_derivatives},
)  # fmt: skip


def _kkt_jacobian(model: Model, x: Any, **options: Any) -> Blocks:
    d = KKT_FO_derivatives(model, *x, **options)
    return [d[:3], d[3:]]


def _kkt_gradient(model: Model, x: Any, weights: Any, **options: Any) -> Any:
    mu, nu = weights
    d = KKT_FO_derivatives(model, *x, **options)
    pairs = zip(d[:3], d[3:], strict=True)
    return [times(by_swap(P), mu) + times(by_swap(L), nu) for P, L in pairs]


def _kkt_hessian(model: Model, x: Any, weights: Any, **options: Any) -> Blocks:
    h = modKKT_second_derivatives(model, *x, *weights, **options)
    return grid(h.H_qq, h.H_qdqd, by_swap(h.H_qdq), by_swap(h.H_tauq))


def _kkt_tensors(model: Model, x: Any, **options: Any) -> Blocks:
    d = KKT_SO_derivatives(model, *x, **options)
    return [grid(*part[:3], by_swap(part[3])) for part in (d[:4], d[4:])]


CONSTRAINED = Operator(
    "KKT_FD", KKT_FD, STATE, (("v",), ("m",)),
    _kkt_jacobian, _kkt_gradient, _kkt_hessian, _kkt_tensors,
)  # fmt: skip
