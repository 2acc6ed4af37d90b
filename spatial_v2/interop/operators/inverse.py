"""Inverse dynamics as an operator."""

from __future__ import annotations

from typing import Any

from derivatives import (
    IDFOZA,
    ID_derivatives,
    ID_SO_derivatives,
    modID_derivatives,
    modID_second_derivatives,
)
from spatial_v2.dynamics import CRBA, ID
from spatial_v2.interop.operators.blocks import by_swap, grid, times
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.model import Model

__all__ = ["INVERSE"]


def _jacobian(model: Model, x: Any, **options: Any) -> Blocks:
    return [[*ID_derivatives(model, *x, **options), CRBA(model, x[0])]]


def _gradient(model: Model, x: Any, weights: Any, **options: Any) -> Any:
    (w,), (q, qd, qdd) = weights, x
    return *modID_derivatives(model, q, qd, qdd, w, **options), times(CRBA(model, x[0]), w)


def _hessian(model: Model, x: Any, weights: Any, **options: Any) -> Blocks:
    (w,), (q, qd, qdd) = weights, x
    h = modID_second_derivatives(model, q, qd, qdd, w, **options)
    return grid(h.dmod_dqq, h.dmod_dvv, h.dmod_dqv, by_swap(IDFOZA(model, x[0], w)))


def _tensors(model: Model, x: Any, **options: Any) -> Blocks:
    qq, vv, qv, mass = ID_SO_derivatives(model, *x, **options)
    return [grid(qq, vv, qv, by_swap(mass))]


def _pull(call: Any, x: Any, groups: Any) -> Any:
    """Compute the gradient from values of other operators, as `_gradient` does."""
    ((w,),) = groups
    (H,) = call("CRBA", x[0])
    return *call("modID_derivatives", *x, w), (H * w[..., None, :]).sum(-1)


INVERSE = Operator(
    "ID", ID, ("q", "qd", "qdd"), (("v",),), _jacobian, _gradient, _hessian, _tensors,
    {"value": ID}, {"pull": _pull},
)  # fmt: skip
