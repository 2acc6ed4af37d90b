"""Checked batches of measurements for `identify`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_vector

__all__ = ["Samples", "batch_size", "batches"]

_NUMBERS = 2**21
"""Number of entries that the regressor of one batch has by default, at most."""


class Samples(NamedTuple):
    """A batch of m measurements: q (m, NQ), and qd, qdd, tau (m, NV)."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray


def batch_size(model: Model, chunk: Any) -> int:
    """Return the number of samples in a batch: `chunk`, or a default for the size of the model.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> batch_size(autoTree(7), None)
    4279
    """
    if chunk is None:
        return max(64, _NUMBERS // (10 * free_tree(model).NB * model.NV))
    if not isinstance(chunk, (int, np.integer)) or chunk < 1:
        raise SpatialError(f"chunk must be a positive whole number of samples, got {chunk!r}")
    return int(chunk)


def batches(model: Model, chunk: int, q: Any, *others: Any) -> Iterator[Samples]:
    """Yield batches of at most `chunk` samples, from q, qd, qdd, tau or an iterable of these."""
    start = 0
    for arrays in _each(q) if all(x is None for x in others) else [(q, *others)]:
        whole = Samples(*(_rows(model, x, n) for x, n in zip(arrays, Samples._fields, strict=True)))
        lengths = [len(x) for x in whole]
        if len(set(lengths)) > 1:
            raise ArrayShapeError(
                f"q, qd, qdd, tau hold {', '.join(map(str, lengths))} samples; want equal numbers"
            )
        for k in range(0, lengths[0], chunk):
            part = Samples(*(np.asarray(x[k : k + chunk], dtype=np.float64) for x in whole))
            for name, x in zip(Samples._fields, part, strict=True):
                bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
                if len(bad):
                    raise ArrayShapeError(f"{name}: sample {start + k + bad[0]} is not finite")
            yield part
        start += lengths[0]


def _each(samples: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the tuples (q, qd, qdd, tau) of an iterable of batches, after checks."""
    if hasattr(samples, "shape") or not hasattr(samples, "__iter__"):
        raise ArrayShapeError(
            "qd, qdd and tau are missing; give all four arrays, or in place of q an iterable of "
            "batches (q, qd, qdd, tau)"
        )
    for k, batch in enumerate(samples):
        if not isinstance(batch, (tuple, list)) or len(batch) != 4:
            raise ArrayShapeError(f"batch {k}: want (q, qd, qdd, tau), got {_described(batch)}")
        yield tuple(batch)


def _described(batch: Any) -> str:
    if isinstance(batch, (tuple, list)):
        return f"{len(batch)} entries"
    return f"an object of type {type(batch).__name__}"


def _rows(model: Model, x: Any, name: str) -> np.ndarray:
    """Reshape samples to rows, without reading the data of a memory map."""
    if x is None:
        raise ArrayShapeError(f"{name} is missing; want arrays q, qd, qdd and tau")
    core = "q" if name == "q" else "v"
    n = model.NQ if core == "q" else model.NV
    if core == "q" and isinstance(model, CoupledModel) and not model.is_linear:
        of_tree = model.tree.NQ
        n = of_tree if np.shape(x)[-1:] == (of_tree,) else n
    if not isinstance(x, np.ndarray):
        x = np.asarray(check_vector(model, name, x, n, core))
    if x.dtype.kind not in "fiu":
        raise ArrayShapeError(f"{name}: want real numbers, got an array of {x.dtype}")
    if x.ndim == 0 or x.shape[-1] != n:
        check_vector(model, name, np.broadcast_to(0.0, x.shape), n, core)
    return np.asanyarray(x.reshape(-1, n))
