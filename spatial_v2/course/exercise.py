"""An exercise, and the result of checking an answer to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from spatial_v2.course.diagnosis import TRANSPOSED, diagnosis
from spatial_v2.course.uses import library_functions

__all__ = ["Exercise", "Verdict", "same"]

MARKS = {"right": "✓", "wrong": "✗", "open": "…"}


@dataclass(frozen=True)
class Verdict:
    """Result of checking an answer; true if the answer is right.

    Examples
    --------
    >>> from spatial_v2.course import Verdict
    >>> Verdict("1.1", "right", "Right.")
    ✓ Exercise 1.1: Right.
    """

    name: str
    """Name of the exercise."""
    state: Literal["right", "wrong", "open"]
    """Result; ``"open"`` if there is no answer yet."""
    message: str
    """Message for the student."""
    hinted: bool = False
    """True if the message contains the first hint."""

    def __bool__(self) -> bool:
        return self.state == "right"

    def __repr__(self) -> str:
        return f"{MARKS[self.state]} Exercise {self.name}: {self.message}"

    def _ipython_display_(self) -> None:
        """Show nothing in a notebook, where `check` has printed it."""


@dataclass(frozen=True)
class Exercise:
    """An exercise: its solution, and messages for other answers.

    Examples
    --------
    >>> from spatial_v2.course import Exercise
    >>> hints = "Look at the parts.", "There are two: 1 / 2."
    >>> half = Exercise("0.1", lambda: 0.5, hints, mistakes={"Doubled.": lambda: 2})
    >>> half.verdict(0.5)
    ✓ Exercise 0.1: Right.
    >>> half.verdict(2)
    ✗ Exercise 0.1: Doubled.
    >>> half.verdict(7)
    ✗ Exercise 0.1: Not yet. Look at the parts. hint("0.1") tells more.
    """

    name: str
    """Chapter and number, as ``"1.2"``."""
    solution: Callable[[], Any]
    """Function that returns the right answer: numbers, text, or a function that `view` calls."""
    hints: tuple[str, str]
    """A sentence on what to look at, then the formula."""
    mistakes: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    """For common mistakes, the message and a function that returns the wrong answer."""
    view: Callable[[Any], Any] = lambda answer: answer
    """Function that returns the part of an answer to compare: function values, a model's mass."""
    tolerance: float = 1e-6
    """Relative to the largest number of the solution; 1e-3 for answers read off a picture. Numbers
    that are typed with fewer digits are right to these digits; see `allowed_error`.
    """
    to_write: tuple[str, ...] = ()
    """Functions of the library that the answer is to be written without."""

    def verdict(self, answer: Any) -> Verdict:
        """Check an answer."""
        waits = Verdict(self.name, "open", "waiting for your answer.")
        if answer is Ellipsis or answer is None:
            return waits
        if self.to_write and (used := library_functions(answer) & {*self.to_write}):
            told = f"Write it yourself, without {' and '.join(sorted(used))} of the library."
            return Verdict(self.name, "wrong", told)
        try:
            seen = self.view(answer)
        except Exception as e:
            problem = f"{type(e).__name__}: {e}"
            return Verdict(self.name, "wrong", f"The answer could not be used: {problem}")
        if seen is None or (isinstance(seen, list) and all(x is None for x in seen)):
            return waits
        right = self.view(self.solution())
        problem = difference(seen, right, self.tolerance)
        if not problem:
            return Verdict(self.name, "right", "Right.")
        for text, wrong in self.mistakes.items():
            if same(seen, self.view(wrong()), self.tolerance):
                return Verdict(self.name, "wrong", text)
        if text := general(seen, right, self.tolerance):
            return Verdict(self.name, "wrong", text)
        told = f'{problem} {self.hints[0]} hint("{self.name}") tells more.'
        return Verdict(self.name, "wrong", told, hinted=True)


def same(answer: Any, right: Any, tolerance: float = 1e-6) -> bool:
    """Return whether an answer agrees with the right answer.

    Examples
    --------
    >>> same([1, 2], [1, 2 + 1e-9]), same("Yes ", "yes"), same([1, 2], [[1, 2]])
    (True, True, False)
    """
    return not difference(answer, right, tolerance)


def general(answer: Any, right: Any, tolerance: float) -> str:
    """Say which general mistake an answer shows; the text is empty if there is none.

    Examples
    --------
    >>> general([90, 180], [np.pi / 2, np.pi], 1e-6)
    'That is in degrees: angles are in radians.'
    """
    if isinstance(right, str | bool):
        return ""
    try:
        got, want = np.asarray(answer, dtype=complex), np.asarray(right, dtype=complex)
    except (TypeError, ValueError):
        return ""
    if got.shape != want.shape:
        turned = np.swapaxes(want, -1, -2) if want.ndim > 1 else want
        return TRANSPOSED if got.shape == turned.shape and same(got, turned, tolerance) else ""
    return diagnosis(got, want, lambda a, b: same(a, b, tolerance))


def difference(answer: Any, right: Any, tolerance: float) -> str:
    """Describe in a sentence what is wrong with an answer; the text is empty if it is right."""
    if isinstance(right, str):
        fits = isinstance(answer, str) and answer.strip().lower() == right.lower()
        return "" if fits else "Not yet."
    if isinstance(right, bool):
        return "" if isinstance(answer, bool | np.bool_) and answer == right else "Not yet."
    try:
        got, want = np.asarray(answer, dtype=complex), np.asarray(right, dtype=complex)
    except (TypeError, ValueError):
        return f"Numbers are wanted, not {type(answer).__name__}."
    if got.shape != want.shape:
        if not want.shape:
            return f"One number is wanted, not an array of shape {got.shape}."
        return f"The shape is {got.shape}; {want.shape} is wanted."
    if not np.isfinite(got).all():
        return "There are numbers that are not finite."
    size = float(np.abs(want).max()) if want.size else 0.0
    error = np.abs(got - want)
    allowed = [allowed_error(x, size or 1.0, tolerance) for x in got.real.ravel().tolist()]
    if np.all(error <= np.reshape(allowed, error.shape)):
        return ""
    worst = float(error.max()) / (size or 1.0)
    if worst > 0.05:
        return "Not yet."
    agree, entry = int(-np.log10(worst)), [int(k) for k in np.argwhere(error == error.max())[0]]
    where = f"at {entry}, " if entry else ""
    return f"Close: {where}{agree} digit{'s' * (agree != 1)} agree."


def allowed_error(answer: float, size: float, tolerance: float) -> float:
    """Return the largest error with which a number counts as right.

    An answer typed with few digits may differ by half a unit of its last digit, if that is at most
    a thousandth of the largest number of the solution.

    Examples
    --------
    >>> allowed_error(12.57, 12.57, 1e-6), allowed_error(12.566370614359172, 12.57, 1e-6)
    (0.00501, 1.257e-05)
    """
    if answer == 0:
        rounding = 5e-5 * size
    else:
        exponent = Decimal(repr(float(answer))).as_tuple().exponent
        rounding = min(0.501 * 10.0 ** int(exponent), 1e-3 * size)
    return max(tolerance * size, rounding)
