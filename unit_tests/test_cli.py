"""The command line: what it prints and writes, its exit codes, and how it refuses bad input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from typer.testing import CliRunner

import derivatives
from spatial_v2 import ID, HandC
from spatial_v2.cli import app
from spatial_v2.cli.branches import branches
from spatial_v2.cli.check import checked_states
from spatial_v2.cli.states import random_states
from spatial_v2.io import load_model
from spatial_v2.models import autoTree

TREE = "autoTree:4,1.5,0.3,0.9"
FIRST = ["tau", "H", "C", "dtau_dq", "dtau_dqd"]
SECOND = ["d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq"]


def run(*words, code=0):
    """The standard output of a command line that ends with the expected exit code."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.stdout


def refused(*words):
    """The one line in which a command line is refused."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    return result.stderr


def read(path):
    """The arrays of an .npz or .mat file."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            return dict(file)
    return {name: x for name, x in loadmat(path).items() if not name.startswith("__")}


def computed(model, x):
    """What the file of results has to hold, from direct calls."""
    H, C = HandC(model, x.q, x.qd)
    return {
        **x._asdict(),
        "tau": ID(model, *x),
        "H": H,
        "C": C,
        **derivatives.ID_derivatives(model, *x)._asdict(),
        **derivatives.ID_SO_derivatives(model, *x)._asdict(),
    }


