"""Functions for MATLAB and Octave: a MEX file over the exported library, and a file for each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from spatial_v2.exceptions import SpatialError
from spatial_v2.export.build import run
from spatial_v2.export.functions import Exported, exported
from spatial_v2.export.levels import ANY
from spatial_v2.export.library import earlier_files, export_library
from spatial_v2.export.matlab_over import OVER, files_over
from spatial_v2.files.part_folder import part_folder
from spatial_v2.files.path_name import path_name
from spatial_v2.joints.table import JOINT_TYPES
from spatial_v2.matlab.table import ROWS

__all__ = [
    "build_matlab",
    "check_matlab_folder",
    "export_matlab",
    "in_matlab",
    "matlab_sources",
    "name_functions",
]

_TEMPLATES = Path(__file__).with_name("templates") / "matlab"
_PLAIN = (
    "sv2_mex.h",
    "sv2_mex.c",
    "sv2_mex_arguments.c",
    "sv2_mex_model.c",
    "sv2_mex_kept.c",
    "sv2_mex_checks.c",
    "sv2_mex_coupling.c",
    "sv2_mex_rotors.c",
    "spatial_v2_original.m",
    "prepared.m",
)
_OWN = {"build", "spatial_v2_original", *OVER}
"""Files of the folder that are not compiled."""


def export_matlab(
    folder: str | PathLike[str],
    functions: Sequence[Any],
    level: str = ANY,
    progress: Callable[[str], None] = lambda name: None,
) -> None:
    """Write functions under MATLAB's names, for MATLAB and Octave.

    Parameters
    ----------
    folder : path-like
        The folder, created if needed. It receives the library of `export_library`, and the
        functions in its subfolder ``matlab``.
    functions : sequence of callable
        Public functions with one kernel that MATLAB's library has too, such as `ID`.
    level : str, optional
        The processor, as in `export_library`.
    progress : callable, optional
        Called with the name of each function before it is compiled.

    Raises
    ------
    SpatialError
        A function that cannot be exported or is not in MATLAB's library, no compiler (numba), or
        a folder ``matlab`` with other files. Functions of an earlier export are replaced.

    Examples
    --------
    >>> from spatial_v2 import HandC, ID
    >>> export_matlab("robot_library", [ID, HandC])  # doctest: +SKIP
    """
    chosen = exported(functions)
    for f in chosen:
        if not in_matlab(f):
            raise SpatialError(f"matlab: {f.name} is not a function of the MATLAB library")
    check_matlab_folder(folder)
    with part_folder(folder, earlier_files(folder)) as root:
        export_library(root, functions, level=level, progress=progress)
        place = root / "matlab"
        place.mkdir()
        for name, text in matlab_sources(chosen).items():
            (place / name).write_text(text, "utf-8", newline="\n")


def check_matlab_folder(folder: str | PathLike[str]) -> None:
    """Raise an error if a folder has a subfolder ``matlab`` that `export_matlab` has not written.

    Parameters
    ----------
    folder : path-like
        The folder.

    Raises
    ------
    SpatialError
        The subfolder has other files.
    """
    place = Path(path_name(folder, "folder"), "matlab")
    empty = not place.exists() or (place.is_dir() and not any(place.iterdir()))
    if not empty and not (place / "sv2_mex.h").is_file():
        raise SpatialError(
            "folder: want one whose subfolder matlab is missing, empty or an earlier export, "
            f"got other files in {place}"
        )


def in_matlab(f: Exported) -> bool:
    """Test if an exported function has the arguments and results of one in MATLAB's library.

    Parameters
    ----------
    f : Exported
        The function.

    Returns
    -------
    bool
        False also if the results are in another order there.

    Examples
    --------
    >>> from spatial_v2 import EnerMo, GlobalDynamics
    >>> [in_matlab(f) for f in exported([EnerMo, GlobalDynamics])]
    [True, False]
    """
    alike = not f.subject and not f.sums and not any("b" in shape for shape in f.shapes)
    return f.name in ROWS and alike


def matlab_sources(functions: Sequence[Exported]) -> dict[str, str]:
    """Return the text files of the folder ``matlab``.

    Parameters
    ----------
    functions : sequence of Exported
        The functions.

    Returns
    -------
    dict of str to str
        Name -> text.
    """
    values = [_values(f) for f in functions]
    joints = [
        f'{{"{j.code}", {j.kind}, {j.axis}, {j.nq}, {j.nv}, {j.sign}, {int(j.planar)}, '
        f"{int(j.code[0] == 'H')}}}"
        for j in JOINT_TYPES.values()
    ]
    table = {
        "calls": "".join(_fill("calls.c.in", v) for v in values),
        "functions": _rows(v["row"] for v in values),
        "function_count": str(len(values)),
        "joints": _rows(joints),
        "joint_count": str(len(joints)),
    }
    files = {name: (_TEMPLATES / name).read_text("utf-8") for name in _PLAIN}
    files["sv2_mex_table.c"] = _fill("table.c.in", table)
    names = ", ".join(f"'{name}'" for name in [*(f.name for f in functions), "prepared"])
    files |= files_over(f.name for f in functions)
    files["build.m"] = _fill("build.m.in", {"quoted": names})
    return files | {f"{v['name']}.m": _fill("function.m.in", v) for v in values}


def _fill(name: str, values: dict[str, str]) -> str:
    return Template((_TEMPLATES / name).read_text("utf-8")).substitute(values)


def _rows(rows: Any) -> str:
    return "".join(f"\n    {row}," for row in rows)


def _values(f: Exported) -> dict[str, str]:
    """Return the strings that replace the names in the templates of a function."""
    fields = len(f.results) > 1 and not ROWS[f.name].outputs
    names = [x.rstrip("_") for x in f.names]
    results = ["results"] if fields else list(f.results)
    assigned = results[0] if len(results) == 1 else f"[{', '.join(results)}]"
    more = "[, f_ext]" * f.force
    usage = f"{assigned} = {f.name}(model, {', '.join(names)}{more})"
    passed = [f"x[{k}]" for k in range(len(names))] + ["f"] * f.force
    passed += [f"y[{k}]" for k in range(len(f.results))]
    calls = f"sv2_{f.name}_workspace, sv2_{f.name}_batch_workspace, one_{f.name}, many_{f.name}"
    row = [
        f'"{f.name}", "{usage}", "{"".join(f.cores)}", {_strings(names)}',
        f"{int(f.force)}, {int(fields)}, {len(f.results)}",
        f"{_strings(f.results)}, {_strings(f.shapes)}",
        calls,
    ]
    return {
        "name": f.name,
        "summary": f.summary,
        "usage": usage,
        "passed": ", ".join(passed),
        "row": "{" + ",\n     ".join(row) + "}",
    }


def _strings(words: Sequence[str]) -> str:
    return "{" + ", ".join(f'"{x}"' for x in words) + "}"


def build_matlab(folder: str | PathLike[str]) -> Path | None:
    """Build the functions of a folder that `export_matlab` has written, by Octave's compiler.

    Parameters
    ----------
    folder : path-like
        The folder.

    Returns
    -------
    Path or None
        The folder ``matlab``; None if ``mkoctfile`` is not on the path. Then, and for MATLAB, the
        function ``build`` of that folder does it.

    Raises
    ------
    SpatialError
        An error that the compiler found.

    Examples
    --------
    >>> build_matlab("robot_library")  # doctest: +SKIP
    """
    command, root = shutil.which("mkoctfile"), Path(path_name(folder, "folder"))
    if command is None:
        return None
    place = root / "matlab"
    parts = ("matlab", "*.c"), ("src", "*.c"), ("objects", "*.o")
    files = [str(path) for part, kind in parts for path in sorted((root / part).glob(kind))]
    include = [f"-I{root / 'include'}", f"-I{root / 'src'}"]
    with part_folder(place) as part:
        made = part / "spatial_v2_mex.mex"
        run([command, "--mex", "-DSV2_BUILD", *include, *files, "-o", str(made)])
        name_functions(place, made)
    return place


def name_functions(folder: Path, file: Path) -> None:
    """Name a compiled file after each function of a folder: its name tells it what to compute.

    Parameters
    ----------
    folder : Path
        The folder with the ``.m`` files of the functions.
    file : Path
        The compiled file; the new names are links to it, on Windows copies.
    """
    for name in sorted({x.stem for x in folder.glob("*.m")} - _OWN):
        other = file.with_name(name + file.suffix)
        if os.name == "posix":
            other.symlink_to(file.name)
        else:
            shutil.copyfile(file, other)
