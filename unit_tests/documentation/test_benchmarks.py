"""The benchmarks run: every study by name, on tiny models; tables are stored completely or not at
all.

No test here judges a time. Tests that need another library or a compiler are skipped if it is
missing.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import results_file, stamp, study
from benchmarks.control import ipopt, reach, timed
from benchmarks.cpp.build import build, missing
from benchmarks.engine import measure, targets
from benchmarks.engine.functions import FUNCTIONS, takes
from benchmarks.robots import LEGS, legged, robot, states
from benchmarks.studies import STUDIES
from benchmarks.timing import least, round_of
from spatial_v2 import CRBA, get_compilation
from spatial_v2.calls.kernels import KernelFunction
from spatial_v2.calls.signature import Function
from spatial_v2.io import example_robots
from spatial_v2.models import autoTree

OTHER = ("CoriolisMatrix", "ID_SO by differences")
"""Rows whose quantities differ between the libraries.

Coriolis matrices are other factorisations of the same C qd; of dM/dq Pinocchio computes only one
triangle.
"""
SHORT: dict[str, Any] = {"repeats": 1, "budget": 0.0, "limit": 0.0}


def test_least_time_is_of_one_call() -> None:
    """The result is in microseconds per call, for any number of calls in a round; the smallest of
    all rounds counts.
    """
    rounds = {"steady": lambda count: 2e-6 * count, "slow": lambda count: 1.0 * count}
    assert least(rounds, repeats=3, budget=1e-3) == pytest.approx({"steady": 2.0, "slow": 1e6})
    noisy = iter([9e-6, 9e-6, 5e-6, 3e-6, 7e-6, 8e-6, 9e-6])
    assert least({"": lambda count: next(noisy)}, repeats=5, budget=0.0)[""] == pytest.approx(3)


def test_a_round_makes_its_calls() -> None:
    calls: list[None] = []
    assert round_of(lambda: calls.append(None))(7) > 0
    assert len(calls) == 7


def test_rounds_alternate() -> None:
    """Rounds of different candidates alternate, so that slow phases of the machine affect all."""
    order: list[str] = []

    def of(name: str) -> Any:
        return lambda count: (order.append(name), 1e-3)[1]

    least({"a": of("a"), "b": of("b")}, repeats=3, budget=0.0)
    assert order[4:] == ["a", "b"] * 3


NEEDED = {"simulation": ["mujoco", "pinocchio"], "streaming": ["psutil", "zarr"]}


@pytest.mark.parametrize("name", STUDIES)
def test_studies_can_be_started(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each study module accepts the command line that ``spatial-v2`` passes to it."""
    for package in ("matplotlib", *NEEDED.get(name, ())):
        pytest.importorskip(package)
    args = command.options(["--fast", name])
    assert list(command.chosen(args)) == [name]
    _, _, module, *rest = command.command(name, STUDIES[name], args)
    assert callable(importlib.import_module(module).main)
    shared = [x for x in rest if x not in STUDIES[name].arguments]  # others are its module's own
    assert study.options("A study.", sizes=[1], robots=["ur5"], arguments=shared).name == name


def test_an_unknown_study_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.options(["nonesuch"])
    assert "no study nonesuch; there are targets" in capsys.readouterr().err


def test_results_are_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    """Numbers that are not finite become null; a row that JSON cannot hold changes no file."""
    rows = [{"n": 5, "us": 1.23456, "relative": float("nan")}, {"n": 6, "us": np.float64(2.0)}]
    path = results_file.write("some", rows, {"sizes": [5, 6]}, tmp_path)
    kept = results_file.read("some", tmp_path)
    assert kept["rows"] == [{"n": 5, "us": 1.235, "relative": None}, {"n": 6, "us": 2.0}]
    assert kept["engine"] == stamp.engine_stamp()
    assert {"processor", "python", "versions", "commit", "date"} <= set(kept["machine"])
    before = path.read_text(encoding="utf-8")
    with pytest.raises(TypeError):
        results_file.write("some", [{"n": object()}], {}, tmp_path)
    assert path.read_text(encoding="utf-8") == before
    assert [file.name for file in tmp_path.iterdir()] == ["some.json"]


