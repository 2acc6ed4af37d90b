"""From a compiled MuJoCo model to a tree of ours."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.io.robot_data import JointLimits
from spatial_v2.io.tree_builder import TreeBuilder, join, move
from spatial_v2.io.wording import listed
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.spatial import mcI, plux
from spatial_v2.three_d import rq

__all__ = ["BALL", "FREE", "mujoco_joints", "mujoco_tree"]

FREE, BALL, SLIDE, HINGE = range(4)
"""Kinds of joints, as `mjtJoint` numbers them."""


def mujoco_joints(peer: Any) -> list[list[tuple[int, str]]]:
    """The joints of each body, in order: their numbers, and their names or what stands for one."""
    joints: list[list[tuple[int, str]]] = [[] for _ in range(peer.nbody)]
    for j in range(peer.njnt):
        joints[int(peer.jnt_bodyid[j])].append((j, peer.joint(j).name or f"joint{j}"))
    return joints


def mujoco_tree(peer: Any) -> Model:
    """The model for a `mujoco.MjModel`; see `from_mujoco`."""
    _warn_of_rest(peer)
    tree, limits = TreeBuilder(), {}
    named: list[Frame] = []
    every = mujoco_joints(peer)
    for b in range(peer.nbody):
        name = peer.body(b).name or f"body{b}"
        frame = (
            join(named[peer.body_parentid[b]], _place(peer.body_pos[b], peer.body_quat[b]))
            if (b)
            else Frame(-1, np.eye(6))
        )
        for n, (j, joint) in enumerate(every[b], 1):
            body = name + (f"_{n}" if n < len(every[b]) else "")
            frame = _moved(tree, peer, frame, j, joint, body)
            limits[joint] = _limits(peer, j)
        named.append(frame)
        tree.frames[name] = frame
        R = np.asarray(rq(peer.body_iquat[b])).T
        tree.add_inertia(
            frame, mcI(peer.body_mass[b], peer.body_ipos[b], R * peer.body_inertia[b] @ R.T)
        )
    for s in range(peer.nsite):
        name = peer.site(s).name or f"site{s}"
        frame = join(named[peer.site_bodyid[s]], _place(peer.site_pos[s], peer.site_quat[s]))
        tree.frames[f"site:{name}" if name in tree.frames else name] = frame
    if not tree.parent:
        raise ModelError("no joint moves in this MuJoCo model, so there is nothing to compute")
    name = peer.names[: peer.names.index(b"\0")].decode()
    gravity = peer.opt.gravity.copy()
    return tree.model(name=name, limits=limits, gravity=gravity, **_joint_terms(peer))


def _joint_terms(peer: Any) -> dict[str, np.ndarray]:
    """Armature, damping and dry friction in our order, those that are there."""
    order = np.arange(peer.nv)
    free = peer.jnt_dofadr[peer.jnt_type == FREE]
    for at in free:
        order[at : at + 6] = [*range(at + 3, at + 6), *range(at, at + 3)]
    terms = {}
    for name in ("armature", "damping", "friction"):
        x = np.array(getattr(peer, "dof_frictionloss" if name == "friction" else f"dof_{name}"))
        if name != "damping" or any(np.ptp(x[at : at + 3]) for at in free):
            for at in free:
                if x[at : at + 3].any():
                    raise ModelError(
                        f"{name} of a free joint of MuJoCo acts along axes of the base, here it "
                        "would act along those of the body; a <freejoint/> has none"
                    )
        if x.any():
            terms[name] = x[order]
    return terms


def _place(pos: np.ndarray, quat: np.ndarray) -> np.ndarray:
    return np.asarray(plux(rq(quat), pos))


def _moved(tree: TreeBuilder, peer: Any, frame: Frame, j: int, joint: str, body: str) -> Frame:
    """The frame of a body after a joint of it, whose anchor and axis are given in that frame."""
    kind, anchor = int(peer.jnt_type[j]), peer.jnt_pos[j]
    if kind == FREE:
        return tree.add(Frame(-1, np.eye(6)), "Fb", joint, body)
    if kind == SLIDE:
        return tree.add_axis(frame, "P", peer.jnt_axis[j], joint, body)
    at = move(frame, anchor)
    if kind == BALL:
        return move(tree.add(at, "S", joint, body), -anchor)
    return move(tree.add_axis(at, "R", peer.jnt_axis[j], joint, body), -anchor)


def _limits(peer: Any, j: int) -> JointLimits:
    """Position and force limits of a joint of one freedom; infinite where there are none."""
    if peer.jnt_type[j] not in (SLIDE, HINGE):
        return JointLimits()
    lower, upper, effort = -math.inf, math.inf, math.inf
    if peer.jnt_limited[j]:
        zero = float(peer.qpos0[peer.jnt_qposadr[j]])
        lower, upper = (float(x) - zero for x in peer.jnt_range[j])
    if peer.jnt_actfrclimited[j]:
        effort = float(np.abs(peer.jnt_actfrcrange[j]).max())
    return JointLimits(lower, upper, math.inf, effort)


def _warn_of_rest(peer: Any) -> None:
    """Name what acts on joints there and is no part of a model."""
    parts = {
        "springs of joints": peer.jnt_stiffness.any() or peer.jnt_stiffnesspoly.any(),
        "damping that is not linear": peer.dof_dampingpoly.any(),
        "compensation of gravity": peer.body_gravcomp.any(),
        "tendons": peer.ntendon,
        "equality constraints": peer.neq,
        "flexible bodies": peer.nflex,
        "plugins": peer.nplugin,
        "a fluid": peer.opt.density or peer.opt.viscosity,
    }
    left = [name for name, there in parts.items() if there]
    if left:
        warnings.warn(
            f"of this MuJoCo model these are left out, which no model holds: {listed(left)}",
            UserWarning,
            stacklevel=4,
        )
