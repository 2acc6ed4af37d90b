"""The dependencies of a wheel: Numba, unless the wheel has all kernels."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LISTED = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]


def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module of the hook, without the packages that pip installs for a build."""
    for name, kind in (
        ("hatchling.builders.hooks.plugin.interface", "BuildHookInterface"),
        ("hatchling.metadata.plugin.interface", "MetadataHookInterface"),
    ):
        module: Any = ModuleType(name)
        setattr(module, kind, type(kind, (), {"__class_getitem__": classmethod(lambda c, _: c)}))
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("hatchling", "hatchling.builders", "hatchling.builders.hooks"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    for name in ("hatchling.builders.hooks.plugin", "hatchling.metadata"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "hatchling.metadata.plugin", ModuleType("plugin"))
    made: dict[str, Any] = {"__name__": "hatch_build"}
    exec(compile((ROOT / "hatch_build.py").read_text("utf-8"), "hatch_build.py", "exec"), made)
    return SimpleNamespace(**made)


@pytest.mark.parametrize(
    ("asked", "needs"),
    [("", True), ("v3:ID,FDab", True), ("v3,v4", False), ("aarch64", False)],
)
def test_numba_is_left_out_of_wheels_with_all_kernels(
    asked: str, needs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPATIAL_V2_WHEEL_KERNELS", asked)
    dependencies = hook(monkeypatch).Dependencies()
    dependencies.config, given = LISTED, dict(PROJECT["project"])
    dependencies.update(given)
    assert [x for x in given["dependencies"] if x.startswith("numpy")]
    assert any(x.startswith("numba") for x in given["dependencies"]) == needs
    assert [*given["optional-dependencies"]["compile"]] == PROJECT["project"][
        "optional-dependencies"
    ]["compile"]
