"""A folder with functions as a library for C and C++: headers, sources, object code, binaries."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from spatial_v2.exceptions import SpatialError
from spatial_v2.export.functions import FORMS, Exported, exported
from spatial_v2.export.sources import sources
from spatial_v2.files.path_name import path_name

__all__ = ["build_library", "compiler", "export_library"]

_NAMED = ("-Wl,-soname,libspatial_v2.so",) if sys.platform.startswith("linux") else ()
"""Programs then look for the library by its name, not by the path it had when they were linked."""
_FLAGS = ("-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-DSV2_BUILD")


def export_library(
    folder: str | PathLike[str],
    functions: Sequence[Any],
    forms: Sequence[str] = FORMS,
    level: str = "native",
    progress: Callable[[str], None] = lambda name: None,
) -> None:
    """Write functions as a library for C and C++, which needs no Python when it runs.

    Parameters
    ----------
    folder : path-like
        The folder, created if needed. It receives include, src, objects, and a `CMakeLists.txt`
        that builds the library.
    functions : sequence of callable
        Public functions with one kernel, such as `ID`.
    forms : sequence of {"state", "batch"}, optional
        Functions for one state, for batches, or both.
    level : str, optional
        The processor: ``native`` for this one, ``x86-64-v2``, ``x86-64-v3``, ``x86-64-v4`` or
        ``aarch64``.
    progress : callable, optional
        Called with the name of each function before it is compiled.

    Raises
    ------
    SpatialError
        A function that cannot be exported, an unknown form or level, or no compiler (numba).

    Examples
    --------
    >>> from spatial_v2 import HandC, ID
    >>> export_library("robot_library", [ID, HandC])  # doctest: +SKIP
    """
    from spatial_v2 import __version__

    unknown = [form for form in forms if form not in FORMS]
    if unknown or "state" not in forms:
        raise SpatialError(f"forms: want state, or state and batch, got {', '.join(forms)}")
    chosen = exported(functions)
    if not chosen:
        raise SpatialError("functions: want at least one, got none")
    from spatial_v2.engine.compile.object_code import processor
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH, VARIABLE

    wanted, root = processor(level), Path(path_name(folder, "folder"))
    if "batch" in forms and level != "native" and wanted.simd_width != SIMD_WIDTH:
        _in_other_width(root, chosen, forms, level, {VARIABLE: str(wanted.simd_width)})
        return
    for old in (root / "objects").glob("*.o"):
        old.unlink()
    (root / "objects").mkdir(parents=True, exist_ok=True)
    for f in chosen:
        progress(f.name)
        for form in forms:
            path = root / "objects" / f"{f.name}_{form}.o"
            path.write_bytes(_object(f, form, wanted))
    if "batch" in forms:
        (root / "objects" / "drive.o").write_bytes(_drive(wanted))
    for name, text in sources(chosen, forms, level, __version__, SIMD_WIDTH).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8", newline="\n")


def _object(f: Exported, form: str, wanted: Any) -> bytes:
    """Compile a kernel for one state, or for SIMD batches."""
    from spatial_v2.engine.compile.extend import types
    from spatial_v2.engine.compile.memory import TREE
    from spatial_v2.engine.compile.object_code import object_code
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
    from spatial_v2.engine.numbers.batches import batch_types
    from spatial_v2.engine.tree import View

    view = types.NamedTuple([TREE, types.int64, types.boolean], View)
    record = view if f.of_frame else TREE
    ins, outs = ([n + 1 for n in axes] for axes in f.axes())
    if form == "state" or SIMD_WIDTH == 1:
        kinds = record, *(types.Array(types.float64, n, "C") for n in (*ins, *outs))
    else:
        kinds = batch_types(record, ins, outs, not f.runs)
    return object_code(f.kernel.py_func, kinds, f"sv2_kernel_{f.name}_{form}", wanted)


def _drive(wanted: Any) -> bytes:
    """Compile the function that runs the kernels for SIMD batches."""
    from spatial_v2.engine.compile.object_code import object_code
    from spatial_v2.engine.numbers.batches import DRIVE, drive

    function: Any = drive
    return object_code(function.py_func, DRIVE, "sv2_kernel_drive", wanted)


def _in_other_width(
    root: Path, chosen: Sequence[Exported], forms: Sequence[str], level: str, width: dict[str, str]
) -> None:
    """Export in a new process with another SIMD width, which is fixed within a process."""
    code = (
        "import sys; from spatial_v2.export import export_library; "
        "folder, level, forms, *names = sys.argv[1:]; "
        "from spatial_v2.export.functions import exportable; "
        "found = [exportable()[x] for x in names]; "
        "export_library(folder, found, forms.split(','), level)"
    )
    names = [f.name for f in chosen]
    command = [sys.executable, "-P", "-c", code, str(root), level, ",".join(forms), *names]
    here = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    ended = subprocess.run(
        command, env={**os.environ, **width, "PYTHONPATH": path}, stderr=subprocess.PIPE, text=True
    )
    if ended.returncode:
        raise SpatialError(f"export: {ended.stderr.strip().rpartition(chr(10))[2]}")


def compiler() -> list[str] | None:
    """Return the command of the C compiler, from ``CC`` or the path; None if there is none.

    Returns
    -------
    list of str or None
        The command and its options.

    Examples
    --------
    >>> command = compiler()
    """
    given = shlex.split(os.environ.get("CC", ""))
    if given:
        return given
    found = next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    return [found] if found else None


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
        No C compiler is found, or it reports an error.

    Examples
    --------
    >>> build_library("robot_library", ["-march=native"])  # doctest: +SKIP
    """
    root, command = Path(path_name(folder, "folder")), compiler()
    archiver = shutil.which(os.environ.get("AR", "ar"))
    if command is None or archiver is None:
        raise SpatialError(
            "export: no C compiler found (cc, ar); CMakeLists.txt builds the library"
        )
    shared, static = root / "lib" / "libspatial_v2.so", root / "lib" / "libspatial_v2.a"
    shared.parent.mkdir(exist_ok=True)
    kernels = sorted(map(str, (root / "objects").glob("*.o")))
    with tempfile.TemporaryDirectory() as place:
        made = []
        for source in sorted((root / "src").glob("*.c")):
            made.append(str(Path(place, f"{source.stem}.o")))
            include = f"-I{root / 'include'}"
            run([*command, *_FLAGS, *flags, include, "-c", str(source), "-o", made[-1]])
        static.unlink(missing_ok=True)
        run([archiver, "rcs", str(static), *made, *kernels])
        run([*command, *flags, *_NAMED, "-shared", "-o", str(shared), *made, *kernels, "-lm"])
    return [shared, static]


def run(command: Sequence[str]) -> None:
    """Run a compiler; its messages are those of the error if it fails."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode:
        raise SpatialError(f"export: {command[0]} failed: {ended.stdout.strip()[:2000]}")
