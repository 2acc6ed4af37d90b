"""`check`: check of an answer to an exercise."""

from __future__ import annotations

from typing import Any

from spatial_v2.course.exercise import Exercise, Verdict
from spatial_v2.exceptions import SpatialError

__all__ = ["check", "exercises"]


def exercises() -> dict[str, Exercise]:
    """Return all exercises by name, in the order of the course.

    Examples
    --------
    >>> exercises()["1.1"].name
    '1.1'
    """
    from spatial_v2.course.exercises import CHAPTERS

    return {exercise.name: exercise for chapter in CHAPTERS for exercise in chapter.EXERCISES}


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
        True if the answer is right. When displayed, it says what is wrong and gives a hint.

    Raises
    ------
    SpatialError
        If there is no such exercise.

    Examples
    --------
    >>> from spatial_v2.course import check
    >>> check("1.1", ...)
    … Exercise 1.1: waiting for your answer.
    """
    known = exercises()
    if name not in known:
        raise SpatialError(f"check: name: no exercise {name!r}; there are {', '.join(known)}")
    return known[name].verdict(answer)
