"""``spatial-v2 show``: display of a robot at rest or in motion."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.files import AtomicFile

if TYPE_CHECKING:
    import numpy as np

    from spatial_v2.model import Model
    from spatial_v2.show import Animation

__all__ = ["read_motion", "show"]

SUFFIXES = (".html", ".png", ".gif", ".mp4")
MOVES = (".gif", ".mp4")
SIDE = 8192
"""Largest width and height of pictures [pixels]."""


def show(
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
    motion: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read the motion: arrays t and q in .npz or .mat, one instant per row.",
        ),
    ] = None,
    swing: Annotated[bool, typer.Option("--swing", help="Move each joint in turn.")] = False,
    overlay: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Draw on top: frames, names, axes, velocities, com, momentum, ellipsoids, "
            "boxes, contacts. "
            "May be given several times.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save a page (.html), a picture (.png) or moving pictures (.gif, .mp4).",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="WxH", help="Width and height of pictures in pixels; 640x480 if not given."
        ),
    ] = None,
    fps: Annotated[
        float | None,
        typer.Option(
            help="Pictures per second of a movie; 20 in a .gif, 30 in an .mp4 if not given."
        ),
    ] = None,
) -> None:
    """Show a robot: in the browser, or as a file.

    The robot is at rest in its neutral configuration; with --motion or --swing it moves. The page
    is one file that needs nothing else.
    """
    if motion and swing:
        raise typer.BadParameter("cannot be combined with --swing", param_hint="--motion")
    if out and out.suffix.lower() in MOVES and not (motion or swing):
        raise typer.BadParameter(
            f"a {out.suffix.lower()} file needs --motion or --swing", param_hint="--out"
        )
    kind = out.suffix.lower() if out else ""
    if size is not None and kind not in (".png", *MOVES):
        raise typer.BadParameter("needs --out with .png, .gif or .mp4", param_hint="--size")
    if fps is not None and kind not in MOVES:
        raise typer.BadParameter("needs --out with .gif or .mp4", param_hint="--fps")
    pixels = _pixels("640x480" if size is None else size)
    with AtomicFile(out, SUFFIXES, "--out") if out else nullcontext() as file:
        from spatial_v2.engine.compile.notice import silent
        from spatial_v2.io import load_model

        with one_line_warnings():
            model = load_model(robot, floating_base)
        with silent(), one_line_warnings():
            animation = _animation(model, motion, swing, overlay or [])
            if file is None:
                typer.echo(f"{animation}\n{animation.open()}")
                return
            writer = animation.writer(file.suffix, size=pixels, fps=fps)
            file.write(writer)
        typer.echo(f"{animation}\n{out}")


def _pixels(size: str) -> tuple[int, int]:
    """Read the width and height that ``--size`` gives."""
    sides = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size.strip(), re.ASCII | re.IGNORECASE)
    pixels = (int(sides[1]), int(sides[2])) if sides else (0, 0)
    if not all(1 <= x <= SIDE for x in pixels):
        raise typer.BadParameter(
            f"want width and height in pixels, each from 1 to {SIDE}, as 1280x720; got {size!r}",
            param_hint="--size",
        )
    return pixels


def _animation(model: Model, motion: Path | None, swing: bool, overlays: list[str]) -> Animation:
    from spatial_v2.exceptions import SpatialError
    from spatial_v2.show import show, showmotion
    from spatial_v2.show.scene import OVERLAYS

    unknown = [name for name in overlays if name not in OVERLAYS]
    if unknown:
        raise typer.BadParameter(
            f"{unknown[0]!r}; known: {', '.join(OVERLAYS)}", param_hint="--overlay"
        )
    if motion:
        t, q = read_motion(motion, model)
        try:
            return showmotion(model, t, q, overlays=overlays)
        except SpatialError as e:
            raise typer.BadParameter(f"{motion}: {e}", param_hint="--motion") from e
    return showmotion(model, overlays=overlays) if swing else show(model, overlays=overlays)


def read_motion(path: Path, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Read instants (N,) and configurations (N, NQ) from the file of ``--motion``."""
    from spatial_v2.cli.states import read_arrays, read_rows

    arrays = read_arrays(path, ("t", "q"), "--motion")
    t = read_rows(path, "t", arrays["t"].reshape(-1, 1), 1, "--motion", "instants")
    return t[:, 0], read_rows(path, "q", arrays["q"], model.NQ, "--motion", "instants")
