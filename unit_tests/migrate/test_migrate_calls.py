"""Translated calls of MATLAB's library use the function that the parity table names."""

import ast
import subprocess
from pathlib import Path
from typing import Any

import pytest
from numpy_level import translate

from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate import MigrateError
from spatial_v2.migrate.names import LIBRARY, RANDOM, SAME
from spatial_v2.migrate.octave import octave

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")


def imported(python: str) -> dict[str, str]:
    """Return the names that a program imports, with the module of each."""
    found = [x for x in ast.parse(python).body if isinstance(x, ast.ImportFrom)]
    return {name.name: str(x.module) for x in found for name in x.names}


def test_functions_that_differ_from_matlab_come_from_its_namespace(tmp_path: Path) -> None:
    """Functions with MATLAB's arguments and results are imported from their own package.

    All others are imported from `spatial_v2.matlab`; a line that is not translated imports nothing.
    """
    names = [x for x in LIBRARY if x in ROWS and ROWS[x].python and x != "postProcessModel"]
    (tmp_path / "calls.m").write_text("".join(f"x = {name}(1, 2, 3);\n" for name in names))
    (found,) = translate(tmp_path / "calls.m")
    done = [x for k, x in enumerate(names) if k + 1 not in {t.line for t in found.todos}]
    from_where, ours, theirs = imported(found.python), set[str](), set[str]()
    for name in done:
        package, _, function = ROWS[name].python[0].rpartition(".")
        if name in RANDOM or "." in package or (ROWS[name].differs and name not in SAME):
            theirs.add(name)
            assert from_where.get(name) == "spatial_v2.matlab", name
        else:
            ours.add(name)
            assert from_where.get(function) == package, name
    assert len(ours) > 50 and len(theirs) > 20 and ours & SAME


@pytest.mark.parametrize("there", ["octave-cli", "octave"])
def test_octave_runs_by_the_name_that_it_has(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Octave is found under any of its names; without all of them the message says what
    to install.
    """

    def stops(command: list[str], **_: Any) -> Any:
        raise subprocess.TimeoutExpired(command, 1)

    (tmp_path / "a.m").write_text("x = 1;\n")
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name == there else None)
    monkeypatch.setattr("subprocess.run", stops)
    with pytest.raises(MigrateError, match="Octave has not finished after 120 s") as error:
        octave(tmp_path / "a.m", [])
    assert error.value.__context__.cmd[0] == f"/bin/{there}"
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(MigrateError, match="install the program octave-cli"):
        octave(tmp_path / "a.m", [])
