"""Shared fixtures, and preparations before the tests are collected."""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import default_kernels
import numpy as np
import parameters
import pytest
from time_limit import TimeLimit


def pytest_configure(config: pytest.Config) -> None:
    """With ``-n``, let idle workers take over tests of others, and compile kernels before the
    tests.

    Hypothesis draws the same examples in every run.
    """
    config.pluginmanager.register(parameters)
    config.pluginmanager.register(TimeLimit())
    if importlib.util.find_spec("hypothesis"):
        from hypothesis import settings

        settings.register_profile("same", derandomize=True, deadline=None, max_examples=25)
        settings.load_profile("same")
    if getattr(config.option, "dist", None) == "load":
        config.option.dist = "worksteal"
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            print("Compiling all kernels that are not yet compiled.", file=sys.stderr, flush=True)
            command = [sys.executable, default_kernels.__file__]
            subprocess.run(
                command, cwd=config.rootpath, env=os.environ | {"PYTHONPATH": str(config.rootpath)},
                stdout=subprocess.DEVNULL, check=False,
            )  # fmt: skip


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip tests of robots of the package example-robot-data, if it is not installed."""
    try:
        return (yield)
    except (Exception, pytest.fail.Exception) as error:
        why = error.__context__ or error  # `pytest.warns` tells first that nobody has warned
        line = traceback.extract_tb(why.__traceback__)[-1].line or ""
        if "install example-robot-data" in str(why) or "example_robots()[" in line:
            from spatial_v2.io import example_robots

            if not example_robots():
                pytest.skip("needs example-robot-data")
        raise


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start a headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs a Chromium")
    with sync_api.sync_playwright() as play:
        flags = ["--enable-unsafe-swiftshader", "--no-sandbox"]
        chromium = play.chromium.launch(executable_path=program, args=flags)
        yield chromium
        chromium.close()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each kind of product of an operator is computed, such as a gradient."""
    from spatial_v2.interop.operators.problem import Problem

    count: Counter[str] = Counter()
    compute = Problem.compute

    def counted(self: Problem, kind: str, *arrays: Any) -> Any:
        count[kind] += 1
        return compute(self, kind, *arrays)

    monkeypatch.setattr(Problem, "compute", counted)
    return count


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make chunks of Zarr groups as small as a few states."""
    from stream_samples import CHUNK

    from spatial_v2.interop import stream

    monkeypatch.setattr(stream, "CHUNK_BYTES", CHUNK * 8 * 4)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Start a Dask cluster of two processes on this machine, and return a client of it."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as made,
    ):  # fmt: skip
        yield made


@pytest.fixture(scope="module")
def model() -> Any:
    """Make a floating tree, for test files that define no model themselves."""
    import zoo

    return zoo.build("floating")


@pytest.fixture(scope="module")
def state(model: Any) -> Any:
    """Draw a random state of `model`."""
    import zoo

    return zoo.states(model, np.random.default_rng(3))


@pytest.fixture
def x() -> dict[str, np.ndarray]:
    """Draw random states, which a stream reads."""
    from stream_samples import some

    return some()


@pytest.fixture
def states(tmp_path: Path, x: dict[str, np.ndarray]) -> Path:
    """Write the states of `x` into a Zarr group."""
    from stream_samples import put

    return put(tmp_path / "x.zarr", **x)
