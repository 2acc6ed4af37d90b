"""Comparison of a script, run in GNU Octave, with its translation, run on the same random
numbers.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import spatial_v2.matlab as namespace
from spatial_v2.files.matlab_file import read_variables
from spatial_v2.matlab.runtime import shared as shared_by_runtime
from spatial_v2.matlab.runtime.random_numbers import GENERATOR as RANDOM_NUMBERS
from spatial_v2.migrate.expressions import attribute
from spatial_v2.migrate.kinds import Kind, MigrateError
from spatial_v2.migrate.names import PLOTS, RANDOM
from spatial_v2.migrate.parse import read, text, with_plain_ends
from spatial_v2.migrate.program import Translation
from spatial_v2.migrate.values import shared

__all__ = [
    "DRIVER", "SHADOWS", "SIZED", "UNIFORM", "Outcome", "Stream", "against", "octave", "python",
    "side_by_side",
]  # fmt: skip

UNIFORM = """function u = migrate_uniform(n)
  persistent k; if isempty(k), k = 0; end
  a = mod((k + (1:n)) * 1664525 + 1013904223, 2147483648); k = k + n;
  u = (mod(a .* mod(a, 65536), 2147483647) + 0.5) / 2147483648;
end
"""
SIZED = """  a = varargin(cellfun(@isnumeric, varargin));
  if numel(a) == 0, s = [1 1]; elseif numel(a) == 1 && isscalar(a{1}), s = [a{1} a{1}];
  elseif numel(a) == 1, s = a{1}(:)'; else, s = [a{:}]; end
  n = prod(s);
"""
SHADOWS = {
    "migrate_uniform": UNIFORM,
    "rand": f"function x = rand(varargin)\n{SIZED}  x = reshape(migrate_uniform(n), s);\nend\n",
    "randn": f"function x = randn(varargin)\n{SIZED}"
    "  x = reshape(sqrt(3) * (sum(reshape(migrate_uniform(4 * n), 4, n), 1) - 2), s);\nend\n",
    "randi": f"function x = randi(h, varargin)\n{SIZED}  if numel(h) == 1, h = [1 h]; end\n"
    "  x = reshape(h(1) + floor(migrate_uniform(n) * (h(2) - h(1) + 1)), s);\nend\n",
    "randperm": "function p = randperm(n)\n  [~, p] = sort(migrate_uniform(n));\nend\n",
    "rng": "function rng(varargin)\nend\n",
    "import": "function import(varargin)\nend\n",
    "migrate_plain": "function x = migrate_plain(x)\n"
    "  if is_function_handle(x), x = 'function';\n"
    "  elseif isstruct(x) && numel(x) == 1\n"
    "    for f = fieldnames(x)', x.(f{1}) = migrate_plain(x.(f{1})); end\n"
    "  elseif iscell(x), x = cellfun(@migrate_plain, x, 'UniformOutput', false); end\nend\n",
}
DRIVER = """1; more off; warning('off', 'all');
{paths}
addpath('{work}');
try
  source('{work}/migrate_script.m');
  migrate_error = '';
catch migrate_caught
  migrate_error = migrate_caught.message;
end
migrate_all = struct();
migrate_names = who;
for migrate_k = 1:numel(migrate_names)
  migrate_name = migrate_names{{migrate_k}};
  if ~strncmp(migrate_name, 'migrate_', 8) && ~strcmp(migrate_name, 'ans')
    migrate_all.(migrate_name) = migrate_plain(eval(migrate_name));
  end
end
save('-v7', '{work}/migrate_values.mat', 'migrate_all', 'migrate_error');
"""


DRAW = """function x = {name}(varargin)
  global migrate_k; persistent d; if isempty(d), d = load('{work}/migrate_draws.mat'); end
  if isempty(migrate_k), migrate_k = 0; end
  migrate_k = migrate_k + 1; x = d.x{{migrate_k}};
  if ~strcmp(d.n{{migrate_k}}, '{name}'), error('{name} is drawn in another order'); end
