"""Exercises by their names."""

from __future__ import annotations

from spatial_v2.course.exercise import Exercise
from spatial_v2.exceptions import SpatialError

__all__ = ["exercise_named", "exercises"]


def exercises() -> dict[str, Exercise]:
    """Return all exercises by name, in the order of the course.

    Examples
    --------
    >>> exercises()["1.1"].name
    '1.1'
    """
    from spatial_v2.course.exercises import CHAPTERS

    return {exercise.name: exercise for chapter in CHAPTERS for exercise in chapter.EXERCISES}


def exercise_named(name: str, function: str) -> Exercise:
    """Return the exercise of a name; raise an error that names the calling function if there is
    none.

    Examples
    --------
    >>> exercise_named("1.1", "check").name
    '1.1'
    """
    known = exercises()
    if name not in known:
        raise SpatialError(f"{function}: name: no exercise {name!r}; there are {', '.join(known)}")
    return known[name]
