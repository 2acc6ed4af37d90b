"""MEX functions in GNU Octave return Python's results to the last bit, the original library's
numbers, and MATLAB's errors.
"""

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from octave_library import OCTAVE, Call, Theirs, run
from typer.testing import CliRunner

import derivatives
import spatial_v2
from spatial_v2 import Model
from spatial_v2.cli import app
from spatial_v2.export.functions import Exported, exported
from spatial_v2.matlab.table import ROWS

NAMES = (
    "ID", "FDab", "HandC", "EnerMo", "CMM", "CoriolisMatrix",
    "ID_derivatives", "FD_derivatives", "modID_derivatives", "ID_SO_derivatives",
)  # fmt: skip
MODELS = [*zoo.SPATIAL, *zoo.PLANAR]
STATES = 5
FILES = (
    "d_dynamics_core", "d_dynamics_matrices", "d_planar", "d_rotor", "e_derivatives_first",
    "e_derivatives_second",
)  # fmt: skip
ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
    pytest.mark.skipif(shutil.which("mkoctfile") is None, reason="mkoctfile is not installed"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the folder of MEX functions by the command line."""
    root = tmp_path_factory.mktemp("library")
    done = CliRunner().invoke(app, ["export", str(root), *NAMES, "--matlab", "--level", "native"])
    assert done.exit_code == 0, done.output
    assert f"matlab   {root / 'matlab'}" in done.output
    return root / "matlab"


def named(name: str) -> Any:
    return getattr(derivatives, name, None) or getattr(spatial_v2, name)


@functools.cache
def record(name: str) -> Exported:
    return exported([named(name)])[0]


def called(f: Exported, model: str, values: list[np.ndarray], force: Any = None) -> Call:
    """Return the call of an exported function in Octave, with one column per state."""
    fields = len(f.results) > 1 and not ROWS[f.name].outputs
    given = [np.atleast_2d(x).T for x in values] + ([] if force is None else [force])
    return Call(f.name, (f"@{model}", *given), 1 if fields else len(f.results))


def results(f: Exported, their: Theirs) -> list[np.ndarray]:
    assert not their.error, f"{f.name}: {their.error}"
    first = their.out[0]
    return [first[name] for name in f.results] if isinstance(first, dict) else their.out


def states(model: Model, f: Exported, shape: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(11)
    q = spatial_v2.random_configuration(model, rng, shape)
    return [q if core == "q" else rng.normal(size=(*shape, model.NV)) for core in f.cores]


def forces(model: Model) -> np.ndarray:
    """Draw forces on all bodies except the first."""
    force = np.random.default_rng(12).normal(size=(model.NB, 3 if model.is_planar else 6))
    force[0] = 0
    return force


Case = tuple[str, str, tuple[int, ...], bool]


def cases(names: Sequence[str], models: Sequence[str]) -> list[Case]:
    """Return all combinations of function, model, one or several states, and external forces or
    none.
    """
    return [
        (name, model, shape, with_force)
        for name in names
        for model in models
        for shape in ((), (STATES,))
        for with_force in ((False, True) if record(name).force else (False,))
    ]


def computed(
    names: Sequence[str], folder: Path, work: Path, kinds: Sequence[str] = MODELS
) -> list[tuple[Case, Theirs]]:
    """Return all cases with the results of Octave, from one process."""
    calls, models = [], {name: zoo.build(name) for name in kinds}
    for name, model, shape, with_force in cases(names, kinds):
        force = list(forces(models[model]).reshape(models[model].NB, -1, 1)) if with_force else None
        if force is not None:
            force[0] = np.zeros((0, 0))
        f = record(name)
        calls.append(called(f, model, states(models[model], f, shape), force))
    return list(zip(cases(names, kinds), run(calls, models, [str(folder)], work), strict=True))


def pairs(case: Case, their: Theirs) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield pairs of a result in Octave and the one in Python, with states along the last axis."""
    (name, kind, shape, with_force), f = case, record(case[0])
    model = zoo.build(kind)
    options = {"f_ext": forces(model)} if with_force else {}
    ours = named(name)(model, *states(model, f, shape), **options)
    for a, b in zip(ours if len(f.results) > 1 else [ours], results(f, their), strict=True):
        want = np.moveaxis(a, 0, -1) if shape else a
        yield b.reshape(want.shape, order="F"), want


@pytest.fixture(scope="module")
def theirs(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Case, Theirs]]:
    return computed(NAMES, folder, tmp_path_factory.mktemp("calls"))


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_python_to_the_last_bit(
    name: str, theirs: list[tuple[Case, Theirs]]
) -> None:
    for case, their in theirs:
        if case[0] == name:
            for got, want in pairs(case, their):
                np.testing.assert_array_equal(got, want, f"{case}")


