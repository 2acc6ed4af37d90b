"""Streams from Zarr to Zarr, chunk by chunk: each chunk is computed once, even if processes die."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stream_jobs
import zoo
from numpy.testing import assert_array_equal
from stream_samples import CHUNK, SIZES, SUMS, N, put, results, some

from spatial_v2 import Model, autoTree
from spatial_v2.cli.evaluate import groups
from spatial_v2.exceptions import ArrayShapeError, SpatialError

zarr = pytest.importorskip("zarr")
distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
streaming = pytest.importorskip("spatial_v2.interop.stream")
workers = pytest.importorskip("spatial_v2.interop.stream_workers")
from spatial_v2.cli import stream as stream_command  # noqa: E402

pytestmark = pytest.mark.usefixtures("small_chunks")


def job(states: Path, compute: Callable[..., Any] = stream_jobs.sums, **kw: Any) -> int:
    """Stream sums of the states into a group beside theirs; return the number of states
    computed.
    """
    out, model = kw.pop("out", states.with_name("y.zarr")), kw.pop("model", autoTree(3))
    names, columns = kw.pop("names", SUMS), kw.pop("columns", SIZES)
    made: int = streaming.stream(compute, names, model, states, out, columns, **kw)
    return made


def assert_right(states: Path, x: dict[str, np.ndarray]) -> None:
    """Check that the results are those of one call, and are marked as complete."""
    out = states.with_name("y.zarr")
    for made, want in zip(results(out), stream_jobs.sums(autoTree(3), *x.values()), strict=True):
        assert_array_equal(made, want)
    assert zarr.open_group(str(out), mode="r").attrs["complete"] is True


class Counted:
    """A function that counts the states of its calls.

    A call with a single state only determines the shapes.
    """

    def __init__(self) -> None:
        self.chunks: list[int] = []

    def __call__(self, model: Model, *x: np.ndarray) -> list[np.ndarray]:
        if len(x[0]) > 1:
            self.chunks.append(len(x[0]))
        return stream_jobs.sums(model, *x)


@pytest.mark.parametrize("order", [1, 2])
def test_chunks_are_what_the_whole_is(tmp_path: Path, order: int) -> None:
    """Results agree bit for bit with one call, for q longer than qd, and with an incomplete last
    chunk.
    """
    model = zoo.build("mixed")
    s = zoo.states(model, np.random.default_rng(0), (N,))
    x = {"q": s.q, "qd": s.qd, "qdd": s.qdd}
    states, out = put(tmp_path / "x.zarr", **x), tmp_path / "y.zarr"
    compute = stream_command.first_order if order == 1 else stream_command.second_order
    names = [name for group in groups(order) for name in group.names]
    columns = {"q": model.NQ, "qd": model.NV, "qdd": model.NV}
    assert job(states, compute, model=model, names=names, columns=columns) == N
    assert zarr.open_group(str(out), mode="r")[names[0]].chunks[0] < N / 4
    want = [value for group in groups(order) for value in group.function(model, *x.values())]
    for made, value in zip(results(out, names), want, strict=True):
        assert_array_equal(made, value)


@pytest.mark.parametrize("n", [1, CHUNK - 1, CHUNK, CHUNK + 1, N])
def test_every_number_of_states_is_computed_and_reported(tmp_path: Path, n: int) -> None:
    """All states are computed, and reported in steps that end with the total."""
    x, seen = some(n=n), list[Any]()
    states = put(tmp_path / "x.zarr", **x)
    assert job(states, progress=seen.append) == n
    assert_right(states, x)
    assert seen == [(min(k + CHUNK, n), n) for k in range(0, n, CHUNK)]


def test_finished_chunks_are_not_computed_again(states: Path, x: dict[str, np.ndarray]) -> None:
    """After an interruption at three of seven chunks, the other four are computed, then none."""

    def stop(p: Any) -> None:
        if p.done == 3 * CHUNK:
            raise KeyboardInterrupt

    counted = Counted()
    with pytest.raises(KeyboardInterrupt):
        job(states, counted, progress=stop)
    assert counted.chunks == [CHUNK] * 3
    half = zarr.open_group(str(states.with_name("y.zarr")), mode="r")
    assert half.attrs["complete"] is False
    assert np.isfinite(half["sum"][: 3 * CHUNK]).all()
    assert np.isnan(half["sum"][3 * CHUNK :]).all()

    counted = Counted()
    assert job(states, counted) == N - 3 * CHUNK
    assert counted.chunks == [CHUNK] * 3 + [8], "the last four states, in a SIMD batch of eight"
    assert_right(states, x)
    counted = Counted()
    assert job(states, counted) == 0
    assert counted.chunks == []


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX systems")
def test_a_second_job_is_refused(states: Path, x: dict[str, np.ndarray]) -> None:
    """A second job is an error while the first one runs, but not after it."""
    refused: list[str] = []

    def again(p: Any) -> None:
        with pytest.raises(SpatialError, match="y.zarr: another process is filling it; wait") as e:
            job(states)
        refused.append(str(e.value))

    assert job(states, progress=again) == N
    assert len(refused) == 7
    assert job(states) == 0
    assert_right(states, x)


def test_two_simultaneous_first_jobs_create_one_group(
    states: Path, x: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If two jobs start at once, one creates the group and the other one uses it."""
    lay_out, made = streaming.lay_out, list[int]()

    def overtaken(*args: Any) -> None:
        lay_out(*args)
        zarr.open_group(str(args[0]), mode="r+").attrs["first"] = True
        lay_out(*args)
        made.append(1)

    monkeypatch.setattr(streaming, "lay_out", overtaken)
    assert job(states) == N
    assert zarr.open_group(str(states.with_name("y.zarr")), mode="r").attrs["first"] is True
    assert sorted(path.name for path in states.parent.iterdir()) == ["x.zarr", "y.zarr"]
    assert_right(states, x)
    assert made


