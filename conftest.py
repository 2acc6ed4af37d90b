"""Examples of docstrings and pages skip where they need a package that is not installed. Kernels
that take long to compile are for long tests.

Matrix products get one thread each, in whatever process: several would wait for one another on
small matrices, and take ten times as long where another process works beside them. (Where Zarr is
installed, whose plugin imports NumPy before, this holds in the workers of `-n` alone.)
"""

from __future__ import annotations

import doctest
import importlib.util
import os
from collections.abc import Generator

os.environ["OPENBLAS_NUM_THREADS"] = os.environ.get("OPENBLAS_NUM_THREADS", "1")  # before NumPy

import default_kernels
import pytest

OURS = {"spatial_v2", "derivatives", "tensor_sva", "benchmarks", "examples"}


def pytest_configure(config: pytest.Config) -> None:
    """Compile few kernels if no long tests are asked for."""
    markers = config.getoption("markexpr")
    if importlib.util.find_spec("numba") and not ("slow" in markers or "wide" in markers):
        default_kernels.hold_back()


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
