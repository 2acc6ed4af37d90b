"""The command line: output, files and exit codes when there are no errors."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from command_line import TREE, read, run
from scipy.io import savemat

import derivatives
from spatial_v2 import ID, HandC
from spatial_v2.cli.check import checked_states
from spatial_v2.cli.states import random_states
from spatial_v2.cli.tables import duration
from spatial_v2.io import load_model, model_names
from spatial_v2.models import autoTree
from spatial_v2.plots.branches import branches

FIRST = ["tau", "H", "C", "dtau_dq", "dtau_dqd"]
SECOND = ["d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq"]


def computed(model, x):
    """Return the expected contents of the file of results, from direct calls."""
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
    def test_the_default_robot_is_used(self):
        out = run("derivatives")
        assert "puma560: 6 bodies, NQ = 6, NV = 6; 100 states (random, seed 0)" in out
        assert [line.split()[0] for line in out.splitlines() if " ok" in line] == FIRST + SECOND
        assert "Checked 100 of 100 states" in out
        assert "All 9 quantities agree within 1e-09." in out

    def test_order_1_gives_first_derivatives_alone(self):
        out = run("derivatives", TREE, "--order", 1, "--samples", 3)
        assert [line.split()[0] for line in out.splitlines() if " ok" in line] == FIRST

    def test_no_check_skips_the_check(self):
        out = run("derivatives", TREE, "--no-check")
        assert "Not checked." in out
        assert "error" not in out

    def test_counts_of_nonzeros_are_those_of_the_tree(self):
        """For a chain, H has no zeros, and no torque depends on the angle of the first, vertical
        axis.
        """
        lines = run("derivatives", "autoTree:3,1,0.5").splitlines()
        count = {words[0]: words for line in lines if len(words := line.split()) > 6}
        assert "9 of 9" in " ".join(count["H"])
        assert "6 of 9" in " ".join(count["dtau_dq"])

    @pytest.mark.parametrize("suffix", [".npz", ".mat"])
    def test_results_are_those_of_the_functions(self, tmp_path, suffix):
        path = tmp_path / f"results{suffix}"
        run("derivatives", TREE, "--floating-base", "--samples", 3, "--seed", 5, "--out", path)
        model = load_model(TREE, floating_base=True)
        wanted = computed(model, random_states(model, 3, 5))
        found = read(path)
        assert list(found) == list(wanted)
        for name, x in wanted.items():
            np.testing.assert_array_equal(found[name], x, err_msg=name)
        assert list(tmp_path.iterdir()) == [path]

    def test_batches_of_two_states_give_what_one_batch_gives(self, tmp_path, monkeypatch):
        """A command that computes in batches of two states gives the results of one batch."""
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
        """A file of results can be read as states, and then gives the same results."""
        first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
        run("derivatives", TREE, "--samples", 2, "--seed", 7, "--out", first)
        out = run("derivatives", TREE, "--states", first, "--out", second)
        assert f"2 states (a{suffix})" in out
        for name, x in read(first).items():
            np.testing.assert_array_equal(read(second)[name], x, err_msg=name)

    def test_one_state_may_be_given_as_vectors_or_columns(self, tmp_path):
        x = random_states(load_model(TREE), 1, 0)
        np.savez(tmp_path / "a.npz", **{name: v[0] for name, v in x._asdict().items()})
        savemat(tmp_path / "b.mat", {name: v.T for name, v in x._asdict().items()})
        for name in ("a.npz", "b.mat"):
            out = tmp_path / "out.npz"
            run("derivatives", TREE, "--states", tmp_path / name, "--out", out)
            np.testing.assert_array_equal(read(out)["q"], x.q)

    def test_an_existing_file_is_overwritten(self, tmp_path):
        path = tmp_path / "a.npz"
        path.write_text("old")
        run("derivatives", TREE, "--samples", 1, "--out", path)
        assert read(path)["q"].shape == (1, 4)

    @pytest.mark.parametrize(
        ("name", "head"),
        [
            ("a.svg", b"<?xml"),
            pytest.param("a.png", b"\x89PNG", marks=pytest.mark.slow),
            pytest.param("a.pdf", b"%PDF", marks=pytest.mark.slow),
        ],
    )
    def test_plot_writes_a_picture(self, tmp_path, name, head):
        path = tmp_path / name
        run("derivatives", TREE, "--samples", 2, "--plot", path)
        assert path.read_bytes().startswith(head)

    @pytest.mark.slow
    def test_large_and_planar_robots_are_plotted(self, tmp_path):
        path = tmp_path / "a.png"
        for robot in ("autoTree:12,2", "planar:2", "autoTree:1"):
            run("derivatives", robot, "--samples", 2, "--plot", path, "--no-check")
            assert path.stat().st_size > 10_000
            path.unlink()


class TestFailedChecks:
    @pytest.mark.parametrize("name", ["dtau_dqd", "d2tau_cross"])
    def test_a_wrong_derivative_ends_with_exit_code_1(self, tmp_path, monkeypatch, name):
        """An error of 1e-8 in one entry gives exit code 1 and a message with the quantity; no file
        is written.
        """
        function = "ID_derivatives" if name in FIRST else "ID_SO_derivatives"
        right = getattr(derivatives, function)

        def wrong(*args):
            result = right(*args)
            x = getattr(result, name).copy()
            x[0].flat[np.abs(x[0]).argmax()] *= 1 + 1e-8
            return result._replace(**{name: x})

        wrong.reference = right.reference
        monkeypatch.setattr(derivatives, function, wrong)
        path = tmp_path / "a.npz"
        out = run("derivatives", TREE, "--samples", 2, "--out", path, code=1)
        failed = [line.split()[0] for line in out.splitlines() if line.rstrip().endswith("FAILED")]
        assert failed == [name]
        assert f"FAILED, no file is written: {name} (limit 1e-09)" in out
        assert list(tmp_path.iterdir()) == []

    def test_a_result_of_nan_fails_the_check(self, monkeypatch):
        right = derivatives.ID_derivatives

        def wrong(*args):
            return right(*args)._replace(dtau_dq=right(*args).dtau_dq * np.nan)

        wrong.reference = right.reference
        monkeypatch.setattr(derivatives, "ID_derivatives", wrong)
        run("derivatives", TREE, "--samples", 2, "--order", 1, code=1)

    def test_large_robots_are_checked_at_a_few_states(self):
        assert checked_states(autoTree(3), 50).tolist() == list(range(50))
        assert checked_states(autoTree(50), 101).tolist() == [0, 50, 100]
        assert checked_states(autoTree(50), 1).tolist() == [0]


class TestInfo:
    def test_the_default_robot_is_used(self):
        out = run("info")
        assert "puma560: spatial model, 6 bodies" in out
        for name in ("trunk", "flange", "waist", "shoulder", "elbow"):
            assert name in out

    def test_names_are_text(self, tmp_path):
        """Markup in the names of a robot is printed as text."""
        name = "[/b][bold]:smile:\N{GREEK SMALL LETTER ALPHA}"
        path = tmp_path / "arm.urdf"
        path.write_text(
            f'<robot name="{name}"> <link name="base"/> <link name="{name}"/>'
            f'<joint name="{name}" type="continuous"> <parent link="base"/> <child link="{name}"/>'
            "</joint> </robot>",
            encoding="utf-8",
        )
        assert run("info", path).count(name) == 3

    def test_info_prints_the_tree(self):
        out = run("info", TREE)
        assert "spatial model, 4 bodies, NQ = 4, NV = 4" in out
        assert "└── 3 body3 R" in out
        assert "gravity                          [0, 0, -9.81] m/s^2" in out

    def test_info_prints_mass_and_its_centre(self):
        """For two unit rods along x, each with its centre of mass in the middle, mass and centre
        are as computed by hand.
        """
        out = run("info", "planar:2")
        assert "mass of the moving bodies        2 kg" in out
        assert "centre of mass, neutral position [1, 0] m" in out

    def test_info_prints_limits(self, tmp_path):
        path = tmp_path / "arm.urdf"
        path.write_text(
            '<robot name="arm"> <link name="base"/> <link name="upper"/>'
            '<joint name="shoulder" type="revolute"> <parent link="base"/> <child link="upper"/>'
            '<limit lower="-1.5" upper="2" effort="1" velocity="1"/> </joint> </robot>'
        )
        assert "-1.5 .. 2" in run("info", path)

    def test_info_of_a_floating_base_has_its_joint(self):
        line = next(s for s in run("info", TREE, "--floating-base").splitlines() if "joint0" in s)
        assert line.split() == ["0", "joint0", "Fb", "0-6", "0-5", "-1"]


class TestStart:
    def test_help_lists_the_commands(self):
        assert "derivatives" in run()
        assert "--floating-base" in run("derivatives", "--help")
        assert "ROBOT" in run("info", "--help").upper()

    def test_flags_are_shown_without_a_type(self):
        assert "<bool>" not in run("show", "--help")

    def test_robots_are_listed_by_name(self):
        assert run("robots").split() == model_names()

    def test_version_is_printed(self):
        assert run("--version").startswith("spatial-v2")

    def test_the_package_runs_as_a_module(self):
        words = [sys.executable, "-m", "spatial_v2", "info", "planar:1"]
        assert "planar" in subprocess.run(words, check=True, capture_output=True, text=True).stdout

    def test_help_is_fast(self):
        """Help does not import slow modules; commands import them when they run."""
        code = "import sys, spatial_v2.cli; print([m for m in sys.argv[1:] if m in sys.modules])"
        heavy = ["numba", "matplotlib", "scipy", "derivatives"]
        words = [sys.executable, "-c", code, *heavy]
        assert subprocess.run(words, check=True, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("seconds", [4e-9, 2.5e-7, 3.1e-6, 5e-4, 0.02, 0.7, 30.0])
def test_durations_have_three_digits(seconds):
    """Durations have three digits, in a unit that keeps the number below a thousand."""
    number, unit = duration(seconds).split()
    assert float(number) < 1000
    size = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[unit]
    assert float(number) * size == pytest.approx(seconds, rel=5e-3)


def test_branches_begin_at_forks():
    """A branch begins where the tree forks; branches beside each other have separate vertical
    lines.
    """
    found = branches(autoTree(7, 2))
    assert [(b.bodies, b.start) for b in found] == [
        ((0,), -1), ((1,), 0), ((2,), 0), ((3,), 1), ((4,), 1), ((5,), 2), ((6,), 2),
    ]  # fmt: skip
    overlap = [b.rail for b in found if b.start < 3 < b.bodies[-1]]
    assert len(overlap) == len(set(overlap))


@pytest.mark.parametrize("factor", [1.2, 1.5, 2, 3])
def test_rails_are_shared_one_after_the_other(factor):
    """A branch reuses a vertical line only after the last branch on it has ended."""
    found = branches(autoTree(40, factor))
    for rail in {b.rail for b in found}:
        on_it = [b for b in found if b.rail == rail]
        assert all(a.bodies[-1] <= b.start for a, b in pairwise(on_it))


def test_flags_are_shown_as_flags() -> None:
    """Help names no type for options that are on or off, of commands and of the program, and hides
    no command.
    """
    from typer.main import get_command
    from typer.testing import CliRunner

    from spatial_v2.cli import app

    names = list(getattr(get_command(app), "commands"))  # noqa: B009
    assert len(names) > 10
    for name in names:
        said = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200"})
        assert said.exit_code == 0
        assert not any(x in said.output for x in ("<bool>", "BOOLEAN", "<flag>")), name
    said = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"})
    assert "--version" in said.output and "<bool>" not in said.output
