"""Streams that are interrupted: full disks, dead workers, damaged results."""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stream_jobs
from stream_samples import CHUNK, SIZES, SUMS, N
from test_stream import Counted, assert_right, job

from spatial_v2 import Model
from spatial_v2.exceptions import SpatialError

zarr = pytest.importorskip("zarr")
distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
streaming = pytest.importorskip("spatial_v2.interop.stream")
workers = pytest.importorskip("spatial_v2.interop.stream_workers")

pytestmark = pytest.mark.usefixtures("small_chunks")


@pytest.mark.slow
def test_a_killed_process_leaves_whole_chunks(
    tmp_path: Path, states: Path, x: dict[str, np.ndarray]
) -> None:
    """After a process is killed in the fifth chunk, four chunks are stored, and the rest is
    computed later.
    """
    row = float(x["q"][70, 0])
    code = f"""
import functools, stream_jobs
from spatial_v2 import autoTree
from spatial_v2.interop import stream
stream.CHUNK_BYTES = {streaming.CHUNK_BYTES}
compute = functools.partial(stream_jobs.sums_or_death, {str(tmp_path / "flag")!r}, {row!r})
out = {str(states.with_name("y.zarr"))!r}
stream.stream(compute, {SUMS}, autoTree(3), {str(states)!r}, out, {SIZES})
"""
    folders = [str(Path(__file__).parents[1] / "support"), str(Path(__file__).parents[2])]
    command = f"import sys; sys.path[:0] = {folders}\n{code}"
    ended = subprocess.run([sys.executable, "-c", command], capture_output=True, check=False)
    assert ended.returncode == -9, ended.stderr
    counted = Counted()
    assert job(states, counted) == N - 4 * CHUNK
    assert len(counted.chunks) == 3
    assert_right(states, x)


def chunk_files(states: Path, name: str) -> list[Path]:
    """Return the files of all chunks of a result, in order."""
    files = [x for x in states.with_name("y.zarr").glob(f"{name}/c/**/*") if x.is_file()]
    return sorted(files, key=lambda x: [int(part) for part in x.parts if part.isdigit()])


def flip(path: Path) -> None:
    """Change one bit of the first number in a file."""
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.write_bytes(content)


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "overwritten": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "a bit": flip,
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-8]),
    "empty": lambda path: path.write_bytes(b""),
    "deleted": Path.unlink,
}


@pytest.mark.parametrize("name", [*SUMS, "digest"])
def test_results_that_are_not_what_was_written_are_computed_again(
    states: Path, x: dict[str, np.ndarray], name: str
) -> None:
    """For any damage to the file of a chunk, only this chunk is computed again."""
    job(states)
    files = chunk_files(states, name)
    for damage, k in zip(DAMAGE.values(), (0, 2, 3, 5, 6), strict=True):
        damage(files[k])
    counted = Counted()
    if name == "digest":  # without digests, all results count as missing
        assert job(states, counted) == 4 * CHUNK + 4
    else:
        with pytest.warns(UserWarning, match="results of 68 states had been changed, cut"):
            assert job(states, counted) == 4 * CHUNK + 4
    assert counted.chunks == [CHUNK] * 4 + [8]
    assert_right(states, x)
    assert job(states) == 0


def test_results_of_nan_are_written(states: Path) -> None:
    """A chunk whose results are NaN is stored, and not computed again each time."""

    def nothing(model: Model, q: np.ndarray, *_: np.ndarray) -> list[np.ndarray]:
        return [q + np.nan, -q[:, 0] * np.nan]

    assert job(states, nothing) == N
    assert job(states, nothing) == 0


def test_a_missing_result_is_computed_again(states: Path) -> None:
    job(states)
    shutil.rmtree(states.with_name("y.zarr") / "sine")
    with pytest.raises(SpatialError, match=r"y.zarr: array sine is missing; remove the group"):
        job(states)


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX systems")
def test_a_full_disk_names_the_file(states: Path, x: dict[str, np.ndarray]) -> None:
    """A full disk is an error that names the file; earlier results are kept.

    A limit on the size of files takes the place of a full disk.
    """
    import resource

    def stop(p: Any) -> None:
        if p.done == 3 * CHUNK:
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with pytest.raises(SpatialError, match=r"y.zarr: cannot be written: File too large"):
            job(states, progress=stop)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert job(states) == N - 3 * CHUNK
    assert_right(states, x)


