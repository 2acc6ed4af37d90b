"""Fields that the dynamics do not use, checked when they are assigned: contact points, camera,
drawings, limits, couplings, frames, and the user's own.

A struct may be a dict or an object with attributes; vectors may be MATLAB's columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ModelError
from spatial_v2.model.checks import check_transforms
from spatial_v2.model.frame_names import frame_called
from spatial_v2.model.records import Frame, JointLimits, Mimic
from spatial_v2.spatial import transform_parts

__all__ = ["ATTACHED"]

Stored = Mapping[str, Any]
"""The fields of the model that are stored before: parent, Xtree, names, and frames for `gc`."""


def _struct(name: str, value: Any, wanted: str) -> dict[str, Any]:
    """Return the fields of a struct: a dict, or an object with attributes."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "__dict__") and not callable(value):
        return dict(vars(value))
    raise ModelError(f"{name}: want {wanted}, got {value!r}")


def _bodies(name: str, value: Any, least: int, stored: Stored) -> np.ndarray:
    """Return numbers of bodies, shape (n,)."""
    n = len(stored["parent"])
    body = np.asarray(value).ravel()
    if body.size == 0:
        return np.zeros(0, np.int64)
    whole = body.dtype.kind in "iuf" and np.all(body == np.rint(body))
    if not whole or body.min() < least or body.max() >= n:
        hint = "; MATLAB's bodies count from 1, these from 0" if whole and body.max() == n else ""
        raise ModelError(
            f"{name} wants numbers of bodies, {least} .. {n - 1}, got {np.asarray(value)}{hint}"
        )
    return body.astype(np.int64)


def _contacts(value: Any, stored: Stored) -> dict[str, Any] | None:
    """Check contact points: ``point`` (n, d), or MATLAB's columns (d, n), and ``body``: a body or
    frame for each, or one for all. Points on frames are converted to points on bodies.
    """
    if value is None:
        return None
    d = 2 if stored["Xtree"].shape[-1] == 3 else 3
    wanted = (
        f"a dict of point (n, {d}), places in coordinates of the body or frame, and body (n,), "
        "numbers of bodies or names of bodies or frames"
    )
    gc = _struct("gc", value, wanted)
    if not gc:
        return gc
    missing = {"point", "body"} - set(gc)
    if missing:
        raise ModelError(f"gc: want {wanted}; {' and '.join(sorted(missing))} missing")
    point = as_real(gc["point"], "gc['point']")
    on = gc["body"]
    if isinstance(on, str | Frame) or (not isinstance(on, list | tuple) and np.ndim(on) == 0):
        on = [on] * (len(point) if point.ndim == 2 and point.shape[1] == d else 1)
    body, places = _ends(on, stored)
    if point.shape == (d, len(body)) and len(body) != d:
        point = point.T
    elif point.shape == (d,) and len(body) == 1:
        point = point[None]
    if point.shape != (len(body), d):
        raise ModelError(
            f"gc wants point of shape (n, {d}) and body of shape (n,), got {point.shape} and "
            f"{body.shape}"
        )
    if not np.isfinite(point).all():
        raise ModelError("gc['point'] wants finite numbers, got NaN or infinity")
    point = point.copy()
    for k, X in places.items():
        E, r = transform_parts(X)
        point[k] = as_real(r + E.T @ point[k], "gc['point']")
    return {**gc, "point": point, "body": body}


def _ends(value: Any, stored: Stored) -> tuple[np.ndarray, dict[int, Any]]:
    """Return the bodies (n,) of bodies or frames, and by index the transforms to the frames."""
    name, d = "gc['body']", stored["Xtree"].shape[-1]
    if isinstance(value, np.ndarray) and value.dtype.kind in "UO":
        value = value.ravel().tolist()
    if not (isinstance(value, list | tuple) and any(isinstance(x, str | Frame) for x in value)):
        return _bodies(name, value, 0, stored), {}
    numbers, places = [], {}
    for k, end in enumerate(value):
        if isinstance(end, str):
            end = frame_called(end, stored["frames"], stored["body_names"], d, name)
        if isinstance(end, Frame):
            places[k], end = end.X, end.body
        numbers.append(end)
    return _bodies(name, numbers, 0, stored), places


_CAMERA = ("body", "trackpoint", "direction", "up", "zoom", "locus")


def _camera(value: Any, stored: Stored) -> dict[str, Any] | None:
    """Check the names of a camera's fields and its body; columns become vectors."""
    if value is None:
        return None
    camera = _struct("camera", value, f"a dict of {', '.join(_CAMERA)}")
    unknown = sorted(map(str, camera.keys() - set(_CAMERA)))
    if unknown:
        raise ModelError(f"camera: unknown field {unknown[0]!r}; known: {', '.join(_CAMERA)}")
    if "body" in camera:
        body = _bodies("camera['body']", camera["body"], -1, stored)
        if len(body) != 1:
            raise ModelError(f"camera['body'] wants the number of a body, got {camera['body']!r}")
        camera["body"] = int(body[0])
    columns = {name: np.ravel(x) for name, x in camera.items() if np.ndim(x) == 2}
    return {**camera, **columns}


