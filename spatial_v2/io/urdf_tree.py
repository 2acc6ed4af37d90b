"""Tree of the links of a URDF file, checked, in depth-first order."""

from __future__ import annotations

from spatial_v2.files.wording import listed
from spatial_v2.io.urdf_xml import UrdfJoint, UrdfRobot

__all__ = ["check_mimic", "depth_first"]


def depth_first(robot: UrdfRobot) -> tuple[str, list[UrdfJoint]]:
    """Sort the joints of a file depth first, each after the joint that moves its parent link.

    The joints below a link come in alphabetical order of their names (as in Pinocchio, so that the
    order of joint variables agrees), each followed at once by the joints of its subtree.

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
                f"link {joint.child!r} is the child of two joints, {joint.name!r} and "
                f"{above[joint.child].name!r}; a link may have one parent"
            )
        above[joint.child] = joint
        below[joint.parent].append(joint)
    roots = [name for name in robot.links if name not in above]
    if len(roots) > 1:
        raise robot.element.error(
            f"{len(roots)} root links (child of no joint), want one: {listed(roots)}"
        )
    order: list[UrdfJoint] = []
    stack = [joint for root in roots for joint in below[root]]
    while stack:
        order.append(stack.pop())
        stack += below[order[-1].child]
    if len(order) < len(robot.joints):
        cycle = sorted(robot.joints.keys() - {joint.name for joint in order})
        raise robot.element.error(f"the joints {listed(cycle)} form a cycle, not a tree")
    return roots[0], order


def check_mimic(robot: UrdfRobot) -> None:
    """Check that mimic elements name other joints of the robot, without cycles.

    Raises
    ------
    ModelFileError
        If a mimic element names an unknown joint, or joints follow one another in a cycle.
    """
    remedy = "load_urdf(path, mimic=False) reads it without its mimic elements"
    leader = {j.name: j.mimic.joint for j in robot.joints.values() if j.mimic}
    for name, followed in leader.items():
        if followed not in robot.joints or followed == name:
            raise (
                robot.joints[name]
                .element.need("mimic")
                .error(f"attribute joint={followed!r} names no other joint of this robot; {remedy}")
            )
    settled: set[str] = set()
    for name in leader:
        way = []
        while name in leader and name not in settled:
            settled.add(name)
            way.append(name)
            name = leader[name]
        if name in way:
            circle = way[way.index(name) :]
            raise (
                robot.joints[name]
                .element.need("mimic")
                .error(f"the joints {listed(circle)} mimic one another in a circle; {remedy}")
            )