end
"""
"""Octave function that replays random results of the library drawn in Python."""


class Outcome(NamedTuple):
    """Outcome of the comparison of a script with its translation."""

    agrees: bool
    message: str
    compared: int = 0
    octave_error: str = ""
    python_error: str = ""


class Stream(np.random.Generator):
    """Random numbers equal to those of Octave during the comparison."""

    def __init__(self) -> None:
        super().__init__(np.random.PCG64(0))
        self.k = 0

    def _uniform(self, n: int) -> np.ndarray:
        a = np.mod((self.k + np.arange(1.0, n + 1)) * 1664525 + 1013904223, 2147483648)
        self.k += n
        u: np.ndarray = (np.mod(a * np.mod(a, 65536), 2147483647) + 0.5) / 2147483648
        return u

    def random(self, shape: Any = ()) -> Any:  # type: ignore[override]
        """Return uniform numbers between 0 and 1."""
        x = np.reshape(self._uniform(int(np.prod(shape, dtype=int))), shape, order="F")
        return float(x) if x.ndim == 0 else x

    def standard_normal(self, shape: Any = ()) -> Any:  # type: ignore[override]
        """Return normally distributed numbers with mean 0 and variance 1."""
        n = int(np.prod(shape, dtype=int))
        x = np.sqrt(3) * (np.reshape(self._uniform(4 * n), (n, 4)).sum(axis=1) - 2)
        x = np.reshape(x, shape, order="F")
        return float(x) if x.ndim == 0 else x

    def integers(self, low: int, high: int, shape: Any = ()) -> Any:  # type: ignore[override]
        """Return random integers from `low` on, below `high`."""
        return np.asarray(low + np.floor(self.random(shape) * (high - low))).astype(int)

    def permutation(self, n: int) -> np.ndarray:  # type: ignore[override]
        """Return a random permutation of the integers from 0 to n - 1."""
        return np.argsort(self._uniform(n), kind="stable")


def octave(
    script: Path, folders: Sequence[Path], limit: float = 120, draws: Sequence[tuple[str, Any]] = ()
) -> tuple[dict[str, Any], str]:
    """Run a script in GNU Octave; return its variables and the error that stopped it, if any.

    Library functions with random results return the recorded results `draws`, one after another.
    """
    from scipy.io import loadmat, savemat

    program = shutil.which("octave-cli") or shutil.which("octave")
    if program is None:
        raise MigrateError("--check needs GNU Octave: install the program octave-cli")
    parsed = read(script, ordered=False)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for shadow, body in SHADOWS.items():
            (work / f"{shadow}.m").write_text(body, "utf-8")
        names = np.array([n for n, _ in draws] + [""], dtype=object)
        values_ = np.array([x for _, x in draws] + [np.zeros(0), {}], dtype=object)[:-1]
        savemat(work / "migrate_draws.mat", {"n": names, "x": values_}, oned_as="column")
        for drawn in {n for n, _ in draws}:
            (work / f"{drawn}.m").write_text(DRAW.format(name=drawn, work=work), "utf-8")
        for plot in PLOTS:
            (work / f"{plot}.m").write_text(
                f"function varargout = {plot}(varargin)\n varargout = cell(1, nargout);\nend\n",
                "utf-8",
            )
        for f in parsed.functions.values():
            (work / f"{f.name}.m").write_text(text(f.node) + "\n", "utf-8")
        source = script.read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        source = with_plain_ends(source.decode("utf-8", errors="replace").encode())
        for f in reversed(parsed.functions.values()):
            source = source[: f.node.start_byte] + source[f.node.end_byte :]
        (work / "migrate_script.m").write_bytes(b"1;\n" + source)
        paths = "\n".join(f"addpath(genpath('{x.resolve()}'));" for x in folders)
        driver = DRIVER.format(work=work, paths=paths)
        (work / "migrate_driver.m").write_text(driver, "utf-8")
        try:
            done = subprocess.run(
                [program, "--no-init-file", "--quiet", "--no-gui", str(work / "migrate_driver.m")],
                cwd=script.resolve().parent,
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
                errors="replace",
            )
        except subprocess.TimeoutExpired:
            raise MigrateError(f"{script}: Octave has not finished after {limit:g} s") from None
        if not (work / "migrate_values.mat").exists():
            raise MigrateError(f"{script}: Octave gave no values: {done.stderr.strip()[-200:]}")
        found = loadmat(work / "migrate_values.mat")
        values = found["migrate_all"]
        error = "".join(found["migrate_error"].ravel())
        return {n: values[n][0, 0] for n in values.dtype.names or ()}, error


@contextlib.contextmanager
def _recorded(draws: list[tuple[str, Any]]) -> Iterator[None]:
    """Record the results of library functions that draw random numbers; show no motion, as in
    Octave.
    """
    kept = {name: getattr(namespace, name) for name in (*RANDOM, "showmotion")}

    def recorder(name: str) -> Callable[..., Any]:
        def drawn(*args: Any, **options: Any) -> Any:
            draws.append((name, kept[name](*args, **options)))
            return np.array(draws[-1][1])

        return drawn

    others: dict[str, Callable[..., Any]] = {name: recorder(name) for name in RANDOM}
    others["showmotion"] = lambda *_: SimpleNamespace(open=lambda: None)
    for name, function in others.items():
        setattr(namespace, name, function)
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(namespace, name, function)


@contextlib.contextmanager
def _running(folder: Path, where: Path) -> Iterator[None]:
    before, path, make = set(sys.modules), list(sys.path), np.random.default_rng
    stream, cwd = Stream(), Path.cwd()
    vars(shared).clear()
    vars(shared_by_runtime).clear()
    RANDOM_NUMBERS.clear()
    np.random.default_rng = lambda *_: stream
    opened, webbrowser.open = webbrowser.open, lambda *_, **__: True
    sys.path.insert(0, str(folder))
    os.chdir(where)
    with contextlib.suppress(ImportError):
        import matplotlib

        matplotlib.use("Agg")
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        np.random.default_rng = make
        webbrowser.open = opened
        sys.path[:] = path
        os.chdir(cwd)
        for name in set(sys.modules) - before:
            if (
                getattr(sys.modules[name], "__file__", None)
                and Path(str(sys.modules[name].__file__)).parent == folder
            ):
                del sys.modules[name]


def python(
    translation: Path, draws: list[tuple[str, Any]] | None = None, where: Path | None = None
) -> tuple[dict[str, Any], str]:
    """Run a translation, in the folder `where`; return its variables and the error that stopped
    it, '' if none did.
    """
    translation = translation.resolve()
    with (
        _running(translation.parent, where or translation.parent),
        _recorded([] if draws is None else draws),
    ):
        code = compile(translation.read_text(encoding="utf-8"), str(translation), "exec")
        names: dict[str, Any] = {"__name__": "__main__"}
        try:
            exec(code, names)
        except SystemExit:
            pass
        except Exception as error:
            return names, f"{type(error).__name__}: {error}"
    return names, ""


def side_by_side(script: Path, out: Path, found: Translation, folders: Sequence[Path]) -> Outcome:
    """Run a script and its translation, and compare all variables of the script at its end."""
    draws: list[tuple[str, Any]] = []
    ours, python_error = _variables(script, out, found, draws)
    theirs, octave_error = octave(script, folders, draws=[] if python_error else draws)
    if octave_error and not python_error:
        return Outcome(False, f"Octave stops: {octave_error}; Python does not", 0, octave_error)
    if python_error and not octave_error:
        return Outcome(False, f"Python stops: {python_error}", 0, "", python_error)
    if octave_error:
        return Outcome(False, f"both stop: {octave_error}", 0, octave_error, python_error)
    return _compared(ours, theirs, found)


def against(script: Path, out: Path, found: Translation, results: Path) -> Outcome:
    """Run a translation, and compare its variables with those that MATLAB saved after the script.

    Variables of the file that the script does not assign, function handles and objects of MATLAB's
    are passed over.
    """
    from scipy.io.matlab import MatlabFunction, MatlabOpaque

    saved = read_variables(results, classes=True)
    theirs = {
        n: x
        for n, x in saved.items()
        if n in found.first and not isinstance(x, (MatlabFunction, MatlabOpaque))
    }
    if not theirs:
        return Outcome(False, f"{results} has none of the variables that {script} assigns", 0)
    ours, error = _variables(script, out, found, [])
    if error:
        return Outcome(False, f"Python stops: {error}", 0, "", error)
    outcome = _compared(ours, theirs, found)
    return outcome._replace(message=outcome.message.replace("in Octave", f"in {results.name}"))


def _variables(
    script: Path, out: Path, found: Translation, draws: list[tuple[str, Any]]
) -> tuple[dict[str, Any], str]:
    """Return the variables of a translation at its end, and the error that stopped it."""
    ours, error = python(out, draws, script.resolve().parent)
    return ours | {
        n: getattr(shared_by_runtime if n in vars(shared_by_runtime) else shared, attribute(n))
        for n in found.globals
    }, error


def _compared(ours: dict[str, Any], theirs: dict[str, Any], found: Translation) -> Outcome:
    """Compare all variables of a script at its end."""
    from spatial_v2.migrate.compare import TOLERANCE, difference

    count = 0
    for name in sorted(theirs, key=lambda n: found.first.get(n, 0)):
        if found.kinds.get(name, Kind("other")).form in ("handle", "symbol", "symbols", "options"):
            continue
        own = next((x for x in (name, f"{name}_") if x in ours and x in found.kinds), None)
        if (own or name) in found.counters and (own is None or np.size(theirs[name]) == 0):
            # After a loop that never ran, Octave has an empty counter and Python none; Python
            # deletes the variable of a caught error. Neither can be compared.
            continue
        where = f"{name}, first assigned in line {found.first.get(name, '?')}"
        if own is None:
            return Outcome(False, f"{where}: not there in Python", count)
        value = ours[own]
        if own in found.shifts:
            value = np.asarray(value) + found.shifts[own]
        said = difference(value, theirs[name], found.kinds.get(own, Kind("other")))
        if said:
            return Outcome(False, f"{where}: {said}", count)
        count += 1
    return Outcome(True, f"{count} variables agree to {TOLERANCE:g}", count)
