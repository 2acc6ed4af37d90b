"""``spatial-v2 mex``: functions for MATLAB and Octave, ready in a wheel or compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spatial_v2.cli.files import written_folder

__all__ = ["mex"]


def mex(
    folder: Annotated[
        Path, typer.Argument(help="The folder; its subfolder matlab goes on the path.")
    ],
) -> None:
    """Write all functions that MATLAB's library has as well, compiled, for MATLAB and Octave.

    Wheels with kernels have them ready for Octave on Linux. In MATLAB, call the function `build` of
    FOLDER/matlab once, which needs a C compiler for some seconds. Without such a wheel they are
    compiled here, as `spatial-v2 export --matlab` does.
    """
    from spatial_v2.cli.export import compiled_for_matlab
    from spatial_v2.cli.tables import console
    from spatial_v2.export.mex import copy_mex

    with written_folder("FOLDER"):
        place = copy_mex(folder)
    if place is None:
        compiled_for_matlab(folder)
        return
    out = console()
    out.print(f"Octave  addpath('{place}')", soft_wrap=True, markup=False)
    out.print(f"MATLAB  addpath('{place}'), and once: build", soft_wrap=True, markup=False)
