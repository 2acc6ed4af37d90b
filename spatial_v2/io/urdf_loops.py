"""Writing loops as elements of URDF+, and the elements that they share with joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.io.robot_data import Loop
from spatial_v2.io.urdf_angles import roll_pitch_yaw
from spatial_v2.io.xml_text import quoted
from spatial_v2.model import Model
from spatial_v2.model.frame import find_frame
from spatial_v2.spatial import transform_parts

__all__ = ["origin_text", "row_text", "urdf_loops"]


def urdf_loops(model: Model, links: Sequence[tuple[str, np.ndarray]], root: str) -> list[str]:
    """Return the lines of a model's loops; `links` are names and frames of the bodies' links."""
    lines: list[str] = []
    for name, loop in (model.loops or {}).items():
        kind, axis = _kind(name, loop)
        lines.append(f'  <loop name={quoted(name)} type="{kind}">')
        ends = (("predecessor", loop.frame1, loop.X1), ("successor", loop.frame2, loop.X2))
        for end, frame, X in ends:
            body, X_frame = find_frame(model, frame, f"loops[{name!r}]")
            if body < 0 and not root:
                raise ModelError(f"loops[{name!r}]: URDF has no link that is the world")
            link, X_link = (root, np.eye(6)) if body < 0 else links[body]
            lines += [
                f"    <{end} link={quoted(link)}>",
                f"      {origin_text(X @ X_frame @ np.linalg.inv(X_link))}",
                f"    </{end}>",
            ]
        if kind != "fixed":
            lines.append(f'    <axis xyz="{row_text(axis)}"/>')
        lines.append("  </loop>")
    return lines


def _kind(name: str, loop: Loop) -> tuple[str, np.ndarray]:
    """Return the type and the axis of the joint that leaves free what a loop does not constrain."""
    rows = np.asarray(loop.rows, dtype=float)
    regular = loop.kind != "point" and np.linalg.matrix_rank(rows) == rows.shape[1]
    if regular and rows.shape[1] == 6:
        return "fixed", np.zeros(3)
    free = np.linalg.svd(rows.T)[2][rows.shape[1] :] if regular else np.zeros((0, 6))
    turn, move = free[:, :3], free[:, 3:]
    if len(free) == 1 and not np.abs(move).max() > 1e-12:
        return "revolute", turn[0]
    if len(free) == 1 and not np.abs(turn).max() > 1e-12:
        return "prismatic", move[0]
    if len(free) == 3 and np.linalg.matrix_rank(turn, 1e-12) == 1:
        axis = np.linalg.svd(turn)[2][0]
        still = np.concatenate([np.zeros(3), axis])
        in_plane = np.abs(free @ still).max() < 1e-12 and np.linalg.matrix_rank(move, 1e-12) == 2
        pure = np.linalg.matrix_rank(np.vstack([free, [*axis, 0, 0, 0]]), 1e-12) == 3
        if in_plane and pure:
            return "planar", axis
    raise ModelError(
        f"loops[{name!r}]: URDF+ has welds, hinges, sliders and planes only; write "
        "model.replace(loops=None)"
    )


def origin_text(X: np.ndarray) -> str:
    """Return the element ``origin`` of a frame with a motion transform."""
    E, r = transform_parts(X)
    return f'<origin xyz="{row_text(r)}" rpy="{row_text(roll_pitch_yaw(np.asarray(E).T))}"/>'


def row_text(x: Any) -> str:
    """Return numbers as text, by which they are read again to the last digit."""
    return " ".join(repr(float(v) + 0.0) for v in np.asarray(x))
