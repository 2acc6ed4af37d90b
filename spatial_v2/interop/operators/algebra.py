"""Derivatives and transposes of the products with derivatives, as a closed algebra.

Each product is linear in each group of its arguments behind the state x: directions u, or weights
w. Its derivative along x is another product with the direction behind its own groups, and its
transpose in a group is another product as well. Automatic differentiation needs no more than this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from spatial_v2.interop.operators import products

__all__ = ["ALGEBRA", "COTANGENT", "Product"]

COTANGENT = -1


class Product(NamedTuple):
    """A product: its arguments, its derivative, and its transposes."""

    compute: Callable[..., tuple[Any, ...]]
    """``compute(operator, model, x, *groups, **options)``."""
    groups: str
    """Arguments beside x: u for directions, w for weights."""
    result: str
    """Result: u for a direction, w for results."""
    along: str | None
    """Its derivative along x, which takes the direction last; None where there is no product."""
    transposes: tuple[tuple[str, tuple[int, ...]], ...]
    """For each group the product that is the transpose in it, and the numbers of the groups that
    this takes, COTANGENT for what is transposed."""

    def transpose_along(self) -> tuple[str, tuple[int, ...]]:
        """Transpose of the derivative along x: the cotangent of x in reverse mode."""
        assert self.along is not None
        return ALGEBRA[self.along].transposes[-1]


C = COTANGENT
ALGEBRA: dict[str, Product] = {
    "value": Product(products.value, "", "w", "push", ()),
    "push": Product(products.push, "u", "w", "second", (("pull", (C,)),)),
    "pull": Product(products.pull, "w", "u", "hessian_times", (("push", (C,)),)),
    "hessian_times": Product(
        products.hessian_times, "wu", "u", None, (("second", (C, 1)), ("times_hessian", (0, C)))
    ),
    "times_hessian": Product(
        products.times_hessian, "wu", "u", None, (("second", (1, C)), ("hessian_times", (0, C)))
    ),
    "second": Product(
        products.second, "uu", "w", None, (("hessian_times", (C, 1)), ("times_hessian", (C, 0)))
    ),
}
"""The products by name; `value` is the function itself."""
