"""The page on names: its names exist, and its tables have every function on derivatives."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import derivatives
import spatial_v2
from spatial_v2 import constraints, dynamics

PAGE = (Path(__file__).parents[1] / "docs" / "api_names.md").read_text(encoding="utf-8")
FUNCTIONS = {x for x in derivatives.__all__ if inspect.isfunction(getattr(derivatives, x))}
FAMILIES, EXCEPTIONS = PAGE.partition("## Families")[2].split("## Exceptions")


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_every_function_on_derivatives_is_in_a_table() -> None:
    assert quoted(FAMILIES) >= FUNCTIONS


def test_tables_name_what_there_is() -> None:
    assert [
        x for x in quoted(FAMILIES) if not hasattr(derivatives, x) and not hasattr(spatial_v2, x)
    ] == []


@pytest.mark.parametrize("item", EXCEPTIONS.split("\n- ")[1:], ids=lambda x: x.split("`")[1])
def test_exceptions_have_the_fields_they_are_listed_for(item: str) -> None:
    """Fields after the name of a function, up to the next one, are fields of its result."""
    name = ""
    for word in re.findall(r"`(\w+)`", item):
        if word in FUNCTIONS:
            name = word
        elif re.match(r"d\w*_d|H_", word):
            function = getattr(derivatives, name)
            result = inspect.signature(function, eval_str=True).return_annotation
            assert word in result._fields


def test_functions_without_the_option_frame_are_listed() -> None:
    (item,) = (x for x in EXCEPTIONS.split("\n- ") if x.startswith("The option `frame=`"))
    modules = (derivatives, dynamics, constraints)
    functions = {x: getattr(m, x) for m in modules for x in m.__all__}
    missing = set()
    for name, function in functions.items():
        if inspect.isfunction(function):
            parameters = inspect.signature(function).parameters
            if "f_ext" in parameters and "frame" not in parameters:
                missing.add(name)
    assert missing == quoted(item)


def test_options_are_those_of_signatures() -> None:
    """Functions that the table of options names in its last column have the option."""
    rows = [line.split("|")[1:4] for line in PAGE.splitlines() if line.startswith("| `")]
    named = [(opt, quoted(last)) for opt, _, last in rows if "=" in opt and "`" in last]
    for options, functions in named:
        for option in re.findall(r"`(\w+)=`", options):
            for name in functions:
                if found := getattr(derivatives, name, getattr(spatial_v2, name, None)):
                    assert option in inspect.signature(found).parameters, (name, option)