class TestDerivatives:
    def test_default_robot(self):
        out = run("derivatives")
        assert "puma560: 6 bodies, NQ = 6, NV = 6; 100 states (random, seed 0)" in out
        assert [line.split()[0] for line in out.splitlines() if " ok" in line] == FIRST + SECOND
        assert "Checked 100 of 100 states" in out
        assert "All 9 quantities agree within 1e-09." in out

    def test_order_1(self):
        out = run("derivatives", TREE, "--order", 1, "--samples", 3)
        assert [line.split()[0] for line in out.splitlines() if " ok" in line] == FIRST

    def test_no_check(self):
        out = run("derivatives", TREE, "--no-check")
        assert "Not checked." in out
        assert "error" not in out

    def test_counts_of_nonzeros(self):
        """A chain has full H; a torque does not depend on the angle of the first, vertical axis."""
        lines = run("derivatives", "autoTree:3,1,0.5").splitlines()
        count = {words[0]: words for line in lines if len(words := line.split()) > 6}
        assert "9 of 9" in " ".join(count["H"])
        assert "6 of 9" in " ".join(count["dtau_dq"])

    @pytest.mark.parametrize("suffix", [".npz", ".mat"])
    def test_results(self, tmp_path, suffix):
        path = tmp_path / f"results{suffix}"
        run("derivatives", TREE, "--floating-base", "--samples", 3, "--seed", 5, "--out", path)
        model = load_model(TREE, floating_base=True)
        wanted = computed(model, random_states(model, 3, 5))
        found = read(path)
        assert list(found) == list(wanted)
        for name, x in wanted.items():
            np.testing.assert_array_equal(found[name], x, err_msg=name)
        assert list(tmp_path.iterdir()) == [path]

    def test_batches(self, tmp_path, monkeypatch):
        """Batches of two states give what one batch gives."""
        model = load_model(TREE)
        monkeypatch.setattr(
            "spatial_v2.cli.evaluate.BATCH_BYTES", 2 * 8 * (2 * 4 + 3 * 16 + 4 * 64)
        )
        path = tmp_path / "a.npz"
        run("derivatives", TREE, "--samples", 5, "--out", path)
        wanted = computed(model, random_states(model, 5, 0))
        for name, x in read(path).items():
            np.testing.assert_allclose(x, wanted[name], rtol=1e-14, atol=1e-14, err_msg=name)

    @pytest.mark.parametrize("suffix", [".npz", ".mat"])
    def test_states_round_trip(self, tmp_path, suffix):
        """The states that a file of results holds give the same results again."""
        first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
        run("derivatives", TREE, "--samples", 2, "--seed", 7, "--out", first)
        out = run("derivatives", TREE, "--states", first, "--out", second)
        assert f"2 states (a{suffix})" in out
        for name, x in read(first).items():
            np.testing.assert_array_equal(read(second)[name], x, err_msg=name)

    def test_one_state_as_vectors_or_columns(self, tmp_path):
        x = random_states(load_model(TREE), 1, 0)
        np.savez(tmp_path / "a.npz", **{name: v[0] for name, v in x._asdict().items()})
        savemat(tmp_path / "b.mat", {name: v.T for name, v in x._asdict().items()})
        for name in ("a.npz", "b.mat"):
            out = tmp_path / "out.npz"
            run("derivatives", TREE, "--states", tmp_path / name, "--out", out)
            np.testing.assert_array_equal(read(out)["q"], x.q)

    def test_overwrites(self, tmp_path):
        path = tmp_path / "a.npz"
        path.write_text("old")
        run("derivatives", TREE, "--samples", 1, "--out", path)
        assert read(path)["q"].shape == (1, 4)

    @pytest.mark.parametrize(
        ("name", "head"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")]
    )
    def test_plot(self, tmp_path, name, head):
        path = tmp_path / name
        run("derivatives", TREE, "--samples", 2, "--plot", path)
        assert path.read_bytes().startswith(head)

    def test_plot_of_large_and_planar_robots(self, tmp_path):
        path = tmp_path / "a.png"
        for robot in ("autoTree:12,2", "planar:2", "autoTree:1"):
            run("derivatives", robot, "--samples", 2, "--plot", path, "--no-check")
            assert path.stat().st_size > 10_000
            path.unlink()


class TestFailedChecks:
    @pytest.mark.parametrize("name", ["dtau_dqd", "d2tau_cross"])
    def test_wrong_derivative(self, tmp_path, monkeypatch, name):
        """An error of 1e-8 in one entry: exit code 1, the quantity named, no file."""
        function = "ID_derivatives" if name in FIRST else "ID_SO_derivatives"
        right = getattr(derivatives, function)

        def wrong(*args):
            result = right(*args)
            x = getattr(result, name).copy()
            x[0].flat[np.abs(x[0]).argmax()] *= 1 + 1e-8
            return result._replace(**{name: x})

        wrong.textbook = right.textbook
        monkeypatch.setattr(derivatives, function, wrong)
        path = tmp_path / "a.npz"
        out = run("derivatives", TREE, "--samples", 2, "--out", path, code=1)
        failed = [line.split()[0] for line in out.splitlines() if line.rstrip().endswith("FAILED")]
        assert failed == [name]
        assert f"FAILED, no file is written: {name} (limit 1e-09)" in out
        assert list(tmp_path.iterdir()) == []

    def test_not_a_number(self, monkeypatch):
        right = derivatives.ID_derivatives

        def wrong(*args):
            return right(*args)._replace(dtau_dq=right(*args).dtau_dq * np.nan)

        wrong.textbook = right.textbook
        monkeypatch.setattr(derivatives, "ID_derivatives", wrong)
        run("derivatives", TREE, "--samples", 2, "--order", 1, code=1)

    def test_large_robots_are_checked_at_a_few_states(self):
        assert checked_states(autoTree(3), 50).tolist() == list(range(50))
        assert checked_states(autoTree(50), 101).tolist() == [0, 50, 100]
        assert checked_states(autoTree(50), 1).tolist() == [0]


STATES = {"q": np.zeros((2, 4)), "qd": np.zeros((2, 4)), "qdd": np.zeros((2, 4))}


class TestBadInput:
    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["nonsense"], "No such command 'nonsense'"),
            (["derivatives", "--order", 3], "--order"),
            (["derivatives", "--samples", 0], "--samples"),
            (["derivatives", "--samples", "many"], "--samples"),
            (["derivatives", "--frobnicate"], "No such option: --frobnicate"),
            (["derivatives", "a", "b"], "unexpected extra argument"),
            (["derivatives", "pumba560"], "did you mean puma560"),
            (["derivatives", "nowhere.urdf"], "nowhere.urdf: cannot be read"),
            (["derivatives", "autoTree:0"], "want nb >= 1"),
            (["derivatives", "planar:2", "--floating-base"], "floating_base needs a spatial model"),
            (["derivatives", "--samples", 2, "--states", "a.npz"], "--samples: goes without"),
            (["derivatives", "--order", 1, "--plot", "a.png"], "--plot: shows second derivatives"),
            (["derivatives", "--out", "a.csv"], "a.csv: the name must end in .npz or .mat"),
            (["derivatives", "--plot", "a.bmp"], "a.bmp: the name must end in .png or"),
            (["derivatives", "--out", "none/a.npz"], "--out: cannot write in none: No such file"),
            (["derivatives", "--samples", 10**7], "--samples"),
            (
                ["derivatives", "autoTree:20", "--samples", 70_000, "--out", "a.mat"],
                "--out: arrays of 4 GB do not fit into a .mat file",
            ),
            (["derivatives", "--states", "none.npz"], "none.npz: cannot be read: No such file"),
            (["derivatives", "--states", "a.txt"], "a.txt: the name must end in .npz or .mat"),
            (["info"], "Missing argument"),
            (["info", "pumba560"], "did you mean puma560"),
        ],
    )
    def test_words(self, tmp_path, monkeypatch, words, message):
        monkeypatch.chdir(tmp_path)
        assert message in refused(*words)
        assert list(tmp_path.iterdir()) == []

    def test_too_much_for_the_memory(self, monkeypatch, tmp_path):
        monkeypatch.setattr("spatial_v2.cli.files._memory", lambda: 1e6)
        line = refused("derivatives", TREE, "--samples", 1000, "--out", tmp_path / "a.npz")
        assert "1000 states give 2.0 MB of results, too much for a memory of 1.0 MB" in line

    def test_directory_as_file(self, tmp_path):
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
            ({"qd": np.zeros(4, complex)}, "qd must be an array of real numbers, got complex128"),
            ({"qd": np.array(["a"] * 4)}, "qd must be an array of real numbers"),
            ({"qdd": np.full((2, 4), np.nan)}, "qdd[0] is not finite"),
            ({name: np.zeros((0, 4)) for name in STATES}, "holds no states"),
            ({"q": np.array([{}])}, "not a readable .npz file"),
        ],
    )
    def test_states(self, tmp_path, change, message):
        path = tmp_path / "x.npz"
        arrays = {name: x for name, x in {**STATES, **change}.items() if x is not None}
        np.savez(path, **arrays)
        words = ["derivatives", TREE, "--states", path, "--out", tmp_path / "a.npz"]
        line = refused(*words)
        assert f"--states: {path}" in line
        assert message in line
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("name", ["x.npz", "x.mat"])
    def test_garbage(self, tmp_path, name):
        (tmp_path / name).write_bytes(b"garbage " * 40)
        line = refused("derivatives", TREE, "--states", tmp_path / name)
        assert f"not a readable {Path(name).suffix} file" in line

    def test_failure_while_writing(self, tmp_path, monkeypatch):
        """No half-written file stays, neither under its name nor beside it."""

        def full(*args, **kw):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(np, "savez_compressed", full)
        words = ["derivatives", TREE, "--samples", 1, "--out", tmp_path / "a.npz"]
        result = CliRunner().invoke(app, [str(word) for word in words])
        assert result.exit_code == 2
        assert "cannot write" in result.stderr
        assert "No space left on device" in result.stderr
        assert list(tmp_path.iterdir()) == []


