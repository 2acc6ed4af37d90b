"""Names of the parts of a compiled MuJoCo model, generated where they are missing."""

from __future__ import annotations

from typing import Any

from spatial_v2.files.wording import unused

__all__ = ["check_peer", "mujoco_joints", "mujoco_names"]


def check_peer(peer: Any) -> None:
    """Raise an error for anything that is not a compiled model of MuJoCo."""
    if not hasattr(peer, "jnt_dofadr"):
        raise TypeError(f"peer: want a mujoco.MjModel, got {type(peer).__name__}")


def mujoco_names(peer: Any, kind: str, count: int) -> list[str]:
    """Return the names of all joints, bodies or sites; a missing name is ``<kind><number>``.

    Parameters
    ----------
    peer : mujoco.MjModel
        The model.
    kind : {"joint", "body", "site"}
        Kind of the named elements.
    count : int
        Number of elements.

    Returns
    -------
    list of str
        The names, all different.
    """
    names = [str(getattr(peer, kind)(i).name) for i in range(count)]
    taken = {name for name in names if name}
    return [name or unused(f"{kind}{i}", taken) for i, name in enumerate(names)]


def mujoco_joints(peer: Any) -> list[list[tuple[int, str]]]:
    """Return the numbers and names of each body's joints, in order."""
    joints: list[list[tuple[int, str]]] = [[] for _ in range(peer.nbody)]
    for j, name in enumerate(mujoco_names(peer, "joint", peer.njnt)):
        joints[int(peer.jnt_bodyid[j])].append((j, name))
    return joints
