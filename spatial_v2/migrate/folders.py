"""Translation of all files of a folder: scripts, and functions that they share."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate.general import translate_by_runtime
from spatial_v2.migrate.kinds import MigrateError
from spatial_v2.migrate.parse import Script, read
from spatial_v2.migrate.passes import at_a_level
from spatial_v2.migrate.program import Translation
from spatial_v2.migrate.reached import called_files, named_files, reached

__all__ = ["Folder", "translate_folder"]


class Folder(NamedTuple):
    """Translations of the files of a folder."""

    translations: list[Translation]
    scripts: list[Path]
    """Scripts among the files."""
    unread: dict[Path, str]
    """Files that are not translated, with the reason."""


def translate_folder(folder: Path, folders: list[Path] | None = None) -> Folder:
    """Translate all MATLAB files of a folder, and what they call from other folders.

    Several scripts that share functions are translated in one way: by NumPy's functions if these
    decide each of their lines, else by the runtime. Files with the name of a function of MATLAB's
    library are passed over, since this library has it.

    Examples
    --------
    >>> translate_folder(Path("controllers")).scripts  # doctest: +SKIP
    [PosixPath('controllers/main.m')]
    """
    others = [*(folders or []), folder]
    where = named_files(folder, others)
    read_: dict[Path, Script] = {}
    unread: dict[Path, str] = {}
    for path in sorted(folder.rglob("*.m")):
        if path.stem in ROWS:
            unread[path] = f"{path.stem} is a function of the library"
        elif where[path.stem] != path:
            unread[path] = f"{where[path.stem]} has the same name"
        else:
            try:
                read_[path] = read(path)
            except MigrateError as error:
                unread[path] = str(error).removeprefix(f"{path}:")
    found: list[Translation] = []
    scripts: list[Path] = []
    for group in _groups(read_, where):
        files, missing = reached([f.path for f in group], others)
        found += _translated(files, missing)
        scripts += [f.path for f in group if _is_script(f)]
    unique = {each.path: each for each in found}
    return Folder(sorted(unique.values(), key=lambda t: t.path), sorted(scripts), unread)


def _is_script(f: Script) -> bool:
    return any(n.type != "comment" for n in f.body) or not f.functions


def _groups(files: dict[Path, Script], where: dict[str, Path]) -> list[list[Script]]:
    """Return files in groups: those that call each other, directly or through others."""
    group: dict[Path, set[Path]] = {p: {p} for p in files}
    for path, script in files.items():
        for name in called_files(script, where, path.parent):
            if where[name] in files and group[where[name]] is not group[path]:
                both = group[path] | group[where[name]]
                for p in both:
                    group[p] = both
    unique = {id(g): g for g in group.values()}
    return [[files[p] for p in sorted(g)] for g in unique.values()]


def _translated(files: list[Script], unread: dict[str, str]) -> list[Translation]:
    """Translate a group of files; by the runtime each script is the first of its own."""
    files = sorted(files, key=lambda f: not _is_script(f))
    found = at_a_level(files, unread, "either")
    scripts = [f for f in files if _is_script(f)]
    if len(scripts) < 2 or found[0].undecided is None:
        return found
    undecided = {each.path: each.undecided for each in found}
    functions = [f for f in files if not _is_script(f)]
    found = translate_by_runtime([*functions, *scripts], unread) if functions else []
    for script in scripts:
        rest = [f for f in files if f is not script]
        found.append(translate_by_runtime([script, *rest], unread)[0])
    for each in found:
        each.undecided = undecided.get(each.path, [])
    return found
