"""The test suite for other implementations: correct operators pass, and a wrong one is found."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import command_line
import numpy as np
import pytest
from numpy.testing import assert_allclose

import tensor_sva
from spatial_v2.exceptions import SpatialError
from tensor_sva.identities import IDENTITIES
from tensor_sva.suite import OPERATORS, SCHEMA, prove, run, test_suite, test_vectors
from tensor_sva.suite.load import load_operators
from tensor_sva.suite.operators import needs
from tensor_sva.suite.vectors import OURS

READER = Path(__file__).parents[2] / "examples" / "check_operators.cpp"


def test_operators_of_the_library_pass_the_suite() -> None:
    results = run(OURS)
    assert [r.name for r in results] == list(IDENTITIES)
    assert all(r.holds and not r.falls for r in results)


def test_every_operator_is_needed_somewhere() -> None:
    assert set().union(*(needs(x) for x in IDENTITIES.values())) == set(OPERATORS) == set(OURS)


@pytest.mark.optional
def test_operators_on_jax_arrays_pass_the_suite() -> None:
    """This library's operators on JAX arrays pass, each traced and compiled."""
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        compiled = {name: jax.jit(f) for name, f in OURS.items()}
        seen: list[Any] = []

        def asarray(x: np.ndarray) -> Any:
            seen.append(jax.numpy.asarray(x))
            return seen[-1]

        names = ["M2", "M3", "M5", "M13", "M22", "M25", "P3", "K10"]
        results = run(compiled, names, asarray=asarray)
    assert set().union(*(needs(IDENTITIES[x]) for x in names)) == set(OPERATORS)
    assert seen and all(isinstance(x, jax.Array) for x in seen)
    assert [r for r in results if not r.holds] == []


