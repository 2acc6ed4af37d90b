"""``spatial-v2 export``: functions and models for C, C++, MATLAB and Octave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.files import written_folder

if TYPE_CHECKING:
    from spatial_v2.model import Model

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
    coupled: Annotated[
        bool,
        typer.Option(
            "--coupled/--free",
            help="Let joints follow others where the robot's file says so, or move all freely.",
        ),
    ] = True,
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
    casadi: Annotated[
        bool,
        typer.Option("--casadi", help="Write forward dynamics of the robot for CasADi in C."),
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
    is, and elsewhere by the function `build` of FOLDER/matlab. With --casadi the library has a
    function for `casadi.external`, with exact derivatives, and what it needs alone.
    """
    from spatial_v2.cli.tables import console

    if matlab and forms != "state,batch":
        raise typer.BadParameter("needs the forms state,batch", param_hint="--matlab")
    if model_only and (model is None or functions):
        raise typer.BadParameter("needs --model, and no functions", param_hint="--model-only")
    if casadi and (model is None or functions or matlab or model_only):
        raise typer.BadParameter("needs --model, and no functions", param_hint="--casadi")
    out, lines = console(), list[tuple[str, Path | str]]()
    with written_folder("FOLDER"), _whole(folder, model_only, matlab) as root:
        robot = None if model is None else _robot(model, floating_base, coupled, casadi)
        if robot is not None:
            lines.append(("model", _write(robot, root, str(model))))
        if not model_only:
            built = _compiles_here(level)
            if casadi and robot is not None:
                lines.append(("function", _casadi(root, robot, level)))
            else:
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
    export(folder, names, None, False, False, False, "any", "state,batch", True)


def _whole(folder: Path, model_only: bool, matlab: bool) -> AbstractContextManager[Path]:
    """Return a temporary folder whose files are moved into another one when all are there."""
    from spatial_v2.export.library import earlier_files
    from spatial_v2.export.matlab import check_matlab_folder
    from spatial_v2.files.part_folder import part_folder

    if matlab:
        check_matlab_folder(folder)
    return part_folder(folder, () if model_only else earlier_files(folder))


def _robot(name: str, floating_base: bool, coupled: bool, casadi: bool) -> Model:
    from spatial_v2.couplings import CoupledModel
    from spatial_v2.io import load_model

    with one_line_warnings():
        model = load_model(name, floating_base, couplings="auto" if coupled else "free")
    if isinstance(model, CoupledModel) and (casadi or not model.is_linear):
        what = "joints that follow others" if model.is_linear else "loops and polynomials"
        raise typer.BadParameter(
            f"{name}: {what} cannot be exported{' for CasADi' * casadi}; --free exports the robot "
            "with all joints free",
            param_hint="--model",
        )
    return model


def _write(model: Model, folder: Path, name: str) -> Path:
    """Write the model file of a robot, which has the name of its file if it has no other."""
    from spatial_v2.export import write_model

    path = folder / f"{Path(model.name or name).stem}.sv2"
    write_model(model, path)
    return path


def _casadi(folder: Path, model: Model, level: str) -> str:
    """Write the library with the function for CasADi, and return the function's name."""
    from spatial_v2.export.casadi_external import FUNCTIONS, export_casadi

    with _progress(len(FUNCTIONS)) as advance:
        return export_casadi(folder, model, level, advance)


@contextmanager
def _progress(count: int) -> Iterator[Callable[[str], None]]:
    """Show a bar of the functions that are compiled; the value is called before each of them."""
    from spatial_v2.cli.tables import progress_bar
    from spatial_v2.engine.compile.notice import silent

    with progress_bar("functions") as progress, silent():
        bar = progress.add_task("compiling", total=count, completed=-1)
        yield lambda name: progress.advance(bar)
        progress.advance(bar)


def _library(folder: Path, names: list[str], forms: list[str], level: str, matlab: bool) -> None:
    from spatial_v2.cli.warmup import known
    from spatial_v2.export import DEFAULT, export_library, export_matlab
    from spatial_v2.export.functions import DYNAMICS, exportable

    chosen = known(names or list(DYNAMICS if matlab else DEFAULT), exportable())
    with _progress(len(chosen)) as advance:
        functions = [exportable()[name] for name in chosen]
        if matlab:
            export_matlab(folder, functions, level, advance)
        else:
            export_library(folder, functions, forms, level, advance)


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
