"""Commands that read states from Zarr: derivatives of them, and identification."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import TREE, refused, run
from numpy.testing import assert_array_equal
from stream_samples import put, results, some, zarr
from typer.testing import CliRunner

from spatial_v2 import Model, identify, load_model
from spatial_v2.cli import app, tables
from spatial_v2.cli import stream as stream_command
from spatial_v2.cli.evaluate import groups

pytest.importorskip("distributed")
pytestmark = pytest.mark.usefixtures("small_chunks")


def command_states(tmp_path: Path, n: int = 60) -> tuple[Model, Path, list[np.ndarray]]:
    model = load_model(TREE)
    x = some({"q": model.NQ, "qd": model.NV, "qdd": model.NV}, n)
    return model, put(tmp_path / "x.zarr", **x), list(x.values())


def assert_first_order(model: Model, out: Path, x: list[np.ndarray]) -> None:
    for group in groups(1):
        for name, want in zip(group.names, group.function(model, *x), strict=True):
            assert_array_equal(results(out, [name])[0], want)


def test_the_command_checks_fills_and_resumes(tmp_path: Path) -> None:
    """The first run checks some states and fills the group; the second one finds all results."""
    model, states, x = command_states(tmp_path)
    words = "derivatives", TREE, "--states", states, "--out", tmp_path / "y.zarr", "--order", 1
    text = run(*words)
    assert "all quantities agree within" in text
    assert "60 states, 60 computed now; tau, H, C, dtau_dq, dtau_dqd" in text
    assert_first_order(model, tmp_path / "y.zarr", x)
    assert "60 states, 0 computed now" in run(*words, "--no-check")


def test_the_progress_bar_counts_the_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, states, _ = command_states(tmp_path)
    bar = tables.progress_bar()
    monkeypatch.setattr(tables, "progress_bar", lambda: bar)
    run("derivatives", TREE, "--states", states, "--out", tmp_path / "y.zarr", "--no-check")
    assert [(task.completed, task.total) for task in bar.tasks] == [(60, 60)]


@pytest.mark.slow
def test_the_command_runs_on_a_cluster(client: Any, tmp_path: Path) -> None:
    model, states, x = command_states(tmp_path)
    words = "derivatives", TREE, "--states", states, "--out", tmp_path / "y.zarr", "--order", 1
    text = run(*words, "--no-check", "--scheduler", client.scheduler.address)
    assert "60 computed now" in text
    assert_first_order(model, tmp_path / "y.zarr", x)


@pytest.mark.slow
def test_the_command_runs_with_processes_of_its_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The processes that the command starts end without output."""
    model, states, x = command_states(tmp_path)
    words = "derivatives", TREE, "--states", states, "--out", tmp_path / "y.zarr", "--order", 1
    assert "60 computed now" in run(*words, "--no-check", "--workers", 2)
    assert_first_order(model, tmp_path / "y.zarr", x)
    assert capfd.readouterr().err == ""


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    _, states, _ = command_states(tmp_path)
    words = "derivatives", TREE, "--states", states, "--order", 1
    out = tmp_path / "y.zarr"
    assert "results must end in .zarr" in refused(*words)
    assert "results must end in .zarr" in refused(*words, "--out", tmp_path / "y.npz")
    assert "combined with states in .zarr" in refused(*words, "--out", out, "--samples", 3)
    assert "cannot be combined with --workers" in refused(
        *words, "--out", out, "--workers", 1, "--scheduler", "tcp://x"
    )
    assert "only possible with --states FILE.zarr" in refused("derivatives", TREE, "--workers", 1)
    nowhere = "derivatives", TREE, "--states", tmp_path / "no.zarr", "--out", out
    assert "not a Zarr group that can be read" in refused(*nowhere)
    (tmp_path / "file.zarr").write_text("")
    line = refused(*words, "--no-check", "--out", tmp_path / "file.zarr")
    assert "--out" in line
    assert "it was not changed" in line
    zarr.open_group(str(states), mode="r+")["q"][7, 0] = np.nan
    line = refused(*words, "--no-check", "--out", out)
    assert "--states" in line
    assert "q[7] is not finite" in line


@pytest.mark.slow
def test_bad_targets_are_told_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bad target is an error before the states are checked, because that check first compiles
    much code.
    """
    _, states, _ = command_states(tmp_path)
    (tmp_path / "file.zarr").write_text("")
    put(tmp_path / "other.zarr", tau=np.zeros((60, 4)))

    def compiled(*_: Any) -> None:
        raise AssertionError("the states were checked before the target")

    monkeypatch.setattr(stream_command, "_check", compiled)
    words = "derivatives", TREE, "--states", states, "--out"
    for name, said in (
        (Path("nowhere", "y.zarr"), "does not exist; create it first"),
        (Path("file.zarr"), "exists and is not a Zarr group"),
        (Path("other.zarr"), "holds results of another job (format differs)"),
    ):
        line = refused(*words, tmp_path / name)
        assert "--out" in line
        assert said in line
    line = refused(*words, tmp_path / "y.zarr", "--scheduler", "tcp://127.0.0.1:1")
    assert "no Dask scheduler answers" in line


@pytest.mark.slow
def test_the_command_says_what_was_not_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damaged results are reported on standard error; the error for a full disk names the file."""
    _, states, _ = command_states(tmp_path)
    out = tmp_path / "y.zarr"
    words = "derivatives", TREE, "--states", states, "--order", 1, "--no-check", "--out", out
    assert "60 computed now" in run(*words)
    next(x for x in out.glob("tau/c/1*/**/*") if x.is_file()).unlink()
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith(f"warning: {out}: results of ")
    assert "computed now" in done.stdout and "0 computed now" not in done.stdout

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    next(x for x in out.glob("tau/c/1*/**/*") if x.is_file()).unlink()
    monkeypatch.setattr("zarr.storage._local._put", full)
    line = refused(*words)
    assert f"--out: {out}: cannot be written: No space left on device" in line


def test_identification_reads_groups(tmp_path: Path) -> None:
    """Groups with more rows than are read at once give the results of arrays."""
    from spatial_v2 import ID

    model, states, x = command_states(tmp_path, 5000)
    tau = ID(model, *x)
    zarr.open_group(str(states), mode="r+")["tau"] = tau
    text = run("identify", TREE, states)
    found = identify(model, *x, tau)
    assert "5000 samples (x.zarr)" in text
    printed = [line.split(" ± ")[0] for line in text.splitlines() if " ± " in line]
    np.testing.assert_allclose([float(a) for a in printed], found.base, rtol=1e-4, atol=1e-6)


def test_identification_refuses_groups(tmp_path: Path) -> None:
    _, states, _ = command_states(tmp_path)
    assert "array tau is missing; the group holds q, qd, qdd" in refused("identify", TREE, states)
    assert "not a Zarr group" in refused("identify", TREE, tmp_path / "no.zarr")
