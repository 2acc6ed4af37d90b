"""Imports between packages are those of the table in CONTRIBUTING.md, without cycles."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter

import pytest
from import_graph import MODULES, ROOT, arrows, imported_by_string, room

ROW = re.compile(r"^\| `(?:spatial_v2/)?(\w+)(?:/|\.py)` \|.*\|([^|]*)\|$", re.M)
STANDS_ON = {
    name: re.findall(r"`(\w+)`", below)
    for name, below in ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
}
BY_STRING = {
    "spatial_v2.calls.loading": "the decorators name their kernels",
    "spatial_v2.public_names": "public names are imported when they are first used",
    "spatial_v2.matlab.functions": "so are MATLAB's names, which stand in parity.toml",
    "spatial_v2.matlab.runtime": "and the functions of MATLAB that translations call",
    "tensor_sva.suite.load": "the user names a module",
    "spatial_v2.cli.course": "says which packages of others are not installed",
}
"""Modules that import by a string, with the reasons."""


def known(name: str) -> set[str]:
    """Return a package and all packages that it may import."""
    return {name}.union(*(known(below) for below in STANDS_ON[name]))


def test_every_package_is_in_the_table() -> None:
    rooms = {room(module) for module in MODULES} - {"spatial_v2", "__main__"}
    assert rooms == STANDS_ON.keys()


@pytest.mark.parametrize("name", STANDS_ON)
def test_packages_import_only_what_the_table_allows(name: str) -> None:
    for module in MODULES:
        if room(module) == name:
            assert {room(used) for used in arrows(module)} <= known(name), module


@pytest.mark.slow
def test_no_module_imports_itself_by_way_of_others() -> None:
    """No module imports itself through others, counting imports inside functions and by string."""
    graph = {module: arrows(module) for module in MODULES}
    assert sum(map(len, graph.values())) > 2000
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


@pytest.mark.slow
def test_nothing_is_imported_by_string() -> None:
    found = {module for module in MODULES if imported_by_string(module)}
    assert found == BY_STRING.keys()


@pytest.mark.parametrize(
    "text",
    [
        "import spatial_v2.io",
        "import spatial_v2.io as files",
        "from spatial_v2.io import load_model",
        "from spatial_v2 import io",
        "from spatial_v2 import load_model",
        "from ..io import load_model",
        "from .. import io",
        "def f():\n    from spatial_v2.io import load_model",
        "class A:\n    def f(self):\n        import spatial_v2.io",
        "import_module('spatial_v2.io')",
        "def f():\n    return importlib.import_module('spatial_v2.io').load_model",
        "__import__('spatial_v2.io')",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import spatial_v2.io",
    ],
)
def test_every_way_to_import_is_seen(text: str) -> None:
    assert "spatial_v2.io" in arrows("spatial_v2.model.model", text)


@pytest.mark.parametrize(
    "text",
    [
        "if TYPE_CHECKING:\n    from spatial_v2.io import load_model",
        "from spatial_v2.model.model import Model",
        "import numpy\nimport_module('numba.core.event')",
    ],
)
def test_imports_for_types_and_of_other_libraries_do_not_count(text: str) -> None:
    assert arrows("spatial_v2.model.model", text) == set()


def test_a_computed_name_of_a_module_is_an_import_by_string() -> None:
    text = "import_module(f'spatial_v2.{name}')\nimport_module('numpy')"
    assert imported_by_string("spatial_v2.model.model", text) == {"?"}
