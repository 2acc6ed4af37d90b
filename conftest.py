"""Examples of docstrings and pages skip where a package that they import is not installed."""

from __future__ import annotations

import importlib
import re

import pytest

OURS = {"spatial_v2", "derivatives", "tensor_sva", "benchmarks", "examples"}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Import what examples import; that a module of ours is missing is for the test to tell."""
    if isinstance(item, pytest.DoctestItem):
        source = "".join(x.source for x in item.dtest.examples)
        for line in re.findall(r"(?m)^ *(?:from|import) ([\w., ]+?)(?: import\b| as\b|$)", source):
            for name in re.split(r"[, ]+", line):
                try:
                    importlib.import_module(name)
                except ModuleNotFoundError as error:
                    if error.name and error.name.partition(".")[0] not in OURS:
                        pytest.skip(f"needs {error.name}")
