"""`check`: check of an answer to an exercise."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from spatial_v2.course.exercise import Verdict
from spatial_v2.course.hint import note
from spatial_v2.course.named import exercise_named

__all__ = ["check"]


def check(name: str, answer: Any) -> Verdict:
    """Check the answer to an exercise of the course.

    Parameters
    ----------
    name : str
        Chapter and number of the exercise, as ``"1.2"``.
    answer : object
        Answer to the exercise; ``...`` if there is none yet.

    Returns
    -------
    Verdict
        True if the answer is right. It says what is wrong, and is printed wherever `check` is
        called. If the mistake is not among the known ones, it gives the first hint; `hint` gives
        the next ones.

    Raises
    ------
    SpatialError
        If there is no such exercise.

    Examples
    --------
    >>> from spatial_v2.course import check
    >>> verdict = check("1.1", ...)
    … Exercise 1.1: waiting for your answer.
    >>> bool(verdict)
    False
    """
    verdict = exercise_named(name, "check").verdict(answer)
    if verdict.hinted:
        note(name, 1)
    if _in_notebook() or not hasattr(sys, "ps1"):  # Python's own prompt shows what is returned
        print(verdict)
    return verdict


def _in_notebook() -> bool:
    """Test if IPython runs this process."""
    return hasattr(builtins, "__IPYTHON__")
