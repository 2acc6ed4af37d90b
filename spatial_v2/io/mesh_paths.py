"""Paths of the mesh files that a robot's file names."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["mesh_path"]


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
    roots = [here, *here.parents]
    roots += [Path(x) for x in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if x]
    for root in roots:
        if (found := root / rest).is_file():
            return str(found)
        if root.name == package and (found := root / inside).is_file():
            return str(found)
    return name
