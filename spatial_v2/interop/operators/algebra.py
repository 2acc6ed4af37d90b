"""Table of products with derivatives: for each, which product is its derivative and transpose.

A product depends on the state x and is linear in each further group of arguments: directions u, or
weights w. Its derivative with respect to x, in a direction, is another product that takes the
direction as its last group; its transpose in a group is another product too. Automatic
differentiation needs no more than this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from spatial_v2.interop.operators import products

__all__ = ["ALGEBRA", "COTANGENT", "Product"]

COTANGENT = -1


class Product(NamedTuple):
    """Entry of the table: a product with derivatives of an operator, its derivative and its
    transposes.
    """

    compute: Callable[..., tuple[Any, ...]]
    """``compute(operator, model, x, *groups, **options)``."""
    groups: str
    """Kinds of the groups of arguments that follow the state x, one letter each: u for directions,
    w for weights.
    """
    result: str
    """Kind of the result: u if it has the shapes of a direction, w if it has those of the
    operator's results.
    """
    along: str | None
    """Name of the product that is the derivative along x, which takes the direction last; None if
    not available.
    """
    transposes: tuple[tuple[str, tuple[int, ...]], ...]
    """For each group: the name of the product that is the transpose in this group, and the groups
    that it takes, by their numbers; COTANGENT stands for the cotangent of the result.
    """

    def transpose_along(self) -> tuple[str, tuple[int, ...]]:
        """Return the transpose of the derivative along x, which gives the cotangent of x."""
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
"""The products by name; ``"value"`` is the function itself."""
