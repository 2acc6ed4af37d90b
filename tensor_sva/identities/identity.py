"""Identity: a published statement with both sides as code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.identities.card import identity_html
from tensor_sva.identities.letters import KINDS, RELATIONS

__all__ = ["Identity", "Side", "difference"]

Side = Callable[..., Array]
"""One side of an identity: a function of its arguments."""


@dataclass(frozen=True)
class Identity:
    """A published identity: ``lhs == rhs`` for all arguments."""

    name: str
    """Name in the paper, ``"M7"``."""
    latex: str
    """The statement in the notation of the paper, in LaTeX."""
    source: str
    """Paper and table or appendix."""
    letters: str
    """Letters of the arguments, separated by blanks; `KINDS` has their meanings."""
    lhs: Side
    """The left side, a function of the arguments."""
    rhs: Side
    """The right side; for identities about bodies i and j, if j is i or an ancestor of i."""
    cases: Mapping[str, Side | None] = field(default_factory=dict)
    """Right sides of further cases by name; None stands for zero."""

    @property
    def arguments(self) -> dict[str, str]:
        """Letters of the arguments and their meanings."""
        return {letter: KINDS[letter] for letter in self.letters.split()}

    @property
    def about_joints(self) -> bool:
        """True if the arguments are a pair of bodies of a model in some state."""
        return "j" in self.letters.split()

    @property
    def right_sides(self) -> dict[str, Side | None]:
        """Right sides by case; None stands for zero."""
        if not self.about_joints:
            return {"all": self.rhs, **self.cases}
        rhs: dict[str, Side | None] = {"j < i": self.rhs, "j = i": self.rhs}
        return {**dict.fromkeys(RELATIONS), **rhs, **self.cases}

    def residuals(self, *arguments: object, relation: str | None = None) -> dict[str, float]:
        """Compute residuals for given arguments: of all cases, or of the case `relation`."""
        left = self.lhs(*arguments)
        sides = self.right_sides
        chosen = sides if relation is None else {relation: sides[relation]}
        return {
            case: difference(self.name, left, 0 * left if side is None else side(*arguments))
            for case, side in chosen.items()
        }

    def _repr_html_(self) -> str:
        return identity_html(self)

    def _repr_latex_(self) -> str:
        tag = f"\\qquad \\text{{{self.name}: {self.source}}}"
        return f"$\\displaystyle {self.latex.strip('$')} {tag}$"


def difference(name: str, left: Array, right: Array) -> float:
    """Return the largest difference of two real arrays, divided by max(1, largest of `left`).

    Examples
    --------
    >>> difference("M1", np.array([4.0]), np.array([4.5]))
    0.125
    """
    if left.shape != right.shape:
        raise ArrayShapeError(
            f"{name}: want both sides of the same shape, got {left.shape} and {right.shape}"
        )
    gap, size = (float(np.max(np.abs(x), initial=0.0)) for x in (left - right, left))
    return gap / max(1.0, size)