def test_results_of_robots_with_rotors_are_those_of_python_to_the_last_bit(
    folder: Path, tmp_path: Path
) -> None:
    for case, their in computed(NAMES, folder, tmp_path, zoo.ROTORS):
        for got, want in pairs(case, their):
            np.testing.assert_array_equal(got, want, f"{case}")


def golden(f: Exported, data: golden_io.Data, case: str) -> Iterator[tuple[Call, dict[str, Any]]]:
    """Yield calls of the original library whose results a file contains, for all samples, and these
    results.
    """
    stem = f.name.replace("second_derivatives", "second")
    needed = [f"in_{x.rstrip('_')}" for x in f.names]
    for kind in ("", "fext_") if f.force else ("",):
        keys = {x: f"{stem}_{kind}{'Gamma' if x == 'G' else x}" for x in f.results}
        wanted = {
            x: golden_io.raw(data, case, key)
            for x, key in keys.items()
            if golden_io.has(data, case, key)
        }
        if wanted and all(golden_io.has(data, case, x) for x in needed):
            given = [golden_io.raw(data, case, x).T for x in needed]
            force = golden_io.raw(data, case, "in_f_ext") if kind else None
            yield called(f, case, given, force), wanted


def agree_with_golden(names: Sequence[str], folder: Path, work: Path) -> set[str]:
    """Check that results of Octave agree with all numbers of the golden files; return the names of
    the functions compared.
    """
    checked = set()
    for file in FILES:
        data = golden_io.load(file)
        models = {x: golden_io.model_of(data, x) for x in golden_io.cases(file, "model_parent")}
        calls = [
            x
            for case, model in models.items()
            for f in map(record, names)
            for x in golden(f, data, case)
        ]
        found = run([call for call, _ in calls], models, [str(folder)], work)
        for (call, wanted), their in zip(calls, found, strict=True):
            f = record(call.name)
            got = dict(zip(f.results, results(f, their), strict=True))
            for name, want in wanted.items():
                size = 1e-12 * np.abs(want).max(initial=1.0)
                ours = got[name].reshape(want.shape, order="F")
                np.testing.assert_allclose(ours, want, rtol=0, atol=size, err_msg=f"{call.name}")
            checked.add(f.name)
    return checked


def test_numbers_of_the_original_library(folder: Path, tmp_path: Path) -> None:
    assert agree_with_golden(NAMES, folder, tmp_path) == set(NAMES)


