"""The Zarr group of results of `stream`: created once, filled by one job at a time."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

try:
    import zarr as zarr
except ImportError as error:
    raise ImportError(
        "spatial_v2.interop.stream needs Zarr: pip install 'spatial_v2[dask]'"
    ) from error
try:
    import fcntl
except ImportError:  # systems without POSIX file locks
    fcntl = None  # type: ignore[assignment]

__all__ = ["DIGEST", "alone", "check_target", "digest_of", "job_of", "lay_out", "written"]

FORMAT = "spatial_v2 results 3"
DIGEST = 16
"""Number of bytes of a digest; a chunk has two, of its states and of its results."""


def digest_of(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return the digest of the numbers in a list of arrays.

    Examples
    --------
    >>> digest_of([np.zeros(3)]).shape
    (16,)
    """
    made = hashlib.blake2b(digest_size=DIGEST)
    for x in arrays:
        made.update(np.ascontiguousarray(x).tobytes())
    return np.frombuffer(made.digest(), np.uint8)


def job_of(names: Sequence[str], model: Model, total: int) -> dict[str, Any]:
    """Return the identification of a job, which the group stores as its attribute ``job``."""
    state = model.checked()
    if state.foreign is not None:
        raise SpatialError("model: want NumPy arrays of numbers, got arrays of another kind")
    digest = state.digest.hex()
    return {"format": FORMAT, "model": digest, "names": list(names), "states": total}


def check_target(out: str | Path, job: dict[str, Any]) -> bool:
    """Return whether the group of a job exists; raise an error if it belongs to another job.

    Parameters
    ----------
    out : str or Path
        Path of the group.
    job : dict
        Result of `job_of`.

    Raises
    ------
    SpatialError
        If something else exists at the path, or there is no folder for it in which this process may
        write.
    """
    if not os.path.lexists(out):
        folder = Path(out).absolute().parent
        if not folder.is_dir():
            raise SpatialError(f"{out}: the folder {folder} does not exist; create it first")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise SpatialError(f"{out}: cannot be written: no permission to write in {folder}")
        return False
    try:
        group = zarr.open_group(str(out), mode="r+")
    except (OSError, ValueError) as error:
        raise SpatialError(f"{out}: exists and is not a Zarr group; it was not changed") from error
    known = group.attrs.get("job")
    known = known if isinstance(known, dict) else {}
    if known != job:
        other = next((key for key in job if known.get(key) != job[key]), "job")
        raise SpatialError(
            f"{out}: holds results of another job ({other} differs); it is left alone: name "
            "another group, or remove it"
        )
    for name in [*job["names"], "digest"]:
        if not isinstance(group.get(name), zarr.Array):
            raise SpatialError(f"{out}: array {name} is missing; remove the group to start again")
    return True


def lay_out(
    out: str | Path, job: dict[str, Any], shapes: Sequence[tuple[int, ...]], size: int
) -> None:
    """Create the group with a given chunk size, unless another process has created it."""
    part = Path(out).with_name(f".{Path(out).name}.{uuid.uuid4().hex}.part")
    total = job["states"]
    with written(out):
        try:
            group = zarr.open_group(str(part), mode="w", zarr_format=3)
            plain = {"compressors": None, "overwrite": True, "config": {"write_empty_chunks": True}}
            for name, shape in zip(job["names"], shapes, strict=True):
                sizes = {"shape": (total, *shape), "chunks": (size, *(max(n, 1) for n in shape))}
                group.create_array(name, **sizes, dtype="f8", fill_value=np.nan, **plain)
            row = (1, 2 * DIGEST)
            shape = (-(-total // size), row[1])
            group.create_array("digest", shape=shape, chunks=row, dtype="u1", **plain)
            group["digest"].attrs["states"] = size
            group.attrs["job"] = job
            part.rename(out)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        finally:
            shutil.rmtree(part, ignore_errors=True)


@contextmanager
def alone(out: str | Path) -> Iterator[None]:
    """Lock a Zarr group of results for one job inside a ``with`` block.

    The lock is the operating system's, on a file of the group that is never rewritten, so it is
    released when the process ends. If the system or the disk has no such locks, two jobs may both
    compute and write the same numbers.

    Parameters
    ----------
    out : str or Path
        Folder of the Zarr group.

    Raises
    ------
    SpatialError
        If another job is writing to the group.
    """
    with open(Path(out, "digest", "zarr.json"), "r+b") as file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SpatialError(
                f"{out}: another process is filling it; wait until it ends, or end it, and run "
                "this again: its results are kept"
            ) from error
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
                raise
        yield


@contextmanager
def written(out: str | Path) -> Iterator[None]:
    """Convert errors of the system while writing to errors that name the path and the reason."""
    try:
        yield
    except OSError as error:
        raise SpatialError(f"{out}: cannot be written: {error.strerror or error}") from error
