"""Table of operators for other tools: each function, its first derivatives, and contractions.

A row of `OPERATORS` holds functions of NumPy arrays alone; `products` makes of a row all that
automatic differentiation asks for, twice, forwards and backwards.
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
from spatial_v2.interop.operators.table import OPERATORS

__all__ = [
    "OPERATORS",
    "Operator",
    "hessian_times",
    "pull",
    "push",
    "second",
    "times_hessian",
    "value",
]
