"""A folder with functions as a library for C and C++: headers, sources, object code, binaries."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any

from spatial_v2.exceptions import SpatialError
from spatial_v2.export.constrained import constrained_record
from spatial_v2.export.entries import drivers
from spatial_v2.export.functions import FORMS, Exported, exported
from spatial_v2.export.levels import ANY, features, levels_of, runs_here, tag
from spatial_v2.export.records import record_type
from spatial_v2.export.sources import Level, sources
from spatial_v2.files.part_folder import part_folder
from spatial_v2.files.path_name import path_name
from spatial_v2.matlab.table import ROWS

__all__ = ["described", "earlier_files", "export_library", "write_objects"]

_LIBRARY = "objects/*.o", "src/*.[ch]", "lib/*spatial_v2*.*"
_MATLAB = *ROWS, "build", "spatial_v2_*", "sv2_mex*"


def export_library(
    folder: str | PathLike[str],
    functions: Sequence[Any],
    forms: Sequence[str] = FORMS,
    level: str = ANY,
    progress: Callable[[str], None] = lambda name: None,
) -> None:
    """Write functions as a library for C and C++, which needs no Python when it runs.

    Parameters
    ----------
    folder : path-like
        The folder, created if needed. It receives include, src, objects, and a `CMakeLists.txt`
        that builds the library; all of it or, after an error or an interruption, nothing.
    functions : sequence of callable
        Public functions with one kernel, such as `ID`.
    forms : sequence of {"state", "batch"}, optional
        Functions for one state, for batches, or both.
    level : str, optional
        The processor: ``any`` for ``x86-64-v2``, ``x86-64-v3`` and ``x86-64-v4`` side by side, of
        which a program takes the best that its processor has; one of these, ``aarch64``, or
        ``native`` for this processor alone. On other architectures, ``any`` is ``native``.
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
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH

    names = levels_of(level)
    widths = [x.width for x in described(names)]
    with part_folder(folder, earlier_files(folder)) as root:
        (root / "objects").mkdir()
        with ExitStack() as others:
            for width in {*widths} - {SIMD_WIDTH} if "batch" in forms else ():
                there = [x for x, w in zip(names, widths, strict=True) if w == width]
                others.enter_context(_in_other_width(root, chosen, there, width))
            here = [
                x
                for x, w in zip(names, widths, strict=True)
                if w == SIMD_WIDTH or "batch" not in forms
            ]
            write_objects(root, chosen, forms, here, progress)
        levels = described(names)
        for name, text in sources(chosen, forms, levels, __version__).items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8", newline="\n")


def described(names: Sequence[str]) -> list[Level]:
    """Return what sources say of levels of processors.

    Parameters
    ----------
    names : sequence of str
        Names of levels, the best one first.

    Returns
    -------
    list of Level
        Their names, SIMD widths, and tests.
    """
    from spatial_v2.engine.compile.object_code import processor
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH

    return [
        Level(x, SIMD_WIDTH if x == "native" else w.simd_width, runs_here(x, features(w)))
        for x, w in ((x, processor(x)) for x in names)
    ]


def write_objects(
    root: Path,
    chosen: Sequence[Exported],
    forms: Sequence[str],
    levels: Sequence[str],
    progress: Callable[[str], None] = lambda name: None,
) -> None:
    """Compile functions for levels of processors that have this process's SIMD width.

    Parameters
    ----------
    root : Path
        The folder of the library.
    chosen : sequence of Exported
        The functions.
    forms, levels : sequence of str
        Members of `FORMS`, and names of levels.
    progress : callable, optional
        Called with the name of each function before it is compiled.
    """
    from spatial_v2.engine.compile.object_code import object_code, processor

    for f in chosen:
        progress(f.name)
        entries = [(kernel, form) for kernel in f.kernels() for form in f.forms(kernel, forms)]
        for (kernel, form), level in product(entries, levels):
            name = f"{kernel}_{form}_{tag(level)}"
            path = root / "objects" / f"{name}.o"
            made = _object(f, kernel, form, f"sv2_kernel_{name}", processor(level))
            path.write_bytes(made)
    for (driver, function, kinds), level in product(drivers(), levels if "batch" in forms else ()):
        name = f"{driver}_{tag(level)}"
        path = root / "objects" / f"{name}.o"
        made = object_code(function.py_func, kinds, f"sv2_kernel_{name}", processor(level))
        path.write_bytes(made)


def earlier_files(folder: str | PathLike[str]) -> list[str]:
    """Return patterns of files of an earlier export, which do not belong to a new one.

    Parameters
    ----------
    folder : path-like
        The folder.

    Returns
    -------
    list of str
        Files of a subfolder ``matlab`` are among them only if `export_matlab` has written it.

    Examples
    --------
    >>> earlier_files("no folder")[0]
    'objects/*.o'
    """
    ours = Path(path_name(folder, "folder"), "matlab", "sv2_mex.h").is_file()
    return [*_LIBRARY, *(f"matlab/{name}.*" for name in _MATLAB if ours)]


def _object(f: Exported, kernel: str, form: str, name: str, wanted: Any) -> bytes:
    """Compile a kernel of a function for one state, or for SIMD batches."""
    from spatial_v2.engine.compile.extend import types
    from spatial_v2.engine.compile.object_code import object_code
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
    from spatial_v2.engine.numbers.batches import batch_types

    in_y = kernel == f.in_y.name
    if in_y:
        record = record_type("coupled")
    elif f.subject == "constraints":
        record = constrained_record(f.name)
    else:
        record = record_type("view" if f.subject else "sums" if f.sums else "tree")
    ins, outs = ([n + 1 for n in axes] for axes in f.axes())
    if form == "state" or SIMD_WIDTH == 1:
        kinds = record, *(types.Array(types.float64, n, "C") for n in (*ins, *outs))
    else:
        kinds = batch_types(record, ins, outs, not f.runs)
    function = f.in_y.kernel if in_y else f.kernel
    return object_code(function.py_func, kinds, name, wanted)


@contextmanager
def _in_other_width(
    root: Path, chosen: Sequence[Exported], levels: Sequence[str], width: int
) -> Iterator[None]:
    """Compile for other levels beside the context: the SIMD width is fixed within a process."""
    from spatial_v2.engine.compile.simd_width import VARIABLE

    code = (
        "import sys; from pathlib import Path; "
        "from spatial_v2.export.functions import FORMS, exportable, exported; "
        "from spatial_v2.export.library import write_objects; "
        "folder, levels, *names = sys.argv[1:]; "
        "chosen = exported([exportable()[x] for x in names]); "
        "write_objects(Path(folder), chosen, FORMS, levels.split(','))"
    )
    names = [f.name for f in chosen]
    command = [sys.executable, "-P", "-c", code, str(root), ",".join(levels), *names]
    here = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, VARIABLE: str(width), "PYTHONPATH": path}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield
            _, said = process.communicate()
        finally:
            process.kill()
        if process.returncode:
            raise SpatialError(f"export: {said.strip().rpartition(chr(10))[2]}")
