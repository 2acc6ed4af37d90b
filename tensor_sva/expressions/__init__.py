"""Published expressions of the derivatives of inverse dynamics, in tensor notation.

They are from Singh, Russell, Wensing (2023). Every expression of Appendix C is a function of the
bodies i, j, k, together with the condition on i, j, k under which it holds. `assemble` builds the
full derivatives from them, and records which expression gave which block.
"""

from tensor_sva.expressions.assemble import (
    FirstOrder,
    SecondOrder,
    assemble,
    assemble_first_order,
)
from tensor_sva.expressions.block import Block
from tensor_sva.expressions.cross import CROSS
from tensor_sva.expressions.first_order import FIRST_ORDER
from tensor_sva.expressions.mass_matrix import MASS_MATRIX
from tensor_sva.expressions.position import POSITION
from tensor_sva.expressions.velocity import VELOCITY

__all__ = [
    "CROSS",
    "FIRST_ORDER",
    "MASS_MATRIX",
    "POSITION",
    "VELOCITY",
    "Block",
    "FirstOrder",
    "SecondOrder",
    "assemble",
    "assemble_first_order",
]
