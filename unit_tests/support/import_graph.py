"""Imports between the files of the packages, found in their source text at any level."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from spatial_v2.public_names import ALIASES, homes

__all__ = ["MODULES", "PACKAGES", "ROOT", "arrows", "imported_by_string", "room"]

ROOT = Path(__file__).parents[2]
PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
"""Files by the dotted names of modules."""


def room(module: str) -> str:
    """Return the package of a module, as in the table of packages; both by their dotted names."""
    package, *inner = module.split(".")
    return inner[0] if package == "spatial_v2" and inner else package


def arrows(module: str, text: str | None = None) -> set[str]:
    """Return the modules that a module imports at import time or in its functions.

    Parameters
    ----------
    module : str
        Dotted name.
    text : str, optional
        Its source text; by default, that of its file.

    Returns
    -------
    Dotted names of modules, and of the packages that Python imports before them unless these
    contain the importing module; a public name of ``spatial_v2`` counts as the package that defines
    it. Imports below ``if TYPE_CHECKING``, which are for annotations only, do not count.
    """
    imported = imported_by_string(module, text)
    for node in _nodes(module, text):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {_home(_absolute(node, module), name.name) for name in node.names}
    return {
        package
        for name in imported & MODULES.keys()
        for package in _opened(name)
        if not f"{module}.".startswith(f"{package}.")
    }


def imported_by_string(module: str, text: str | None = None) -> set[str]:
    """Return the modules that a module imports by a string; ``?`` stands for a computed name.

    Parameters
    ----------
    module : str
        Dotted name.
    text : str, optional
        Its source text; by default, that of its file.
    """
    imported = set()
    for node in _nodes(module, text):
        if not isinstance(node, ast.Call) or not _imports(node.func):
            continue
        name = node.args[0] if node.args else None
        if isinstance(name, ast.Constant):
            imported |= {str(name.value)} if str(name.value).split(".")[0] in PACKAGES else set()
        else:
            imported.add("?")
    return imported


def _opened(name: str) -> list[str]:
    """Return a module and the packages that contain it, which Python imports first, except
    ``spatial_v2``.
    """
    parts = name.split(".")
    opened = [".".join(parts[:k]) for k in range(1, len(parts) + 1)]
    return opened[name.startswith("spatial_v2.") :]


def _imports(function: ast.expr) -> bool:
    """True if a call of this function imports a module named by a string."""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__", "resolve_name", "find_spec", "run_module")


def _absolute(node: ast.ImportFrom, module: str) -> str:
    """Return the absolute name of the package of an import, which may be relative."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    depth = node.level - (MODULES[module].name == "__init__.py")
    return ".".join([*parts[: len(parts) - depth], *filter(None, [node.module])])


def _home(package: str, name: str) -> str:
    """Return the module that defines an imported name."""
    if package == "spatial_v2" and (home := homes().get(ALIASES.get(name, name))):
        return f"spatial_v2.{home}"
    return inner if (inner := f"{package}.{name}") in MODULES else package


def _nodes(module: str, text: str | None) -> Iterator[ast.AST]:
    """Iterate over all nodes except those below ``if TYPE_CHECKING``."""
    todo: list[ast.AST] = [_tree(module) if text is None else ast.parse(text)]
    while todo:
        node = todo.pop()
        yield node
        test = node.test if isinstance(node, ast.If) else None
        types = isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
        todo += node.orelse if types else ast.iter_child_nodes(node)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))
