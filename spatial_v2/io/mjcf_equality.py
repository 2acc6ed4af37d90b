"""Writing joints that follow others, and loops, as elements of an MJCF file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_v2.constraints.FrameConstraint import FrameOnModel
from spatial_v2.constraints.PointConstraint import PointOnModel
from spatial_v2.exceptions import ModelError
from spatial_v2.files.wording import unused
from spatial_v2.io.mjcf_joints import slide_name
from spatial_v2.io.robot_data import Frame
from spatial_v2.io.urdf_loops import row_text
from spatial_v2.io.xml_text import quoted
from spatial_v2.mechanisms.curves import Curve
from spatial_v2.model import Model
from spatial_v2.spatial import xlt

__all__ = ["curve_elements", "loop_elements"]

_SAME = 1e-12
"""Difference of unit vectors up to which they have one direction."""


def curve_elements(tree: Model, curves: Mapping[str, Curve]) -> list[str]:
    """Return the elements of joints that follow others, those along screws among them."""
    lines = []
    screws = {
        slide_name(tree, i): Curve(tree.joint_names[i], (0.0, joint.pitch))
        for i, joint in enumerate(tree.layout.joints)
        if joint.pitch
    }
    for name, (leader, coefficients) in {**curves, **screws}.items():
        to = f" joint2={quoted(leader)}" if leader else ""
        numbers = [*coefficients, *[0.0] * (5 - len(coefficients))]
        lines.append(f'<joint joint1={quoted(name)}{to} polycoef="{row_text(numbers)}"/>')
    return lines


def loop_elements(
    tree: Model, loops: Mapping[str, Any], is_planar: bool
) -> tuple[list[str], dict[str, Frame]]:
    """Return the elements of loops, and frames at their ends to be written as sites.

    Parameters
    ----------
    tree : Model
        The tree, with frames that are sites.
    loops : mapping
        Constraints resolved for the tree, by name.
    is_planar : bool
        True if their bodies move in a plane.
    """
    lines, ends = [], {}
    frames = {name: Frame(*f) for name, f in (tree.frames or {}).items()}
    names = {*frames, *tree.body_names}
    for name, loop in loops.items():
        for kind, called, X1, X2 in _pairs(name, loop, is_planar):
            sites = []
            for k, end in enumerate((Frame(loop.body1, X1), Frame(loop.body2, X2)), 1):
                site = f"{called}_{k}"
                if site not in frames or not _is_same(frames[site], end):
                    site = unused(site, names)
                    ends[site] = end
                sites.append(quoted(site))
            lines.append(f"<{kind} name={quoted(called)} site1={sites[0]} site2={sites[1]}/>")
    return lines, ends


def _is_same(one: Frame, two: Frame) -> bool:
    return one.body == two.body and np.allclose(one.X, two.X, rtol=0, atol=_SAME)


def _pairs(name: str, loop: Any, is_planar: bool) -> list[tuple[str, str, np.ndarray, np.ndarray]]:
    """Return the constraints of MuJoCo that are a loop: kind, name, and transforms to its ends."""
    if isinstance(loop, PointOnModel):
        D = np.vstack([loop.D, np.eye(3)[[2] * is_planar]])
        if np.linalg.matrix_rank(D) == 3:
            one, two = loop.frames
            return [("connect", name, np.asarray(one), np.asarray(two))]
    elif isinstance(loop, FrameOnModel) and loop.axes != "mixed":
        T = np.hstack([loop.T, np.eye(6)[:, [0, 1, 5] * is_planar]])
        X1, X2 = np.asarray(loop.X1), np.asarray(loop.X2)
        kept = np.linalg.qr(T)[0]
        if kept.shape[1] == 6:
            return [("weld", name, X1, X2)]
        if np.abs(kept[3:] @ kept[3:].T - np.eye(3)).max() < _SAME:
            connect = [("connect", name, X1, X2)]
            if kept.shape[1] == 3:
                return connect
            if kept.shape[1] == 5:
                axis = np.linalg.svd(kept[:3].T)[2][2]
                arm = max(np.abs(X1[3:, :3]).max(), np.abs(X2[3:, :3]).max()) or 1.0
                along = np.asarray(xlt(arm * axis))
                return [*connect, ("connect", f"{name}_axis", along @ X1, along @ X2)]
    raise ModelError(
        f"loops[{name!r}]: MJCF has points, hinges and welds only; write the tree alone, "
        "tree.replace(loops=None)"
    )
