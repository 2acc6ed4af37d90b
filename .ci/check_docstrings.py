"""Validate the docstring of every public name with numpydoc, by the checks pyproject.toml lists.

Parameters that many functions have are described in ``parameters.toml``; docstrings repeat these
descriptions word by word, and ``--write`` copies them there.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType

from numpydoc.validate import ERROR_MSGS, validate

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("spatial_v2", "tensor_sva", "derivatives")
INTERNAL = {
    "spatial_v2.arrays", "spatial_v2.calls", "spatial_v2.constraints", "spatial_v2.engine",
    "spatial_v2.matlab",  # each docstring only names the function that it adapts to MATLAB's call
}  # fmt: skip


def packages() -> Iterator[ModuleType]:
    """The three packages and their public subpackages."""
    for name in PACKAGES:
        module = importlib.import_module(name)
        yield module
        for info in pkgutil.iter_modules(module.__path__, f"{name}."):
            if info.ispkg and info.name not in INTERNAL:
                yield importlib.import_module(info.name)


def public_names() -> set[str]:
    """Dotted names of the public functions and classes, each where it is defined."""
    members = (getattr(m, name) for m in packages() for name in getattr(m, "__all__", ()))
    return {
        f"{x.__module__}:{x.__qualname__}"
        for x in members
        if inspect.isfunction(x) or (inspect.isclass(x) and x.__module__.startswith(PACKAGES))
    }


def errors_of(name: str, checks: set[str]) -> Iterator[str]:
    """The errors of one docstring; records document attributes, and exceptions need no example."""
    obj = getattr(importlib.import_module(name.split(":")[0]), name.split(":")[1])
    is_record = inspect.isclass(obj) and (
        issubclass(obj, tuple | dict | Exception) or is_dataclass(obj)
    )
    for code, text in validate(name.replace(":", "."))["errors"]:
        if code in checks - ({"PR01", "EX01"} if is_record else set()):
            yield f"{name.replace(':', '.')}: {code} {text}"


def shared(name: str, docstring: str) -> str:
    """The docstring of a function with the descriptions of ``parameters.toml``."""
    lines = docstring.split("\n")
    table = tomllib.loads((ROOT / ".ci" / "parameters.toml").read_text(encoding="utf-8"))
    for header, row in table.items():
        found = [i for i, line in enumerate(lines) if line.strip() == header]
        if not found or name in row.get("own", ()):
            continue
        begin = found[0] + 1
        indent = " " * (len(lines[begin]) - len(lines[begin].lstrip()))
        end = begin
        while end < len(lines) and lines[end].startswith(indent) and lines[end].strip():
            end += 1
        lines[begin:end] = wrapped(row["text"], indent)
    return "\n".join(lines)


def wrapped(text: str, indent: str) -> list[str]:
    """Lines of a description, code in backquotes unbroken."""
    whole = re.sub(r"``[^`]*``|\[[^]]*\]", lambda m: m[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(
        whole, 100, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [line.replace("\0", " ") for line in lines]


def described(source: str) -> str:
    """The text of a module, its docstrings with the descriptions of ``parameters.toml``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            text = ast.get_docstring(node, clean=False)
            if text and text in source:
                source = source.replace(text, shared(node.name, text))
    return source


def parameter_errors(write: bool) -> Iterator[str]:
    """Files whose docstrings describe parameters otherwise; these are written anew on demand."""
    for file in (x for package in PACKAGES for x in sorted((ROOT / package).rglob("*.py"))):
        source = file.read_text(encoding="utf-8")
        if (mended := described(source)) != source:
            if write:
                file.write_text(mended, encoding="utf-8")
            else:
                yield f"{file.relative_to(ROOT)}: a parameter differs from parameters.toml; --write"


def main() -> int:
    sys.path.insert(0, str(ROOT))
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(config["tool"]["numpydoc_validation"]["checks"])
    checks = set(ERROR_MSGS) - listed if "all" in listed else listed
    names = public_names()
    errors = [error for name in sorted(names) for error in errors_of(name, checks)]
    errors += parameter_errors("--write" in sys.argv)
    print(*errors, f"{len(names)} public names, {len(errors)} errors", sep="\n")
    return bool(errors)


if __name__ == "__main__":
    raise SystemExit(main())