class TestInfo:
    def test_tree(self):
        out = run("info", TREE)
        assert "spatial model, 4 bodies, NQ = 4, NV = 4" in out
        assert "└── 3 body3 R" in out
        assert "gravity                          [0, 0, -9.81] m/s^2" in out

    def test_mass(self):
        """Two unit rods along x, each with its centre of mass in the middle."""
        out = run("info", "planar:2")
        assert "mass of the moving bodies        2 kg" in out
        assert "centre of mass, neutral position [1, 0] m" in out

    def test_limits(self, tmp_path):
        path = tmp_path / "arm.urdf"
        path.write_text(
            '<robot name="arm"> <link name="base"/> <link name="upper"/>'
            '<joint name="shoulder" type="revolute"> <parent link="base"/> <child link="upper"/>'
            '<limit lower="-1.5" upper="2" effort="1" velocity="1"/> </joint> </robot>'
        )
        assert "-1.5 .. 2" in run("info", path)

    def test_floating_base(self):
        line = next(s for s in run("info", TREE, "--floating-base").splitlines() if "joint0" in s)
        assert line.split() == ["0", "joint0", "Fb", "0-6", "0-5", "-1"]


class TestStart:
    def test_help(self):
        assert "derivatives" in run()
        assert "--floating-base" in run("derivatives", "--help")
        assert "ROBOT" in run("info", "--help").upper()

    def test_version(self):
        assert run("--version").startswith("spatial-v2")

    def test_module(self):
        words = [sys.executable, "-m", "spatial_v2", "info", "planar:1"]
        assert "planar" in subprocess.run(words, check=True, capture_output=True, text=True).stdout

    def test_help_is_fast(self):
        """What takes time to import waits until a command runs."""
        code = "import sys, spatial_v2.cli; print([m for m in sys.argv[1:] if m in sys.modules])"
        heavy = ["numba", "matplotlib", "scipy", "derivatives"]
        words = [sys.executable, "-c", code, *heavy]
        assert subprocess.run(words, check=True, capture_output=True, text=True).stdout == "[]\n"


def test_branches():
    """Forks begin branches; branches side by side do not share a rail."""
    found = branches(autoTree(7, 2))
    assert [(b.bodies, b.start) for b in found] == [
        ((0,), -1), ((1,), 0), ((2,), 0), ((3,), 1), ((4,), 1), ((5,), 2), ((6,), 2),
    ]  # fmt: skip
    overlap = [b.rail for b in found if b.start < 3 < b.bodies[-1]]
    assert len(overlap) == len(set(overlap))
