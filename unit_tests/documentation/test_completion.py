"""Completion in editors by static analysis, and `help` of decorated functions."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from public_functions import functions_of_state

ROOT = Path(__file__).parents[2]
FUNCTIONS = {name: f for name, f, _ in functions_of_state() if name.endswith(f".{f.__name__}")}
"""Public functions by their names, without aliases."""


@pytest.fixture(scope="module", params=FUNCTIONS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def script(name: str) -> Any:
    """Return a program that calls the function, with an incomplete last line."""
    jedi = pytest.importorskip("jedi")
    module, function = name.split(".")
    lines = f"from {module} import {function}", f"{function}(model, q).", f"{function}("
    return jedi.Script("\n".join(lines), project=jedi.Project(ROOT))


def test_completions_of_signatures_are_those_of_the_source(name: str, script: Any) -> None:
    """Editors complete the whole signature at run time, and by static analysis the arguments after
    the model.
    """
    names = list(inspect.signature(inspect.unwrap(FUNCTIONS[name])).parameters)
    assert names[0] == "model"
    signatures = script.get_signatures()
    assert names[1:] in [[p.name for p in s.params if p.name != "model"] for s in signatures]


def test_fields_of_results_are_completed(name: str, script: Any) -> None:
    """Completion after the dot offers the fields of the named tuple."""
    annotation = get_type_hints(FUNCTIONS[name])["return"]
    fields = set(getattr(annotation, "_fields", ()))
    completions = {c.name for c in script.complete(2)} if fields else set()
    assert completions >= fields


def test_documentation_is_found(name: str, script: Any) -> None:
    """The documentation found by static analysis is the function's docstring, not the
    decorator's.
    """
    (found,) = script.help(2, 1)
    first = inspect.getdoc(FUNCTIONS[name]).splitlines()[0]  # type: ignore[union-attr]
    assert first in found.docstring()
