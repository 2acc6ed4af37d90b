"""The Jacobian of a frame as an operator."""

from __future__ import annotations

from typing import Any

from derivatives import frame_derivatives, frame_SO_derivatives
from spatial_v2.frames import FrameJacobian
from spatial_v2.interop.operators.blocks import gradient_by, weighted
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.model import Model

__all__ = ["FRAME"]


def _jacobian(model: Model, x: Any, **options: Any) -> Blocks:
    return [[frame_derivatives(model, *x, **options).dJ_dq]]


def _tensors(model: Model, x: Any, **options: Any) -> Blocks:
    return [[[frame_SO_derivatives(model, *x, **options).d2J_dq]]]


def _hessian(model: Model, x: Any, weights: Any, **options: Any) -> Blocks:
    (((T,),),), (W,) = _tensors(model, x, **options), weights
    return [[weighted(T.reshape(*T.shape[:-4], -1, *T.shape[-2:]), W.reshape(*W.shape[:-2], -1))]]


FRAME = Operator(
    "FrameJacobian", FrameJacobian, ("q",), (("6", "v"),),
    _jacobian, gradient_by(_jacobian), _hessian, _tensors,
)  # fmt: skip
