"""Support for all kinds of arrays: namespaces, checks of shapes, small linear algebra."""

from spatial_v2.arrays.assemble import assemble
from spatial_v2.arrays.blocks import block, column, combination, on_first, uncolumn
from spatial_v2.arrays.namespaces import (
    Array,
    alike,
    as_array,
    constant,
    is_real,
    namespace,
    real_part,
)

__all__ = [
    "Array",
    "alike",
    "as_array",
    "assemble",
    "block",
    "column",
    "combination",
    "constant",
    "is_real",
    "namespace",
    "on_first",
    "real_part",
    "uncolumn",
]
