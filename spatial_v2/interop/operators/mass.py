"""The joint-space inertia matrix, alone and with the bias force, as operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives import H_derivatives, ID_SO_derivatives, modID_second_derivatives
from spatial_v2.dynamics import CRBA, HandC
from spatial_v2.dynamics.weightless import inertial
from spatial_v2.interop.operators.blocks import by_swap
from spatial_v2.interop.operators.inverse import INVERSE
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.model import Model

__all__ = ["EQUATION", "MASS"]


def _jacobian(model: Model, x: Any) -> Blocks:
    return [[H_derivatives(model, *x)]]


def _gradient(model: Model, x: Any, weights: Any) -> Any:
    (W,), n = weights, model.NV
    dH = H_derivatives(model, *x)
    dH, W = dH.reshape(*dH.shape[:-3], n * n, n), W.reshape(*W.shape[:-2], 1, n * n)
    return [(W @ dH)[..., 0, :]]


def _hessian(model: Model, x: Any, weights: Any) -> Blocks:
    """Compute the weighted Hessian of H, whose columns are the forces of unit accelerations."""
    (q,), (W,), n = x, weights, model.NV
    rest, unit = np.zeros(n), np.eye(n)
    h = modID_second_derivatives(inertial(model), q[..., None, :], rest, unit, by_swap(W))
    return [[h.dmod_dqq.sum(axis=-3)]]


def _tensors(model: Model, x: Any) -> Blocks:
    """Compute second derivatives of the inertia matrix: entry [i, l, j, k] is
    d/dq_k (dH_il/dq_j).
    """
    (q,), n = x, model.NV
    rest, unit = np.zeros(n), np.eye(n)
    d = ID_SO_derivatives(inertial(model), q[..., None, :], rest, unit)
    return [[[np.swapaxes(d.d2tau_dq, -3, -4)]]]


MASS = Operator(
    "CRBA", CRBA, ("q",), (("v", "v"),), _jacobian, _gradient, _hessian, _tensors, {"value": CRBA}
)


def _state(model: Model, x: Any) -> Any:
    return *x, np.zeros(model.NV)


def _both_jacobian(model: Model, x: Any, **options: Any) -> Blocks:
    ((C_q, C_qd, _),) = INVERSE.jacobian(model, _state(model, x), **options)
    return [[H_derivatives(model, x[0]), None], [C_q, C_qd]]


def _both_gradient(model: Model, x: Any, weights: Any, **options: Any) -> Any:
    W, w = weights
    (of_H,) = _gradient(model, x[:1], (W,))
    C_q, C_qd, _ = INVERSE.gradient(model, _state(model, x), (w,), **options)
    return of_H + C_q, C_qd


def _both_hessian(model: Model, x: Any, weights: Any, **options: Any) -> Blocks:
    W, w = weights
    ((of_H,),) = _hessian(model, x[:1], (W,))
    (qq, qv, _), (vq, vv, _), _ = INVERSE.hessian(model, _state(model, x), (w,), **options)
    return [[of_H + qq, qv], [vq, vv]]


def _both_tensors(model: Model, x: Any, **options: Any) -> Blocks:
    (((of_H,),),) = _tensors(model, x[:1])
    ((first, second, _),) = INVERSE.tensors(model, _state(model, x), **options)
    return [[[of_H, None], [None, None]], [first[:2], second[:2]]]


EQUATION = Operator(
    "HandC", HandC, ("q", "qd"), (("v", "v"), ("v",)),
    _both_jacobian, _both_gradient, _both_hessian, _both_tensors, {"value": HandC},
)  # fmt: skip
