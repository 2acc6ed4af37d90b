"""Chapters assert in code what their text says about results, and their references exist."""

import ast
import re
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from spatial_v2 import FDab, autoTree, crf, crm, get_gravity, jcalc
from spatial_v2.course.named import exercises
from spatial_v2.course.text import Cell, cells, chapter, chapters

EXERCISES = exercises()
CHAPTERS = chapters()
COMPARISONS = {"allclose", "isclose", "array_equal"}
BOOK = (
    "Introduction", "Spatial Vector Algebra", "Dynamics of Rigid Body Systems",
    "Modelling Rigid Body Systems", "Inverse Dynamics", "Forward Dynamics – Inertia Matrix Methods",
    "Forward Dynamics – Propagation Methods", "Closed Loop Systems",
    "Hybrid Dynamics and Other Topics", "Accuracy and Efficiency", "Contact and Impact",
)  # fmt: skip
"""Chapters of Featherstone, Rigid Body Dynamics Algorithms (2008), from 1."""


def parts(name: str) -> list[Cell]:
    return cells(chapter(name))


@pytest.mark.parametrize("name", CHAPTERS)
def test_exercises_that_a_chapter_refers_to_are_its_own(name: str) -> None:
    text = " ".join(chapter(name).split())
    own = {key for key in EXERCISES if key.startswith(f"{int(name[:2])}.")}
    assert set(re.findall(r"exercise (\d+\.\d+)", text)) <= own
    assert not re.search(r"\b[Tt]he (?:robot|rule|body|arm|inertia|torques) of \d+\.\d", text)


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapters_of_the_book_are_cited_by_number_and_title(name: str) -> None:
    last = " ".join(chapter(name).split("\n## ")[-1].split())
    cited = re.search(r"Algorithms\* \(2008\)(?:: chapters? (.*?)|, does not .*?)\. Further", last)
    assert cited
    found = re.findall(r"(\d+) \(([^)]*)\)", cited[1] or "")
    assert [title for _, title in found] == [BOOK[int(number) - 1] for number, _ in found]
    assert len(found) == len(re.findall(r"\d+", cited[1] or ""))


@pytest.mark.parametrize("name", CHAPTERS)
def test_comparisons_of_a_chapter_are_asserted(name: str) -> None:
    """No cell only prints whether two results agree, and folded cells contain assertions."""
    for cell in parts(name):
        if cell.kind != "code" or cell.tag not in ("", "assertion"):
            continue
        tree = ast.parse(cell.text)
        asserted = [x for x in ast.walk(tree) if isinstance(x, ast.Assert)]
        below = {x for statement in asserted for x in ast.walk(statement)}
        compared = {
            x
            for x in ast.walk(tree)
            if isinstance(x, ast.Call) and getattr(x.func, "attr", "") in COMPARISONS
        }
        assert compared <= below
        assert asserted or cell.tag == ""
        assert cell.tag == "" or "print(" not in cell.text


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_chapter_asserts_what_it_says(name: str) -> None:
    """Every chapter has assertions; folded ones follow the text or the cell that they belong to."""
    found = parts(name)
    assert any("assert " in cell.text for cell in found if cell.kind == "code")
    for before, cell in pairwise(found):
        if cell.tag == "assertion":
            assert before.kind == "markdown" or before.tag != "assertion"


def test_quantities_of_forward_dynamics_have_the_values_of_the_chapter() -> None:
    """Chapter 8 writes out the sweeps: S, v, c, U, D and u of `FDab` have the same values there,
    and articulated-body inertias and bias forces those of the whole sweep.
    """
    source = next(x.text for x in parts("08_forward") if "def articulated_inertias" in x.text)
    names = {"np": np, "crf": crf, "crm": crm, "jcalc": jcalc, "get_gravity": get_gravity}
    exec(source.split("puma = ")[0], names)
    model = autoTree(6, 1.5, 1.0)
    q, qd, tau = np.random.default_rng(1).normal(size=(3, model.NV))
    seen: dict[str, Any] = {}

    def look(frame: Any, event: str, result: Any) -> None:
        if event == "return" and frame.f_code is FDab.__wrapped__.__code__:  # type: ignore[attr-defined]
            seen.update(frame.f_locals)

    sys.setprofile(look)
    try:
        qdd = FDab.reference(model, q, qd, tau)
    finally:
        sys.setprofile(None)
    X, S, c, p = names["velocities"](model, q, qd)  # type: ignore[operator]
    U, D, u = names["articulated_inertias"](model, X, S, c, p, tau)  # type: ignore[operator]
    for name, book in {"Xup": X, "S": S, "c": c, "pA": p, "U": U, "D": D, "u": u}.items():
        for i in range(model.NB):
            assert_allclose(np.ravel(seen[name][i]), np.ravel(book[i]), atol=1e-10, err_msg=name)
    assert_allclose(names["accelerations"](model, X, S, c, U, D, u), qdd, atol=1e-10)  # type: ignore[operator]
