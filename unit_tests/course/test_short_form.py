"""Short forms of algorithms in the chapters have few lines, and give the library's results."""

import ast
from typing import Any

import numpy as np
import pytest

from spatial_v2 import CRBA, HandC, crf, crm, planar
from spatial_v2.course import short_form
from spatial_v2.course.text import cells, chapter, chapters
from spatial_v2.exceptions import SpatialError

LINES = 10
"""Largest number of lines of a short form after its first line."""


WITHOUT = {"11b_impacts", "17b_experiment"}
"""Chapters that continue another, whose short forms they use."""


@pytest.mark.parametrize("name", [x for x in chapters() if x not in WITHOUT])
def test_every_chapter_has_short_forms_of_a_few_lines(name: str) -> None:
    found = [x.text for x in cells(chapter(name)) if x.kind == "code" and "short_form(" in x.text]
    assert found
    for text in found:
        for form in ast.walk(ast.parse(text)):
            if isinstance(form, ast.FunctionDef):
                assert (form.end_lineno or 0) - form.lineno <= LINES, form.name


def test_no_chapter_shows_the_code_of_the_library_unfolded() -> None:
    code = [x.text for name in chapters() for x in cells(chapter(name)) if x.kind == "code"]
    assert not [text for text in code if text.startswith("source(") or "\nsource(" in text]


def test_code_of_the_library_is_folded_below_the_statement() -> None:
    text = short_form(lambda v: -crm(v).T, crf, np.arange(6.0))._repr_markdown_()
    statement, folded = text.split("<details>")
    assert "`crf` of the library gives the same numbers" in statement
    assert "spatial_v2/spatial/crf.py" in folded and "def crf(" in folded
    assert folded.rstrip().endswith("</details>")


@pytest.mark.parametrize("off", [1e-9, -1e-3, np.nan, 1.0])
def test_other_numbers_are_refused(off: float) -> None:
    with pytest.raises(SpatialError, match=r"want the numbers of crm, got some that differ"):
        short_form(lambda v: crm(v) + off, crm, np.arange(6.0))


@pytest.mark.parametrize("form", [lambda v: crm(v)[:5], lambda v: (crm(v), 0), lambda v: 1.0])
def test_other_shapes_are_refused(form: Any) -> None:
    with pytest.raises(SpatialError, match="want the shapes of crm"):
        short_form(form, crm, np.arange(6.0))


def test_results_are_compared_one_by_one() -> None:
    """Each of several results is compared, also with those of another function given by `of`."""
    model, q, qd = planar(2), np.array([0.1, 0.2]), np.array([1.0, 2.0])
    short_form(lambda *x: tuple(HandC(*x)), HandC, model, q, qd)
    short_form(CRBA, HandC, model, q, of=lambda model, q: HandC(model, q, qd).H)
    with pytest.raises(SpatialError, match="differ by"):
        short_form(lambda *x: (HandC(*x).H, 0 * qd), HandC, model, q, qd)
