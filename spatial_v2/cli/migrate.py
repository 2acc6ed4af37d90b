"""``spatial-v2 migrate``: MATLAB scripts into Python."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

import typer

from spatial_v2.cli.files import written_folder
from spatial_v2.files.part_file import PartFile

__all__ = ["migrate"]


def migrate(
    script: Annotated[Path, typer.Argument(help="A MATLAB script or function, `name.m`.")],
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Folders of functions that it calls.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results; by default the script's.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare with the script's results in Octave.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            help="Compare with variables that MATLAB saved after the script, by "
            "`save('results.mat', '-v7')`."
        ),
    ] = None,
    notebook: Annotated[
        bool, typer.Option("--notebook", help="Write a notebook, a cell for each `%%` section.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace translations that were edited.")
    ] = False,
) -> None:
    """Translate a MATLAB script, and the functions of yours that it calls, into Python.

    Functions of the MATLAB library become this library's, `A*B` becomes `A @ B` or `a * b`, and
    subscripts count from 0. A line that cannot be translated is kept as a comment under
    `# TODO(migrate)` and reported; then the exit code is 1. With `--check`, MATLAB's own library is
    looked for in the folders given, and the exit code is 1 where a variable differs. With
    `--against results.mat` the results are those of a file, and Octave is not needed.
    """
    from spatial_v2.migrate import translate

    found = translate(script, folders or [])
    target = out or script.parent
    texts = [(each.path, f"{each.path.stem}.py", _marked(each.python)) for each in found]
    if notebook:
        texts.append((script, f"{script.stem}.ipynb", json.dumps(found[0].notebook(), indent=1)))
    kept = [target / name for _, name, text in texts if _edited(target / name, text)]
    if kept and not overwrite:
        typer.echo(
            f"{kept[0]} exists and is no unchanged translation; nothing is written: choose another "
            "folder by --out, or give --overwrite",
            err=True,
        )
        raise typer.Exit(1)
    with written_folder("--out"):
        target.mkdir(parents=True, exist_ok=True)
        for source, name, text in texts:
            with PartFile(target / name) as part:
                part.file.write(text.encode())
                part.finish()
            typer.echo(f"{source} -> {target / name}")
    todos = [t for each in found for t in each.todos]
    for todo in todos:
        typer.echo(f"{todo.path}:{todo.line}: TODO {todo.why}", err=True)
    bad = bool(todos)
    if check or against is not None:
        from spatial_v2.migrate.check import against as compared
        from spatial_v2.migrate.check import side_by_side

        ours = target / f"{script.stem}.py"
        if against is None:
            outcome = side_by_side(script, ours, found[0], folders or [])
        else:
            outcome = compared(script, ours, found[0], against)
        typer.echo(f"check: {outcome.message}")
        bad = bad or not outcome.agrees
    if bad:
        raise typer.Exit(1)


MARK = "# Translated by spatial-v2 migrate: "


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _marked(text: str) -> str:
    """Append a line that tells whether a file is still as it was written."""
    return f"{text}{MARK}{_digest(text)}\n"


def _edited(path: Path, new: str) -> bool:
    """Test if a file is there that is neither an unchanged translation nor has the new text."""
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    if text == new:
        return False
    before, _, mark = text.rpartition(MARK)
    return mark != f"{_digest(before)}\n"
