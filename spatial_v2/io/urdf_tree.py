"""How the links of a URDF file hang together: a checked tree, in depth-first order."""

from __future__ import annotations

from spatial_v2.io.urdf_xml import UrdfJoint, UrdfRobot

__all__ = ["depth_first"]


def depth_first(robot: UrdfRobot) -> tuple[str, list[UrdfJoint]]:
    """The root link and all joints, every joint after the one that moves its parent link.

    The joints below a link come in alphabetical order of their names (as in Pinocchio, so that the
    order of joint variables agrees), each followed at once by everything it carries.

    Parameters
    ----------
    robot : UrdfRobot
        The records of a file.

    Returns
    -------
    root : str
        Name of the root link.
    joints : list of UrdfJoint
        All joints of the file.

    Raises
    ------
    ModelFileError
        A joint on an unknown link, a link with two parents, two roots, or a cycle.
    """
    below: dict[str, list[UrdfJoint]] = {name: [] for name in robot.links}
    above: dict[str, UrdfJoint] = {}
    for joint in sorted(robot.joints.values(), key=lambda j: j.name.encode(), reverse=True):
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in robot.links:
                raise joint.element.need(role).error(f"attribute link={link!r} is an unknown link")
        if joint.child in above:
            raise joint.element.need("child").error(
                f"attribute link={joint.child!r} has two parents, by the joints "
                f"{joint.name!r} and {above[joint.child].name!r}"
            )
        above[joint.child] = joint
        below[joint.parent].append(joint)
    roots = [name for name in robot.links if name not in above]
    if len(roots) > 1:
        raise robot.element.error(
            f"{len(roots)} root links (child of no joint), expected one: {', '.join(roots)}"
        )
    order: list[UrdfJoint] = []
    stack = [joint for root in roots for joint in below[root]]
    while stack:
        order.append(stack.pop())
        stack += below[order[-1].child]
    if len(order) < len(robot.joints):
        cycle = sorted(robot.joints.keys() - {joint.name for joint in order})
        raise robot.element.error(f"the joints {', '.join(cycle)} form a cycle, not a tree")
    return roots[0], order
