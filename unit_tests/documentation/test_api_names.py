"""The page on names: its names exist, and its tables contain every function of derivatives."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import pytest
from helpers import for_each

import derivatives
import spatial_v2
from spatial_v2 import constraints, dynamics

PAGE = (Path(__file__).parents[2] / "docs" / "api_names.md").read_text(encoding="utf-8")
FUNCTIONS = {
    x
    for x in derivatives.__all__
    if inspect.isfunction(f := getattr(derivatives, x)) and f.__name__ == x
}
FAMILIES, EXCEPTIONS = PAGE.partition("## Families")[2].split("## Exceptions")
PACKAGES = (spatial_v2, constraints, derivatives)


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_every_function_on_derivatives_is_in_a_table() -> None:
    assert quoted(FAMILIES) >= FUNCTIONS


DERIVATIVE = re.compile(r"_derivatives?$|^mod[A-Z]|TimeDerivative$|_gradient$|_hessian_product$")
"""Names of public functions that compute derivatives, by the rules of the page."""


def test_every_family_of_derivatives_is_in_a_table() -> None:
    """Every public function that computes derivatives is in a table, also one of another package
    than `derivatives`.
    """
    public = {x for x in spatial_v2.__all__ if inspect.isfunction(getattr(spatial_v2, x))}
    found = {x for x in public if DERIVATIVE.search(x)}
    assert len(found) > 5 and quoted(FAMILIES) >= found


def test_names_in_tables_exist() -> None:
    assert [
        x for x in quoted(FAMILIES) if not hasattr(derivatives, x) and not hasattr(spatial_v2, x)
    ] == []


@for_each(EXCEPTIONS.split("\n- ")[1:])
def test_exceptions_have_the_fields_they_are_listed_for(item: str) -> None:
    """The fields that follow the name of a function in the list of exceptions are fields of its
    result.
    """
    name = ""
    for word in re.findall(r"`(\w+)`", item):
        if word in FUNCTIONS:
            name = word
        elif re.match(r"d\w*_d|H_", word):
            function = getattr(derivatives, name)
            result = get_type_hints(function)["return"]
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


@pytest.mark.parametrize("package", PACKAGES, ids=lambda x: x.__name__)
def test_annotations_of_public_functions_can_be_evaluated(package: ModuleType) -> None:
    """``typing.get_type_hints`` finds every name in the annotations, as editors and
    other tools do.
    """
    functions = [f for x in package.__all__ if inspect.isfunction(f := getattr(package, x))]
    assert functions and all(get_type_hints(f) for f in functions)
    for function in functions:
        inspect.signature(function, eval_str=True)


def test_options_are_those_of_signatures() -> None:
    """The functions that the table of options names in its last column have the option."""
    rows = [line.split("|")[1:4] for line in PAGE.splitlines() if line.startswith("| `")]
    named = [(opt, quoted(last)) for opt, _, last in rows if "=" in opt and "`" in last]
    for options, functions in named:
        for option in re.findall(r"`(\w+)=`", options):
            for name in functions:
                if found := getattr(derivatives, name, getattr(spatial_v2, name, None)):
                    assert option in inspect.signature(found).parameters, (name, option)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda x: x.__name__)
def test_an_unknown_name_of_a_package_raises_an_error(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'no'"):
        package.no  # noqa: B018


def test_the_spelling_of_matlab_is_the_same_function() -> None:
    assert derivatives.spatial_force_SO_derivs is derivatives.spatial_force_SO_derivatives
