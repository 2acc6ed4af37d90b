"""Derivatives at more states than memory holds: from one Zarr group to another, chunk by chunk."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model

try:
    import zarr
except ImportError as error:
    raise ImportError(
        "spatial_v2.interop.stream needs Zarr: pip install 'spatial_v2[dask]'"
    ) from error

__all__ = ["Progress", "batches", "open_states", "stream"]

FORMAT = "spatial_v2 results 1"
CHUNK_BYTES = 1 << 24
"""Results of a chunk: 16 MB, some megabytes of states at most."""
PACK = 8
"""Chunks are of whole packs of states, no call has fewer: each computes what the whole would."""

Compute = Callable[..., Sequence[np.ndarray]]
"""Of a model and arrays of states: the results, one array each."""


class Progress(NamedTuple):
    """What `stream` has done so far."""

    done: int
    """States whose results are in the file, with those that were there before."""
    total: int
    """States in all."""


def open_states(path: str | Path, columns: dict[str, int]) -> Any:
    """The Zarr group of states, checked.

    Parameters
    ----------
    path : str or Path
        A group with an array (N, columns) for each name, one state a row.
    columns : dict of str to int
        Names and numbers of columns.

    Raises
    ------
    SpatialError
        No group, no states, or an array is missing or of another kind.
    ArrayShapeError
        An array of another shape.

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
            found = ", ".join(sorted(group.array_keys())) or "nothing"
            raise SpatialError(f"{path}: array {name} is missing; the group holds {found}")
        if array.dtype.kind not in "fiu":
            raise SpatialError(f"{path}: {name}: want real numbers, got {array.dtype}")
        if array.ndim != 2 or array.shape != (array.shape[0] if rows is None else rows, n):
            wanted = f"({'states' if rows is None else rows}, {n})"
            raise ArrayShapeError(f"{path}: {name}: want shape {wanted}, got {array.shape}")
        rows = array.shape[0]
    if not rows:
        raise SpatialError(f"{path}: holds no states")
    return group


def batches(
    path: str | Path, columns: dict[str, int], rows: int = 1 << 14
) -> Iterator[tuple[np.ndarray, ...]]:
    """The rows of a Zarr group, some at a time: for `identify`.

    Parameters
    ----------
    path : str or Path
        The group.
    columns : dict of str to int
        Names of the arrays and their columns, in the order in which they are wanted.
    rows : int, optional
        How many rows at a time.

    Yields
    ------
    tuple of array, shape (rows, columns)
        One for each name.
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
    """Fill a Zarr group with results at the states of another one.

    Parameters
    ----------
    compute : callable
        Of the model and arrays (n, columns) of states: results (n, ...), one array each. Worker
        processes get it by its name, so it stands in a module.
    names : sequence of str
        Names of the results.
    model : Model
        The rigid-body tree.
    states, out : str or Path
        Groups on a disk that all workers see.
    columns : dict of str to int
        Arrays of `states`, in the order that `compute` takes them.
    client : distributed.Client, optional
        Whose workers compute; without one it is done here.
    progress : callable, optional
        Called with a `Progress` after each chunk.

    Returns
    -------
    int
        States that were computed now; those that were there are left out.

    Raises
    ------
    SpatialError
        States that are missing something, or results of another model or other names.

    Notes
    -----
    A chunk of results is written before the digest of its states is: a job that is killed goes on
    where it was, and states that have changed since are computed again. Until all is there, results
    that are missing are NaN, and the attribute ``complete`` of the group is false. Chunks are
    independent, so a worker that dies costs its chunk alone; no more of them are under way than
    keep the workers busy.

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
    given = open_states(states, columns)
    first = next(iter(columns))
    total = given[first].shape[0]
    results = _results(compute, names, model, given, out, columns, total)
    size = results["digest"].attrs["states"]
    chunks = range(results["digest"].shape[0])
    here, there = str(Path(states).absolute()), str(Path(out).absolute())
    task = functools.partial(_chunk, compute, tuple(names), model, here, there, columns)
    results.attrs["complete"] = False
    before = results["digest"][:]
    done = computed = 0
    for k in map(task, chunks) if client is None else _spread(client, task, chunks):
        n = min(size, total - k * size)
        done += n
        computed += n if (results["digest"][k] != before[k]).any() else 0
        progress(Progress(done, total))
    results.attrs["complete"] = True
    return computed