def test_states_that_changed_are_computed_again(states: Path, x: dict[str, np.ndarray]) -> None:
    """Only the chunk whose states have changed is computed again."""
    job(states)
    x["qd"][20] += 1.0
    zarr.open_group(str(states), mode="r+")["qd"][20] = x["qd"][20]
    counted = Counted()
    assert job(states, counted) == CHUNK
    assert counted.chunks == [CHUNK]
    assert_right(states, x)


@pytest.mark.slow
def test_processes_share_the_chunks(client: Any, states: Path, x: dict[str, np.ndarray]) -> None:
    seen: list[Any] = []
    assert job(states, client=client, progress=seen.append) == N
    assert_right(states, x)
    assert len(seen) == 7
    assert seen[-1] == (N, N)
    assert job(states, client=client) == 0


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_states_that_are_not_finite_are_reported(states: Path, value: float) -> None:
    zarr.open_group(str(states), mode="r+")["qdd"][33, 2] = value
    with pytest.raises(SpatialError, match=r"x.zarr: qdd\[33\] is not finite"):
        job(states)
    assert zarr.open_group(str(states.with_name("y.zarr")), mode="r").attrs["complete"] is False


def heavier() -> Model:
    model = autoTree(3)
    model.I = {1: 1.5 * model.I[1]}
    return model


def on_the_moon() -> Model:
    model = autoTree(3)
    model.gravity = [0, 0, -1.62]
    return model


def damped() -> Model:
    model = autoTree(3)
    model.damping = [0.1, 0.2, 0.3]
    return model


@pytest.mark.parametrize("other", [heavier, on_the_moon, damped])
def test_results_of_another_model_are_left_alone(
    states: Path, x: dict[str, np.ndarray], other: Callable[[], Model]
) -> None:
    job(states)
    with pytest.raises(SpatialError, match=r"another job \(model differs\)"):
        job(states, model=other())
    assert_right(states, x)


