"""Motions to be shown: configurations at instants, interpolated in the configuration space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.configuration import (
    configurationAddition,
    configurationDifference,
    neutral,
    normalizeConfVec,
)
from spatial_v2.couplings.free import free_configuration
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.state import check_forces, check_state
from spatial_v2.spatial import transform_parts

__all__ = [
    "Motion",
    "free",
    "local_poses",
    "read_motion",
    "read_still",
    "swing",
    "with_contact_forces",
    "with_forces",
]

RATE = 60.0
"""Instants per second at which a function of time is evaluated."""
TURN = 1.0
"""Largest angle [rad] from one key frame to the next."""


class Motion(NamedTuple):
    """A motion, as key frames."""

    t: np.ndarray
    """Instants [s], shape (N,), non-decreasing; N is 1 for a robot at rest."""
    q: np.ndarray
    """Configurations, shape (N, NQ)."""
    f_ext: np.ndarray | None = None
    """Spatial forces on the bodies in base coordinates, shape (N, NB, 6)."""
    f_contact: np.ndarray | None = None
    """Forces on the points of ``model.gc``, in base coordinates, shape (N, n, 3)."""

    def at(self, model: Model, time: Any) -> np.ndarray:
        """Interpolate the configurations (..., NQ) at times (...).

        Velocities are constant between key frames; the robot rests before the first and after the
        last instant.
        """
        time, last = np.asarray(time, dtype=float), len(self.t) - 1
        if last == 0:
            return np.broadcast_to(self.q[0], (*time.shape, model.NQ))
        k = np.clip(np.searchsorted(self.t, time, side="right") - 1, 0, last - 1)
        step = self.t[k + 1] - self.t[k]
        part = np.clip((time - self.t[k]) / np.where(step > 0, step, 1.0), 0.0, 1.0)
        dq = configurationDifference(model, self.q[k], self.q[k + 1])
        return np.asarray(configurationAddition(model, self.q[k], part[..., None] * dq))

    def steps(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """Compute displacements and velocities (N - 1, NV) between successive key frames.

        If two key frames have the same instant, the velocity is 0.
        """
        dq = np.asarray(configurationDifference(model, self.q[:-1], self.q[1:]))
        step = np.diff(self.t)[:, None]
        return dq, np.where(step > 0, dq / np.where(step > 0, step, 1.0), 0.0)

    def velocity(self, model: Model, time: float) -> np.ndarray:
        """Compute the joint velocities (NV,) at a time."""
        if len(self.t) == 1:
            return np.zeros(model.NV)
        k = int(np.clip(np.searchsorted(self.t, time, side="right") - 1, 0, len(self.t) - 2))
        return np.asarray(Motion(self.t[k : k + 2], self.q[k : k + 2]).steps(model)[1][0])

    def forces(self, time: Any, of: str = "f_ext") -> np.ndarray:
        """Interpolate forces linearly at times (...).

        `of` names the field: ``"f_ext"``, shape (..., NB, 6), or ``"f_contact"``, (..., n, 3).
        """
        forces = getattr(self, of)
        flat = forces.reshape(len(self.t), -1)
        columns = [np.interp(time, self.t, column) for column in flat.T]
        return np.asarray(np.stack(columns, axis=-1).reshape(*np.shape(time), *forces.shape[1:]))

    def refined(self, model: Model) -> Motion:
        """Insert key frames so that no variable changes by more than 1 rad between two frames."""
        if len(self.t) == 1:
            return self
        dq = np.asarray(configurationDifference(model, self.q[:-1], self.q[1:]))
        pieces = np.ceil(np.abs(dq).max(axis=1, initial=0) / TURN).astype(int).clip(1)
        starts = np.repeat(np.arange(len(pieces)), pieces)
        part = np.concatenate([np.arange(n) / n for n in pieces.tolist()])
        t = self.t[starts] + part * np.diff(self.t)[starts]
        q = configurationAddition(model, self.q[starts], part[:, None] * dq[starts])
        t = np.append(t, self.t[-1])
        f_ext, f_contact = (
            None if getattr(self, of) is None else self.forces(t, of)
            for of in ("f_ext", "f_contact")
        )  # fmt: skip
        return Motion(t, np.concatenate([np.asarray(q), self.q[-1:]]), f_ext, f_contact)


def swing(model: Model) -> Motion:
    """Make a motion of each variable in turn from 0 to 1 and back, within a second, as in MATLAB.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> swing(autoTree(2)).q.tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    step = np.zeros((2 * model.NV + 1, model.NV))
    step[1::2] = np.eye(model.NV)
    q = configurationAddition(model, neutral(model), step)
    return Motion(0.5 * np.arange(len(step)), np.asarray(q))


def check_model(model: Any, caller: str) -> None:
    """Raise an error unless the argument is a model; it explains MATLAB's calls with a string.

    Examples
    --------
    >>> check_model("about", "showmotion")
    Traceback (most recent call last):
        ...
    TypeError: showmotion: model: want a spatial_v2.Model, got str 'about'. MATLAB's commands have
    functions of their own here: print(model), load_model(file), Animation.save(file)
    """
    if isinstance(model, Model):
        return
    said = f"{caller}: model: want a spatial_v2.Model, got "
    if not isinstance(model, str):
        raise TypeError(said + type(model).__name__)
    raise TypeError(
        f"{said}str {model!r}. MATLAB's commands have functions of their own here: print(model), "
        "load_model(file), Animation.save(file)"
    )


