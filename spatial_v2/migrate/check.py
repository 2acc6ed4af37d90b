"""Comparison of a script, run in GNU Octave, with its translation, run on the same random
numbers.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
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
from spatial_v2.migrate.kinds import Kind
from spatial_v2.migrate.names import RANDOM
from spatial_v2.migrate.octave import octave
from spatial_v2.migrate.program import Translation
from spatial_v2.migrate.values import shared

__all__ = ["Outcome", "Stream", "against", "octave", "python", "side_by_side"]


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
