"""Constants of modules, and numbers that are defaults of arguments, agree with a recorded file.

``python unit_tests/test_recorded_constants.py`` records them again after an intended change.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("recorded_constants.json")
PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")
LEFT_OUT = (
    "spatial_v2.engine", "spatial_v2.interop", "spatial_v2.control", "spatial_v2.joints.table",
    "spatial_v2.__main__",
)  # fmt: skip
"""Modules that are compiled, need other packages, or are measured by their own tests."""


def modules() -> Iterator[Any]:
    """Yield all modules of the packages, except those that are left out."""
    for package in PACKAGES:
        root = importlib.import_module(package)
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not info.name.startswith(LEFT_OUT):
                yield importlib.import_module(info.name)


def shown(x: Any) -> Any:
    """Return a number, text, or a tuple of these in a form that JSON keeps; None for others."""
    if isinstance(x, bool | int | str):
        return x
    if isinstance(x, float | complex | np.number):
        return f"{complex(x):.12g}" if isinstance(x, complex) else f"{float(x):.12g}"
    if isinstance(x, tuple) and len(x) < 20:
        inner = [shown(y) for y in x]
        return None if None in inner else inner
    return None


def defaults(function: Any) -> dict[str, Any]:
    """Return the defaults of a function that are numbers, texts, or tuples of these."""
    given = inspect.signature(inspect.unwrap(function)).parameters.values()
    found = {p.name: shown(p.default) for p in given if p.default is not p.empty}
    return {name: x for name, x in found.items() if x is not None}


def numbers() -> dict[str, Any]:
    """Return, for each module, its constants, and for each of its functions, the defaults."""
    found: dict[str, Any] = {}
    for module in modules():
        own: dict[str, Any] = {}
        for name, x in sorted(vars(module).items()):
            if name.startswith("__") or name == "TYPE_CHECKING":
                continue
            if name.isupper() and (value := shown(x)) is not None:
                own[name] = value
            parts = {name: x} if inspect.isfunction(x) else {}
            if inspect.isclass(x):
                parts = {f"{name}.{k}": f for k, f in vars(x).items() if inspect.isfunction(f)}
            for called, f in parts.items():
                here = inspect.unwrap(f).__module__ == module.__name__
                if here and not called.endswith("__new__") and (some := defaults(f)):
                    own[called] = some
        if own:
            found[module.__name__] = own
    return found


def test_constants_and_defaults_are_as_recorded() -> None:
    recorded, found = json.loads(FILE.read_text()), json.loads(json.dumps(numbers()))
    for name in recorded.keys() | found.keys():
        assert found.get(name) == recorded.get(name), name


def record() -> None:
    """Record constants and defaults in the file."""
    lines = (f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in numbers().items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
