"""Writing models for MATLAB, as a struct in a .mat file."""

from __future__ import annotations

import os

from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["write_matlab"]


def write_matlab(model: Model, path: str | os.PathLike[str], name: str = "model") -> None:
    """Write a model struct for MATLAB, with the derived fields of `postProcessModel`.

    Parameters
    ----------
    model : Model
        The model; `gamma_q`, `limits`, `mimic`, `frames`, `armature`, `damping`, `friction`,
        `stiffness` and `rest` are not written, nor is an `appearance` with mesh files. A coupled
        model has the field ``coupling``, which compiled functions and `load_model` read.
    path : path
        The .mat file; it is written completely or not at all.
    name : str, optional
        Name of the variable.

    Raises
    ------
    ModelError
        `name` is no MATLAB name, the model's numbers are complex or objects, or its joints follow
        loops or a function.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from spatial_v2.io import read_matlab
    >>> from spatial_v2.models import autoTree
    >>> with TemporaryDirectory() as folder:
    ...     write_matlab(autoTree(3, 2), Path(folder, "tree.mat"))
    ...     read_matlab(Path(folder, "tree.mat")).parent
    array([-1,  0,  0])
    """
    check_model(model)
    model.to_matlab(path, name)