def broken(f: Callable[..., Any], error: float = 1e-3) -> Callable[..., Any]:
    """Return an operator with one wrong number."""

    def wrong(*arguments: Any) -> Any:
        out = np.array(f(*arguments))
        out.flat[out.size // 2] += error
        return out

    return wrong


@pytest.mark.parametrize("name", OPERATORS)
def test_a_broken_operator_is_found(name: str) -> None:
    """Identities fail with a wrong operator, and only those that contain it."""
    algebra = [x for x in IDENTITIES if x[0] in "MP"]
    fallen = {r.name for r in run({**OURS, name: broken(OURS[name])}, algebra) if r.falls}
    assert fallen
    assert fallen <= {x for x in algebra if name in needs(IDENTITIES[x])}


def test_identities_hold_up_to_a_residual_of_1e_12() -> None:
    """Rounding errors are a thousandth of it."""
    residuals = []
    for error in np.geomspace(1e-13, 1e-11, 30):
        (found,) = run({**OURS, "mT": broken(OURS["mT"], error)}, ["M2"])
        assert found.holds == (found.residual <= 1e-12)
        residuals.append(found.residual)
    assert min(residuals) < 9e-13 and any(1.05e-12 < r < 1.4e-12 for r in residuals)


def test_a_broken_operator_is_found_by_derivatives() -> None:
    """With a wrong icrf, exactly those identities K and J fail whose right sides contain icrf."""
    joints = [x for x in IDENTITIES if x[0] in "KJ"]
    fallen = [r.name for r in run({**OURS, "icrf": broken(OURS["icrf"])}, joints) if r.falls]
    assert fallen == [x for x in joints if "icrf" in needs(IDENTITIES[x])]


def test_an_operator_that_raises_falls_with_its_error() -> None:
    def crm_t(U: Any) -> Any:
        raise ZeroDivisionError("no columns")

    (result,) = run({**OURS, "crm_t": crm_t}, ["M7"])
    assert result.falls
    assert result.error == "ZeroDivisionError: no columns"
    assert np.isnan(result.residual)


@pytest.mark.slow
def test_proofs_hold_for_the_operators_of_the_library() -> None:
    names = ["M1", "M13", "M22", "P3", "J1", "J2", "K8", "K10", "K16"]
    verdicts = prove(OURS, names)
    assert sorted(x.name for x in verdicts) == sorted(names)
    assert all(x.holds and x.same and not x.error for x in verdicts)


@pytest.mark.parametrize("name", ["crm", "icrf", "crf_t", "mT", "B_t"])
@pytest.mark.slow
def test_nothing_is_proved_of_a_wrong_operator(name: str) -> None:
    """With the sign of an operator changed, the proofs that fail are of the identities whose check
    by numbers fails.
    """

    def wrong(*arguments: Any) -> Any:
        return -OURS[name](*arguments)

    names = [x for x in ("P1", "P3", "M2", "M5", "M26", "J2", "K5", "K10", "K13")
             if name in needs(IDENTITIES[x])]  # fmt: skip
    fallen = {x.name for x in prove({**OURS, name: wrong}, names) if not x.holds}
    assert fallen == {r.name for r in run({**OURS, name: wrong}, names) if r.falls}
    assert fallen


def test_operators_that_take_no_symbols_are_told() -> None:
    def crm(v: Any) -> Any:
        return OURS["crm"](np.asarray(v, dtype=float))

    first, second = prove({"crm": crm, "crf": OURS["crf"]}, ["P1", "P3"])
    assert not first.holds and first.error.startswith("TypeError")
    assert second.missing == ["icrf"] and second.proof is None


def test_command_proves_and_prints_derivations() -> None:
    said = command_line.run("identities", "--prove", "M7", "K3", "J8", "--steps")
    assert "3 of 3 identities are proved" in said
    for line in ("K3, j < i", "∂q(vJ(i) × s(i,c))", "= 0  [L1]", "L1, j = i", "E1, unrelated"):
        assert line in said
    assert "expansion: 72 entries" in said and "derivation: 4 cases" in said
    said = command_line.run("identities", "--prove", "M1", "P1", "--operators", "tensor_sva")
    assert "needs crm" in said and "1 of 2 identities are proved" in said
    command_line.run("identities", "--prove", "P1", "--operators", "tensor_sva", code=1)
    assert "--steps" in command_line.refused("identities", "--steps")
    assert "--export" in command_line.refused("identities", "--prove", "--export", "x.json")
    assert "--operators" in command_line.refused("identities", "--prove", "--operators", "numpy")


@pytest.mark.slow
def test_command_proves_all_identities() -> None:
    assert "59 of 59 identities are proved" in command_line.run("identities", "--prove")


def test_nan_fails_the_suite() -> None:
    results = run({**OURS, "crm": lambda v: np.full((6, 6), np.nan)}, ["P1", "P4", "J4"])
    assert all(r.falls for r in results)


def test_the_suite_says_why_an_identity_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message of a failing test begins with the error of the operator, or the residuals."""

    def broken(v: Any) -> Any:
        raise ArithmeticError("out of order")

    for crm, said in ((broken, "out of order"), (lambda v: np.full((6, 6), np.nan), "nan")):
        found = run({**OURS, "crm": crm}, ["P1", "J4"])
        monkeypatch.setattr(
            test_suite, "results", lambda _, found=found: {x.name: x for x in found}
        )
        for name in ("P1", "J4"):
            with pytest.raises(AssertionError) as caught:
                test_suite.test_identity_holds(name, 0)
            assert said in str(caught.value).splitlines()[0]


def test_missing_operators_are_told_and_do_not_fall() -> None:
    results = {r.name: r for r in run(tensor_sva)}
    assert results["M1"].holds
    assert results["P1"].missing == ["crm"]
    assert not results["P1"].falls and not results["P1"].holds


@pytest.mark.parametrize(
    ("call_it", "said"),
    [
        (lambda: run({"cross": np.cross}), "names none of crm, crf"),
        (lambda: run({"crm": 3}), "crm is not a function but 3"),
        (lambda: run(OURS, ["M28"]), "no identity 'M28'"),
        (lambda: test_vectors(["L1"]), "no identity 'L1'"),
        (lambda: load_operators("no_such_module"), "cannot be imported"),
        (lambda: load_operators("tensor_sva:nothing"), "cannot be imported"),
    ],
)
def test_bad_input_is_refused(call_it: Callable[[], Any], said: str) -> None:
    with pytest.raises(SpatialError, match=said):
        call_it()


def array(x: dict[str, Any]) -> np.ndarray:
    return np.array(x["data"]).reshape(x["shape"])


def test_vectors_hold_and_have_the_form_they_say() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    vectors = json.loads(json.dumps(test_vectors()))
    jsonschema.validate(vectors, SCHEMA)
    assert [x["name"] for x in vectors["identities"]] == list(IDENTITIES)
    for name, x in vectors["operators"].items():
        assert_allclose(OURS[name](*map(array, x["arguments"])), array(x["result"]), atol=1e-14)
    for identity in vectors["identities"]:
        assert len(identity["cases"]) == len(IDENTITIES[identity["name"]].right_sides)
        for case in identity["cases"]:
            left, right = array(case["left"]), array(case["right"])
            assert left.shape == right.shape
            gap = np.max(np.abs(left - right), initial=0.0)
            assert gap <= vectors["tolerance"] * max(1.0, np.max(np.abs(left), initial=0.0))


def test_command_prints_residuals_and_writes_vectors(tmp_path: Path) -> None:
    out = tmp_path / "vectors.json"
    said = command_line.run("identities", "M7", "K6", "--export", out)
    assert "2 of 2 identities hold" in said
    assert json.loads(out.read_text()) == json.loads(json.dumps(test_vectors(["M7", "K6"])))


def test_command_checks_operators_of_a_module() -> None:
    said = command_line.run("identities", "M1", "P1", "--operators", "tensor_sva")
    assert "needs crm" in said
    command_line.run("identities", "P1", "--operators", "tensor_sva", code=1)
    assert "--operators" in command_line.refused("identities", "--operators", "numpy")
    assert "NAME" in command_line.refused("identities", "M99")


@pytest.mark.slow
def test_reader_in_cpp_checks_its_own_operators(tmp_path: Path) -> None:
    """A program in C++ confirms the identities for its own operators and the file of test data, and
    finds changed numbers.
    """
    casadi = pytest.importorskip("casadi")
    include = Path(casadi.__file__).parent / "include" / "eigen3"
    if not shutil.which("g++") or not include.exists():
        pytest.skip("needs g++ and Eigen")
    command = ["g++", "-std=c++17", "-O0", f"-I{include}", str(READER), "-o", "reader"]
    subprocess.run(command, cwd=tmp_path, check=True)
    vectors = test_vectors(["P1", "P3", "M22", "M23"])
    for name in ("right", "wrong"):
        (tmp_path / name).write_text(json.dumps(vectors))
        done = subprocess.run(
            ["./reader", name], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.stdout.count("holds") + done.stdout.count("FALLS") == 3 + 2 * 4
        assert done.returncode == (name == "wrong")
        fallen = [line.split()[1] for line in done.stdout.splitlines() if "FALLS" in line]
        assert fallen == ([] if name == "right" else ["crf", "P3"])
        vectors["operators"]["crf"]["result"]["data"][7] += 1e-6
        vectors["identities"][3]["cases"][0]["left"]["data"][2] += 1e-6
