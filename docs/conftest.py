"""Examples of the pages run in an empty folder; pages about an absent library are left out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

collect_ignore = [] if importlib.util.find_spec("pinocchio") else ["pinocchio.md"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