def test_a_result_is_current_while_the_engine_is_the_same(tmp_path: Path) -> None:
    assert not results_file.is_current("some", tmp_path)
    path = results_file.write("some", [{"n": 1}], {}, tmp_path)
    assert results_file.is_current("some", tmp_path)
    content = json.loads(path.read_text(encoding="utf-8")) | {"engine": "another"}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert not results_file.is_current("some", tmp_path)
    results_file.write("some", [{"n": 1}], {"fast": True}, tmp_path)
    assert not results_file.is_current("some", tmp_path)


def test_the_stamp_is_of_code_alone() -> None:
    """The stamp ignores changes of docstrings, comments and blank lines, and detects a changed
    number.
    """
    text = '"""Doc."""\n\n# why\ndef f(x):\n    """What."""\n    return 2 * x\n'
    assert stamp.code(text) == "def f(x):\n    return 2 * x"
    assert stamp.code(text.replace("What", "More\n\n    lines")) == stamp.code(text)
    assert stamp.code(text.replace("2", "3")) != stamp.code(text)
    names = {file.name for file in stamp.sources()}
    assert {"accelerated.py", "ID.py", "FD_SO_derivatives.py"} <= names


@pytest.mark.parametrize("family", LEGS)
def test_legged_trees_are_a_floating_body_with_equal_chains(family: str) -> None:
    """The trees have a floating body with equal chains as legs, and the number of joints is that of
    all legs.
    """
    model = robot(f"{family}8")
    roots = np.flatnonzero(model.parent == 0)
    assert (model.NB, model.NV, len(roots)) == (9, 14, LEGS[family])
    assert np.bincount(model.parent[1:]).max() == LEGS[family]
    with pytest.raises(ValueError, match="multiple of"):
        legged(LEGS[family], 7)
    with pytest.raises(ValueError, match="no robot 'nonesuch'"):
        robot("nonesuch")


@pytest.mark.parametrize("name", ["chain5", "tree12", "bush12"])
def test_trees_are_numbered_depth_first(name: str) -> None:
    """Bodies of a subtree have consecutive numbers; the inertia of the whole tree is that of
    `autoTree`.
    """
    model = robot(name)
    for i in range(model.NB):
        below = [j for j in range(model.NB) if i in ancestors(model.parent, j)]
        assert below == list(range(i, i + len(below)))
    branching = {"chain5": 1, "tree12": 2, "bush12": 5}[name]
    other = autoTree(model.NB, branching, 1.0, 0.95)
    assert sorted(model.I[:, 5, 5]) == pytest.approx(sorted(other.I[:, 5, 5]))
    H, wanted = (CRBA(tree, np.zeros(tree.NV)) for tree in (model, other))
    assert np.linalg.eigvalsh(H) == pytest.approx(np.linalg.eigvalsh(wanted))


def ancestors(parent: np.ndarray, body: int) -> list[int]:
    """Return the body and all bodies between it and the base."""
    return [] if body < 0 else [body, *ancestors(parent, int(parent[body]))]


def test_a_missing_option_is_told_from_a_fault() -> None:
    """Only an error message that names the keyword means that the option is missing."""

    def function(x: int, *, known: int = 0) -> int:
        return x + known

    assert takes(lambda: function(1, known=2), "known")
    assert not takes(lambda: function(1, out=2), "out")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        takes(lambda: function("a", known=2), "known")  # type: ignore[arg-type]


def test_every_form_of_a_tiny_model_is_timed() -> None:
    """Every form has a time, of all states together or of one; options are passed where
    they exist.
    """
    model = robot("chain2")
    sample = states(model, 3)
    chosen = ("ID", "CRBA", "ID_SO packed", "ID_SO dense, out=")
    found = measure.measure(model, sample, [FUNCTIONS[name] for name in chosen], None, **SHORT)
    rows = {row["function"]: row for row in found}
    assert tuple(rows) == chosen
    for row in rows.values():
        assert row["states"] == 3
        assert row["batch, out="] > 0
    assert rows["ID"]["one call"] > 0
    assert "batch" not in rows["ID_SO dense, out="]


