"""The command line on bad input: one line on standard error, exit code 2, and no file."""

import sys
import tracemalloc
from inspect import signature
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import typer
from command_line import TREE, refused, run
from typer.models import OptionInfo
from typer.testing import CliRunner
from urdf_text import BALL, joint, link

from spatial_v2.cli import app, limits
from spatial_v2.cli.check import checked_states, relative_errors
from spatial_v2.cli.evaluate import evaluate
from spatial_v2.cli.states import random_states
from spatial_v2.models import autoTree

STATES = {"q": np.zeros((2, 4)), "qd": np.zeros((2, 4)), "qdd": np.zeros((2, 4))}


NEEDED = {"identify": ["puma560", "a.npz"], "plot": ["tree"]}
"""Arguments that a command requires before it reads its options."""


def file_options():
    """Yield every option that names a file, of every command."""
    for command in app.registered_commands:
        for name, parameter in signature(command.callback, eval_str=True).parameters.items():
            kind, *more = get_args(parameter.annotation)
            if Path in {kind, *get_args(kind), *sum(map(get_args, get_args(kind)), ())} and any(
                isinstance(x, OptionInfo) for x in more
            ):
                word = command.callback.__name__
                yield [word, *NEEDED.get(word, [])], f"--{name}"


class TestBadInput:
    @pytest.mark.parametrize("name", ["", ".", "..", "/"])
    @pytest.mark.parametrize(("words", "option"), list(file_options()))
    def test_names_that_are_no_files_are_refused(self, tmp_path, monkeypatch, words, option, name):
        monkeypatch.chdir(tmp_path)
        refused(*words, option, name)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["nonsense"], "No such command 'nonsense'"),
            (["derivatives", "--order", 3], "--order"),
            (["derivatives", "--samples", 0], "--samples"),
            (["derivatives", "--samples", "many"], "--samples"),
            (["derivatives", "--frobnicate"], "No such option: --frobnicate"),
            (["derivatives", "a", "b"], "unexpected extra argument"),
            (["plot", "energy", "--seconds", "inf"], "--seconds"),
            (["derivatives", "pumba560"], "did you mean puma560"),
            (["derivatives", "nowhere.urdf"], "nowhere.urdf: cannot be read"),
            (["derivatives", "autoTree:0"], "want nb >= 1"),
            (["derivatives", "planar:2", "--floating-base"], "floating_base needs a spatial model"),
            (["derivatives", "--samples", 2, "--states", "a.npz"], "--samples: cannot be"),
            (["derivatives", "--order", 1, "--plot", "a.png"], "--plot: shows second derivatives"),
            (["derivatives", "--out", "a.csv"], "a.csv: the name must end in .npz or .mat"),
            (["derivatives", "--plot", "a.bmp"], "a.bmp: the name must end in .png or"),
            (
                ["derivatives", "--out", "none/a.npz"],
                "--out: cannot write none/a.npz: No such file",
            ),
            (["derivatives", "--samples", 10**7], "--samples"),
            (
                ["derivatives", "autoTree:20", "--samples", 70_000, "--out", "a.mat"],
                "--out: arrays of 4.5 GB do not fit into a .mat file",
            ),
            (["derivatives", "--states", "none.npz"], "none.npz: cannot be read: No such file"),
            (["derivatives", "--states", "a.txt"], "a.txt: the name must end in .npz or .mat"),
            (["methods", "autoTree:3", "--methods", ""], "--methods: nothing is compared"),
            (["methods", "--methods", "complex-step"], "--methods: nothing is compared"),
            (["methods", "--methods", "bicomplex,complex-step"], "--methods: nothing is compared"),
            (["methods", "--order", 1, "--methods", "finite-diff-2"], "nothing is compared"),
            (["derivatives", "autoTree:1e9"], "model 'autoTree:1e9': 1e+09 bodies take 10000 GB"),
            (["info", "planar:1e9"], "1e+09 bodies take 10000 GB"),
            (["derivatives", "--out", "a" * 300 + ".npz"], ".npz: File name too long"),
            (["derivatives", "--plot", "a" * 300 + ".png"], ".png: File name too long"),
            (["derivatives", "--states", "a" * 300 + ".npz"], ".npz: cannot be read: File name"),
            (["derivatives", "--states", "a" * 300 + ".mat"], ".mat: cannot be read: File name"),
            (["info", "a" * 300 + ".urdf"], ".urdf: cannot be read: File name too long"),
            (["info", "a" * 300 + ".mat"], ".mat: cannot be read: File name too long"),
            (["info", "a" * 300], "not a known name"),
            (["info", "pumba560"], "did you mean puma560"),
        ],
    )
    def test_wrong_words_are_refused_in_one_line(self, tmp_path, monkeypatch, words, message):
        monkeypatch.chdir(tmp_path)
        assert message in refused(*words)
        assert list(tmp_path.iterdir()) == []

    def test_a_directory_in_place_of_a_file_is_refused(self, tmp_path):
        (tmp_path / "a.npz").mkdir()
        assert "is a directory" in refused("derivatives", "--out", tmp_path / "a.npz")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"qdd": None}, "array qdd is missing; the file holds q, qd"),
            ({"q": np.zeros((2, 5))}, "q must have shape (states, 4), got (2, 5)"),
            ({"q": np.zeros((4, 2))}, "got (4, 2); states are rows: transpose?"),
            ({"qd": np.zeros((3, 4))}, "q, qd, qdd hold 2, 3, 2 states"),
            ({"qd": np.zeros((1, 2, 4))}, "qd must have shape (states, 4), got (1, 2, 4)"),
            ({"qd": np.zeros(4, complex)}, "qd must be an array of real numbers, got 4 complex"),
            ({"qd": np.array(["a"] * 4)}, "qd must be an array of real numbers"),
            ({"qdd": np.full((2, 4), np.nan)}, "qdd[0] is not finite"),
            ({name: np.zeros((0, 4)) for name in STATES}, "at least one state, got none"),
            ({"q": np.array([{}])}, "not a readable .npz file"),
        ],
    )
    def test_wrong_states_are_refused(self, tmp_path, change, message):
        path = tmp_path / "x.npz"
        arrays = {name: x for name, x in {**STATES, **change}.items() if x is not None}
        np.savez(path, **arrays)
        words = ["derivatives", TREE, "--states", path, "--out", tmp_path / "a.npz"]
        line = refused(*words)
        assert f"--states: {path}" in line
        assert message in line
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("name", ["x.npz", "x.mat"])
    def test_unreadable_files_are_refused(self, tmp_path, name):
        (tmp_path / name).write_bytes(b"garbage " * 40)
        line = refused("derivatives", TREE, "--states", tmp_path / name)
        assert ("not a readable .npz file" if name == "x.npz" else "x.mat: not a .mat file") in line

    def test_a_failure_while_writing_leaves_no_file(self, tmp_path, monkeypatch):
        """No partly written file remains, neither under its name nor under a temporary one."""

        def full(*args, **kw):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(np, "savez_compressed", full)
        words = ["derivatives", TREE, "--samples", 1, "--out", tmp_path / "a.npz"]
        result = CliRunner().invoke(app, [str(word) for word in words])
        assert result.exit_code == 2
        assert "cannot write" in result.stderr
        assert "No space left on device" in result.stderr
        assert list(tmp_path.iterdir()) == []

    def test_names_may_be_as_long_as_the_system_allows(self, tmp_path):
        """A name may be as long as the system allows, because the temporary name beside it is
        short.
        """
        path = tmp_path / ("a" * 251 + ".npz")
        run("derivatives", TREE, "--samples", 1, "--out", path)
        assert list(tmp_path.iterdir()) == [path]


