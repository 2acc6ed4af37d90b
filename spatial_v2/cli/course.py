"""``spatial-v2 course``: the course as notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["course"]


def course(
    folder: Annotated[Path, typer.Argument(help="Folder for the notebooks.")] = Path("course"),
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace notebooks that you have changed; answers are lost."),
    ] = False,
) -> None:
    """Write the course as Jupyter notebooks: chapters that run, exercises that check answers.

    Open them with `jupyter lab`, which comes with the extra `course`.
    """
    from spatial_v2.course import write_course
    from spatial_v2.exceptions import SpatialError

    try:
        paths = write_course(folder, force=force)
    except (SpatialError, OSError) as e:
        raise typer.BadParameter(str(e), param_hint="FOLDER") from e
    typer.echo(f"{len(paths)} notebooks in {folder}\njupyter lab {paths[0]}")
