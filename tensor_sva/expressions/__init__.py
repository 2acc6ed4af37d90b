"""Published expressions of the derivatives of inverse dynamics, in tensor notation.

They are from Singh, Russell, Wensing (2023), those of `SPLIT` from their paper of 2022. Every
expression is a function of the bodies i, j, k, together with the condition on i, j, k under which
it holds. `assemble` builds the full derivatives from them, and records which expression gave which
block.
"""

from tensor_sva.expressions.assemble import (
    FirstOrder,
    SecondOrder,
    SplitFirstOrder,
    assemble,
    assemble_first_order,
    assemble_split,
)
from tensor_sva.expressions.block import Block
from tensor_sva.expressions.cross import CROSS
from tensor_sva.expressions.first_order import FIRST_ORDER
from tensor_sva.expressions.mass_matrix import MASS_MATRIX
from tensor_sva.expressions.position import POSITION
from tensor_sva.expressions.split import SPLIT
from tensor_sva.expressions.velocity import VELOCITY

__all__ = [
    "CROSS",
    "FIRST_ORDER",
    "MASS_MATRIX",
    "POSITION",
    "SPLIT",
    "VELOCITY",
    "Block",
    "FirstOrder",
    "SecondOrder",
    "SplitFirstOrder",
    "assemble",
    "assemble_first_order",
    "assemble_split",
]