def read_motion(model: Model, t: Any = None, q: Any = None, caller: str = "showmotion") -> Motion:
    """Make a motion from the arguments t and q of `showmotion`."""
    check_model(model, caller)
    if t is None and q is None:
        return swing(model)
    if t is None or q is None:
        raise SpatialError(
            f"{caller}: want both times and configurations, or neither; show(model, q) shows one "
            "configuration"
        )
    try:
        times = np.asarray(t, dtype=float)
    except (TypeError, ValueError):
        raise SpatialError(f"{caller}: t must be numbers [s], got {t!r}") from None
    if times.ndim != 1 or len(times) < 2 or not np.isfinite(times).all():
        raise SpatialError(
            f"{caller}: t must be two or more times [s], shape (N,), got shape {times.shape}"
        )
    if (np.diff(times) < 0).any() or times[-1] <= times[0]:
        raise SpatialError(f"{caller}: t must not decrease, and must end after it begins")
    if callable(q):
        times = _grid(times)
        q = _asked(model, q, times, caller)
    elif len(times) != model.NQ and np.shape(q) == (model.NQ, len(times)):
        raise ArrayShapeError(
            f"{caller}: q must have shape ({len(times)}, {model.NQ}), one instant per row; got "
            f"{np.shape(q)}: transpose it (MATLAB has one instant per column)"
        )
    (values,) = check_state(model, q=q)
    if values.shape != (len(times), model.NQ):
        raise ArrayShapeError(
            f"{caller}: q must have shape ({len(times)}, {model.NQ}), one instant per row; got "
            f"{values.shape}"
        )
    return Motion(times, _real(model, values, caller))


def with_forces(model: Model, motion: Motion, f_ext: Any, caller: str = "showmotion") -> Motion:
    """Add external forces at the instants to a motion.

    Their shape is (N, NB, 6), for a planar model (N, NB, 3).
    """
    if f_ext is None:
        return motion
    forces = _numbers(check_forces(model, f_ext), f"{caller}: f_ext")
    if forces.shape[:-2] != (len(motion.t),):
        raise ArrayShapeError(
            f"{caller}: f_ext must have shape ({len(motion.t)}, {model.NB}, "
            f"{forces.shape[-1]}), as many instants as are shown; got {forces.shape}"
        )
    if model.is_planar:
        forces = np.insert(forces, [0, 0, 3], 0.0, axis=-1)
    return motion._replace(f_ext=forces)


def with_contact_forces(
    model: Model, motion: Motion, f_contact: Any, caller: str = "showmotion"
) -> Motion:
    """Add forces on the n contact points at the instants to a motion.

    Their shape is (N, n, 3), for a planar model (N, n, 2).
    """
    if f_contact is None:
        return motion
    n, size = len((model.gc or {}).get("body", ())), 2 if model.is_planar else 3
    forces = _numbers(f_contact, f"{caller}: f_contact")
    if not n or forces.shape != (len(motion.t), n, size):
        raise ArrayShapeError(
            f"{caller}: f_contact must have shape ({len(motion.t)}, {n}, {size}): instants that "
            f"are shown, points of model.gc, components; got {forces.shape}"
        )
    if model.is_planar:
        forces = np.insert(forces, 2, 0.0, axis=-1)
    return motion._replace(f_contact=forces)


def read_still(model: Model, q: Any, caller: str = "show") -> Motion:
    """Make a motion of one instant, at q or by default at the neutral configuration."""
    check_model(model, caller)
    if q is None:
        q = neutral(model)
    (values,) = check_state(model, q=q)
    if values.ndim != 1:
        raise ArrayShapeError(
            f"{caller}: q must be one configuration, shape ({model.NQ},), got {values.shape}; "
            "showmotion(model, t, q) shows many"
        )
    return Motion(np.zeros(1), _real(model, values[None], caller))


def free(model: Model, motion: Motion) -> Motion:
    """Return the motion of all joints of a coupled model from that of its variables."""
    return motion._replace(q=np.asarray(free_configuration(model, motion.q)))


def _grid(times: np.ndarray) -> np.ndarray:
    if len(times) > 2:
        return times
    n = max(2, int(np.ceil(RATE * (times[1] - times[0]))) + 1)
    return np.linspace(times[0], times[1], n)


def _asked(model: Model, q: Callable[[float], Any], times: np.ndarray, caller: str) -> Any:
    rows = []
    for time in times.tolist():
        row = np.asarray(q(time), dtype=float)
        if row.size != model.NQ:
            raise ArrayShapeError(
                f"{caller}: q({time:g}) must have {model.NQ} entries, got shape {row.shape}"
            )
        rows.append(row.reshape(-1))
    return np.array(rows)


def _real(model: Model, q: Any, caller: str) -> np.ndarray:
    return np.asarray(normalizeConfVec(model, _numbers(q, f"{caller}: q")))


def _numbers(x: Any, name: str) -> np.ndarray:
    try:
        values = np.asarray(x)
        values = (values.real if values.dtype.kind == "c" else values).astype(float)
    except (TypeError, ValueError):
        raise ArrayShapeError(f"{name} must be numbers, got {x!r}") from None
    if not np.isfinite(values).all():
        raise ArrayShapeError(f"{name} has entries that are not finite")
    return np.asarray(values)


def local_poses(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute rotations (N, NB, 3, 3) from body to parent and positions (N, NB, 3) in the parent.

    A planar body lies in the plane z = 0.
    """
    R = np.tile(np.eye(3), (len(q), model.NB, 1, 1))
    p = np.zeros((len(q), model.NB, 3))
    for i in range(model.NB):
        XJ, _ = jcalc(model.jtype[i], q[:, model.qinds[i]])
        E, r = transform_parts(np.asarray(XJ @ np.asarray(model.Xtree[i], dtype=float)))
        n = E.shape[-1]
        R[:, i, :n, :n], p[:, i, :n] = np.swapaxes(E, -1, -2), r
    return R, p
