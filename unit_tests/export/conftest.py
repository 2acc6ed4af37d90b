"""The library of functions of every kind, built once for all files of tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from exported import Library, library_of_every_kind
from octave_mex import made_wheel


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_of_every_kind(tmp_path_factory)


@pytest.fixture(scope="module")
def library(folder: Path) -> Library:
    return Library(folder / "lib" / "libspatial_v2.so")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_wheel(tmp_path_factory.mktemp("wheel"))
