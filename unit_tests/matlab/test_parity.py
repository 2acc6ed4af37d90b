"""The file parity.toml, which lists all MATLAB functions, is right about this library."""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from helpers import for_each
from matlab_listing import listing, outputs

import spatial_v2.matlab as namespace
from spatial_v2 import SpatialError
from spatial_v2.matlab.functions import adapted
from spatial_v2.matlab.table import ROWS as TOLD
from spatial_v2.matlab.table import TABLE, VERSION_1

ROOT = Path(__file__).parents[2]
HERE = ROOT / "unit_tests" / "support"
ROWS = [(folder, name, value) for folder, rows in TABLE.items() for name, value in rows.items()]
PARTS = [(name, value) for _, name, value in ROWS if isinstance(value, dict)]
HOMES = ("spatial_v2", "derivatives", "tensor_sva")
MATLAB_FOLDERS = (
    "three_d",
    "spatial",
    "joints",
    "models",
    "configuration",
    "dynamics",
    "contact",
    "orientation",
    "regressors",
    "identification",
)
DECLARED: dict[str, list[str]] = tomllib.loads(
    (HERE / "matlab_outputs.toml").read_text(encoding="utf-8")
)
WORDS = [(n, word) for _, n, v in ROWS if isinstance(v, str) for word in re.findall("`(.*?)`", v)]
WITHOUT = ("replaced: ", "not applicable: ")


def python_names(value: Any) -> list[str]:
    """Return the dotted Python names in a row; none if the function is replaced or not
    applicable.
    """
    if isinstance(value, dict):
        value = value["python"]
    if isinstance(value, list):
        return value
    return [] if value.startswith(WITHOUT) else [value]


def library_names(value: Any) -> list[str]:
    """Return the dotted Python names in a row, without those in `spatial_v2.matlab`."""
    return [name for name in python_names(value) if not name.startswith("spatial_v2.matlab.")]


def resolve(dotted: str) -> Any:
    package, attribute = dotted.rsplit(".", 1)
    return getattr(importlib.import_module(package), attribute)


def results(dotted: str) -> set[str]:
    """Return the names of a function's results, including those that it returns on request."""
    function = resolve(dotted)
    home = importlib.import_module(function.__module__)
    records = [get_type_hints(function)["return"]]
    records += [getattr(home, name) for name in home.__all__ if name.endswith(("Info", "Result"))]
    return {field for record in records for field in getattr(record, "_fields", ())}


def matlab_names() -> list[str]:
    lines = (HERE / "matlab_functions.txt").read_text(encoding="utf-8").splitlines()
    return [name for line in lines if not line.startswith("#") for name in line.split()]


def test_every_matlab_function_is_listed_once() -> None:
    assert sorted(name for _, name, _ in ROWS) == sorted(matlab_names())


@pytest.mark.skipif("SPATIAL_V2_MATLAB" not in os.environ, reason="no MATLAB library is named")
def test_every_function_of_the_named_library_is_listed() -> None:
    folders = os.environ["SPATIAL_V2_MATLAB"].split(os.pathsep)
    found = listing(folders)
    assert found.keys() - set(matlab_names()) == set()


def test_the_listing_reads_what_files_declare(tmp_path: Path) -> None:
    """The listing of MATLAB files finds the declared results in every form of the first line.

    Files have one result, several over two lines, none, a script, or a comment first; private files
    are not listed.
    """
    texts = {
        "one": "function tau = one( model, q )",
        "two": "% about\n\nfunction  [E, ...  the rotation\n   r] = two(X)\n",
        "none": "function none\n",
        "script": "clear\nfunction x = inner\n",
        "private/hidden": "function x = hidden",
    }
    (tmp_path / "private").mkdir()
    for name, text in texts.items():
        (tmp_path / f"{name}.m").write_text(text)
    found = {"one": ["tau"], "two": ["E", "r"], "none": [], "script": []}
    assert listing([tmp_path]) == found
    assert outputs("") == []


@for_each([r for r in ROWS if python_names(r[2])])
def test_listed_name_can_be_imported(folder: str, name: str, value: Any) -> None:
    for dotted in python_names(value):
        assert callable(resolve(dotted)), dotted


@for_each([r for r in ROWS if not library_names(r[2])])
def test_absent_name_does_not_exist(folder: str, name: str, value: str) -> None:
    # not tensor_sva, whose function vee is not the model vee
    homes = HOMES if folder == "tensors" else HOMES[:2]
    found = [home for home in homes if hasattr(importlib.import_module(home), name)]
    assert not found, f"{name} exists in {found}: parity.toml says {value!r}"


@for_each(PARTS)
def test_partial_functions_name_what_is_missing(name: str, value: dict[str, Any]) -> None:
    missing = value.get("missing", ["no more"])
    assert missing and all(len(text.strip()) > 3 for text in missing)


