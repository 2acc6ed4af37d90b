"""Validate the docstring of every public name with numpydoc, by the checks pyproject.toml lists."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
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
    "spatial_v2.matlab",  # MATLAB's calls, each of which names the function that it is of
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


def main() -> int:
    sys.path.insert(0, str(ROOT))
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(config["tool"]["numpydoc_validation"]["checks"])
    checks = set(ERROR_MSGS) - listed if "all" in listed else listed
    names = public_names()
    errors = [error for name in sorted(names) for error in errors_of(name, checks)]
    print(*errors, f"{len(names)} public names, {len(errors)} errors", sep="\n")
    return bool(errors)


if __name__ == "__main__":
    raise SystemExit(main())
