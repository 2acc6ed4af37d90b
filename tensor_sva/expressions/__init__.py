"""The published expressions of the derivatives of inverse dynamics, in tensor notation.

Every expression of Appendix C is a function of the bodies i, j, k with its index condition;
`assemble` makes the full derivatives of them, and says which expression it used for which block.
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
