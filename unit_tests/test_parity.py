"""Law: docs/parity.toml, the one list of MATLAB functions, tells the truth about this library."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

TABLE: dict[str, dict[str, str | list[str]]] = tomllib.loads(
    (Path(__file__).parent.parent / "docs" / "parity.toml").read_text(encoding="utf-8")
)
ROWS = [(folder, name, value) for folder, rows in TABLE.items() for name, value in rows.items()]
HOMES = ("spatial_v2", "derivatives", "tensor_sva")
MATLAB_FOLDERS = ("three_d", "spatial", "joints", "models", "configuration", "dynamics")
ADDED = {
    "configurationDifference",
    "forward_kinematics",
    "ground_kinematics",
    "neutral",
    "puma560",
    "random_configuration",
    "weightless",
}
"""Pages without a MATLAB counterpart."""


def is_ported(value: str | list[str]) -> bool:
    return isinstance(value, list) or not value.startswith(("planned", "not ported: "))


def python_names(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


@pytest.mark.parametrize(("folder", "name", "value"), [r for r in ROWS if is_ported(r[2])])
def test_listed_name_can_be_imported(folder: str, name: str, value: str | list[str]) -> None:
    for dotted in python_names(value):
        package, attribute = dotted.rsplit(".", 1)
        assert callable(getattr(importlib.import_module(package), attribute)), dotted


@pytest.mark.parametrize(("folder", "name", "value"), [r for r in ROWS if not is_ported(r[2])])
def test_unported_name_does_not_exist(folder: str, name: str, value: str) -> None:
    homes = HOMES if folder == "tensors" else HOMES[:2]  # tensor_sva.vee is not the robot vee
    found = [home for home in homes if hasattr(importlib.import_module(home), name)]
    assert not found, f"{name} exists in {found}: docs/parity.toml still says {value!r}"


@pytest.mark.parametrize("folder", MATLAB_FOLDERS)
def test_public_function_with_a_page_of_its_own_is_listed(folder: str) -> None:
    package = importlib.import_module(f"spatial_v2.{folder}")
    pages = {path.stem for path in Path(package.__path__[0]).glob("*.py")} & set(package.__all__)
    listed = {n.rsplit(".", 1)[1] for _, _, v in ROWS if is_ported(v) for n in python_names(v)}
    assert pages - listed - ADDED == set()
