"""Options of every accelerated function stand in its signature and its docstring."""

import inspect
import re
from typing import Any

import pytest
from public_functions import listed

import derivatives
import spatial_v2
from spatial_v2.calls.shown import DESCRIBED, OPTIONS, with_options

FUNCTIONS = {
    f"{package.__name__}.{name}": f
    for package in (spatial_v2, derivatives)
    for name in listed(package)
    if inspect.isroutine(f := getattr(package, name)) and hasattr(f, "reference")
}
SECTION = r"\n(?:Returns|Yields|Raises|Warns|Notes|See Also|Examples)\n-+\n"


def test_all_docstrings_describe_out_and_workers() -> None:
    """They are the last parameters, once, and a section follows."""
    assert len(FUNCTIONS) > 80
    for name, f in FUNCTIONS.items():
        for form in (f, f.reference):
            text = inspect.getdoc(form) or ""
            assert text.count("out : ") == text.count("workers : ") == 1, name
            assert re.search(re.escape(DESCRIBED) + SECTION, text), name
            assert [*inspect.signature(form).parameters][-2:] == [x.name for x in OPTIONS], name


@pytest.mark.parametrize(
    "text",
    [
        None, "", "Compute.", "Compute.\n\n    Returns\n    -------\n    tau : array\n",
        "Compute.\n\nParameters\n----------\nq : array\nout : array\n    A result.\n\nReturns\n",
    ],
)  # fmt: skip
def test_docstrings_without_parameters_stay(text: Any) -> None:
    assert with_options(text) == text


@pytest.mark.parametrize("indent", ["", "    "])
def test_descriptions_have_the_indentation_of_the_docstring(indent: str) -> None:
    """Python 3.13 removes the indentation of docstrings, earlier versions keep it."""
    lines = ["Parameters", "----------", "q : array", "    Positions.", "", "Returns", "-------"]
    before = "Compute.\n\n" + "".join(f"{indent}{x}\n" if x else "\n" for x in lines)
    after = with_options(before)
    assert after is not None
    wanted = [*lines[:4], *DESCRIBED.split("\n")[1:-1], *lines[4:]]
    assert after == "Compute.\n\n" + "".join(f"{indent}{x}\n" if x else "\n" for x in wanted)