def test_results_of_another_job_are_left_alone(
    tmp_path: Path, states: Path, x: dict[str, np.ndarray]
) -> None:
    """A group with results of other names or states, or without results, is an error and is not
    changed.
    """
    job(states)
    with pytest.raises(SpatialError, match=r"another job \(names differs\)"):
        job(states, names=["a", "b"])
    fewer = put(tmp_path / "fewer.zarr", **{name: v[:50] for name, v in x.items()})
    with pytest.raises(SpatialError, match=r"another job \(states differs\)"):
        job(fewer)
    assert_right(states, x)
    with pytest.raises(SpatialError, match=r"another job \(format differs\)"):
        job(states, out=states)
    assert_array_equal(results(states, ["q"])[0], x["q"])
    file = tmp_path / "file.zarr"
    file.write_text("precious")
    with pytest.raises(SpatialError, match="not a Zarr group; it was not changed"):
        job(states, out=file)
    assert file.read_text() == "precious"
    (tmp_path / "folder.zarr").mkdir()
    with pytest.raises(SpatialError, match="not a Zarr group; it was not changed"):
        job(states, out=tmp_path / "folder.zarr")
    with pytest.raises(SpatialError, match="does not exist; create it first"):
        job(states, out=tmp_path / "nowhere" / "y.zarr")


def test_a_folder_in_which_nothing_may_be_written_is_told(
    states: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without permission to write is an error before the states are read."""
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    with pytest.raises(SpatialError, match="no permission to write in"):
        job(states)


def test_results_without_one_of_their_arrays_are_left_alone(states: Path) -> None:
    job(states)
    for name in ["digest", SUMS[0]]:
        shutil.rmtree(states.with_name("y.zarr") / name)
        with pytest.raises(SpatialError, match=f"array {name} is missing; remove the group"):
            job(states)


def test_a_group_appears_completely_or_not_at_all(
    states: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full before the group is complete, nothing of it remains."""
    create, made = zarr.Group.create_array, list[str]()

    def full(self: Any, name: str, **kw: Any) -> Any:
        made.append(name)
        if len(made) == 2:
            raise OSError(28, "No space left on device")
        return create(self, name, **kw)

    monkeypatch.setattr(zarr.Group, "create_array", full)
    with pytest.raises(SpatialError, match="y.zarr: cannot be written: No space left"):
        job(states)
    assert made == SUMS
    assert [path.name for path in states.parent.iterdir()] == ["x.zarr"]


def broken(x: dict[str, np.ndarray], what: str) -> dict[str, np.ndarray]:
    changed = {
        "missing": {},
        "shape": {"qd": x["qd"][:, :2]},
        "vector": {"q": x["q"][:, 0]},
        "rows": {"qdd": x["qdd"][:-1]},
        "complex": {"qd": x["qd"] + 1j},
    }[what]
    return {k: v for k, v in (x | changed).items() if what != "missing" or k != "qd"}


BROKEN = [
    ("missing", SpatialError, "array qd is missing; the group holds q, qdd"),
    ("shape", ArrayShapeError, r"qd: want shape \(100, 3\), got \(100, 2\)"),
    ("vector", ArrayShapeError, r"q: want shape \(states, 3\), got \(100,\)"),
    ("rows", ArrayShapeError, r"qdd: want shape \(100, 3\), got \(99, 3\)"),
    ("complex", SpatialError, "qd: want real numbers, got complex128"),
]


@pytest.mark.parametrize(("what", "error", "message"), BROKEN)
def test_wrong_states_are_refused(
    tmp_path: Path, x: dict[str, np.ndarray], what: str, error: type[Exception], message: str
) -> None:
    states = put(tmp_path / "x.zarr", **broken(x, what))
    with pytest.raises(error, match=message):
        job(states)
    assert not states.with_name("y.zarr").exists()


def test_an_empty_array_of_states_gives_an_empty_group(tmp_path: Path) -> None:
    with pytest.raises(SpatialError, match="at least one state, got none"):
        job(put(tmp_path / "x.zarr", **some(n=0)))
    with pytest.raises(SpatialError, match=r"nowhere.zarr: not a Zarr group"):
        job(tmp_path / "nowhere.zarr")
    (tmp_path / "text.zarr").write_text("text")
    with pytest.raises(SpatialError, match=r"text.zarr: not a Zarr group"):
        job(tmp_path / "text.zarr")


def test_whole_numbers_and_single_precision_are_states_too(tmp_path: Path) -> None:
    x = some()
    few = {"q": np.rint(x["q"]).astype(np.int32), "qd": x["qd"].astype(np.float32)}
    states = put(tmp_path / "x.zarr", **(x | few))
    job(states)
    assert_right(states, {name: v.astype(np.float64) for name, v in (x | few).items()})
