"""Table of joint types: everything about a joint type is in its row.

`jcalc`, `jinfo`, the compiled kernels, the error messages and the page "Joint types" of the
documentation all read `JOINT_TYPES`. A negative-axis code such as ``Rx-`` is derived from its
base row: X_J at -q, minus S. The helical joint takes a parameter, ``pitch`` in metres per radian.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), Table 4.1; the codes are MATLAB's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from spatial_v2.arrays import Array, constant
from spatial_v2.exceptions import JointTypeError
from spatial_v2.joints import groups
from spatial_v2.spatial import plnr, pluho, plux, rotx, roty, rotz, xlt
from spatial_v2.three_d import rq

__all__ = ["JOINT_TYPES", "JointType", "JointTypeLike", "joint_type"]

JointTypeLike: TypeAlias = str | Mapping[str, Any]

REVOLUTE, PRISMATIC, SPHERICAL, ROTATION, FLOATING, TRANSFORM = range(6)
"""Kinds of joint as the compiled kernels number them."""


@dataclass(frozen=True)
class JointType:
    """A joint type: its code, sizes, meaning of q and qd, motion subspace and transform.

    Attributes
    ----------
    code : str
        The joint code of the model struct.
    nq, nv : int
        Number of position and of velocity variables.
    group : Group
        Configuration space: `neutral`, `add`, `difference`, `rate`, `random`, `normalise`.
    kind, axis : int
        Code of the motion for kernels: a kind and the axis 0, 1, 2 of a joint with one degree of
        freedom.
    position, velocity : str
        Meaning and unit of q and of qd in words.
    planar : bool
        True if the joint belongs to planar models (3x3 transforms).
    sign : int
        -1 for a negative axis.
    pitch : float
        Advance per radian of a helical joint [m/rad]; 0 for all others.
    """

    code: str
    nq: int
    nv: int
    group: groups.Group
    kind: int
    axis: int
    position: str
    velocity: str
    planar: bool = False
    sign: int = 1
    pitch: float = 0.0

    @property
    def has_axis(self) -> bool:
        """True if the joint turns about an axis, slides along it, or both; q is then one number."""
        return self.kind in (REVOLUTE, PRISMATIC)

    @property
    def has_quaternion(self) -> bool:
        """True if q begins with a quaternion."""
        return self.kind in (SPHERICAL, FLOATING)

    @property
    def S(self) -> np.ndarray:
        """Motion subspace in body coordinates: constant, shape (6, nv) or planar (3, nv)."""
        if not self.has_axis:
            return np.eye(6)[:, : self.nv]
        if self.planar:
            return self.sign * np.eye(3)[:, {"r": 0, "px": 1, "py": 2}[self.code.rstrip("-")], None]
        S = np.eye(6)[:, self.axis + 3 * (self.kind == PRISMATIC), None]
        S[self.axis + 3] += self.pitch
        return self.sign * S

    @cached_property
    def displacements(self) -> tuple[float, ...]:
        """One for each velocity variable that moves the body without turning it, else zero."""
        turns = np.atleast_1d(self.S[: 1 if self.planar else 3].any(axis=0))
        return tuple(1.0 - float(x) for x in turns)

    @property
    def lengths(self) -> range:
        """Indices of the position variables that are lengths."""
        begin, end = {PRISMATIC: (0, 1), FLOATING: (4, 7), TRANSFORM: (12, 15)}.get(
            self.kind, (0, 0)
        )
        return range(begin, end)

    def X_J(self, q: Array) -> Array:
        """Joint transform, parent side to body, at q (..., nq): (..., 6, 6) or (..., 3, 3)."""
        if self.kind == FLOATING:
            return plux(rq(q[..., :4]), q[..., 4:])
        if self.kind == TRANSFORM:
            return pluho(groups.SE3.matrix(q))
        if self.kind in (SPHERICAL, ROTATION):
            E = rq(q) if self.kind == SPHERICAL else groups.SO3.matrix(q)
            return plux(E, 0 * q[..., :3])
        step, e = self.sign * q, constant(np.eye(3)[self.axis], q)
        if self.planar:
            turn, slide = (step, 0 * step) if self.kind == REVOLUTE else (0 * step, step)
            return plnr(turn[..., 0], slide * e[:2])
        if self.kind == PRISMATIC:
            return xlt(step * e)
        X = (rotx, roty, rotz)[self.axis](step[..., 0])
        return X @ xlt(step * constant(self.pitch * np.eye(3)[self.axis], q)) if self.pitch else X


def _line(code: str, kind: int, axis: int, *, planar: bool = False) -> JointType:
    name = "xyz"[axis]
    if kind == REVOLUTE:
        words = f"angle about {name} [rad]", "angular rate [rad/s]"
    else:
        words = f"displacement along {name} [m]", "linear rate [m/s]"
    return JointType(code, 1, 1, groups.LINE, kind, axis, *words, planar=planar)


_QUATERNION = "unit quaternion [w x y z] of the body's orientation; any nonzero norm is accepted"
_OMEGA = "angular velocity in body coordinates [rad/s]"
_TWIST = "spatial velocity [omega; v] of the body in body coordinates [rad/s, m/s]"

_BASE = (
    _line("R", REVOLUTE, 2),
    _line("Rx", REVOLUTE, 0),
    _line("Ry", REVOLUTE, 1),
    _line("Rz", REVOLUTE, 2),
    _line("P", PRISMATIC, 2),
    _line("Px", PRISMATIC, 0),
    _line("Py", PRISMATIC, 1),
    _line("Pz", PRISMATIC, 2),
    replace(
        _line("H", REVOLUTE, 2),
        position="angle about z [rad]; the body advances pitch * q along z",
    ),
    _line("r", REVOLUTE, 2, planar=True),
    _line("px", PRISMATIC, 0, planar=True),
    _line("py", PRISMATIC, 1, planar=True),
)

_LIE = (
    JointType("S", 4, 3, groups.S, SPHERICAL, 0, _QUATERNION, _OMEGA),
    JointType(
        "SO3", 9, 3, groups.SO3, ROTATION, 0,
        "coordinate rotation E (parent to body), 3x3 stored column by column", _OMEGA,
    ),
    JointType(
        "Fb", 7, 6, groups.FB, FLOATING, 0,
        _QUATERNION + "; then the position of the body origin in parent coordinates [m]", _TWIST,
    ),
    JointType(
        "SE3", 16, 6, groups.SE3, TRANSFORM, 0,
        "coordinate transform T = [E, -E r; 0 1] (parent to body), 4x4 stored column by column",
        _TWIST,
    ),
)  # fmt: skip

_NEGATIVE = tuple(
    replace(
        row,
        code=row.code + "-",
        sign=-1,
        position=row.position.replace("about ", "about -").replace("along ", "along -"),
    )
    for row in _BASE
)

JOINT_TYPES: dict[str, JointType] = {row.code: row for row in _BASE + _NEGATIVE + _LIE}


def joint_type(jtype: JointTypeLike) -> JointType:
    """Return the row of `JOINT_TYPES` for a joint type, given as in ``model.jtype``.

    Parameters
    ----------
    jtype : str or dict
        A key of `JOINT_TYPES`, or ``{"code": "H", "pars": {"pitch": 0.1}}``.

    Returns
    -------
    JointType
        The row; for a helical joint a copy with the given pitch.

    Raises
    ------
    JointTypeError
        Unknown code, or a helical joint without its pitch.

    Examples
    --------
    >>> joint_type("Fb").nq
    7
    >>> joint_type({"code": "H", "pars": {"pitch": 0.5}}).S.T
    array([[0. , 0. , 1. , 0. , 0. , 0.5]])
    """
    given: Any = jtype
    pars: Mapping[str, Any] = {}
    if isinstance(given, str):
        code = given
    elif isinstance(given, Mapping) and isinstance(given.get("code"), str):
        code, pars = given["code"], given.get("pars") or {}
    else:
        raise JointTypeError(
            "jtype: want a joint code such as 'Rz', or a dict "
            f"{{'code': 'H', 'pars': {{'pitch': 0.1}}}}; got {jtype!r}"
        )
    row = JOINT_TYPES.get(code)
    if row is None:
        import difflib

        close = difflib.get_close_matches(code, JOINT_TYPES, n=2, cutoff=0.3)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        raise JointTypeError(
            f"jtype: unknown joint code {code!r}{hint} Valid codes: {', '.join(JOINT_TYPES)}"
        )
    if code.rstrip("-") != "H":
        return row
    try:
        pitch = float(pars["pitch"])
    except (KeyError, TypeError, ValueError):
        pitch = math.nan
    if not math.isfinite(pitch):
        raise JointTypeError(
            f"jtype: a helical joint needs its pitch [m/rad], a finite number, as "
            f"{{'code': {code!r}, 'pars': {{'pitch': 0.1}}}}; got {jtype!r}"
        )
    return replace(row, pitch=pitch)
