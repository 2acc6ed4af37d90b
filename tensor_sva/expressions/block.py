"""Block: a published expression for one block of a derivative, with its index condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spatial_v2.arrays import Array
from tensor_sva.body import Body

__all__ = ["Block", "block", "holds"]


@dataclass(frozen=True)
class Block:
    """A published expression for one block of a derivative, with its index condition."""

    tensor: str
    """Name of the derivative that the block belongs to."""
    place: str
    """Bodies of the rows, columns and pages of the block, in the order of the paper: ``"kij"``."""
    condition: str
    """Condition on the bodies, as in the paper: ``"k < j <= i"``; < means proper ancestor."""
    latex: str
    """The expression in the notation of the paper, in LaTeX."""
    expression: Callable[..., Array]
    """The expression as code, a function of the bodies i, j and k."""

    @property
    def name(self) -> str:
        """Name of the function that holds the code."""
        return self.expression.__name__

    def __call__(self, *ijk: Body) -> Array:
        """Compute the block for bodies i, j, k."""
        return self.expression(*ijk)


def block(
    tensor: str, place: str, condition: str, latex: str
) -> Callable[[Callable[..., Array]], Block]:
    """Return a decorator that turns a function of bodies i, j, k into a `Block`."""
    return lambda expression: Block(tensor, place, condition, latex, expression)


def holds(condition: str, **body: int) -> bool:
    """Test if bodies with the given numbers, on one path to the base, meet a condition.

    Examples
    --------
    >>> holds("k < j <= i", i=4, j=4, k=2), holds("k < j < i", i=4, j=4, k=2)
    (True, False)
    """
    chain = condition.split()
    links = zip(chain[:-2:2], chain[1::2], chain[2::2], strict=True)
    return all(
        {"<": body[x] != body[y], "=": body[x] == body[y], "<=": True}[relation]
        for x, relation, y in links
    )