def test_reference_implementations_are_timed_without_kernels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither the function itself nor one that it calls runs compiled code, at any depth."""
    from benchmarks.peers import textbook

    model = robot("chain2")
    sample = states(model, textbook.BATCH)
    rounds = list(textbook.rounds("chain2", model, sample))
    plain = [(name, seconds) for name, form, _, seconds in rounds if "reference" in form]
    assert {name for name, _ in plain} == set(textbook.NAMES.values())
    measure.parts(FUNCTIONS["FD_SO dense"].of(model, sample, 0))

    def refuse(work: Function, *args: Any, **kw: Any) -> Any:
        raise AssertionError(f"{work.name} runs its kernel")

    monkeypatch.setattr(Function, "load", refuse)
    monkeypatch.setattr(KernelFunction, "compiled", refuse)
    assert all(seconds(1) > 0 for _, seconds in plain)
    assert get_compilation() == "wait"


def row(function: str, nv: int, **times: float) -> dict[str, Any]:
    peer = FUNCTIONS[function].peer
    return {"robot": "some", "NV": nv, "function": function, "peer": peer} | times


def test_methods_of_optimal_control_find_the_same_motion() -> None:
    """`solve`, and IPOPT on the program of `transcribe`, from the same guess."""
    pytest.importorskip("casadi")
    if "ur5" not in example_robots():
        pytest.skip("needs robot files")
    problem, guess, _ = reach()
    rows = [timed(problem, guess, "newton", 1), ipopt(problem, guess, 1)]
    assert rows[0]["cost"] == pytest.approx(rows[1]["cost"], rel=1e-8)
    for row in rows:
        assert row["errors"][-1] < 1e-6 < row["errors"][0]
        assert len(row["errors"]) == row["iterations"] + 1


def test_ratios_are_held_against_their_targets() -> None:
    """Ratios of batches have targets on all robots, those of single calls from 18 degrees of
    freedom on; only measured ones are judged.
    """
    ours = {"batch": 1.5, "batch, out=": 1.0, "one call": 9.0, "C++": 10.0}
    small, large, none = targets.compare(
        [row("ID", 6, **ours), row("FDab", 18, **ours), row("ID_SO packed", 18, **{"C++": 3.0})]
    )
    assert (small["batch ratio"], small["batch target"], small["batch met"]) == (0.1, 0.16, True)
    assert (small["single ratio"], small["single target"], small["single met"]) == (0.9, None, None)
    assert (large["single ratio"], large["single target"], large["single met"]) == (0.9, 1.0, True)
    assert (none["batch ratio"], none["batch met"]) == (None, None)
    for each, word in ((small, "met"), (none, "not yet")):
        assert word in targets.line(each)


def test_contractions_are_held_against_packed_tensors() -> None:
    """The ratio of a row may refer to another row of this library instead of Pinocchio."""
    tensor = row("ID_SO packed", 18, **{"batch": 10.0, "one call": 20.0, "C++": 30.0})
    other = row("modID_second_derivatives", 18, **{"batch": 1.0, "one call": 10.0})
    found = list(targets.compare([tensor, other]))[1]
    assert (found["batch ratio"], found["batch met"]) == (0.1, True)
    assert (found["single ratio"], found["single met"]) == (0.5, False)


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=f"the C++ program needs {missing()}")
def test_cpp_peer_computes_the_same() -> None:
    """The norms of all results of all algorithms agree, on a tree with a floating base."""
    from benchmarks.peers.pinocchio_twin import cpp_peer

    build()
    model = robot("quadruped8")
    sample = states(model, 2)
    peer = cpp_peer(model, sample)
    for function in FUNCTIONS.values():
        if function.own or function.options or "out=" in function.name:
            continue
        results = measure.parts(function.of(model, sample, 0))
        ours = np.sqrt(sum((array**2).sum() for array in results))
        tolerance = 1e-8 if function.exact else 1e-4
        if function.name not in OTHER:
            assert peer.norm(function.peer) == pytest.approx(ours, rel=tolerance), function.name
        assert peer.seconds(function.peer, 2) > 0
    peer.close()