def test_a_cluster_without_workers_is_told(
    states: Path, x: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job without workers warns, waits, and ends with an error that states the progress and how
    to continue.
    """
    monkeypatch.setattr(workers, "PATIENCE", 0.1)
    monkeypatch.setattr(workers, "LIMIT", 0.4)
    ended = (
        r"no worker has come to the scheduler at tcp://.* for 0 s; 0 of 100 states are done, and "
        r".*y.zarr keeps them: run this again"
    )
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as none,
        distributed.Client(none) as client,
        pytest.warns(UserWarning, match="has no workers; waiting up to 0 s for one"),
        pytest.raises(SpatialError, match=ended),
    ):
        job(states, client=client)
    assert job(states) == N
    assert_right(states, x)


SCHEDULER = """
import sys
import distributed
if __name__ == "__main__":
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.slow
def test_a_scheduler_that_dies_is_told(states: Path, x: dict[str, np.ndarray]) -> None:
    """If the scheduler is killed, one sentence states the progress and what to do."""
    folders = os.pathsep.join(
        [str(Path(__file__).parents[1] / "support"), str(Path(__file__).parents[2])]
    )
    process = subprocess.Popen(
        [sys.executable, "-c", SCHEDULER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": folders}, text=True,
    )  # fmt: skip
    assert process.stdout
    address = process.stdout.readline().strip()

    def stop(p: Any) -> None:
        if p.done == 2 * CHUNK:
            process.kill()
            process.wait()

    said = (
        rf"the scheduler at {address} no longer answers; \d+ of 100 "
        rf"states are done, and .*y.zarr keeps"
    )
    short = {"distributed.comm.timeouts.connect": "2s"}
    with dask.config.set(short), distributed.Client(address, timeout=10) as client:  # noqa: SIM117
        with pytest.raises(SpatialError, match=said) as error:
            job(states, client=client, progress=stop)
    process.communicate()
    assert "\n" not in str(error.value)
    assert job(states) <= N - 2 * CHUNK
    assert_right(states, x)


@pytest.mark.slow
def test_an_error_of_a_worker_is_told_as_it_is(client: Any, states: Path) -> None:
    """An error in a worker is raised as it is, not as an error of the scheduler."""
    with pytest.raises(FileNotFoundError, match="of the function itself"):
        job(states, stream_jobs.no_file, client=client)


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_but_time(
    client: Any, tmp_path: Path, states: Path, x: dict[str, np.ndarray]
) -> None:
    """If a worker is killed in the middle of a chunk, another process computes this chunk, and a
    warning names the worker.

    A chunk that the killed process finished without reporting it is not counted.
    """
    flag = tmp_path / "flag"
    compute = functools.partial(stream_jobs.sums_or_death, str(flag), x["q"][40, 0])
    with pytest.warns(UserWarning, match=r"the worker tcp://.* has gone, stopped or killed"):
        assert job(states, compute, client=client) in (N - CHUNK, N)
    assert flag.exists()
    assert_right(states, x)
    client.wait_for_workers(2, timeout=30)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the worker .* has gone:UserWarning")
def test_workers_that_die_at_a_chunk_are_told(
    tmp_path: Path, states: Path, x: dict[str, np.ndarray]
) -> None:
    """If each process that takes a certain chunk dies, the job ends with an error."""
    import dask

    compute = functools.partial(stream_jobs.sums_or_death, str(tmp_path / "flag"), x["q"][40, 0])
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as one,
        distributed.Client(one) as client,
        pytest.raises(SpatialError, match="worker processes were killed or have crashed"),
    ):
        job(states, compute, client=client)
    assert job(states) < N
    assert_right(states, x)


@pytest.mark.slow
def test_refused_states_of_a_worker_name_the_row(
    client: Any, states: Path, x: dict[str, np.ndarray]
) -> None:
    zarr.open_group(str(states), mode="r+")["qd"][77, 1] = np.nan
    with pytest.raises(SpatialError, match=r"x.zarr: qd\[77\] is not finite"):
        job(states, client=client)
    zarr.open_group(str(states), mode="r+")["qd"][77] = x["qd"][77]
    job(states, client=client)
    assert_right(states, x)
