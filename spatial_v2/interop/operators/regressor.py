"""The regressor of inverse dynamics as an operator: joint forces for inertias of each state."""

from __future__ import annotations

from typing import Any

from derivatives import RegressorClassical_derivatives
from spatial_v2.interop.operators.blocks import by_swap, gradient_by
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.model import Model
from spatial_v2.regressors import RegressorClassical, RegressorHandG

__all__ = ["REGRESSOR"]


def _jacobian(model: Model, x: Any) -> Blocks:
    d, h = RegressorClassical_derivatives(model, *x), RegressorHandG(model, x[0])
    return [
        [d.dY_dq, d.dY_dqd, by_swap(h.YH)],
        [d.dY_rot_dq, d.dY_rot_dqd, by_swap(h.YH_rot)],
    ]


REGRESSOR = Operator(
    "RegressorClassical", RegressorClassical, ("q", "qd", "qdd"), (("v", "p"), ("v", "r")),
    _jacobian, gradient_by(_jacobian), kernels={"value": RegressorClassical}, order=1,
)  # fmt: skip
