"""Equality constraints of a compiled MuJoCo model: loops, coupled joints, and others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.files.wording import unused
from spatial_v2.io.mujoco_terms import is_disabled
from spatial_v2.io.robot_data import Loop, Mimic
from spatial_v2.mechanisms.curves import Curve
from spatial_v2.spatial import plux, xlt
from spatial_v2.three_d import rq

__all__ = ["Equalities", "mujoco_equalities"]

CONNECT, WELD, JOINT = range(3)
"""Kinds of equality constraints, as `mjtEq` numbers them."""

_SITE = 6
"""Value of `mjtObj` for constraints whose ends are sites, not bodies."""


class Equalities(NamedTuple):
    """Equality constraints, sorted by kind."""

    loops: dict[str, Loop]
    """Constraints that connect or weld two bodies."""
    mimic: dict[str, Mimic]
    """Joints that follow another joint linearly."""
    curves: dict[str, Curve]
    """Joints that follow another joint by a polynomial, or stay where they are."""
    coupled: list[str]
    """Descriptions of all these."""
    acting: list[str]
    """Descriptions of other active constraints."""
    idle: list[str]
    """Descriptions of the inactive constraints."""


def mujoco_equalities(
    peer: Any, bodies: list[str], sites: list[str], joints: list[str]
) -> Equalities:
    """Sort the equality constraints of a `mujoco.MjModel`.

    Parameters
    ----------
    peer : mujoco.MjModel
        The model.
    bodies, sites, joints : list of str
        Names of the frames of bodies and sites, and of the joints.

    Returns
    -------
    Equalities
        The constraints of the model.
    """
    equalities = Equalities({}, {}, {}, [], [], [])
    kept: dict[str, int] = {"connect": 0, "weld": 0, "joint": 0}
    taken = {name for name in (_name(peer, e) for e in range(peer.neq)) if name}
    off = is_disabled(peer, "EQUALITY", "CONSTRAINT")
    for e in range(peer.neq):
        kind = int(peer.eq_type[e])
        name = _name(peer, e) or unused(f"equality{e}", taken)
        if off or not peer.eq_active0[e]:
            equalities.idle.append(f"equality constraint {name!r}, which is switched off")
        elif kind in (CONNECT, WELD):
            of_sites = hasattr(peer, "eq_objtype") and int(peer.eq_objtype[e]) == _SITE
            if not of_sites and _has_mocap(peer, e):
                equalities.acting.append(f"equality constraint {name!r} with a mocap body")
                continue
            equalities.loops[name] = _loop(peer, e, sites if of_sites else bodies, of_sites)
            kept["weld" if kind == WELD else "connect"] += 1
        elif kind == JOINT:
            curve, joint = _curve(peer, e, joints), joints[int(peer.eq_obj1id[e])]
            if joint in equalities.mimic or joint in equalities.curves:
                equalities.acting.append(f"equality joint {name!r}, the second of joint {joint!r}")
            elif curve.leader and not any(curve.coefficients[2:]):
                equalities.mimic[joint] = Mimic(curve.leader, *curve.coefficients[1::-1])
                kept["joint"] += 1
            else:
                equalities.curves[joint] = curve
                equalities.coupled.append(f"equality joint {name!r}")
        else:
            equalities.acting.append(f"equality constraint {name!r}")
    for called, n in kept.items():
        place = "model.mimic" if called == "joint" else "model.loops, for loop_constraints"
        if n:
            equalities.coupled.append(f"equality {called} ({n}, data in {place})")
    return equalities


def _name(peer: Any, e: int) -> str:
    return str(peer.equality(e).name)


def _has_mocap(peer: Any, e: int) -> bool:
    """Return whether a constraint holds a body at another one that the simulation moves."""
    ends = [int(peer.eq_obj1id[e]), int(peer.eq_obj2id[e])]
    return bool((peer.body_mocapid[ends] >= 0).any())


def _loop(peer: Any, e: int, ends: list[str], are_sites: bool) -> Loop:
    """Convert a ``connect`` or ``weld`` constraint to a `Loop`; if its ends are sites, the frames
    of the sites coincide.
    """
    one, two = ends[int(peer.eq_obj1id[e])], ends[int(peer.eq_obj2id[e])]
    data = np.array(peer.eq_data[e])
    weld = int(peer.eq_type[e]) == WELD
    if are_sites:
        X1, X2 = np.eye(6), np.eye(6)
    elif weld:
        X1, X2 = np.asarray(plux(rq(data[6:10]), data[3:6])), np.asarray(xlt(data[:3]))
    else:
        X1, X2 = np.asarray(xlt(data[:3])), np.asarray(xlt(data[3:6]))
    return Loop("frame" if weld else "point", one, X1, two, X2, np.eye(6)[:, 0 if weld else 3 :])


def _curve(peer: Any, e: int, joints: list[str]) -> Curve:
    """Convert a ``joint`` constraint, a polynomial of fourth degree."""
    leader = int(peer.eq_obj2id[e])
    return Curve(joints[leader] if leader >= 0 else "", tuple(map(float, peer.eq_data[e][:5])))
