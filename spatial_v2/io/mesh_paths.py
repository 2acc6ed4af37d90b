"""Paths of the mesh files and packages that a robot's file names."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from spatial_v2.exceptions import ModelFileError

__all__ = ["mesh_path", "package_folder"]


def mesh_path(name: str, robot_file: str) -> str:
    """Find the path of a mesh file that a URDF file names.

    Parameters
    ----------
    name : str
        Name in the file: ``package://NAME/PATH``, ``file://PATH``, or a path relative to the file.
    robot_file : str
        The URDF file.

    Returns
    -------
    str
        The path. A package is searched in the folders above the file, then in those of
        ROS_PACKAGE_PATH; if it is not found, the name is returned unchanged.

    Examples
    --------
    >>> mesh_path("package://no_such/a.stl", "arm.urdf")
    'package://no_such/a.stl'
    """
    scheme, _, rest = name.partition("://")
    if scheme == "file" and rest:
        return unquote(urlsplit(name).path)
    here = Path(robot_file).resolve().parent
    if scheme != "package" or not rest:
        return str(here / name)
    rest = rest.lstrip("/")
    package, _, inside = rest.partition("/")
    for root in _roots(here):
        if (file := root / rest).is_file():
            return str(file)
        if root.name == package and (file := root / inside).is_file():
            return str(file)
    return name


def package_folder(package: str, robot_file: str) -> str:
    """Find the folder of a package that a robot's file names, without ROS.

    Parameters
    ----------
    package : str
        Name of the package.
    robot_file : str
        The file.

    Returns
    -------
    str
        The folder with the name of the package that is, or lies in, a folder above the file or in
        ROS_PACKAGE_PATH.

    Raises
    ------
    ModelFileError
        There is no such folder; the message names the package.
    """
    for root in _roots(Path(robot_file).resolve().parent):
        if root.name == package:
            return str(root)
        if (folder := root / package).is_dir():
            return str(folder)
    raise ModelFileError(
        f"package {package!r} of $(find {package}) is not found: want a folder of that name above "
        "the file, or in one of the folders that the environment variable ROS_PACKAGE_PATH names"
    )


def _roots(here: Path) -> list[Path]:
    """Return the folder of a file, those above it, and those of ROS_PACKAGE_PATH."""
    named = os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)
    return [here, *here.parents, *[Path(x) for x in named if x]]
