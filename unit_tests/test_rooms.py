"""Law: rooms know only the rooms they stand on, as the table in CONTRIBUTING.md says."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")
ROW = re.compile(r"^\| `(?:spatial_v2/)?(\w+)(?:/|\.py)` \|.*\|([^|]*)\|$", re.M)
STANDS_ON = {
    name: re.findall(r"`(\w+)`", below)
    for name, below in ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def room(module: str) -> str:
    """The room of a module by its dotted name."""
    package, *inner = module.split(".")
    return inner[0] if package == "spatial_v2" and inner else package


def known(name: str) -> set[str]:
    """A room with all it stands on."""
    return {name}.union(*(known(below) for below in STANDS_ON[name]))


def imports(path: Path) -> Iterator[str]:
    """The rooms that a file imports from, wherever in the file, but for types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module == "spatial_v2":
            values = [getattr(importlib.import_module("spatial_v2"), x.name) for x in node.names]
            names = (getattr(x, "__module__", getattr(x, "__name__", None)) for x in values)
            yield from (room(name) for name in names if name)
        elif node.module.split(".")[0] in PACKAGES:
            yield room(node.module)


def test_every_room_is_in_the_table() -> None:
    rooms = {room(module) for module in MODULES} - {"__init__", "__main__"}
    assert rooms == STANDS_ON.keys()


@pytest.mark.parametrize("name", STANDS_ON)
def test_a_room_knows_what_it_stands_on(name: str) -> None:
    for module, path in MODULES.items():
        if room(module) == name:
            assert set(imports(path)) <= known(name), module
