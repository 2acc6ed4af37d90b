"""Computation at more states than memory holds: from one Zarr group to another, by chunks."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.interop.stream_group import (
    DIGEST,
    alone,
    check_target,
    digest_of,
    job_of,
    lay_out,
    written,
    zarr,
)
from spatial_v2.interop.stream_workers import Lost, spread
from spatial_v2.model import Model

__all__ = ["Progress", "batches", "check_stream", "open_states", "stream"]

CHUNK_BYTES = 1 << 24
"""Size of a chunk of results, 16 MB; its states take a few megabytes at most."""
PACK = 8
"""The number of states in a chunk is a multiple of this, whole SIMD batches, so that results do
not depend on the chunk size.
"""

Compute = Callable[..., Sequence[np.ndarray]]
"""Function of a model and arrays of states that returns the results, one array each."""


class Progress(NamedTuple):
    """Progress of `stream`."""

    done: int
    """Number of states whose results are stored, including those of earlier runs."""
    total: int
    """Number of states."""


def open_states(path: str | Path, columns: dict[str, int]) -> Any:
    """Open the Zarr group of states, and check its arrays.

    Parameters
    ----------
    path : str or Path
        A group with an array (N, columns) for each name, one state per row.
    columns : dict of str to int
        Number of columns of each array, by name.

    Raises
    ------
    SpatialError
        If there is no group or no state, or an array is missing or not of real numbers.
    ArrayShapeError
        If an array has the wrong shape.

    Examples
    --------
    >>> open_states("nowhere.zarr", {"q": 6})
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: nowhere.zarr: not a Zarr group that can be read
    """
    try:
        group = zarr.open_group(str(path), mode="r")
    except (OSError, ValueError) as error:
        raise SpatialError(f"{path}: not a Zarr group that can be read") from error
    rows: int | None = None
    for name, n in columns.items():
        array = group.get(name)
        if not isinstance(array, zarr.Array):
            names = ", ".join(sorted(group.array_keys())) or "nothing"
            raise SpatialError(f"{path}: array {name} is missing; the group holds {names}")
        if array.dtype.kind not in "fiu":
            raise SpatialError(f"{path}: {name}: want real numbers, got {array.dtype}")
        if array.ndim != 2 or array.shape != (array.shape[0] if rows is None else rows, n):
            wanted = f"({'states' if rows is None else rows}, {n})"
            raise ArrayShapeError(f"{path}: {name}: want shape {wanted}, got {array.shape}")
        rows = array.shape[0]
    if not rows:
        raise SpatialError(f"{path}: want arrays with at least one state, got none")
    return group


def batches(
    path: str | Path, columns: dict[str, int], rows: int = 1 << 14
) -> Iterator[tuple[np.ndarray, ...]]:
    """Iterate over the rows of a Zarr group in batches, for `identify`.

    Parameters
    ----------
    path : str or Path
        The group.
    columns : dict of str to int
        Number of columns of each array, by name, in the order in which arrays are returned.
    rows : int, optional
        Number of rows in a batch.

    Yields
    ------
    tuple of array, shape (rows, columns)
        One array for each name.
    """
    group = open_states(path, columns)
    total = group[next(iter(columns))].shape[0]
    for first in range(0, total, rows):
        yield tuple(
            np.asarray(group[name][first : first + rows], dtype=np.float64) for name in columns
        )


def stream(
    compute: Compute,
    names: Sequence[str],
    model: Model,
    states: str | Path,
    out: str | Path,
    columns: dict[str, int],
    client: Any = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> int:
    """Compute results at the states of a Zarr group, and store them in another Zarr group.

    Parameters
    ----------
    compute : callable
        Function of the model and arrays (n, columns) of states that returns a sequence of arrays
        (n, ...). Worker processes import it by name, so it must be defined in a module.
    names : sequence of str
        Names of the results.
    model : Model
        The rigid-body tree.
    states, out : str or Path
        Paths of the two groups, on a disk that all workers can access.
    columns : dict of str to int
        Number of columns of each array in `states`, by name, in the order of the arguments of
        `compute`.
    client : distributed.Client, optional
        Dask client whose workers compute; by default this process does.
    progress : callable, optional
        Called with a `Progress` after each chunk.

    Returns
    -------
    int
        Number of states computed by this call; results stored by earlier calls are not counted.

    Raises
    ------
    SpatialError
        If an array of states is missing or not finite, `out` has results of another model or with
        other names, another process is filling it, the disk is full, or the cluster stops working.

    Warns
    -----
    UserWarning
        If stored results were changed, cut short or removed, a worker has gone, or the cluster has
        no workers.

    Notes
    -----
    The digests of a chunk's states and results are written after the results themselves. A job that
    was killed therefore continues where it stopped, and chunks whose states or results have changed
    since are computed again. Until all chunks are stored, missing results are NaN, and the group's
    attribute ``complete`` is false. Chunks are independent: if a worker dies, only its chunk is
    computed again. Only as many chunks are submitted as keep the workers busy.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2 import ID, autoTree
    >>> temporary = tempfile.TemporaryDirectory()
    >>> folder = Path(temporary.name)
    >>> x = np.random.default_rng(0).normal(size=(3, 1000, 4))
    >>> given = zarr.open_group(str(folder / "x.zarr"), mode="w")
    >>> for name, values in zip(("q", "qd", "qdd"), x):
    ...     given[name] = values
    >>> def compute(model, q, qd, qdd):
    ...     return [ID(model, q, qd, qdd)]
    >>> places = folder / "x.zarr", folder / "tau.zarr"
    >>> job = compute, ["tau"], autoTree(4), *places, {"q": 4, "qd": 4, "qdd": 4}
    >>> stream(*job), stream(*job)
    (1000, 0)
    >>> results = zarr.open_group(str(places[1]), mode="r")
    >>> results.attrs["complete"], np.array_equal(results["tau"], ID(autoTree(4), *x))
    (True, True)
    >>> temporary.cleanup()
    """
    job = check_stream(names, model, states, out, columns)
    group, total = open_states(states, columns), job["states"]
    if not check_target(out, job):
        first_states = [np.asarray(group[name][:1], dtype=np.float64) for name in columns]
        shapes = [x.shape[1:] for x in compute(model, *first_states)]
        row = 8 * sum(int(np.prod(shape)) for shape in shapes)
        lay_out(out, job, shapes, max(CHUNK_BYTES // row // PACK, 1) * PACK)
        check_target(out, job)
    with alone(out):
        return _fill(compute, names, model, states, out, columns, total, client, progress)


def check_stream(
    names: Sequence[str], model: Model, states: str | Path, out: str | Path, columns: dict[str, int]
) -> dict[str, Any]:
    """Check the arguments of `stream` before anything is computed.

    Parameters
    ----------
    names, model, states, out, columns
        As in `stream`.

    Returns
    -------
    dict
        Identification of the job: digest of the model, names of results, number of states.

    Raises
    ------
    SpatialError
        As in `stream`.
    """
    total = open_states(states, columns)[next(iter(columns))].shape[0]
    job = job_of(names, model, total)
    check_target(out, job)
    return job


def _fill(
    compute: Compute, names: Sequence[str], model: Model, states: str | Path, out: str | Path,
    columns: dict[str, int], total: int, client: Any, progress: Callable[[Progress], None],
) -> int:  # fmt: skip
    """Compute the missing results of an existing group; return the number of states computed."""
    results = zarr.open_group(str(out), mode="r+")
    size = results["digest"].attrs["states"]
    chunks = range(results["digest"].shape[0])
    here, there = str(Path(states).absolute()), str(Path(out).absolute())
    task = functools.partial(_chunk, compute, tuple(names), model, here, there, columns)
    with written(out):
        results.attrs["complete"] = False
    done = computed = damaged = 0
    try:
        for k, new, lost in map(task, chunks) if client is None else spread(client, task, chunks):
            n = min(size, total - k * size)
            done += n
            computed += n * new
            damaged += n * lost
            progress(Progress(done, total))
    except Lost as error:
        raise SpatialError(
            f"{error}; {done} of {total} states are done, and {out} keeps them: run this again to "
            "go on from there"
        ) from error
    with written(out):
        results.attrs["complete"] = True
    if damaged:
        warnings.warn(
            f"{out}: results of {damaged} states had been changed, cut short or removed since they "
            "were written, and were computed again",
            stacklevel=3,
        )
    return computed


def _chunk(
    compute: Compute, names: tuple[str, ...], model: Model, states: str, out: str,
    columns: dict[str, int], k: int,
) -> tuple[int, bool, bool]:  # fmt: skip
    """Compute and store chunk k, unless its results are already stored.

    Returns k, whether the chunk was computed now, and whether it had been stored before but its
    results were damaged.
    """
    inputs, results = _opened(states, "r"), _opened(out, "r+")
    size = results["digest"].attrs["states"]
    start = k * size
    stop = min(start + size, inputs[next(iter(columns))].shape[0])
    first = min(start, max(stop - PACK, 0))
    arrays = []
    for name in columns:
        x = _read(inputs[name], slice(first, stop))
        if x is None:
            raise SpatialError(f"{states}: {name}[{first}:{stop}] cannot be read")
        arrays.append(np.asarray(x, dtype=np.float64))
    digest, known = digest_of(arrays), _read(results["digest"], slice(k, k + 1))
    were_there = known is not None and np.array_equal(known[0, :DIGEST], digest)
    if known is not None and were_there:
        parts = [_read(results[name], slice(start, stop)) for name in names]
        whole = [x for x in parts if x is not None]
        if len(whole) == len(names) and np.array_equal(known[0, DIGEST:], digest_of(whole)):
            return k, False, False
    for name, x in zip(columns, arrays, strict=True):
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
        if len(bad):
            raise SpatialError(f"{states}: {name}[{first + bad[0]}] is not finite")
    values = [x[start - first :] for x in compute(model, *arrays)]
    with written(out):
        results["digest"][k] = 0
        for name, x in zip(names, values, strict=True):
            results[name][start:stop] = x
        results["digest"][k] = np.concatenate([digest, digest_of(values)])
    return k, True, were_there


def _opened(path: str, mode: Any) -> Any:
    """Open a group in the process that computes: a worker may see other disks than the caller."""
    try:
        return zarr.open_group(path, mode=mode)
    except (OSError, ValueError) as error:
        raise SpatialError(
            f"{path}: the process that computes cannot open this Zarr group: {error}; give a path "
            "on a disk that all workers can access"
        ) from error


def _read(array: Any, rows: slice) -> np.ndarray | None:
    """Read rows of an array; return None if the file is cut short or cannot be read."""
    try:
        return np.asarray(array[rows])
    except (OSError, ValueError):
        return None
