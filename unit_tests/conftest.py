"""Shared fixtures, and the selection of tests by markers: ``pytest -m slow``.

Of a test with many parameters, the command without markers runs a part, in which each value of each
parameter occurs at least once, in combinations that differ from test to test. The marker
``thorough`` selects the rest.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ASKED, LONG = ("mutation", "results"), ("course", "slow", "thorough")
"""Markers of tests that run only if selected by marker; or also if they are named."""
FEW, TIMES = 12, 1
"""Number of parameter sets up to which all are run; how often each value is tried otherwise."""
CHOSEN = {"mixed", "negative", "SE3", "planar_tree", "floating_rotors"}
"""Models of the zoo that are selected first: all kinds of joints, branches, moving base, rotors."""


def pytest_configure(config: pytest.Config) -> None:
    """With ``-n`` no worker waits while another has tests left, nor compiles what others do.

    Matrix products have one thread each: on small matrices several wait for one another, and where
    every processor has a worker already they take ten times as long.
    """
    if getattr(config.option, "dist", None) == "load":
        config.option.dist = "worksteal"
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            command = [sys.executable, "-m", "spatial_v2", "warmup"]
            print("Compiling all kernels that are not yet compiled.", file=sys.stderr, flush=True)
            subprocess.run(command, cwd=config.rootpath, stdout=subprocess.DEVNULL, check=False)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what nobody asks for, by marker or name; slow tests first, so that none waits."""
    named = any("::" in arg for arg in config.args)
    mark_thorough([] if named else items)
    markers = ASKED if named else ASKED + LONG
    unasked = [name for name in markers if name not in config.getoption("markexpr")]
    out = [any(map(item.get_closest_marker, unasked)) for item in items]
    config.hook.pytest_deselected(items=[x for x, gone in zip(items, out, strict=True) if gone])
    items[:] = [x for x, gone in zip(items, out, strict=True) if not gone]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def mark_thorough(items: list[pytest.Item]) -> None:
    """Mark the parameter sets of which each value has already been tried often enough."""
    tests = defaultdict(list)
    for item in items:
        if hasattr(item, "callspec"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for group in tests.values():
        tried = Counter[Any]()
        for item in sorted(group, key=order) if len(group) > FEW else ():
            values = [(name, value(item, name)) for name in item.callspec.params]
            if all(tried[x] >= TIMES for x in values):
                item.add_marker("thorough")
            else:
                tried.update(values)


def order(item: Any) -> tuple[bool, int]:
    """Sort the chosen models first, and the others in an order that is the same on all machines."""
    names = [x for x in item.callspec.params.values() if isinstance(x, str)]
    return CHOSEN.isdisjoint(names), zlib.crc32(item.nodeid.encode())


def value(item: Any, name: str) -> Any:
    """Return an identifier of a parameter's value; for a `calls.Call`, the name of the function."""
    given = item.callspec.params[name]
    named = hasattr(given, "_fields") and hasattr(given, "name")
    return given.name if named else id(given)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
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
    """Count how often each product of an operator is computed."""
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
    """Dask client of a cluster of two processes on this machine."""
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
    """A floating tree, for files that define no model themselves."""
    import zoo

    return zoo.build("floating")


@pytest.fixture(scope="module")
def state(model: Any) -> Any:
    """A random state of `model`."""
    import zoo

    return zoo.states(model, np.random.default_rng(3))


@pytest.fixture
def x() -> dict[str, np.ndarray]:
    """Random states, the input of a stream."""
    from stream_samples import some

    return some()


@pytest.fixture
def states(tmp_path: Path, x: dict[str, np.ndarray]) -> Path:
    """The states of `x` in a Zarr group."""
    from stream_samples import put

    return put(tmp_path / "x.zarr", **x)
