"""Examples of the pages run in an empty folder; pages about an absent library are left out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

WANTED = {
    "balance.md": ("osqp",),
    "pinocchio.md": ("pinocchio",),
    "robots.md": ("pinocchio", "mujoco"),
    "interop.md": ("torch", "jax"),
}
collect_ignore = [
    page for page, names in WANTED.items() if not all(map(importlib.util.find_spec, names))
]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