def _appearance(value: Any, stored: Stored) -> dict[str, Any] | None:
    """Check drawings: ``base``, a list of instructions, and ``body``, such a list for each body."""
    if value is None:
        return None
    n = len(stored["parent"])
    wanted = f"a dict of base, drawing instructions, and body, such a list for each of {n} bodies"
    fields = _struct("appearance", value, wanted)
    unknown = sorted(map(str, fields.keys() - {"base", "body"}))
    if unknown:
        raise ModelError(f"appearance: want {wanted}; got the field {unknown[0]!r}")
    for name, drawings in fields.items():
        if not isinstance(drawings, list | tuple):
            raise ModelError(f"appearance[{name!r}]: want a list, got {drawings!r}")
    if len(fields.get("body", ())) > n:
        raise ModelError(
            f"appearance['body']: want a list of {n} drawings, one for each body, got "
            f"{len(fields['body'])}"
        )
    return fields


def _named(field: str, value: Any, names: Any, kind: str) -> dict[str, Any]:
    """Return a dict with names of the model as its keys."""
    entries = _struct(field, value, f"a dict with names of {kind}")
    unknown = [name for name in entries if name not in names]
    if unknown:
        raise ModelError(f"{field}: no {kind} is called {unknown[0]!r}; there are {[*names][:12]}")
    return entries


def _limits(value: Any, stored: Stored) -> dict[str, JointLimits] | None:
    """Convert limits of joints to `JointLimits`; bounds that are not given are infinite."""
    if value is None:
        return None
    entries = _named("limits", value, stored["joint_names"], "joint")
    return {name: _joint_limits(name, x) for name, x in entries.items()}


def _joint_limits(name: str, value: Any) -> JointLimits:
    wanted = "want (lower, upper), or with velocity and effort"
    try:
        entry = JointLimits(**value) if isinstance(value, Mapping) else JointLimits(*value)
        limits = JointLimits(*map(float, entry))
    except (TypeError, ValueError):
        raise ModelError(f"limits[{name!r}]: {wanted}, got {value!r}") from None
    if not (limits.lower <= limits.upper and limits.velocity >= 0 and limits.effort >= 0):
        raise ModelError(
            f"limits[{name!r}]: {wanted}, with lower <= upper and the others not negative; "
            f"got {value!r}"
        )
    return limits


def _mimic(value: Any, stored: Stored) -> dict[str, Mimic] | None:
    """Convert couplings to `Mimic`; the joint that is followed need not move."""
    if value is None:
        return None
    entries = _named("mimic", value, stored["joint_names"], "joint")
    return {name: _joint_mimic(name, x) for name, x in entries.items()}


def _joint_mimic(name: str, value: Any) -> Mimic:
    joint: Any = None
    try:
        entry = Mimic(**value) if isinstance(value, Mapping) else Mimic(*value)
        joint, numbers = entry.joint, (float(entry.multiplier), float(entry.offset))
    except (TypeError, ValueError):
        numbers = np.nan, np.nan
    if not (isinstance(joint, str) and joint and np.isfinite(numbers).all()):
        raise ModelError(
            f"mimic[{name!r}]: want (joint, multiplier, offset), the name of the joint that it "
            f"follows and two finite numbers, got {value!r}"
        )
    return Mimic(joint, *numbers)


def _frames(value: Any, stored: Stored) -> dict[str, Any] | None:
    """Convert frames to `Frame`: the number of a body and a transform from the body."""
    if value is None:
        return None
    d = stored["Xtree"].shape[-1]
    frames = _struct("frames", value, "a dict of frames by their names")
    for name, frame in frames.items():
        if not isinstance(name, str):
            raise ModelError(f"frames: want names that are strings, got {name!r}")
        if not isinstance(frame, tuple | list) or len(frame) != 2 or np.shape(frame[1]) != (d, d):
            raise ModelError(
                f"frames[{name!r}]: want (body, X), the number of a body and a transform "
                f"({d}, {d}), got {frame!r}"
            )
        body = _bodies(f"frames[{name!r}]: body", frame[0], -1, stored)
        frames[name] = Frame(int(body[0]), frame[1])
    plain = {
        name: f.X for name, f in frames.items()
        if isinstance(f.X, np.ndarray) and f.X.dtype.kind in "fc"
    }  # fmt: skip
    if plain:
        try:
            check_transforms("frames", np.stack([*plain.values()]))
        except ModelError as error:
            raise ModelError(f"{error}; frames are numbered as {[*plain]}") from None
    return frames


def _user(value: Any, stored: Stored) -> dict[str, Any]:
    """Return the user's own fields as a dict with names."""
    if value is None:
        return {}
    fields: dict[Any, Any] = _struct("user", value, "a dict of fields of your own")
    wrong = [name for name in fields if not isinstance(name, str)]
    if wrong:
        raise ModelError(f"user: want names that are strings, got {wrong[0]!r}")
    return fields


ATTACHED: dict[str, Callable[[Any, Stored], Any]] = {
    "appearance": _appearance,
    "camera": _camera,
    "gc": _contacts,
    "limits": _limits,
    "mimic": _mimic,
    "frames": _frames,
    "user": _user,
}
"""Name of a field -> function that checks and converts its value, given the stored fields."""
