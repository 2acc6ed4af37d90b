"""Writing bodies as elements of an MJCF file."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np

from spatial_v2.exceptions import LoaderWarning, ModelError
from spatial_v2.files.wording import listed
from spatial_v2.io.impossible import is_impossible
from spatial_v2.io.mjcf_joints import is_ball, is_free, joint_elements, place_text
from spatial_v2.io.robot_data import Frame
from spatial_v2.io.urdf_loops import row_text
from spatial_v2.io.xml_text import quoted
from spatial_v2.model import Model
from spatial_v2.spatial.mcI import inertia_parts
from spatial_v2.three_d import rq

__all__ = ["MjcfBody", "base_sites", "body_elements", "in_order", "mjcf_bodies"]

LEAST = 1e-15
"""The least mass and moment of a moving body that MuJoCo takes."""


@dataclass
class MjcfBody:
    """A body of the file, which has one joint of the tree or several."""

    name: str
    X: np.ndarray
    """Transform from the frame of the last body of the tree to that of the body."""
    members: list[int]
    """Bodies of the tree, of which all but the last have no mass."""
    above: MjcfBody | None
    children: list[MjcfBody] = field(default_factory=list)
    sites: dict[str, np.ndarray] = field(default_factory=dict)


def mjcf_bodies(tree: Model, ends: dict[str, Frame]) -> list[MjcfBody | None]:
    """Return for each body of a tree the body of the file that has it, None for the base at the
    end. `ends` are frames to be written as sites, beside those of the tree.
    """
    frames = {name: Frame(*f) for name, f in (tree.frames or {}).items()}
    own = {
        i: frames.pop(name)
        for i, name in enumerate(tree.body_names)
        if name in frames and frames[name].body == i and _may_move(tree, i, frames[name].X)
    }
    bodies: list[MjcfBody | None] = [None] * (tree.NB + 1)
    used = {frame.body for frame in (*frames.values(), *ends.values())}
    children = [np.flatnonzero(tree.parent == i).tolist() for i in range(tree.NB)]
    names: set[str] = set()
    for i in range(tree.NB):
        if bodies[i] is not None:
            continue
        members = [i]
        while _has_no_place(tree, members, children, used):
            members.append(children[members[-1]][0])
        last = members[-1]
        name = tree.body_names[last]
        if name in frames or name == "world":
            name = f"{name}_link"
        if name in names:
            raise ModelError(
                f"model: {name!r} is the name of more than one body of MJCF; rename a body"
            )
        names.add(name)
        X = own[last].X if last in own else np.eye(6)
        body = MjcfBody(name, np.asarray(X), members, bodies[int(tree.parent[i])])
        for k in members:
            bodies[k] = body
        if body.above is not None:
            body.above.children.append(body)
    for name, (i, X) in {**frames, **ends}.items():
        owner = bodies[i]
        if owner is not None:
            owner.sites[name] = X @ np.linalg.inv(owner.X)
    return bodies


def _may_move(tree: Model, i: int, X: np.ndarray) -> bool:
    """Test if a body's frame in the file may be X: for joints with several variables, these are
    along the axes of the frame.
    """
    joint = tree.layout.joints[i]
    if is_free(joint):
        return np.array_equal(X, np.eye(6))
    return not is_ball(joint) or np.array_equal(X[:3, :3], np.eye(3))


def _has_no_place(
    tree: Model, members: list[int], children: list[list[int]], used: set[int]
) -> bool:
    """Test if the last body is one of several joints of the body that it carries."""
    last = members[-1]
    if tree.I[last].any() or len(children[last]) != 1 or last in used:
        return False
    rows = [tree.layout.joints[k] for k in (*members, children[last][0])]
    size = sum(row.nv + (row.pitch != 0) for row in rows)
    return size <= 6 and not any(map(is_free, rows)) and not any(map(is_ball, rows[:-1]))


def base_sites(tree: Model, ends: dict[str, Frame]) -> list[str]:
    """Return the elements of frames on the base, indented; its own frame has the name world."""
    frames = {name: Frame(*f) for name, f in (tree.frames or {}).items()} | ends
    return [
        f"    <site name={quoted(name)}{place_text(X)}/>"
        for name, (i, X) in frames.items()
        if i < 0 and not (name == "world" and np.array_equal(X, np.eye(6)))
    ]


def in_order(bodies: list[MjcfBody | None]) -> list[tuple[MjcfBody, int]]:
    """Return the bodies in the order of the file, with their depths in the tree."""
    order: list[tuple[MjcfBody, int]] = []
    tops = {id(b): (b, 0) for b in bodies if b is not None and b.above is None}
    waiting = list(tops.values())[::-1]
    while waiting:
        body, depth = waiting.pop()
        order.append((body, depth))
        waiting += [(child, depth + 1) for child in reversed(body.children)]
    return order


def body_elements(tree: Model, bodies: list[MjcfBody | None]) -> list[str]:
    """Return the elements of all bodies, indented."""
    light: list[str] = []
    lines: list[str] = []
    opened = 0
    for body, depth in in_order(bodies):
        lines += _closing(opened, depth)
        lines += ["    " + "  " * depth + line for line in _opening(tree, body, light)]
        opened = depth + 1
    lines += _closing(opened, 0)
    if light:
        warnings.warn(
            f"to_mjcf: MuJoCo takes no moving body with a mass or moments below {LEAST:g}, which "
            f"are written for these bodies: {listed(light)}",
            LoaderWarning,
            stacklevel=3,
        )
    return lines


def _closing(opened: int, depth: int) -> list[str]:
    return ["    " + "  " * d + "</body>" for d in range(opened - 1, depth - 1, -1)]


def _opening(tree: Model, body: MjcfBody, light: list[str]) -> list[str]:
    """Return the elements of a body before those of its children."""
    X = body.X
    inside = []
    for i in reversed(body.members):
        if is_free(tree.layout.joints[i]) and tree.parent[i] >= 0:
            raise ModelError(
                f"joint {tree.joint_names[i]!r}: MJCF has floating joints only on the base"
            )
        inside.append(joint_elements(tree, i, X))
        X = X @ tree.Xtree[i]
    if body.above is not None:
        X = X @ np.linalg.inv(body.above.X)
    sites = [f"<site name={quoted(n)}{place_text(Y)}/>" for n, Y in body.sites.items()]
    joints = [line for joint in reversed(inside) for line in joint]
    last = body.members[-1]
    lines = [_inertial(tree.I[last], body, light), *joints, *sites]
    return [f"<body name={quoted(body.name)}{place_text(X)}>", *(f"  {x}" for x in lines)]


def _inertial(I: np.ndarray, body: MjcfBody, light: list[str]) -> str:
    back = np.linalg.inv(body.X)
    J = back.T @ I @ back
    m, c, I_C = inertia_parts(J) if J[5, 5] else (0.0, np.zeros(3), J[:3, :3])
    m, c, I_C = float(m), np.asarray(c), np.asarray(I_C)
    if m < 0 or is_impossible(I_C[None])[0] or (not m and J[:3, 3:].any()):
        raise ModelError(
            f"I: MJCF cannot hold the inertia of body {body.name!r}, which belongs to no "
            "distribution of positive mass; give it a possible one"
        )
    turn = ""
    moments, R = np.diagonal(I_C), np.eye(3)
    if np.count_nonzero(I_C - np.diag(moments)):
        moments, R = np.linalg.eigh(I_C)
        R = R * np.linalg.det(R)
        turn = f' quat="{row_text(rq(R.T))}"'
    k = int(np.argmax(moments))
    others = np.delete(moments, k).sum()  # at least the largest, but for the digits of a file
    moments = np.where(np.arange(3) == k, min(moments[k], others), moments)
    if min(m, *moments) < LEAST:
        light.append(body.name)
        m, moments = max(m, LEAST), np.maximum(moments, LEAST)
    return f'<inertial pos="{row_text(c)}"{turn} mass="{m!r}" diaginertia="{row_text(moments)}"/>'
