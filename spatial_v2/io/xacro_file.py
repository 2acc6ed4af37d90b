"""Expansion of files in xacro, the macro language of URDF."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

from spatial_v2.exceptions import ModelFileError
from spatial_v2.io.mesh_paths import package_folder
from spatial_v2.io.xml_element import XmlElement

__all__ = ["expand_xacro"]


def expand_xacro(
    path: str | os.PathLike[str], arguments: Mapping[str, object] | None = None
) -> bytes | None:
    """Expand the macros of a file; return None if the package xacro is not installed.

    `arguments` are values for its ``xacro:arg``, by name.

    Raises
    ------
    ModelFileError
        If the file is invalid, xacro reports an error, or the file has no argument of a name that
        is given.
    """
    from spatial_v2.io.xml_file import read_xml

    file = os.fspath(path)
    values: Any = arguments or {}
    if not isinstance(values, Mapping):
        want = "want values by their names, {'arm': 'left'}"
        raise ModelFileError(f"{file}: xacro_args: {want}, got {values!r}")
    try:
        xacro: Any = importlib.import_module("xacro")
    except ModuleNotFoundError:
        return None
    root = read_xml(file)
    known = _Sought({name: str(value) for name, value in values.items()})
    known.names.update(_declared(root))
    try:
        with _packages_without_ros(file):
            text: str = xacro.process_file(file, mappings=known).toxml()
    except Exception as e:
        raise _error(file, getattr(xacro, "filestack", None), e) from e
    unknown = [name for name in values if name not in known.names]
    if unknown:
        has = ", ".join(sorted(known.names)) or "none"
        raise ModelFileError(
            f"{file}: xacro_args: want arguments that the file has ({has}), got "
            f"{', '.join(map(repr, unknown))}"
        )
    return text.encode()


def _error(file: str, stack: list[str] | None, problem: BaseException) -> ModelFileError:
    """Return an error that names the included file in which xacro stopped, if it did in one."""
    from spatial_v2.io.xml_file import read_xml

    ours = problem
    while not isinstance(ours, ModelFileError) and ours.__context__ is not None:
        ours = ours.__context__
    text = f"xacro cannot expand it: {ours if isinstance(ours, ModelFileError) else problem}"
    inside = stack[-1] if stack else file
    if inside == file:
        return ModelFileError(f"{file}: {text}")
    try:
        read_xml(inside)
    except ModelFileError as error:
        return ModelFileError(f"{error}; {file} includes it")
    return ModelFileError(f"{inside}: {text}; {file} includes it")


@contextmanager
def _packages_without_ros(file: str) -> Iterator[None]:
    """Let ``$(find PACKAGE)`` look in the folders above a file where ROS is not installed.

    xacro imports a function of ROS for that; a module that stands for ROS's has ours meanwhile.
    """
    name = "ament_index_python.packages"
    if name in sys.modules or importlib.util.find_spec("ament_index_python") is not None:
        yield
        return
    stand_in: Any = ModuleType(name)
    stand_in.get_package_share_directory = partial(package_folder, robot_file=file)
    sys.modules[name], sys.modules["ament_index_python"] = stand_in, ModuleType(name)
    try:
        yield
    finally:
        del sys.modules[name], sys.modules["ament_index_python"]


def _declared(element: XmlElement) -> Iterator[str]:
    """Iterate over the names of the arguments that elements below this one declare."""
    for x in element.children():
        if x.tag == "xacro:arg":
            yield x.optional("name")
        yield from _declared(x)


class _Sought(dict[str, str]):
    """Values by name, with the names that were looked up."""

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__(values)
        self.names: set[Any] = set()

    def __contains__(self, name: object) -> bool:
        self.names.add(name)
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return super().__getitem__(name)