@for_each(PARTS)
def test_results_are_those_that_are_listed(name: str, value: dict[str, Any]) -> None:
    """Results that a row calls missing do not exist, and renamed ones have the name in the row."""
    assert value.keys() - {"python"} <= {
        "better", "differs", "fields", "instead", "missing", "outputs",
    }  # fmt: skip
    assert value.keys() - {"python"}
    ours, fields = set().union(*map(results, python_names(value))), value.get("fields", {})
    missing = {word.split("`")[1] for word in value.get("missing", ()) if word.startswith("`")}
    assert not missing & ours
    assert set(fields.values()) <= ours
    assert not fields.keys() & ours


@for_each(DECLARED)
def test_every_declared_result_is_there(name: str) -> None:
    """Every result that MATLAB declares exists, by its name or by that in the row, or the row calls
    it missing.
    """
    value = next(value for _, row, value in ROWS if row == name)
    part = value if isinstance(value, dict) else {}
    missing = {w for text in part.get("missing", ()) for w in re.findall("`(.*?)`", text)}
    ours = set().union(*map(results, python_names(value))) | part.get("fields", {}).keys()
    assert set(DECLARED[name]) - ours == set(DECLARED[name]) & missing


@for_each(WORDS)
def test_replacements_exist(name: str, word: str) -> None:
    """Replacements that rows name exist: files, public names, MATLAB's functions or options."""
    if "/" in word:
        assert (ROOT / word).exists()
    elif word.replace(".", "").isidentifier() and word not in {"f_ext", "numpy.allclose"}:
        packages = (*HOMES, "derivatives.reference", "tensor_sva.expressions")
        public = {x for home in packages for x in importlib.import_module(home).__all__}
        assert word in public or word in packages


@for_each([part for part in PARTS if "better" in part[1]])
def test_improvements_say_how_matlab_differs(name: str, value: dict[str, Any]) -> None:
    assert re.search("MATLAB|extended library", value["better"])


API_PAGES = {
    package
    for page in (ROOT / "docs" / "api").glob("*.rst")
    for package in re.findall(r"^\.\. api:: (\S+)", page.read_text(encoding="utf-8"), re.M)
}


@for_each([r for r in ROWS if library_names(r[2])])
def test_listed_names_are_documented(folder: str, name: str, value: Any) -> None:
    """The API pages contain the function at the address to which the parity table links."""
    for dotted in library_names(value):
        function = resolve(dotted)
        home = function.__module__.rpartition(".")[0]
        assert home in API_PAGES, dotted
        assert function.__name__ in importlib.import_module(home).__all__


@for_each(MATLAB_FOLDERS)
def test_public_functions_with_names_of_matlab_are_listed(folder: str) -> None:
    package = importlib.import_module(f"spatial_v2.{folder}")
    pages = {path.stem for path in Path(package.__path__[0]).glob("*.py")} & set(package.__all__)
    listed = {dotted.rsplit(".", 1)[1] for _, _, v in ROWS for dotted in python_names(v)}
    assert pages & set(matlab_names()) <= listed


def test_every_name_is_in_the_namespace() -> None:
    """A star import of `spatial_v2.matlab` imports MATLAB's names, of both versions, alone."""
    found: dict[str, Any] = {}
    exec("from spatial_v2.matlab import *", found)
    assert found.keys() - {"__builtins__"} == {*[name for _, name, _ in ROWS], *VERSION_1}
    assert all(map(callable, (found[name] for _, name, _ in ROWS)))


@for_each(TOLD)
def test_rows_describe_the_functions_of_the_namespace(name: str) -> None:
    """A function with differences has an adapted form or raises an error; any other is the
    library's function itself.
    """
    row = TOLD[name]
    own, in_namespace = adapted(row), f"spatial_v2.matlab.{name}" in row.python
    assert bool(own) <= bool(row.differs or in_namespace)
    assert in_namespace == bool(row.instead and row.python)
    if not own and (row.differs or not row.python):
        with pytest.raises(
            SpatialError, match=rf"^{name} of MATLAB is not supported; in Python: \S"
        ):
            getattr(namespace, name)(1, 2)
    if own is None and row.python and not row.differs:
        assert getattr(namespace, name).__wrapped__ is resolve(row.python[0])


def test_nargout_selects_results() -> None:
    """`nargout` selects all results, the first ones, or the first; a larger number is an error."""
    X = namespace.plux(namespace.rx(0.3), [1, 2, 3])
    assert len(namespace.plux(X)) == len(namespace.plux(X, nargout=2)) == 2
    assert namespace.plux(X, nargout=1).shape == (3, 3)
    with pytest.raises(SpatialError, match="plux: nargout must be from 1 to 2: E, r; got 3"):
        namespace.plux(X, nargout=3)
    with pytest.raises(SpatialError, match="rx: nargout must be from 1 to 1; got 2"):
        namespace.rx(0.3, nargout=2)
