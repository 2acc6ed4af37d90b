"""Conversion of a compiled MuJoCo model to a model of this library."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.files.wording import unused
from spatial_v2.io.impose import Couplings, Ties, check_couplings
from spatial_v2.io.left_out import base_mass, state_left_out
from spatial_v2.io.mujoco_left_out import mujoco_acting, mujoco_rest
from spatial_v2.io.mujoco_loops import mujoco_equalities
from spatial_v2.io.mujoco_names import check_peer, mujoco_joints, mujoco_names
from spatial_v2.io.mujoco_starts import mujoco_independent, mujoco_starts
from spatial_v2.io.mujoco_terms import BALL, FREE, HINGE, SLIDE, is_disabled, joint_terms
from spatial_v2.io.robot_data import UNLIMITED, JointLimits
from spatial_v2.io.tree_builder import TreeBuilder, join, move
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.spatial import mcI, plux
from spatial_v2.three_d import rq

__all__ = ["mujoco_tree"]


def mujoco_tree(
    peer: Any,
    where: str = "peer",
    couplings: Couplings = "auto",
    change: Callable[[Model], Model] = lambda model: model,
) -> Model:
    """Convert a `mujoco.MjModel` to a model; see `from_mujoco`.

    The tree is changed by a function before its joints are coupled.
    """
    check_couplings(couplings)
    check_peer(peer)
    tree, limits = TreeBuilder(), {}
    named: list[Frame] = []
    names = mujoco_names(peer, "body", peer.nbody)
    taken = set(names)
    for b, (name, joints) in enumerate(zip(names, mujoco_joints(peer), strict=True)):
        frame = Frame(-1, np.eye(6))
        if b:
            place = _place(peer.body_pos[b], peer.body_quat[b])
            frame = join(named[peer.body_parentid[b]], place)
        for n, (j, joint) in enumerate(joints, 1):
            body = name if n == len(joints) else unused(f"{name}_{n}", taken)
            frame = _moved(tree, peer, frame, j, joint, body)
            limits[joint] = _limits(peer, j)
        named.append(frame)
        tree.frames[name] = frame
        R = np.asarray(rq(peer.body_iquat[b])).T
        tree.add_inertia(
            frame, mcI(peer.body_mass[b], peer.body_ipos[b], R * peer.body_inertia[b] @ R.T)
        )
    if not tree.parent:
        raise ModelError("no joint moves in this MuJoCo model, so there is nothing to compute")
    sites = _add_sites(tree, peer, named)
    equal = mujoco_equalities(peer, names, sites, mujoco_names(peer, "joint", peer.njnt))
    model = tree.model(
        name=peer.names[: peer.names.index(b"\0")].decode(),
        limits=limits,
        mimic=equal.mimic or None,
        loops=equal.loops or None,
        gravity=np.zeros(3) if is_disabled(peer, "GRAVITY") else peer.opt.gravity.copy(),
        **joint_terms(peer),
    )
    first, starts = mujoco_starts(peer)
    acting, rest = [*equal.acting, *mujoco_acting(peer)], [*equal.idle, *mujoco_rest(peer)]
    rest += base_mass(m for m, frame in zip(peer.body_mass, named, strict=True) if frame.body < 0)
    model = change(model)
    return state_left_out(
        model, where, acting, rest, stacklevel=3, couplings=couplings, coupled=equal.coupled,
        ties=Ties(mujoco_independent(peer), curves=equal.curves, first=first, starts=starts),
    )  # fmt: skip


def _add_sites(tree: TreeBuilder, peer: Any, named: list[Frame]) -> list[str]:
    """Add the frames of the sites to the tree; return their names."""
    taken, names = set(tree.frames), []
    for s, name in enumerate(mujoco_names(peer, "site", peer.nsite)):
        place = _place(peer.site_pos[s], peer.site_quat[s])
        names.append(unused(f"site:{name}" if name in taken else name, taken))
        tree.frames[names[-1]] = join(named[peer.site_bodyid[s]], place)
    return names


def _place(pos: np.ndarray, quat: np.ndarray) -> np.ndarray:
    return np.asarray(plux(rq(quat), pos))


def _moved(tree: TreeBuilder, peer: Any, frame: Frame, j: int, joint: str, body: str) -> Frame:
    """Add a joint of a body; return the body's frame after the joint.

    The joint's anchor and axis are given in `frame`, the body's frame before the joint.
    """
    kind, anchor = int(peer.jnt_type[j]), peer.jnt_pos[j]
    if kind == FREE:
        return tree.add(Frame(-1, np.eye(6)), "Fb", joint, body)
    if kind == SLIDE:
        return tree.add_axis(frame, "P", peer.jnt_axis[j], joint, body)
    anchored = move(frame, anchor)
    if kind == BALL:
        return move(tree.add(anchored, "S", joint, body), -anchor)
    return move(tree.add_axis(anchored, "R", peer.jnt_axis[j], joint, body), -anchor)


def _limits(peer: Any, j: int) -> JointLimits:
    """Return position and force limits of a hinge or slide; infinite if there are none."""
    if peer.jnt_type[j] not in (SLIDE, HINGE):
        return JointLimits()
    lower, upper, effort = -math.inf, math.inf, math.inf
    if peer.jnt_limited[j]:
        zero = float(peer.qpos0[peer.jnt_qposadr[j]])
        ends = (float(x) - zero for x in peer.jnt_range[j])
        lower, upper = (x if abs(x) < UNLIMITED else math.copysign(math.inf, x) for x in ends)
    if peer.jnt_actfrclimited[j]:
        effort = float(np.abs(peer.jnt_actfrcrange[j]).max())
    return JointLimits(lower, upper, math.inf, effort)
