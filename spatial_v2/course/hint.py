"""`hint`: help with an exercise in three steps."""

from __future__ import annotations

from dataclasses import dataclass

from spatial_v2.course.named import exercise_named
from spatial_v2.course.text import solution
from spatial_v2.exceptions import SpatialError

__all__ = ["Hint", "hint", "note"]

SHOWN: dict[str, int] = {}
"""Last step that was shown, by the names of exercises."""


@dataclass(frozen=True)
class Hint:
    """A step of the help with an exercise.

    Examples
    --------
    >>> from spatial_v2.course import Hint
    >>> Hint("7.1", 1, "Look at the weight.")
    Exercise 7.1, hint 1 of 2: Look at the weight.
    """

    name: str
    """Name of the exercise."""
    step: int
    """1: the quantity to look at, 2: the formula, 3: the answer."""
    text: str
    """Sentences, or the code of the answer."""

    def _repr_markdown_(self) -> str:
        text = self.text.replace("*", r"\*")
        body = f"\n\n```python\n{self.text}\n```" if self.step == 3 else f" {text}"
        return f"**{self._heading()}:**{body}\n"

    def __repr__(self) -> str:
        return f"{self._heading()}:" + ("\n" if self.step == 3 else " ") + self.text

    def _heading(self) -> str:
        which = "answer" if self.step == 3 else f"hint {self.step} of 2"
        return f"Exercise {self.name}, {which}"


def hint(name: str, step: int | None = None) -> Hint:
    """Show the next hint for an exercise of the course.

    The first hint says what to look at, the second has the formula, and the third step is the code
    of the answer. Each call shows the next one. A wrong answer to `check` shows the first.

    Parameters
    ----------
    name : str
        Chapter and number of the exercise, as ``"1.2"``.
    step : int, optional
        1, 2 or 3, to choose a step; by default the one after that shown last.

    Returns
    -------
    Hint
        The step, which notebooks display.

    Raises
    ------
    SpatialError
        If there is no such exercise, or no such step.

    Examples
    --------
    >>> from spatial_v2.course import hint
    >>> hint("7.1", 1)
    Exercise 7.1, hint 1 of 2: The arm is at rest, so the motor holds the moment of the weight.
    >>> hint("7.1")
    Exercise 7.1, hint 2 of 2: m g times the horizontal distance of the mass from the axis.
    >>> hint("7.1")
    Exercise 7.1, answer:
    torque = 3 * 9.81 * 0.7
    check("7.1", torque)
    """
    exercise = exercise_named(name, "hint")
    if step is None:
        step = min(SHOWN.get(name, 0) + 1, 3)
    if step not in (1, 2, 3):
        raise SpatialError(f"hint: step: want 1, 2 or 3, got {step!r}; 3 is the answer")
    SHOWN[name] = step
    return Hint(name, step, solution(name) if step == 3 else exercise.hints[step - 1])


def note(name: str, step: int) -> None:
    """Note that a step was shown, so that `hint` continues after it.

    Examples
    --------
    >>> note("1.1", 1)
    """
    SHOWN[name] = max(SHOWN.get(name, 0), step)
