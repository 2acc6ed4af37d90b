"""Examples of docstrings and pages skip where they need a package that is not installed. Kernels
that take long to compile are for slow tests.
"""

from __future__ import annotations

import doctest
from collections.abc import Generator

import pytest

COSTLY = {
    "HandC_closed", "ID_derivatives_closed", "FD_derivatives_closed",
    "modID_second_derivatives_closed", "modFD_second_derivatives_closed",
}  # fmt: skip
"""Kernels of closed loops that only slow tests compile: together they take three minutes. Other
tests compute the same functions step by step.
"""
OURS = {"spatial_v2", "derivatives", "tensor_sva", "benchmarks", "examples"}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let a test compile costly kernels if it is slow."""
    from spatial_v2.calls.loading import has_kernels, needs_compiler
    from spatial_v2.mechanisms import at_once

    slow = item.get_closest_marker("slow") is not None

    def runs(name: str) -> bool:
        return has_kernels(name) and (slow or name not in COSTLY or not needs_compiler(name))

    at_once.has_kernels = runs  # type: ignore[attr-defined]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Run an example up to the import of a package that is missing."""
    try:
        return (yield)
    except doctest.UnexpectedException as error:
        cause = error.exc_info[1].__cause__ or error.exc_info[1]
        if isinstance(cause, ModuleNotFoundError) and cause.name:
            package = cause.name.partition(".")[0]
            if package not in OURS:
                pytest.skip(f"needs {package}")
        raise
