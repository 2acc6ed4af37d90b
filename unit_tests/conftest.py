"""What tests share, and those that run only where their marker asks: ``pytest -m mutation``."""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

ASKED = ("mutation", "results")


def pytest_configure(config: pytest.Config) -> None:
    """With ``-n`` no worker waits while another has tests left."""
    if getattr(config.option, "dist", None) == "load":
        config.option.dist = "worksteal"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow tests come first, so that the others do not wait for them at the end."""
    unasked = [name for name in ASKED if name not in config.getoption("markexpr")]
    left = [item for item in items if not any(map(item.get_closest_marker, unasked))]
    config.hook.pytest_deselected(items=[item for item in items if item not in left])
    left.sort(key=lambda item: item.get_closest_marker("slow") is None)
    items[:] = left


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
    """How often each product of an operator was computed."""
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
    """Chunks of groups of Zarr of a few states."""
    from stream_samples import CHUNK

    from spatial_v2.interop import stream

    monkeypatch.setattr(stream, "CHUNK_BYTES", CHUNK * 8 * 4)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Of a cluster of two processes on this machine."""
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
    """A floating tree, where a file has no model of its own."""
    import zoo

    return zoo.build("floating")


@pytest.fixture(scope="module")
def state(model: Any) -> Any:
    """A state of it."""
    import zoo

    return zoo.states(model, np.random.default_rng(3))