def _results(
    compute: Compute, names: Sequence[str], model: Model, given: Any, out: str | Path,
    columns: dict[str, int], total: int,
) -> Any:  # fmt: skip
    """The group of results: as it stands, if it is of this job, else a new one."""
    few = [np.asarray(given[name][:1], dtype=np.float64) for name in columns]
    shapes = [x.shape[1:] for x in compute(model, *few)]
    row = 8 * sum(int(np.prod(shape)) for shape in shapes)
    size = max(CHUNK_BYTES // row // PACK, 1) * PACK
    job = {
        "format": FORMAT,
        "model": _digest_of_model(model),
        "names": list(names),
        "states": total,
    }
    if Path(out).exists():
        try:
            group = zarr.open_group(str(out), mode="r+")
        except (OSError, ValueError) as error:
            raise SpatialError(f"{out}: is there and not a Zarr group; it is left alone") from error
        known = group.attrs.get("job")
        known = known if isinstance(known, dict) else {}
        if known != job:
            other = next((key for key in job if known.get(key) != job[key]), "job")
            raise SpatialError(
                f"{out}: holds results of another job ({other} differs); it is left alone: name "
                "another group, or remove it"
            )
        return group
    if not Path(out).absolute().parent.is_dir():
        raise SpatialError(f"{out}: there is no folder for it")
    part = Path(out).with_name(f".{Path(out).name}.{os.getpid()}.part")
    try:
        group = zarr.open_group(str(part), mode="w")
        plain = {"compressors": None, "overwrite": True}
        for name, shape in zip(names, shapes, strict=True):
            sizes = {"shape": (total, *shape), "chunks": (size, *(max(n, 1) for n in shape))}
            group.create_array(name, **sizes, dtype="f8", fill_value=np.nan, **plain)
        chunks = -(-total // size)
        digest = group.create_array(
            "digest", shape=(chunks, 16), chunks=(1, 16), dtype="u1", **plain
        )
        digest.attrs["states"] = size
        group.attrs["job"] = job
        part.rename(out)
    except OSError as error:
        raise SpatialError(f"{out}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return zarr.open_group(str(out), mode="r+")


def _chunk(
    compute: Compute, names: tuple[str, ...], model: Model, states: str, out: str,
    columns: dict[str, int], k: int,
) -> int:  # fmt: skip
    """Compute chunk k, unless its results are there; its number."""
    given, results = zarr.open_group(states, mode="r"), zarr.open_group(out, mode="r+")
    size = results["digest"].attrs["states"]
    start = k * size
    stop = min(start + size, given[next(iter(columns))].shape[0])
    first = min(start, max(stop - PACK, 0))
    arrays = [np.asarray(given[name][first:stop], dtype=np.float64) for name in columns]
    digest = np.frombuffer(
        hashlib.blake2b(b"".join(x.tobytes() for x in arrays), digest_size=16).digest(), np.uint8
    )
    if np.array_equal(results["digest"][k], digest):
        return k
    for name, x in zip(columns, arrays, strict=True):
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
        if len(bad):
            raise SpatialError(f"{states}: {name}[{first + bad[0]}] is not finite")
    results["digest"][k] = 0
    for name, x in zip(names, compute(model, *arrays), strict=True):
        results[name][start:stop] = x[start - first :]
    results["digest"][k] = digest
    return k


def _spread(client: Any, task: Any, chunks: range) -> Iterator[int]:
    """Chunks as they are finished by the workers of a client, a few under way for each."""
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    waiting = iter(chunks)
    ahead = 2 * max(sum(client.nthreads().values()), 1)
    futures = {client.submit(task, k, pure=False) for k in islice(waiting, ahead)}
    under_way = as_completed(list(futures))
    try:
        for future in under_way:
            yield future.result()
            futures.discard(future)
            for k in islice(waiting, 1):
                following = client.submit(task, k, pure=False)
                futures.add(following)
                under_way.add(following)
    except KilledWorker as error:
        raise SpatialError(f"worker processes die: {error}") from error
    finally:
        if futures:
            client.cancel(list(futures))


def _digest_of_model(model: Model) -> str:
    """What the results depend on, in few letters."""
    snapshot = model.checked()
    if snapshot.digest is None:
        raise SpatialError("model: want arrays of numbers, to stream by it")
    parts = snapshot.digest, model.parent.tolist(), model.jtype
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()
