"""Reading robots from MuJoCo's MJCF files."""

from __future__ import annotations

import importlib
import os
from typing import Any

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.path_name import path_name
from spatial_v2.io.impose import Couplings
from spatial_v2.io.mujoco_tree import mujoco_tree
from spatial_v2.model import Model

__all__ = ["compile_mjcf", "load_mjcf"]


def load_mjcf(path: str | os.PathLike[str], *, couplings: Couplings = "auto") -> Model:
    """Read a robot from an MJCF file, compiled by MuJoCo.

    Parameters
    ----------
    path : path
        The file. MuJoCo resolves includes, meshes and default classes. A URDF file is accepted too,
        and read by MuJoCo's rules.
    couplings : {"auto", "imposed", "free"}, optional
        Treatment of joints that follow others in the file, and of loops. By default joints follow,
        and loops are closed: the result is a `CoupledModel` of the independent variables;
        ``.tree`` is the free tree. A warning names those of them that cannot be imposed, and the
        reason; with ``"imposed"`` that is an error. With ``"free"`` all joints move independently.
        A file without couplings gives a plain model.

    Returns
    -------
    Model
        The model; see `spatial_v2.interop.mujoco.from_mujoco`.

    Raises
    ------
    ModelFileError
        If the file cannot be read, or MuJoCo's compiler reports an error.
    ImportError
        If the package mujoco is not installed: ``pip install '.[mujoco]'``.

    Examples
    --------
    >>> model = load_mjcf("pendulum.xml")  # doctest: +SKIP
    """
    return mujoco_tree(compile_mjcf(path), path_name(path), couplings)


def compile_mjcf(path: str | os.PathLike[str]) -> Any:
    """Compile a file to a `mujoco.MjModel`."""
    file = path_name(path)
    if "\0" in file or os.path.isdir(file):
        raise ModelFileError(f"{file!r}: cannot be read: not the name of a file")
    try:
        mujoco = importlib.import_module("mujoco")
    except ModuleNotFoundError as e:
        raise ImportError(
            f"{file}: reading an MJCF file needs MuJoCo: pip install '.[mujoco]'"
        ) from e
    try:
        return mujoco.MjModel.from_xml_path(file)
    except (ValueError, OSError) as e:
        raise ModelFileError(f"{file}: {e}") from e
