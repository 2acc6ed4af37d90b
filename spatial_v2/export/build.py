"""The binaries of an exported library, by the C compiler of this machine."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_folder import part_folder
from spatial_v2.files.path_name import path_name

__all__ = ["build_library", "compiler", "run"]

_NAMED = ("-Wl,-soname,libspatial_v2.so",) if sys.platform.startswith("linux") else ()
"""Programs then look for the library by its name, not by the path it had when they were linked."""
_FLAGS = ("-std=c11", "-O3", "-fPIC", "-fvisibility=hidden", "-DSV2_BUILD")


def compiler() -> list[str] | None:
    """Return the command of the C compiler, from ``CC`` or the path; None if there is none.

    Returns
    -------
    list of str or None
        The command and its options.

    Raises
    ------
    SpatialError
        ``CC`` is not the command of a program.

    Examples
    --------
    >>> command = compiler()
    """
    chosen = _command("CC", "a C compiler, such as gcc")
    if chosen:
        return chosen
    program = next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    return [program] if program else None


def _command(variable: str, wanted: str) -> list[str]:
    """Return the command and its options that an environment variable gives; empty if it is not
    set."""
    text = os.environ.get(variable, "")
    try:
        command = shlex.split(text)
    except ValueError:
        command = [text]
    if command and shutil.which(command[0]) is None:
        raise SpatialError(
            f"export: the environment variable {variable}: want {wanted}, got {text!r}; "
            "there is no such program"
        )
    return command


def build_library(folder: str | PathLike[str], flags: Sequence[str] = ()) -> list[Path]:
    """Build the shared and the static library from a folder that `export_library` has written.

    Parameters
    ----------
    folder : path-like
        The folder.
    flags : sequence of str, optional
        More options of the C compiler.

    Returns
    -------
    list of Path
        ``lib/libspatial_v2.so`` and ``lib/libspatial_v2.a``.

    Raises
    ------
    SpatialError
        No C compiler is found, or it reports an error; nothing is then changed.

    Examples
    --------
    >>> build_library("robot_library", ["-march=native"])  # doctest: +SKIP
    """
    root, command = Path(path_name(folder, "folder")), compiler()
    archiver = _command("AR", "an archiver, such as ar") or [shutil.which("ar") or ""]
    if command is None or not archiver[0]:
        raise SpatialError(
            "export: no C compiler found (cc, ar); CMakeLists.txt builds the library"
        )
    kernels = sorted(map(str, (root / "objects").glob("*.o")))
    include = f"-I{root / 'include'}"
    with tempfile.TemporaryDirectory() as place, part_folder(root / "lib") as lib:
        made = []
        for source in sorted((root / "src").glob("*.c")):
            made.append(str(Path(place, f"{source.stem}.o")))
            run([*command, *_FLAGS, *flags, include, "-c", str(source), "-o", made[-1]])
        shared, static = lib / "libspatial_v2.so", lib / "libspatial_v2.a"
        run([*archiver, "rcs", str(static), *made, *kernels])
        run([*command, *flags, *_NAMED, "-shared", "-o", str(shared), *made, *kernels, "-lm"])
    return [root / "lib" / shared.name, root / "lib" / static.name]


def run(command: Sequence[str]) -> None:
    """Run a compiler; its messages are those of the error if it fails."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode:
        said = ended.stdout.strip()[:2000] or f"it ended with status {ended.returncode}"
        raise SpatialError(f"export: {command[0]} failed: {said}")
