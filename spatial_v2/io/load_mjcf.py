"""Robots from MuJoCo's files."""

from __future__ import annotations

import importlib
import os
from typing import Any

from spatial_v2.exceptions import ModelFileError
from spatial_v2.io.mujoco_tree import mujoco_tree
from spatial_v2.model import Model

__all__ = ["compile_mjcf", "load_mjcf"]


def load_mjcf(path: str | os.PathLike[str]) -> Model:
    """Read a robot from an MJCF file, compiled by MuJoCo.

    Parameters
    ----------
    path : path
        The file; what it includes, its meshes and its default classes are MuJoCo's matter. A URDF
        file is taken as well, with MuJoCo's rules for it.

    Returns
    -------
    Model
        See `spatial_v2.interop.mujoco.from_mujoco`.

    Raises
    ------
    ModelFileError
        What MuJoCo's compiler has to say of the file.
    ImportError
        The package mujoco is not installed: ``pip install spatial-v2[mujoco]``.

    Examples
    --------
    >>> model = load_mjcf("pendulum.xml")  # doctest: +SKIP
    """
    return mujoco_tree(compile_mjcf(path), os.fspath(path))


def compile_mjcf(path: str | os.PathLike[str]) -> Any:
    """The `mujoco.MjModel` of a file."""
    file = os.fspath(path)
    if "\0" in file or os.path.isdir(file):
        raise ModelFileError(f"{file!r}: cannot be read: not the name of a file")
    try:
        mujoco = importlib.import_module("mujoco")
    except ModuleNotFoundError as e:
        raise ImportError(
            f"{file}: MJCF files are compiled by MuJoCo: pip install 'spatial-v2[mujoco]'"
        ) from e
    try:
        return mujoco.MjModel.from_xml_path(file)
    except (ValueError, OSError) as e:
        raise ModelFileError(f"{file}: {e}") from e
