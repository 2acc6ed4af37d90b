"""Examples of the pages run in an empty folder; pages about an absent library are left out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

NEEDS = {"pinocchio.md": "pinocchio", "interop.md": "torch"}
collect_ignore = [page for page, name in NEEDS.items() if not importlib.util.find_spec(name)]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
