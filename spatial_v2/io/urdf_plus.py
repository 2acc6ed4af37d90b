"""Loops and couplings of URDF+ files: the elements ``loop`` and ``coupling``.

Source: M. Chignoli et al., "URDF+: An Enhanced URDF for Robots with Kinematic Loops",
https://arxiv.org/abs/2411.19753.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from spatial_v2.io.robot_data import Loop, Mimic
from spatial_v2.io.urdf_mechanics import frame_transforms
from spatial_v2.io.urdf_xml import UrdfJoint, UrdfRobot, read_axis, read_origin
from spatial_v2.io.xml_element import XmlElement

__all__ = ["LOOP_TYPES", "Gears", "read_gears", "read_independent", "read_loops"]

LOOP_TYPES = ("revolute", "continuous", "prismatic", "planar", "fixed")
_MOVING = ("revolute", "continuous", "prismatic")


class Gears(NamedTuple):
    """Joints that follow others linearly, by ``coupling`` and ``mimic`` elements together."""

    joints: tuple[str, ...]
    """Names of all joints with one variable that take part."""
    independent: tuple[str, ...]
    """Names of those that are independent."""
    matrix: np.ndarray
    """Positions of `joints` by those of `independent`."""
    offset: np.ndarray
    """Positions of `joints` where those are zero."""

    def mimic(self) -> dict[str, Mimic] | None:
        """Return the followers of one joint each; None if one follows several, or none."""
        by_name = {}
        for name, row, c in zip(self.joints, self.matrix, self.offset, strict=True):
            if name in self.independent:
                continue
            (leaders,) = np.nonzero(row)
            if len(leaders) != 1:
                return None
            by_name[name] = Mimic(self.independent[leaders[0]], float(row[leaders[0]]), float(c))
        return by_name


def read_independent(robot: UrdfRobot) -> tuple[str, ...]:
    """Return the joints that are not marked as dependent; none if no joint has a mark."""
    marks = {name: joint.element.optional("independent") for name, joint in robot.joints.items()}
    for name, mark in marks.items():
        if mark.lower() not in ("", "true", "false", "1", "0"):
            raise robot.joints[name].element.error(
                f"attribute independent={mark!r}: want true or false"
            )
    if not any(marks.values()):
        return ()
    return tuple(name for name, mark in marks.items() if mark.lower() not in ("false", "0"))


def read_loops(robot: UrdfRobot) -> dict[str, Loop]:
    """Return the loops of a file by their names."""
    by_name: dict[str, Loop] = {}
    for element in robot.element.all("loop"):
        name, kind = element.text("name"), element.text("type")
        if name in by_name:
            raise element.error(f"duplicate loop {name!r}")
        if kind not in LOOP_TYPES:
            raise element.error(
                f"attribute type={kind!r} is not a type of loop; valid: {', '.join(LOOP_TYPES)}"
            )
        ends = [element.need(end) for end in ("predecessor", "successor")]
        one, two = (_link(end, robot) for end in ends)
        X1, X2 = frame_transforms([read_origin(end) for end in ends])
        rows = _rows(kind, np.zeros(3) if kind == "fixed" else read_axis(element))
        by_name[name] = Loop("frame", one, X1, two, X2, rows)
    return by_name


def _link(end: XmlElement, robot: UrdfRobot) -> str:
    link = end.text("link")
    if link not in robot.links:
        raise end.error(f"attribute link={link!r} is an unknown link")
    return link


def _rows(kind: str, axis: np.ndarray) -> np.ndarray:
    """Return the directions [angular; linear] that a joint of this type does not leave free."""
    if kind == "fixed":
        return np.eye(6)
    across = np.linalg.svd(axis[None])[2][1:]
    turn, move = np.zeros((2, 3, 6))
    turn[:, :3] = move[:, 3:] = [axis, *across]
    rows = {"prismatic": [*turn, *move[1:]], "planar": [*turn[1:], move[0]]}
    return np.array(rows.get(kind, [*turn[1:], *move])).T


def read_gears(robot: UrdfRobot, mimic: Mapping[str, Mimic], strict: bool) -> Gears | None:
    """Return the joints of ``coupling`` elements, and `mimic`; None if there are no such elements.

    If they do not determine the dependent joints, that is an error, or None if not `strict`.

    An element means ``ratio`` times the sum of the joints' positions from the nearest common
    ancestor of both links to the predecessor is their sum to the successor.
    """
    elements = robot.element.all("coupling")
    if not elements:
        return None
    above = {joint.child: joint for joint in robot.joints.values()}
    rows: list[dict[str, float]] = []
    for element in elements:
        ways = [
            _way(_link(element.need(end), robot), above) for end in ("predecessor", "successor")
        ]
        shared = {joint.name for joint in ways[0]} & {joint.name for joint in ways[1]}
        row = {}
        for way, factor in zip(ways, (element.need("ratio").number("value"), -1.0), strict=True):
            for joint in way:
                if joint.name not in shared and _moves(joint, element):
                    row[joint.name] = factor
        rows.append(row)
    offset = np.array([0.0] * len(rows) + [-x.offset for x in mimic.values()])
    for name, x in mimic.items():
        element = robot.joints[name].element
        ends = ((name, -1.0), (x.joint, x.multiplier))
        rows.append({end: c for end, c in ends if _moves(robot.joints[end], element)})
    marked = {*robot.joints} - {*read_independent(robot)} if read_independent(robot) else set()
    joints = tuple(dict.fromkeys(name for row in rows for name in row))
    driven = [name for name in joints if name in marked or name in mimic]
    K = np.array([[row.get(name, 0.0) for name in joints] for row in rows])
    own = [name for name in joints if name not in driven]
    of = {name: k for k, name in enumerate(joints)}
    K_d, K_i = K[:, [of[name] for name in driven]], K[:, [of[name] for name in own]]
    if len(driven) != len(rows) or np.linalg.matrix_rank(K_d) < len(rows):
        if not strict:
            return None
        raise elements[0].error(
            f'{len(rows)} couplings do not determine the joints marked independent="false": '
            f"{', '.join(driven) or 'none'}"
        )
    G, c = np.zeros((len(joints), len(own))), np.zeros(len(joints))
    G[[of[name] for name in own], range(len(own))] = 1
    followers = [of[name] for name in driven]
    G[followers], c[followers] = -np.linalg.solve(K_d, K_i), np.linalg.solve(K_d, offset)
    return Gears(joints, tuple(own), G, c)


def _moves(joint: UrdfJoint, element: XmlElement) -> bool:
    """Return whether a coupled joint moves; raise an error if it has several variables."""
    if joint.type not in (*_MOVING, "fixed"):
        raise element.error(
            f"joint {joint.name!r} is coupled and {joint.type}; want joints with one variable"
        )
    return joint.type != "fixed"


def _way(link: str, above: Mapping[str, UrdfJoint]) -> list[UrdfJoint]:
    """Return the joints from a link to the root."""
    way: list[UrdfJoint] = []
    while link in above and above[link] not in way:
        way.append(above[link])
        link = way[-1].parent
    return way
