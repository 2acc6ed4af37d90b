"""``spatial-v2 export``: functions and models for C, C++, MATLAB and Octave."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.files import written_folder

__all__ = ["compiled_for_matlab", "export"]


def _list(wanted: bool) -> None:
    """Print the names of the functions that can be exported, and end."""
    if wanted:
        from spatial_v2.export.functions import exportable

        typer.echo("\n".join(exportable()))
        raise typer.Exit


def export(
    folder: Annotated[Path, typer.Argument(help="Folder of the library; created if missing.")],
    functions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FUNCTION]...", help="Functions, by default the common ones."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help=f"Write FOLDER/NAME.sv2 of a robot as well. {ROBOT}"),
    ] = None,
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
    model_only: Annotated[
        bool, typer.Option("--model-only", help="Write the model alone, no library.")
    ] = False,
    level: Annotated[
        str,
        typer.Option(
            help="Processor: any (x86-64-v2, -v3 and -v4 side by side), one of these, native for "
            "this one, or aarch64 (object code)."
        ),
    ] = "any",
    forms: Annotated[str, typer.Option(help="Forms: state, or state,batch.")] = "state,batch",
    matlab: Annotated[
        bool, typer.Option("--matlab", help="Write functions for MATLAB and Octave too.")
    ] = False,
    names: Annotated[
        bool,
        typer.Option(
            "--list",
            help="Print the functions that can be exported.",
            is_eager=True,
            callback=_list,
        ),
    ] = False,
) -> None:
    """Write a library of compiled functions for C and C++, and models for it.

    Where there is a C compiler, the library is built; elsewhere CMakeLists.txt in FOLDER builds it.
    With --matlab the functions are for MATLAB and Octave as well: they are built where mkoctfile
    is, and elsewhere by the function `build` of FOLDER/matlab.
    """
    from spatial_v2.cli.tables import console

    if matlab and forms != "state,batch":
        raise typer.BadParameter("needs the forms state,batch", param_hint="--matlab")
    if model_only and (model is None or functions):
        raise typer.BadParameter("needs --model, and no functions", param_hint="--model-only")
    out, lines = console(), list[tuple[str, Path | str]]()
    with written_folder("FOLDER"), _whole(folder, model_only, matlab) as root:
        if model is not None:
            lines.append(("model", _model(root, model, floating_base)))
        if not model_only:
            built = _compiles_here(level)
            _library(root, functions or [], forms.split(","), level, matlab)
            lines.append(("headers", root / "include"))
            lines += [("library", path) for path in _build(root, built)]
            if matlab:
                lines.append(("matlab", _build_matlab(root, level)))
    for kind, made in lines:
        out.print(f"{kind:<8} {str(made).replace(str(root), str(folder))}", soft_wrap=True)


def compiled_for_matlab(folder: Path) -> None:
    """Compile all functions that MATLAB's library has, as ``export --matlab`` with their names."""
    from spatial_v2.export.mex import matlab_functions

    names = [f.__name__ for f in matlab_functions()]
    export(folder, names, None, False, False, "any", "state,batch", True)


def _whole(folder: Path, model_only: bool, matlab: bool) -> AbstractContextManager[Path]:
    """Return a temporary folder whose files are moved into another one when all are there."""
    from spatial_v2.export.library import earlier_files
    from spatial_v2.export.matlab import check_matlab_folder
    from spatial_v2.files.part_folder import part_folder

    if matlab:
        check_matlab_folder(folder)
    return part_folder(folder, () if model_only else earlier_files(folder))


def _model(folder: Path, robot: str, floating_base: bool) -> Path:
    from spatial_v2.export import write_model
    from spatial_v2.io import load_model

    with one_line_warnings():
        model = load_model(robot, floating_base)
    path = folder / f"{Path(model.name or robot).stem}.sv2"
    write_model(model, path)
    return path


def _library(folder: Path, names: list[str], forms: list[str], level: str, matlab: bool) -> None:
    from spatial_v2.cli.tables import progress_bar
    from spatial_v2.cli.warmup import known
    from spatial_v2.engine.compile.notice import silent
    from spatial_v2.export import DEFAULT, export_library, export_matlab
    from spatial_v2.export.functions import DYNAMICS, exportable

    chosen = known(names or list(DYNAMICS if matlab else DEFAULT), exportable())
    with progress_bar("functions") as progress, silent():
        bar = progress.add_task("compiling", total=len(chosen), completed=-1)
        functions = [exportable()[name] for name in chosen]
        if matlab:
            export_matlab(folder, functions, level, lambda name: progress.advance(bar))
        else:
            export_library(folder, functions, forms, level, lambda name: progress.advance(bar))
        progress.advance(bar)


def _compiles_here(level: str) -> bool:
    """Test if there is a C compiler for a level of processors; a wrong one is an error."""
    from spatial_v2.export import compiler

    return level != "aarch64" and compiler() is not None


def _build(folder: Path, wanted: bool) -> list[Path]:
    from spatial_v2.export import build_library

    return build_library(folder) if wanted else []


def _build_matlab(folder: Path, level: str) -> str:
    from spatial_v2.export import build_matlab

    place = build_matlab(folder) if level != "aarch64" else None
    return str(place) if place else f"{folder / 'matlab'}: call build there, in MATLAB or Octave"
