"""Functions for MATLAB and Octave as a wheel has them: ready for Octave, with its kernels."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from spatial_v2.engine.shipped import library
from spatial_v2.exceptions import SpatialError
from spatial_v2.export.build import compiler, run
from spatial_v2.export.functions import FORMS, exportable, exported
from spatial_v2.export.matlab import in_matlab, matlab_sources, name_functions
from spatial_v2.files.part_folder import part_folder
from spatial_v2.files.path_name import path_name

__all__ = ["READY", "copy_mex", "matlab_functions", "prepare_mex"]

READY = Path(__file__).with_name("ready")
"""The folder of a wheel with all kernels that `prepare_mex` has written."""
_OCTAVE = Path(__file__).with_name("templates") / "matlab" / "octave"
_FLAGS = ("-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-shared", "-s", "-DSV2_BUILD")


def matlab_functions() -> list[Any]:
    """Return all functions that can be exported for MATLAB.

    Returns
    -------
    list of callable
        The functions.
    """
    return [f for name, f in exportable().items() if in_matlab(*exported([f]))]


def prepare_mex(
    folder: str | PathLike[str], levels: Sequence[str], functions: Sequence[Any] = ()
) -> None:
    """Write functions that take their kernels from the libraries of `build_kernels`.

    The file for Octave is compiled here, without Octave: it calls a part of Octave's interface for
    MEX files that is the same in all versions with indices of 64 bits.

    Parameters
    ----------
    folder : path-like
        The folder, created if needed.
    levels : sequence of str
        Levels of processors, the best one first.
    functions : sequence of callable, optional
        Functions of `matlab_functions`, by default all of them.

    Raises
    ------
    SpatialError
        A function that cannot be exported, no compiler (numba), or no C compiler.

    Examples
    --------
    >>> prepare_mex("mex", ["x86-64-v4", "x86-64-v3"])  # doctest: +SKIP
    """
    from spatial_v2 import __version__
    from spatial_v2.export.library import described
    from spatial_v2.export.sources import loaded, sources

    command, chosen = compiler(), exported([*functions] or matlab_functions())
    if command is None:
        raise SpatialError("mex: no C compiler found (cc)")
    texts = sources(chosen, FORMS, described(levels), __version__)
    texts["src/levels.c"] = loaded(chosen, FORMS, described(levels))
    kept = {name: x for name, x in texts.items() if name.startswith(("src/", "LICENSE"))}
    kept["include/spatial_v2.h"] = texts["include/spatial_v2.h"]
    kept |= {f"matlab/{name}": text for name, text in matlab_sources(chosen).items()}
    with part_folder(folder) as root:
        for name, text in kept.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8", newline="\n")
        files = [str(x) for part in ("matlab", "src") for x in sorted((root / part).glob("*.c"))]
        include = [f"-I{x}" for x in (_OCTAVE, root / "include", root / "src")]
        made = root / "matlab" / "spatial_v2_mex.mex"
        run([*command, *_FLAGS, *include, *files, "-lm", "-ldl", "-o", str(made)])


def copy_mex(folder: str | PathLike[str]) -> Path | None:
    """Copy the functions for MATLAB and Octave from the wheel, with its kernels.

    Parameters
    ----------
    folder : path-like
        The folder, created if needed. It receives src, include and matlab; the last one goes on
        the path of Octave, and of MATLAB once its function ``build`` has run there.

    Returns
    -------
    Path or None
        The folder ``matlab``; None if this installation has no such files.

    Raises
    ------
    SpatialError
        A folder ``matlab`` with other files.

    Examples
    --------
    >>> copy_mex("robot_functions")  # doctest: +SKIP
    """
    from spatial_v2.export.library import earlier_files
    from spatial_v2.export.matlab import check_matlab_folder

    kernels = sorted(library.FOLDER.glob("*.so"))
    if not READY.is_dir() or not kernels:
        return None
    check_matlab_folder(folder)
    with part_folder(folder, earlier_files(folder)) as root:
        shutil.copytree(READY, root, dirs_exist_ok=True)
        place = root / "matlab"
        (place / "kernels").mkdir()
        for file in kernels:
            shutil.copy(file, place / "kernels" / file.name)
        name_functions(place, place / "spatial_v2_mex.mex")
    return Path(path_name(folder, "folder"), "matlab")
