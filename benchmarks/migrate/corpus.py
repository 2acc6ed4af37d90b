"""MATLAB files, and the outcome of the translation of each."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.migrate.arguments import MODEL, MODELS, combinations, values
from spatial_v2.migrate import MigrateError, Translation, translate
from spatial_v2.migrate.check import side_by_side
from spatial_v2.migrate.names import NOTED, PLOTS
from spatial_v2.migrate.octave import SHADOWS, octave
from spatial_v2.migrate.parse import Class, Function, read

__all__ = ["OUTCOMES", "Case", "cases", "outcome"]

OUTCOMES = {
    "agrees": "runs unedited, every variable agrees to 1e-9",
    "agrees here": "agrees where this run comes by; lines elsewhere are left",
    "left": "a line is left with its reason",
    "refused": "an error names file and line: what the parser cannot read",
    "stops": "stops with an error of Python's",
    "differs, and says so": "a variable differs; a comment names the function that is other",
    "differs": "a variable differs, silently",
    "not run": "GNU Octave does not run it",
}
"""Possible outcomes of a translation, each with its meaning."""
TRIED = """1; more off; warning('off', 'all');
{paths}
addpath('{work}');
tried = {{
{calls}
}};
for k = 1:numel(tried)
  try
    evalc(tried{{k}});
    printf('\\nWORKS %d\\n', k); exit;
  catch
  end
end
"""


class Case(NamedTuple):
    """A file, and the folder of the library or fork that it comes from."""

    root: Path
    path: Path
    library: tuple[Path, ...] = ()
    """Folders of MATLAB's library, for files that are none of its own."""


def cases(roots: list[Path]) -> Iterator[Case]:
    """Yield every file of the given folders that differs from all files before it."""
    seen = set()
    for root in roots:
        for path in sorted(root.rglob("*.m")):
            digest = hashlib.sha256(path.read_bytes().replace(b"\r", b"")).digest()
            if digest not in seen:
                seen.add(digest)
                yield Case(root, path)


def outcome(case: Case, limit: int = 120) -> dict[str, Any]:
    """Translate a file and compare it with GNU Octave; return a row of the table of files."""
    row: dict[str, Any] = {"root": case.root.name, "file": str(case.path.relative_to(case.root))}
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(2 * limit)
    with tempfile.TemporaryDirectory() as name:
        try:
            row |= _outcome(case, Path(name), limit)
        except MigrateError as error:
            late = "Octave" in str(error)
            row |= {"outcome": "not run" if late else "refused", "why": str(error)}
        except TimeoutError:
            row |= {"outcome": "stops", "why": "takes too long"}
        finally:
            signal.alarm(0)
    return row


def _late(*_: object) -> None:
    raise TimeoutError


def _outcome(case: Case, work: Path, limit: int) -> dict[str, Any]:
    parsed = read(case.path)
    first = next(iter(parsed.functions.values()), None)
    if parsed.defined is not None:
        first = _constructor(parsed.defined)
    is_script = any(n.type != "comment" for n in parsed.body) or first is None
    folders = [*case.library, case.root]
    if is_script:
        script = case.path
    else:
        assert first is not None
        script = work / "call_it.m"
        shutil.copy(case.path, work / case.path.name)
        call = _call(case, first, work)
        if call is None:
            found = translate(work / case.path.name, folders)
            return _judged(found, "not run", "no arguments are known", "function")
        script.write_text(call + (PROPERTIES if parsed.defined is not None else ""))
    found = translate(script, folders)
    out = work / "python"
    out.mkdir()
    for each in found:
        (out / f"{each.path.stem}.py").write_text(each.python)
    kind = "script" if is_script else "function"
    try:
        result = side_by_side(script, out / f"{script.stem}.py", found[0], folders)
    except TimeoutError:
        _, error = octave(script, folders, limit)
        if not error:
            raise
        return _judged(found, "not run", error, kind)
    if result.octave_error:
        return _judged(found, "not run", result.octave_error, kind)
    if result.agrees:
        return _judged(found, "agrees", result.message, kind)
    if result.python_error:
        left = result.python_error.startswith("NotImplementedError")
        return _judged(found, "left" if left else "stops", result.message, kind)
    noted = any(f"# {n}: " in each.python for each in found for n in NOTED)
    said = "differs, and says so" if noted else "differs"
    return _judged(found, said, result.message, kind)


PROPERTIES = """
names_ = properties(r0); s_ = struct();
for k_ = 1:numel(names_), s_.(names_{k_}) = r0.(names_{k_}); end
r0 = s_; clear s_ names_ k_
"""
"""Lines that turn an object into a struct of its properties, which are compared."""


def _constructor(defined: Class) -> Function:
    """Return the constructor of a class as a function by the name of the class."""
    for m in defined.methods:
        if m.function.name == defined.name:
            return m.function
    return Function(defined.name, (), ("obj",), defined.node, ())


