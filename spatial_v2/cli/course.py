"""``spatial-v2 course``: the course as notebooks, slides, assignments, a problem set."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

__all__ = ["course"]


def course(
    folder: Annotated[Path, typer.Argument(help="Folder for the files.")] = Path("course"),
    slides: Annotated[
        bool, typer.Option("--slides", help="Write slides: notebooks, and pages for a browser.")
    ] = False,
    assignment: Annotated[
        bool, typer.Option("--assignment", help="Write the exercises as assignments for nbgrader.")
    ] = False,
    problems: Annotated[
        bool, typer.Option("--problems", help="Write the problem set, without solutions.")
    ] = False,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Write the solutions of the problem set.")
    ] = False,
    chapter: Annotated[
        list[int] | None,
        typer.Option("--chapter", min=1, help="With --slides, only this chapter; repeatable."),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace files that you have changed; changes are lost."),
    ] = False,
) -> None:
    """Write the course as Jupyter notebooks: chapters that run, exercises that check answers.

    Open them with `jupyter lab`, which comes with the extra `course`. For lecturers, one of the
    options writes something else instead: slides, assignments, a problem set, its solutions.
    """
    from spatial_v2.course import write_assignments, write_course, write_problems
    from spatial_v2.exceptions import SpatialError

    chosen = {"--slides": slides, "--assignment": assignment}
    chosen |= {"--problems": problems, "--solutions": solutions}
    if len(options := [name for name, wanted in chosen.items() if wanted]) > 1:
        raise typer.BadParameter("choose one of them", param_hint=" and ".join(options))
    if chapter and not slides:
        raise typer.BadParameter("only slides are written by chapter", param_hint="--chapter")
    try:
        if slides:
            _slides(folder, chapter, force)
        elif assignment:
            paths = write_assignments(folder, force=force)
            typer.echo(f"{len(paths) - 1} assignments in {folder}")
            typer.echo(f"cd {quote(str(folder))}; nbgrader generate_assignment {paths[0].stem}")
        elif problems or solutions:
            typer.echo(write_problems(folder, solutions=solutions, force=force)[0])
        else:
            paths = write_course(folder, force=force)
            typer.echo(
                f"{len(paths) // 2} notebooks in {folder}, with solutions in {folder / 'solutions'}"
                f"\njupyter lab {quote(str(paths[0]))}"
            )
    except (SpatialError, OSError) as e:
        raise typer.BadParameter(str(e), param_hint="FOLDER") from e


def _slides(folder: Path, numbers: list[int] | None, force: bool) -> None:
    """Write the slides of chapters, one after the other, and say which are finished."""
    from importlib.util import find_spec

    from spatial_v2.course import write_slides
    from spatial_v2.course.text import chapters, parts_of

    known = sorted({int(name[:2]) for name in chapters()})
    if missing := [k for k in numbers or () if k not in known]:
        there = ", ".join(map(str, known))
        raise typer.BadParameter(
            f"no chapter {missing[0]}; there are {there}", param_hint="--chapter"
        )
    absent = [x for x in ("nbconvert", "nbclient", "latex2mathml") if not find_spec(x)]
    for name in (part for k in numbers or known for part in parts_of(k)):
        typer.echo(write_slides(folder, [name], pages=not absent, force=force)[0])
    if absent:
        need = f"pages need {' and '.join(absent)}: pip install '.[course]'"
        typer.echo(f"only notebooks are written; {need}")
