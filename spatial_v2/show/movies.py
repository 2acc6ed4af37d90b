"""Writing of movies in MP4 format by ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["encoder", "write_mp4"]

EVEN = "pad=ceil(iw/2)*2:ceil(ih/2)*2"
"""Filter of ffmpeg that adds a pixel to odd widths and heights, since MP4 requires even ones."""


def encoder() -> str:
    """Find the program ffmpeg, of the system or of the extra ``movies``; return its path.

    Raises
    ------
    SpatialError
        If there is no ffmpeg.
    """
    if program := shutil.which("ffmpeg"):
        return program
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as e:
        raise SpatialError(
            "an .mp4 needs ffmpeg: pip install '.[movies]', or ffmpeg on the path; a .gif "
            "needs neither"
        ) from e


def write_mp4(file: BinaryIO, frames: Iterable[np.ndarray], fps: float, program: str) -> None:
    """Write pictures (height, width, 3) of uint8 as an H.264 movie that browsers play.

    Parameters
    ----------
    file : file
        Open for writing.
    frames : iterable of arrays
        The pictures, all of one size.
    fps : float
        Pictures per second.
    program : str
        The path of ffmpeg.

    Raises
    ------
    SpatialError
        If the encoder fails.
    """
    pictures: Iterator[np.ndarray] = iter(frames)
    first = next(pictures)
    height, width = first.shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        path, notes = Path(folder, "a.mp4"), Path(folder, "notes")
        command = [
            program, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{width}x{height}", "-r", f"{fps:g}", "-i", "-", "-an", "-vf", EVEN,
            "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p",
            "-movflags", "+faststart", str(path),
        ]  # fmt: skip
        with (
            notes.open("wb") as log,
            subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log) as process,
        ):
            assert process.stdin is not None
            try:
                for picture in chain([first], pictures):
                    process.stdin.write(np.ascontiguousarray(picture).tobytes())
                process.stdin.close()
            except BrokenPipeError:
                with suppress(BrokenPipeError):
                    process.stdin.close()
            except BaseException:
                process.kill()
                raise
        if process.returncode or not path.is_file():
            words = notes.read_text(errors="replace").strip().splitlines()
            reason = words[-1] if words else f"exit status {process.returncode}"
            raise SpatialError(
                f"save: the program {program} could not write the .mp4 file: {reason}; check that "
                "it has the encoder libx264, or save a .gif"
            )
        with path.open("rb") as made:
            shutil.copyfileobj(made, file)
