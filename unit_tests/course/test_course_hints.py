"""Hints come in three steps: what to look at, the formula, the answer."""

import ast
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from helpers import for_each

from spatial_v2.course import Hint, check, hint
from spatial_v2.course.hint import SHOWN
from spatial_v2.course.named import exercises
from spatial_v2.course.text import cells, chapter, chapters
from spatial_v2.exceptions import SpatialError

EXERCISES = exercises()
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Forget which hints were shown, before and after a test."""
    SHOWN.clear()
    yield
    SHOWN.clear()


def every_exercise(law: Callable[[str], None]) -> Callable[[], None]:
    """Try a law with each exercise, of which no hint was shown."""

    def begin(key: str) -> None:
        SHOWN.clear()
        law(key)

    return for_each(EXERCISES)(functools.wraps(law)(begin))


def code_of(key: str) -> str:
    """Return the cell of a chapter that solves an exercise."""
    solved = (x.text for name in chapters() for x in cells(chapter(name)) if x.tag == "solution")
    (text,) = (x for x in solved if f'check("{key}"' in x)
    return text


@every_exercise
def test_the_first_hint_is_one_sentence_without_a_formula(key: str) -> None:
    look, formula = EXERCISES[key].hints
    assert re.fullmatch(r"[A-Z][^.?]*(?:\.\d[^.?]*)*[.?]", look) and "=" not in look
    assert len(look) < 120 and look != formula and formula.endswith((".", "..."))


@every_exercise
def test_each_call_shows_the_next_step_up_to_the_answer(key: str) -> None:
    shown = [hint(key) for _ in range(4)]
    assert [x.step for x in shown] == [1, 2, 3, 3]
    assert tuple(x.text for x in shown[:2]) == EXERCISES[key].hints
    assert shown[2].text == code_of(key)


@every_exercise
def test_hints_before_the_last_do_not_contain_the_answer(key: str) -> None:
    """The first hints contain neither the code of the solution, nor its numbers, nor the word it
    is.
    """
    told = " ".join(EXERCISES[key].hints)
    code = code_of(key)
    cell = ast.parse(code)
    answers = [x for x in cell.body if isinstance(x, ast.Assign)]
    returns = [x for x in ast.walk(cell) if isinstance(x, ast.Return)]
    found = [x.value for x in (*answers, *returns)]
    written = [str(ast.get_source_segment(code, x)).replace(" ", "") for x in found if x]
    assert not [x for x in written if len(x) > 3 and x in told.replace(" ", "")]
    right: Any = EXERCISES[key].solution()
    if isinstance(right, str | bool):
        words = [right] if isinstance(right, str) else ["true", "false", "yes", "no"]
        assert not [x for x in words if re.search(rf"\b{x}\b", told, re.I)]
    elif not callable(right) and key != "5.6":
        numbers = [float(x) for x in NUMBER.findall(told)]
        wanted = np.unique(np.abs(np.asarray(right, dtype=float)))
        wanted = wanted[(wanted != 0) & (wanted != 1)]
        assert not wanted.size or not all(np.isclose(x, numbers).any() for x in wanted)


@every_exercise
def test_a_wrong_answer_gets_the_first_hint_and_hint_tells_more(key: str) -> None:
    exercise = EXERCISES[key]
    wrong: Any = 0.123456
    if callable(exercise.solution()) or key == "5.6":
        wrong = None
    elif isinstance(exercise.solution(), str | bool):
        wrong = "another"
    elif np.shape(exercise.solution()):
        wrong = np.full(np.shape(exercise.solution()), 0.123456)
    if wrong is None or not exercise.verdict(wrong).hinted:
        assert exercise.hints[0] not in str(check(key, wrong))
        assert hint(key).step == 1
        return
    assert str(check(key, wrong)).endswith(f'{exercise.hints[0]} hint("{key}") tells more.')
    assert hint(key).step == 2


def test_known_mistakes_get_their_message_without_a_hint() -> None:
    for exercise in EXERCISES.values():
        for text, wrong in exercise.mistakes.items():
            verdict = exercise.verdict(wrong())
            assert verdict.message == text and not verdict.hinted


def test_a_step_can_be_chosen_and_the_next_call_goes_on_from_it() -> None:
    assert [hint("7.1", 2).step, hint("7.1").step, hint("7.1", 1).step, hint("7.1").step] == [
        2, 3, 1, 2,
    ]  # fmt: skip
    assert hint("7.2").step == 1


def test_a_wrong_answer_does_not_take_back_later_hints() -> None:
    hint("7.1", 2)
    check("7.1", 0.5)
    assert hint("7.1").step == 3


@pytest.mark.parametrize("step", [0, 4, -1, "1"])
def test_other_steps_are_refused(step: Any) -> None:
    with pytest.raises(SpatialError, match="hint: step: want 1, 2 or 3, got"):
        hint("7.1", step)


def test_hints_of_unknown_exercises_are_refused() -> None:
    with pytest.raises(SpatialError, match=r"hint: name: no exercise '0\.7'; there are 1\.1"):
        hint("0.7")


def test_notebooks_show_the_answer_as_code_and_stars_as_stars() -> None:
    shown = hint("7.6", 2)._repr_markdown_()
    assert shown.startswith("**Exercise 7.6, hint 2 of 2:** ") and r"v x\* I v" in shown
    assert "```python\nx * y\n```" in Hint("7.6", 3, "x * y")._repr_markdown_()
