"""Table of operators for other tools: each function, its first derivatives, and contractions.

An `Operator` holds functions of NumPy arrays; the module `products` computes from it the products
that automatic differentiation needs, in forward and reverse mode, up to second derivatives.
"""

from spatial_v2.interop.operators.operator import Operator
from spatial_v2.interop.operators.products import (
    hessian_times,
    pull,
    push,
    second,
    times_hessian,
    value,
)
from spatial_v2.interop.operators.table import EVERY, OPERATORS

__all__ = [
    "EVERY",
    "OPERATORS",
    "Operator",
    "hessian_times",
    "pull",
    "push",
    "second",
    "times_hessian",
    "value",
]