class TestLimits:
    def test_too_many_states_for_the_memory_are_refused(self, monkeypatch, tmp_path):
        monkeypatch.setattr(limits, "usable_memory", lambda: 1e8)
        path = tmp_path / "a.npz"
        line = refused("derivatives", TREE, "--samples", 100_000, "--out", path)
        assert "--samples: 100000 states need 0.56 GB of memory, but only 0.1 GB" in line
        most = int(line.rsplit(maxsplit=1)[1])
        assert refused("derivatives", TREE, "--samples", most + 1, "--out", path).endswith(
            f" {most}\n"
        )
        run("derivatives", TREE, "--samples", min(most, 10), "--out", path)
        line = refused("methods", TREE, "--samples", 100_000)
        assert "--samples: 100000 states need" in line
        np.savez(path, q=np.zeros((9, 4)), qd=np.zeros((9, 4)), qdd=np.zeros((9, 4)))
        for kept, copies in ((["--out", path], 2), ([], 0)):
            need = limits.memory_need(4, 4, 2, copies=copies)
            monkeypatch.setattr(limits, "usable_memory", lambda x=need: x.fixed + 8.5 * x.each)
            line = refused("derivatives", TREE, "--no-check", "--states", path, *kept)
            assert "--states: 9 states need" in line and line.endswith("choose at most 8\n")

    def test_memory_for_one_state_is_enough_for_one(self, monkeypatch):
        """The limit is exact to the last byte; with less memory, the message advises a smaller
        robot or fewer states.
        """
        need = limits.Need(1000.0, 100.0)
        for memory, states, told in (
            (1100.0, 1, ""), (1100.0, 2, "choose at most 1"), (1099.0, 1, "choose a smaller robot"),
            (1300.0, 3, ""), (1299.0, 3, "choose at most 2"),
        ):  # fmt: skip
            monkeypatch.setattr(limits, "usable_memory", lambda memory=memory: memory)
            try:
                limits.check_memory(3, need, states, 1, "--samples")
            except typer.BadParameter as error:
                assert told and str(error).endswith(told)
            else:
                assert not told

    @pytest.mark.parametrize("command", ["derivatives", "methods"])
    def test_too_large_a_robot_is_refused(self, monkeypatch, command):
        monkeypatch.setattr(limits, "usable_memory", lambda: 1e8)
        line = refused(command, "autoTree:50", "--samples", 1)
        assert "ROBOT: NV = 50: derivatives of order 2 at one state need" in line
        assert line.endswith("choose a smaller robot, or --order 1\n")
        run(command, "autoTree:50", "--samples", 1, "--order", 1)

    @pytest.mark.parametrize("command", ["derivatives", "methods"])
    def test_computations_of_many_hours_are_refused(self, monkeypatch, tmp_path, command):
        monkeypatch.setattr(limits, "LONGEST", 1e-9)
        line = refused(command, TREE, "--samples", 3)
        assert "--samples: 3 states would take 0.0 hours or more" in line
        path = tmp_path / "a.npz"
        refused("derivatives", TREE, "--samples", 3, "--out", path)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("order", "nv"),
        [
            (1, 60),
            (2, 30),
            pytest.param(1, 100, marks=pytest.mark.slow),
            pytest.param(2, 50, marks=pytest.mark.slow),
        ],
    )
    def test_the_predicted_memory_is_a_close_upper_bound(self, order, nv):
        """The prediction is at least the memory of an evaluation and its check, as NumPy reports
        it, and not much more.
        """
        model = autoTree(nv, 2)
        small = autoTree(2)
        for each, count in ((small, 3), (model, 40)):
            states = random_states(each, count, 0)
            sample = checked_states(each, 3)
            tracemalloc.start()
            result = evaluate(each, states, order, sample, True, lambda *_: None)
            relative_errors(each, states.at(sample), result.sample, lambda *_: None)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        need = limits.memory_need(nv, nv, order, len(sample), copies=1)
        assert 0.2 < peak / (need.fixed + 40 * need.each) < 1


