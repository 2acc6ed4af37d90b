"""The YAML file beside a URDF file that closes its loops, as in example-parallel-robots.

Its keys: ``closed_loop``, pairs of links that coincide; ``type``, ``6d`` or ``3d`` for each pair;
``name_mot``, the driven joints; ``joint_name`` and ``joint_type``, joints that are of another type
than the URDF file says: SPHERICAL, FIXED, or UJOINT with the letters of its two axes.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.path_name import path_name
from spatial_v2.files.wording import unused
from spatial_v2.io.robot_data import JointLimits, Loop
from spatial_v2.io.urdf_xml import UrdfJoint, UrdfRobot

__all__ = ["Closures", "read_closures"]

_KEYS = ("closed_loop", "type", "name_mot", "joint_name", "joint_type")
_OTHER = {"SPHERICAL": "spherical", "FIXED": "fixed"} | {
    f"UJOINT_{a}{b}": f"universal_{a}{b}".lower() for a in "XYZ" for b in "XYZ" if a != b
}


class Closures(NamedTuple):
    """The contents of a file."""

    robot: UrdfRobot
    """The robot, with other types of joints."""
    loops: dict[str, Loop]
    """The loops, by the names of their first links."""
    independent: tuple[str, ...]
    """Names of the driven joints."""


def read_closures(path: str | os.PathLike[str], robot: UrdfRobot) -> Closures:
    """Read a YAML file that belongs to a robot."""
    file = path_name(path, "loops")
    contents = _contents(file)
    pairs, kinds, driven, names, types = (_list(file, contents, key) for key in _KEYS)
    for word, own, other in (("type", pairs, kinds), ("joint_type", names, types)):
        if len(own) != len(other):
            raise ModelFileError(
                f"{file}: {word}: want {len(own)} entries, one for each of {_KEYS[0]} or "
                f"{_KEYS[3]}, got {len(other)}"
            )
    _check_names(file, "name_mot", driven, robot.joints)
    _check_names(file, "joint_name", names, robot.joints)
    joints = dict(robot.joints)
    for name, kind in zip(names, types, strict=True):
        if not isinstance(kind, str) or kind not in _OTHER:
            raise ModelFileError(
                f"{file}: joint_type: want one of {', '.join(_OTHER)}, got {kind!r}"
            )
        joints[name] = _changed(joints[name], _OTHER[kind])
    loops = {}
    taken = {element.optional("name") for element in robot.element.all("loop")}
    for pair, kind in zip(pairs, kinds, strict=True):
        if not (isinstance(pair, list) and len(pair) == 2):
            raise ModelFileError(f"{file}: closed_loop: want pairs of links, got {pair!r}")
        _check_names(file, "closed_loop", pair, robot.links)
        if str(kind).lower() not in ("3d", "6d"):
            raise ModelFileError(f"{file}: type: want '6d' or '3d', got {kind!r}")
        point = str(kind).lower() == "3d"
        rows = np.eye(6)[:, 3 if point else 0 :]
        one, two = pair
        loops[unused(one, taken)] = Loop(
            "point" if point else "frame", one, np.eye(6), two, np.eye(6), rows
        )
    return Closures(replace(robot, joints=joints), loops, tuple(driven))


def _contents(file: str) -> Mapping[str, Any]:
    try:
        yaml: Any = importlib.import_module("yaml")
    except ModuleNotFoundError as e:
        raise ImportError(f"{file}: reading a YAML file needs PyYAML: pip install pyyaml") from e
    try:
        with open(file, encoding="utf-8") as stream:
            contents = yaml.safe_load(stream)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise ModelFileError(f"{file}: cannot be read: {e}") from e
    if not isinstance(contents, Mapping) or not isinstance(contents.get("closed_loop"), list):
        raise ModelFileError(
            f"{file}: want the key closed_loop, a list of pairs of links, beside "
            f"{', '.join(_KEYS[1:])}"
        )
    unknown = [key for key in contents if key not in _KEYS]
    if unknown:
        raise ModelFileError(f"{file}: unknown keys {unknown}; want {', '.join(_KEYS)}")
    return contents


def _list(file: str, contents: Mapping[str, Any], key: str) -> list[Any]:
    x = contents.get(key)
    if x is None:  # without a type, loops are closed in all directions
        return ["6d"] * len(contents["closed_loop"]) if key == "type" else []
    if not isinstance(x, list):
        raise ModelFileError(f"{file}: {key}: want a list, got {x!r}")
    return x


def _check_names(file: str, key: str, names: list[Any], known: Mapping[str, object]) -> None:
    for name in names:
        if not isinstance(name, str) or name not in known:
            what = "link" if key == "closed_loop" else "joint"
            raise ModelFileError(f"{file}: {key}: the URDF file has no {what} {name!r}")


def _changed(joint: UrdfJoint, kind: str) -> UrdfJoint:
    """Return a joint of another type, at the same place, with no limits."""
    return replace(
        joint, type=kind, axis=np.zeros(3), limits=JointLimits(), mimic=None, damping=0.0,
        friction=0.0,
    )  # fmt: skip
