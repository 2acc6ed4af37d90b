"""The library of functions of every kind, built once for all files of tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from exported import Library, library_of_every_kind


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_of_every_kind(tmp_path_factory)


@pytest.fixture(scope="module")
def library(folder: Path) -> Library:
    return Library(folder / "lib" / "libspatial_v2.so")