class TestFolders:
    """Folders that cannot be written are refused by every command that writes one."""

    COMMANDS = (
        ["export", "FOLDER", "--model", TREE, "--model-only"],
        ["export", "FOLDER", "ID"],
        ["course", "FOLDER"],
        ["migrate", "a.m", "--out", "FOLDER"],
        ["migrate", "a.m", "--notebook", "--out", "FOLDER"],
    )

    @pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
    def test_a_file_in_place_of_a_folder_is_refused(self, tmp_path, monkeypatch, words):
        monkeypatch.chdir(tmp_path)
        Path("a.m").write_text("x = 1;\n")
        Path("file").write_text("kept")
        for folder in ("file", "file/inside"):
            assert "file" in refused(*(folder if x == "FOLDER" else x for x in words))
        assert Path("file").read_text() == "kept"
        assert sorted(x.name for x in tmp_path.iterdir()) == ["a.m", "file"]

    def test_a_translation_is_written_completely_or_not_at_all(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("a.m").write_text("x = 1;\n")
        Path("out", "a.py").mkdir(parents=True)
        assert "cannot write" in refused("migrate", "a.m", "--out", "out")
        assert [x.name for x in Path("out").iterdir()] == ["a.py"]


class TestWarnings:
    def test_impossible_inertias_are_told_in_one_line(self, tmp_path):
        bad = BALL.replace('ixx="3"', 'ixx="30"')
        path = tmp_path / "arm.urdf"
        links = "".join(link(name, bad) for name in "abc")
        joints = joint("j", "revolute", "a", "b") + joint("k", "revolute", "b", "c")
        path.write_text(f"<robot>{links}{joints}</robot>")
        result = CliRunner().invoke(app, ["info", str(path)])
        assert result.exit_code == 0
        assert result.stderr.startswith(f"warning: {path}: the <inertia> of these links")
        assert result.stderr.endswith(" kept as given: a, b, c\n")
        assert result.stderr.count("\n") == 1


def test_an_error_of_the_library_itself_is_a_plain_traceback(monkeypatch, capsys):
    """An unexpected error is printed by Python as a plain traceback, so that it can be reported as
    text.
    """

    def fails(*_):
        raise RuntimeError("a fault")

    monkeypatch.setattr("spatial_v2.io.load_model", fails)
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(sys, "argv", ["spatial-v2", "info", "planar:2"])
    with pytest.raises(RuntimeError, match="a fault") as error:
        app()
    sys.excepthook(error.type, error.value, error.tb)
    printed = capsys.readouterr().err.splitlines()
    assert printed[0] == "Traceback (most recent call last):"
    assert printed[-1] == "RuntimeError: a fault"


@pytest.mark.parametrize("shape", [(), (2,), (3, 2), (3, 2, 2), (3, 3, 3), (4, 2), (0,), (3, 0)])
def test_only_a_matrix_of_columns_is_told_to_be_transposed(shape: tuple[int, ...]) -> None:
    from spatial_v2.cli.states import read_rows

    with pytest.raises(typer.BadParameter) as error:
        read_rows(Path("a.npz"), "q", np.zeros(shape), 3)
    told = f"q must have shape (states, 3), got {shape}"
    ending = "; states are rows: transpose?" if len(shape) == 2 and shape[0] == 3 else ""
    assert str(error.value).endswith(told + ending)


@pytest.mark.parametrize("n", [1, 3])
def test_one_vector_or_column_is_one_state(n: int) -> None:
    from spatial_v2.cli.states import read_rows

    for shape, rows in (((n,), 1), ((n, 1), n if n == 1 else 1), ((4, n), 4), ((0, n), 0)):
        x = np.arange(float(np.prod(shape))).reshape(shape)
        found = read_rows(Path("a.npz"), "q", x, n)
        assert found.shape == (rows, n)
        np.testing.assert_array_equal(found.ravel(), x.ravel())
