"""``spatial-v2 migrate``: MATLAB scripts into Python."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.files import written_folder
from spatial_v2.files.part_file import PartFile

if TYPE_CHECKING:
    from spatial_v2.migrate import Translation
    from spatial_v2.migrate.check import Outcome

__all__ = ["migrate"]


def migrate(
    script: Annotated[
        Path, typer.Argument(help="A MATLAB script or function, `name.m`, or a folder of them.")
    ],
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
    report: Annotated[
        Path | None,
        typer.Option(help="Page in Markdown: what was translated how, what stays, where to look."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace translations that were edited.")
    ] = False,
) -> None:
    """Translate a MATLAB script, and the functions of yours that it calls, into Python.

    Functions of the MATLAB library become this library's, `A*B` becomes `A @ B` or `a * b`, and
    subscripts count from 0. A line that cannot be translated is kept as a comment under
    `# TODO(migrate)` and reported; then the exit code is 1. With `--check`, MATLAB's own library is
    looked for in the folders given, and the exit code is 1 where a variable differs. With
    `--against results.mat` the results are those of a file, and Octave is not needed. Of a folder
    all scripts are translated, and the functions that they share once. `--report` writes a page:
    what was translated how, what stays, and where to look.
    """
    if against is not None and script.is_dir():
        raise typer.BadParameter("want one script, got a folder", param_hint="--against")
    translated, scripts, unread = _translated(script, folders or [])
    target = out or (script if script.is_dir() else script.parent)
    texts = [(each.path, f"{each.path.stem}.py", _marked(each.python)) for each in translated]
    if notebook:
        texts += [
            (each.path, f"{each.path.stem}.ipynb", json.dumps(each.notebook(), indent=1))
            for each in translated
            if each.path in scripts
        ]
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
            _write(target / name, text)
            typer.echo(f"{source} -> {target / name}")
    todos = [t for each in translated for t in each.todos]
    for todo in todos:
        typer.echo(f"{todo.path}:{todo.line}: TODO {todo.why}", err=True)
    for path, why in unread.items():
        typer.echo(f"{path}: not translated: {why}", err=True)
    checked = {}
    if check or against is not None:
        around = [*(folders or []), *([script] if script.is_dir() else [])]
        for each in translated:
            if each.path in scripts:
                checked[each.path] = _checked(each, target, around, against, script.is_dir())
                typer.echo(f"check: {checked[each.path].message}")
    if report is not None:
        from spatial_v2.migrate.report import report as page

        said = {path: outcome.message for path, outcome in checked.items()}
        written = {each.path: target / f"{each.path.stem}.py" for each in translated}
        with written_folder("--report"):
            report.parent.mkdir(parents=True, exist_ok=True)
            _write(report, page(script.name, translated, written, unread, said, report))
        typer.echo(f"report: {report}")
    if todos or not all(outcome.agrees for outcome in checked.values()):
        raise typer.Exit(1)


def _translated(
    script: Path, folders: list[Path]
) -> tuple[list[Translation], list[Path], dict[Path, str]]:
    """Return the translations, the scripts among the files, and the files that are not read."""
    from spatial_v2.migrate import translate

    if script.is_dir():
        from spatial_v2.migrate.folders import translate_folder

        return translate_folder(script, folders)
    return translate(script, folders), [script], {}


def _checked(
    each: Translation, target: Path, folders: list[Path], against: Path | None, many: bool
) -> Outcome:
    """Compare a translation with the results of its script."""
    from spatial_v2.migrate import MigrateError
    from spatial_v2.migrate.check import Outcome, side_by_side
    from spatial_v2.migrate.check import against as compared

    ours = target / f"{each.path.stem}.py"
    if against is not None:
        return compared(each.path, ours, each, against)
    try:
        return side_by_side(each.path, ours, each, folders)
    except MigrateError as error:
        if not many:
            raise
        return Outcome(False, str(error))


def _write(path: Path, text: str) -> None:
    with PartFile(path) as part:
        part.file.write(text.encode())
        part.finish()


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
