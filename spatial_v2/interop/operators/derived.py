"""Derivatives of operators as operators themselves: whole Jacobians and Hessians in one call.

Their own derivatives follow from those of the operator f that they are computed from. With the
Jacobian J of f, its gradient ``g = J^T w`` and its Hessian H for weights w, and its tensors T of
second derivatives: the derivative of J is T, that of g is H along the state and J^T along the
weights, and that of H along the weights is T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from derivatives import (
    FD_derivatives,
    H_derivatives,
    ID_derivatives,
    Impact_FO_derivatives,
    KKT_FO_derivatives,
    frame_derivatives,
    modFD_derivatives,
    modFD_second_derivatives,
    modID_derivatives,
    modID_second_derivatives,
)
from spatial_v2.interop.operators.blocks import by_swap, gradient_by
from spatial_v2.interop.operators.forward import CONSTRAINED, FORWARD
from spatial_v2.interop.operators.frame import FRAME
from spatial_v2.interop.operators.impact import IMPACT
from spatial_v2.interop.operators.inverse import INVERSE
from spatial_v2.interop.operators.mass import MASS
from spatial_v2.interop.operators.operator import Blocks, Operator
from spatial_v2.interop.operators.regressor import REGRESSOR
from spatial_v2.model import Model

__all__ = ["DERIVED"]


def _derived(
    op: Operator, function: Callable[..., Any], entries: str, kernel: bool = True
) -> Operator:
    """Make the operator of a function that returns derivatives of `op`.

    `entries` names its results: "f" the value; "J01" the Jacobian of result 0 with respect to
    variable 1; "g1" the gradient of the weighted results with respect to variable 1; "H01" the
    Hessian with respect to variables 0 and 1. The weights of one result, lambda_, are the last
    argument if there are any.
    """
    made, n = entries.split(), len(op.variables)
    has_weight = any(entry[0] in "gH" for entry in made)

    def jacobian(model: Model, x: Any, **options: Any) -> Blocks:
        return _jacobian(op, made, model, x[:n], x[n:], **options)

    cores = {"f": op.results[0], "g": ("v",), "H": ("v", "v")}
    results = [
        (*op.results[int(entry[1])], "v") if entry[0] == "J" else cores[entry[0]] for entry in made
    ]
    return Operator(
        function.__name__, function, (*op.variables, *["lambda_"] * has_weight),
        tuple(results), jacobian, gradient_by(jacobian),
        kernels={"value": function} if kernel else {}, order=1,
        constant=tuple(range(n)) if "H" in entries else (),
    )  # fmt: skip


def _jacobian(
    op: Operator, entries: Sequence[str], model: Model, x: Any, weights: Any, **options: Any
) -> Blocks:
    """Compute the derivatives of each entry along the state, and along the weights if any.

    Along the state there are none if an entry is a Hessian.
    """
    letters, nothing, lead = {entry[0] for entry in entries}, [None] * len(x), x[0].ndim - 1
    fixed = "H" in letters
    J: Any = op.jacobian(model, x, **options) if letters & {"f", "g"} else None
    H: Any = op.hessian(model, x, weights, **options) if "g" in letters and not fixed else None
    T: Any = op.tensors(model, x, **options) if letters & {"J", "H"} else None
    rows: list[Sequence[Any]] = []
    for entry in entries:
        letter, numbers = entry[0], [int(number) for number in entry[1:]]
        r, a = (0, numbers[0]) if letter in "gH" else numbers or (0, 0)
        if letter == "f":
            rows.append(J[r])
        elif letter == "J":
            along = T[r][a]
            core = along[0].shape[lead:]
            rows.append([*nothing, np.zeros((1,) * lead + core)] if fixed else along)
        elif letter == "g":
            rows.append([*(nothing if fixed else H[a]), by_swap(J[0][a])])
        else:
            rows.append([*nothing, np.moveaxis(T[0][a][numbers[1]], -3, -1)])
    return rows


DERIVED: dict[str, Operator] = {
    row.name: row
    for row in (
        _derived(INVERSE, ID_derivatives, "J00 J01"),
        _derived(FORWARD, FD_derivatives, "J00 J01 J02"),
        _derived(MASS, H_derivatives, "J00", kernel=False),
        _derived(CONSTRAINED, KKT_FO_derivatives, "J00 J01 J02 J10 J11 J12", kernel=False),
        _derived(IMPACT, Impact_FO_derivatives, "J00 J01 J10 J11", kernel=False),
        _derived(INVERSE, modID_derivatives, "g0 g1"),
        _derived(FORWARD, modFD_derivatives, "g0 g1 g2"),
        _derived(INVERSE, modID_second_derivatives, "g0 g1 H00 H11 H01 J00 J01"),
        _derived(FORWARD, modFD_second_derivatives, "J00 J01 J02 H00 H11 H10 H20"),
        FRAME,
        _derived(FRAME, frame_derivatives, "f J00", kernel=False),
        REGRESSOR,
    )
}
"""Operators that return derivatives of those in `OPERATORS`, Jacobians of frames, and the regressor
of inverse dynamics.
"""
