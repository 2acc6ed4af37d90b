"""Tree of the links of an SDF file, and the joints that close loops."""

from __future__ import annotations

import numpy as np

from spatial_v2.files.wording import listed
from spatial_v2.io.robot_data import Loop
from spatial_v2.io.sdf_frames import axes_of, link_of
from spatial_v2.io.sdf_xml import SdfJoint, SdfRobot

__all__ = ["depth_first", "loop_of"]


def depth_first(
    robot: SdfRobot, link: dict[str, str]
) -> tuple[str, list[SdfJoint], list[SdfJoint]]:
    """Sort the joints of a file into those of the tree and those that close loops.

    Parameters
    ----------
    robot : SdfRobot
        The records of a file.
    link : dict
        The link to which each frame is fixed; the parents and children of joints are added.

    Returns
    -------
    root : str
        The root link, or an empty string if it is the world.
    order : list of SdfJoint
        The joints of the tree, parents first.
    closing : list of SdfJoint
        The other joints, which close loops. If several joints have the same child link, the tree
        contains the first one in the file with which it can be built.
    """
    above: dict[str, list[SdfJoint]] = {}
    for joint in robot.joints.values():
        for end in (joint.parent, joint.child):
            if end != "world":
                link[end] = link_of(robot, end, (joint.name,))
        above.setdefault(link[joint.child], []).append(joint)
    parents = {_parent(joint, link) for joint in robot.joints.values()}
    roots = [name for name in robot.inertias if name not in above]
    start = ["world"] if "world" in parents else []
    if len(roots) + len(start) != 1:
        where = listed([*start, *roots])
        raise robot.element.error(f"want one root of all links, got {where or 'none: a cycle'}")
    root = (start or roots)[0]
    chosen = _spanning(root, above, link)
    below: dict[str, list[SdfJoint]] = {name: [] for name in [*robot.inertias, "world"]}
    for joint in sorted(chosen.values(), key=lambda j: j.name.encode(), reverse=True):
        below[_parent(joint, link)].append(joint)
    if len(chosen) < len(above):
        rest = sorted(j.name for name in above.keys() - chosen.keys() for j in above[name])
        raise robot.element.error(f"the joints {listed(rest)} form a cycle, not a tree")
    order: list[SdfJoint] = []
    stack = list(below[root])
    while stack:
        order.append(stack.pop())
        stack += below[link[order[-1].child]]
    taken = {joint.name for joint in order}
    closing = [joint for joint in robot.joints.values() if joint.name not in taken]
    return "".join(roots), order, closing


def _parent(joint: SdfJoint, link: dict[str, str]) -> str:
    return "world" if joint.parent == "world" else link[joint.parent]


def _spanning(
    root: str, above: dict[str, list[SdfJoint]], link: dict[str, str]
) -> dict[str, SdfJoint]:
    """Choose a spanning tree: the joint above each link, preferably the first in the file."""
    reached = {root}
    chosen: dict[str, SdfJoint] = {}
    first = True
    while first or len(chosen) < len(above):
        before = len(chosen)
        for child, joints in above.items():
            usable = [j for j in joints[: 1 if first else None] if _parent(j, link) in reached]
            if child not in reached and usable:
                chosen[child] = usable[0]
                reached.add(child)
                if not first:
                    break
        if len(chosen) == before:
            if not first:
                break
            first = False
        else:
            first = True
    return chosen


def loop_of(
    robot: SdfRobot, X: dict[str, np.ndarray], link: dict[str, str], joint: SdfJoint
) -> Loop:
    """Convert a joint that closes a loop to a `Loop`."""
    parent, child = _parent(joint, link), link[joint.child]
    X1, X2 = (X[joint.name] @ np.linalg.inv(X[name]) for name in (parent, child))
    if joint.type in ("universal", "revolute2", "screw"):
        raise joint.element.error(
            f"link {child!r} has two parents, and a joint of type {joint.type!r} cannot close a "
            "loop here; put another joint of the loop behind it in the file"
        )
    rows = np.eye(6)
    if joint.type == "ball":
        return Loop("point", parent, X1, child, X2, rows[:, 3:])
    if joint.type != "fixed":
        (axis,) = axes_of(robot, X, joint)
        free = np.zeros(6)
        free[slice(3, 6) if joint.type == "prismatic" else slice(0, 3)] = axis
        rows = np.linalg.svd(free[None])[2][1:].T
    return Loop("frame", parent, X1, child, X2, rows)