def octave(folder: Path, work: Path, *lines: str) -> list[str]:
    """Run a script in Octave with the folder first on the path; return the lines that it prints."""
    (work / "these_lines.m").write_text("\n".join(["1;", f"addpath('{folder}');", *lines]) + "\n")
    command = [str(OCTAVE), "--no-init-file", "--quiet", "--eval", "these_lines"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


WRONG = {
    "ID(1, q, q, q)": "model: want a struct, got a double",
    "ID(model, q, q)": "want tau = ID(model, q, qd, qdd[, f_ext])",
    "ID(struct(), q, q, q)": "model.parent is missing",
    "ID(set('parent', [-1 0]), q, q, q)": "model.parent(1): want the number of a body before it, "
    "counted from 1, or 0 for the fixed base, got -1",
    "ID(set('parent', [1 2]), q, q, q)": "model.parent(1): want the number of a body before it, "
    "counted from 1, or 0 for the fixed base, got 1",
    "ID(set('parent', {0, 1}), q, q, q)": "model.parent: want an array of doubles, got a cell",
    "ID([model model], q, q, q)": "model: want one struct, got 2",
    "ID(set('NB', {2}), q, q, q)": "model.NB: want a number, got a cell",
    "ID(set('NB', 3), q, q, q)": "model.NB is 3, and model.parent has 2 entries",
    "ID(set('Xtree', eye(6)), q, q, q)": "model.Xtree: want a cell, got a double",
    "ID(set('I', {eye(6)}), q, q, q)": "model.I: want 2 cells, one for each body, got 1",
    "ID(set('I', {eye(6), eye(3)}), q, q, q)": "model.I{2}: want a 6x6 matrix, got 3x3",
    "ID(set('Xtree', {eye(6), 2*eye(6)}), q, q, q)": "model.Xtree{2} is not a Pluecker transform "
    "[E 0; -E*skew(r) E] with a rotation E; build it with plux(E,r), xlt(r), rotz(t)",
    "ID(set('I', {eye(6), NaN(6)}), q, q, q)": "model.I{2} is not a rigid-body inertia; build it "
    "with mcI(m,c,Ic)",
    "ID(set('I', {-eye(6), eye(6)}), q, q, q)": "model.I{1}: the mass is negative",
    "ID(set('jtype', {'Rz', 'Q'}), q, q, q)": "model.jtype{2}: unknown joint code 'Q'",
    "ID(set('jtype', {'Rz', 'r'}), q, q, q)": "model.jtype{2}: 'r' is a joint of planar models, "
    "and Xtree is spatial",
    "ID(set('jtype', {'H', 'R'}), q, q, q)": "model.jtype{1}: a helical joint needs its pitch, a "
    "finite number, in pars.pitch",
    "ID(set('gravity', [0 -9.81]), q, q, q)": "model.gravity: want 3 numbers, got 2",
    "ID(set('has_rotor', [0 1]), q, q, q)": "model.jtype_rotor{2} is missing, and body 2 has a "
    "rotor",
    "ID(set('has_rotor', [1 0 0]), q, q, q)": "model.has_rotor: want 2 truth values, one for "
    "each body, got 3",
    "ID(set('has_rotor', sparse([0 1])), q, q, q)": "model.has_rotor: want truth values, in a full "
    "array",
    "FDab(set('has_rotor', [0 1]), q, q, q)": "model.jtype_rotor{2} is missing, and body 2 has a "
    "rotor",
    "ID(model, [q; 0], q, q)": "q: want 2x1, or 2xN for N states, got 3x1",
    "ID(model, {0.1, 0.2}, q, q)": "q: want an array of doubles, got a cell",
    "ID(model, q, 1i*q, q)": "qd: want real numbers, got complex ones",
    "ID(model, q, [q q], [q q q])": "qdd: want 1 or 2 states, got 3",
    "ID(model, q, q, q, {1})": "f_ext: want 2 cells, one for each body, got 1",
    "ID(model, q, q, q, {[], 1})": "f_ext{2}: want 6x1, or 6xN for N states, got 1x1",
    "ID(model, q, q, q, ones(6, 3))": "f_ext: want a cell of 2 vectors, or 6x2, or 6x2xN for N "
    "states",
    "two(model, q)": "2 results are not compiled, want tau = ID(model, q, qd, qdd[, f_ext])",
    "CoriolisMatrix(model, q, q, 1)": "want [C, Hdot, H] = CoriolisMatrix(model, q, qd)",
}
MODEL = """
global model;
model = struct('NB', 2, 'parent', [0 1], 'jtype', {{'Rz', 'Rx'}}, ...
               'Xtree', {{eye(6), eye(6)}}, 'I', {{eye(6), eye(6)}});
q = [0.1; 0.2];
function m = set(name, value)
  global model;
  m = setfield(model, name, value);
end
function two(model, q)
  [a, b] = ID(model, q, q, q);
end
"""


def test_wrong_arguments_are_errors_with_the_name_of_the_function(
    folder: Path, tmp_path: Path
) -> None:
    lines = [
        f"try, {call}; disp('computed'); catch e, printf('%s|%s\\n', e.identifier, e.message); end"
        for call in WRONG
    ]
    found = octave(folder, tmp_path, MODEL, *lines)
    assert len(found) == len(WRONG)
    for (call, message), line in zip(WRONG.items(), found, strict=True):
        name = "ID" if call.startswith("two") else call.partition("(")[0]
        assert line == f"spatial_v2:{name}|{name}: {message}", call


def test_what_is_not_compiled_is_computed_by_the_function_further_on_the_path(
    folder: Path, tmp_path: Path
) -> None:
    """Complex steps call the function ID that is later on Octave's path; real calls run the
    compiled one.
    """
    model = zoo.build("rotors")
    state = zoo.states(model, np.random.default_rng(3))
    model.to_matlab(tmp_path / "rotors.mat")
    text = {x: np.array2string(getattr(state, x), 999, 17) for x in ("q", "qd", "qdd")}
    found = octave(
        folder,
        tmp_path,
        f"addpath('{ROOT / 'unit_tests/support/octave'}', '-end'); load rotors.mat",
        *(f"{x} = {value}';" for x, value in text.items()),
        "h = 1e-20; e = [1; 0; 0; 0];",
        "for k = 1:2, d = imag(ID(model, q + 1i*h*e, qd, qdd)) / h; end",
        "printf('%.17g ', d, ID(model, q, qd, qdd)); disp('');",
        "disp(exist('ID') == 3)",
    )
    slopes, tau = np.array(found[0].split(), dtype=float).reshape(2, 4)
    wanted = derivatives.ID_derivatives(model, state.q, state.qd, state.qdd).dtau_dq[:, 0]
    np.testing.assert_allclose(slopes, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    np.testing.assert_allclose(tau, spatial_v2.ID(model, *state[:3]), rtol=1e-12)
    assert found[1] == "1"


def test_edits_of_a_model_and_many_models_are_seen(folder: Path, tmp_path: Path) -> None:
    """Twenty models, more than are cached, give right results in turn; a singular one gives NaN and
    a warning.
    """
    found = octave(
        folder,
        tmp_path,
        MODEL,
        "for mass = [1:20 1:20]",
        "  model.I{2} = mass * eye(6); x = ID(model, 0*q, 0*q, [1; 0]); printf('%g ', x(1));",
        "end, printf('\\n');",
        "model.I = {zeros(6), zeros(6)}; lastwarn(''); x = FDab(model, q, q, q);",
        "disp(any(isfinite(x))); [text, id] = lastwarn(); disp(id); disp(text)",
    )
    assert found[0].split() == [str(1 + mass) for mass in [*range(1, 21), *range(1, 21)]]
    assert (
        found[1:3] == ["0", "spatial_v2:notFinite"] and "FDab: a result is not finite" in found[3]
    )


def test_octave_builds_the_folder_itself(folder: Path, tmp_path: Path) -> None:
    root = shutil.copytree(folder.parent, tmp_path / "copy")
    for path in (root / "matlab").glob("*.mex"):
        path.unlink()
    unbuilt = "try, ID(1), catch e, disp(e.message); end"
    found = octave(
        root / "matlab", tmp_path, MODEL, unbuilt, "build", "disp(ID(model, 0*q, 0*q, [1; 0])')"
    )
    assert found[0] == f"ID: is not compiled yet; call build in {root / 'matlab'}"
    assert found[-1].split() == ["2", "0"]


def test_help_is_that_of_the_function(folder: Path, tmp_path: Path) -> None:
    found = "\n".join(octave(folder, tmp_path, "help HandC"))
    assert "[H, C] = HandC(model, q, qd[, f_ext])" in found


SCRIPTS = sorted((ROOT / "examples" / "matlab").glob("*.m"))


def test_scripts_run_in_octave(folder: Path, tmp_path: Path) -> None:
    """Example scripts run with a model from Python instead of MATLAB's, and give finite results."""
    spatial_v2.models.autoTree(7, 1.5, np.pi / 3, 0.95).to_matlab(tmp_path / "tree.mat")
    (tmp_path / "autoTree.m").write_text(
        "function m = autoTree(varargin), load tree.mat, m = model;"
    )
    (tmp_path / "postProcessModel.m").write_text("function m = postProcessModel(m)")
    lines = [f"run('{path}'); disp(all(isfinite(result)))" for path in SCRIPTS]
    found = octave(folder, tmp_path, "addpath(pwd);", *lines)
    assert len(SCRIPTS) == 11 and found == ["1"] * 11


NAMED = os.environ.get("SPATIAL_V2_MATLAB", "").split(os.pathsep)
UNIT_TESTS = "CMM", "Coriolis", "Derivatives", "Derivatives_FB", "Dynamics"


@pytest.mark.skipif(not NAMED[0], reason="SPATIAL_V2_MATLAB names no MATLAB library")
@pytest.mark.parametrize("name", UNIT_TESTS)
def test_unit_tests_of_the_original_library_pass(name: str, folder: Path, tmp_path: Path) -> None:
    """The unit tests of the original library pass, which check numbers with rotors, cells and
    complex steps.
    """
    path = next(x for root in NAMED for x in Path(root).rglob(f"UnitTest_{name}.m"))
    script = re.sub(r"^(import|clear|clc).*", "", path.read_text(), flags=re.M)
    # Octave requires the functions of a script before its commands
    body, function, functions = script.partition("\nfunction ")
    (tmp_path / "their_test.m").write_text(f"1;{function}{functions}\n{body}\n")
    original = "".join(f"addpath(genpath('{root}'));" for root in NAMED)
    lines = "warning('off', 'all');", original, f"addpath('{folder}'); addpath(pwd);"
    found = octave(folder, tmp_path, *lines, "their_test", "disp('passed')")
    assert found[-1] == "passed" and len(found) > 3
