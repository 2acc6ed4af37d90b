"""The dependencies of a wheel: Numba, unless the wheel has all kernels."""

from __future__ import annotations

import shutil
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


def test_a_cross_compiler_makes_the_extension_for_another_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes into the folder that is given: the clone keeps its own beside the source."""
    pytest.importorskip("setuptools")
    command = "aarch64-linux-gnu-gcc"
    if shutil.which(command) is None:
        pytest.skip(f"no cross compiler ({command}) is installed")
    own = {x: x.read_bytes() for x in (ROOT / "spatial_v2/engine").glob("_call*.so")}
    monkeypatch.setenv("CC", command)
    made = hook(monkeypatch).build_extension(ROOT, tmp_path)
    assert made.parent == tmp_path
    assert made.read_bytes()[:4] == b"\x7fELF" and made.read_bytes()[18] == 183  # EM_AARCH64
    assert own == {x: x.read_bytes() for x in (ROOT / "spatial_v2/engine").glob("_call*.so")}