def _judged(found: list[Translation], said: str, why: str, kind: str) -> dict[str, Any]:
    todos = [t.why for each in found for t in each.todos]
    if said == "agrees" and todos:
        said = "agrees here"
    lines = sum(each.lines for each in found)
    by_runtime = sum(each.by_runtime for each in found)
    return {
        "kind": kind, "outcome": said, "why": why, "todos": todos,
        "lines": lines, "by_runtime": by_runtime,
    }  # fmt: skip


def _call(case: Case, function: Function, work: Path) -> str | None:
    """Return a script that calls a function with arguments that GNU Octave accepts, if there are
    any.
    """
    model = f"floatbase({MODEL})" if "xfb" in function.inputs else MODEL
    if (case.root / "v3" / "utility" / "configuration").is_dir():
        model = f"postProcessModel({model})"
    literals = [values(k) | {"model": model} for k in range(len(function.inputs))]
    calls = []
    made = {p: _makers(case.root, p, case.path.stem) for p in function.inputs}
    for each in literals:
        each.update({call: call for calls_ in made.values() for call in calls_})
    if function.inputs in ((), ("varargin",)):
        chosen: list[tuple[str, ...]] = [()]
    else:
        chosen = list(combinations(tuple(n for n in function.inputs if n != "varargin"), made))
    outputs = tuple(n for n in function.outputs if n != "varargout")
    for count in dict.fromkeys((len(outputs), min(1, len(outputs)))):
        for kinds in chosen:
            model_at = next((k for k, x in enumerate(kinds) if x in made[function.inputs[k]]), -1)
            given = [
                f"a{k} = {_sized(literals[k][x], x, k, model_at)};\n" for k, x in enumerate(kinds)
            ]
            names = ", ".join(f"r{k}" for k in range(count))
            target = f"[{names}] = " if count > 1 else f"{names} = " if count else ""
            arguments = ", ".join(f"a{k}" for k in range(len(kinds)))
            calls.append(f"{''.join(given)}{target}{case.path.stem}({arguments});\n")
    k = _first_that_works(calls, case, work)
    return None if k is None else calls[k]


def _sized(literal: str, kind: str, k: int, model_at: int) -> str:
    """Return the value of argument number k: vectors fit a model that is an argument before it."""
    if kind not in ("joints", "state") or not 0 <= model_at < k:
        return literal
    count = f"{2 if kind == 'state' else 1}*a{model_at}.NB"
    return f"sin({k} + (1:{count}))'"


MAKER = re.compile(r"^\s*function\s+\[?\s*(\w+)\s*\]?\s*=\s*(\w+)\s*(?:\(\s*\))?\s*(?:%.*)?$", re.M)
"""Head of a function with one result and without parameters."""


def _makers(root: Path, parameter: str, but: str) -> list[str]:
    """Return calls of functions of a repository, without arguments, that make a parameter: their
    result has its name, or their own name ends with it.
    """
    word = parameter.lower()
    words = {word, *(MODELS if word in MODELS else ())}
    found = []
    for path in sorted(root.rglob("*.m")):
        head = MAKER.search(path.read_text(errors="replace")[:4000])
        if head is None or path.stem == but or len(word) < 2:
            continue
        if head[1].lower() in words or path.stem.lower().endswith(word):
            found.append(f"{path.stem}()")
    return list(dict.fromkeys(found))[:6]


def _first_that_works(calls: list[str], case: Case, work: Path) -> int | None:
    shadows = work / "shadows"
    shadows.mkdir()
    for name, body in SHADOWS.items():
        (shadows / f"{name}.m").write_text(body)
    for plot in PLOTS:
        (shadows / f"{plot}.m").write_text(
            f"function varargout = {plot}(varargin)\n varargout = cell(1, nargout);\nend\n"
        )
    text = "\n".join("'" + c.replace("'", "''").replace("\n", " ") + "'" for c in calls)
    paths = " ".join(f"addpath(genpath('{x.resolve()}'));" for x in (*case.library, case.root))
    paths += f" addpath('{shadows}');"
    (work / "tried_calls.m").write_text(TRIED.format(paths=paths, work=work, calls=text))
    program = shutil.which("octave-cli") or shutil.which("octave")
    try:
        done = subprocess.run(
            [str(program), "--no-init-file", "--quiet", "--no-gui", "tried_calls.m"],
            cwd=work,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            errors="replace",
            env={**os.environ, "HOME": str(work)},
        )
    except subprocess.TimeoutExpired:
        return None
    (work / "tried_calls.m").unlink()
    found = [line for line in done.stdout.split("\n") if line.startswith("WORKS ")]
    return int(found[0].split()[1]) - 1 if found else None
