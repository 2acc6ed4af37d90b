"""States in Zarr groups, and the results that streams compute."""

from pathlib import Path

import numpy as np
import pytest

zarr = pytest.importorskip("zarr")

N, CHUNK = 100, 16
"""Number of states, and of states per chunk: six full chunks and a shorter one."""
SIZES = {"q": 3, "qd": 3, "qdd": 3}
SUMS = ["sum", "sine"]


def put(path: Path, **arrays: np.ndarray) -> Path:
    group = zarr.open_group(str(path), mode="w")
    for name, x in arrays.items():
        group[name] = x
    return path


def some(columns: dict[str, int] = SIZES, n: int = N) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    return {name: rng.normal(size=(n, k)) for name, k in columns.items()}


def results(path: Path, names: list[str] = SUMS) -> list[np.ndarray]:
    group = zarr.open_group(str(path), mode="r")
    return [np.asarray(group[name]) for name in names]
