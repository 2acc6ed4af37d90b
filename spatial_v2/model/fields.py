"""The fields of a model: how a value given for one is checked, completed and stored.

Each field has a function that converts a given value, None if there is none, and gets the fields
that are stored already. Stored values cannot be edited in place; see `values`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.exceptions import ModelError
from spatial_v2.joints.table import joint_type
from spatial_v2.model.attached import ATTACHED
from spatial_v2.model.checks import (
    check_inertias,
    check_jtype,
    check_numbers,
    check_parent,
    check_transforms,
    refuse_masked,
    sparse_stack,
    stack_of_matrices,
)
from spatial_v2.model.values import fixed, locked

__all__ = [
    "FIELDS",
    "JOINT_TERMS",
    "LAYOUT_FIELDS",
    "SPRING",
    "check_spring",
    "completed",
    "converted",
]

LAYOUT_FIELDS = ("parent", "jtype")
JOINT_TERMS = ("armature", "damping", "friction", "stiffness", "rest")
SPRING = ("stiffness", "rest")

Stored = Mapping[str, Any]
"""Fields that are stored already, by name."""

_FROM_USER = 5
"""Stack level of a warning of a conversion, so that it names the line that assigns the field."""


def converted(name: str, value: Any, stored: Stored) -> Any:
    """Return the value of a field as it is stored, given the fields that it depends on.

    Examples
    --------
    >>> converted("gravity", [0, 0, -1], {"Xtree": np.eye(6)[None]})
    array([ 0.,  0., -1.])
    """
    return FIELDS[name](completed(name, value, stored), stored)


def completed(name: str, value: Any, stored: Stored) -> Any:
    """Return a value of a field, completed by stored entries if it is a dict of some entries.

    Fields with an entry for each body, velocity variable or component accept such a dict, whose
    keys are the numbers of the entries.

    Examples
    --------
    >>> completed("body_names", {1: "arm"}, {"body_names": ("a", "b")})
    ['a', 'arm']
    """
    if not isinstance(value, dict) or name not in _BY_NUMBER:
        return value
    old = stored.get(name)
    if old is None:
        raise ModelError(f"{name}: want all entries, as there are none yet; got {value!r}")
    n = len(old)
    for i, x in value.items():
        if isinstance(i, bool) or not isinstance(i, int | np.integer) or not 0 <= i < n:
            raise ModelError(f"{name}: {i!r} is no entry; they are numbered from 0 to {n - 1}")
        if not isinstance(old, tuple) and np.shape(x) != np.shape(old[i]):
            raise ModelError(f"{name}[{i}]: want shape {np.shape(old[i])}, got {np.shape(x)}")
    new = [value.get(i, x) for i, x in enumerate(old)]
    if any(map(is_foreign, new)):
        return namespace(*filter(is_foreign, new)).stack(alike(*new))
    return new


def _bodies(stored: Stored) -> int:
    return len(stored["parent"])


def _size(stored: Stored) -> int:
    return int(stored["Xtree"].shape[-1])


def _parent(value: Any, stored: Stored) -> np.ndarray:
    parent = check_parent(value)
    if stored and len(parent) != _bodies(stored):
        raise ModelError(
            f"parent: want {_bodies(stored)} entries, one for each body, got {len(parent)}"
        )
    return np.asarray(locked(parent))


def _jtype(value: Any, stored: Stored) -> tuple[Any, ...]:
    return tuple(map(fixed, check_jtype(value, _bodies(stored))))


def _Xtree(value: Any, stored: Stored) -> Array:
    size = _size(stored) if "Xtree" in stored else None
    X = stack_of_matrices("Xtree", value, _bodies(stored), size)
    check_transforms("Xtree", X)
    return locked(X)


def _I(value: Any, stored: Stored) -> Array:
    inertia = stack_of_matrices("I", value, _bodies(stored), _size(stored))
    check_inertias("I", inertia, stacklevel=_FROM_USER)
    return locked(inertia)


def _gravity(value: Any, stored: Stored) -> Array:
    planar = _size(stored) == 3
    n, default = (2, [0.0, 0.0]) if planar else (3, [0.0, 0.0, -9.81])
    g = default if value is None else value
    refuse_masked("gravity", g)
    if not is_foreign(g):
        try:
            g = np.array(g)
        except ValueError:
            raise ModelError(f"gravity: want {n} components, got {value!r}") from None
        if g.size not in (n, 3):
            raise ModelError(f"gravity: want {n} components [m/s^2], got shape {g.shape}")
        g = g.reshape(-1)[:n]
    return locked(check_numbers("gravity", g, (n,)))


def _check_length(name: str, value: Any, n: int) -> None:
    if value is None:
        return
    if isinstance(value, str) or not hasattr(value, "__len__"):
        raise ModelError(f"{name}: want an entry for each of {n} bodies, got {value!r}")
    if len(value) != n:
        raise ModelError(f"{name}: want {n} entries, one for each body, got {len(value)}")


def _has_rotor(value: Any, stored: Stored) -> np.ndarray:
    n = _bodies(stored)
    mask = np.zeros(n, bool) if value is None else np.asarray(value).ravel()
    _check_length("has_rotor", mask, n)
    if mask.dtype.kind not in "biuf":
        raise ModelError(f"has_rotor: want a truth value for each body, got {value!r}")
    return np.asarray(locked(mask != 0))


def _jtype_rotor(value: Any, stored: Stored) -> tuple[Any, ...]:
    n = _bodies(stored)
    _check_length("jtype_rotor", value, n)
    return tuple([fixed(j) or None for j in ([None] * n if value is None else value)])


def _Xrotor(value: Any, stored: Stored) -> Array:
    n, d = _bodies(stored), _size(stored)
    _check_length("Xrotor", value, n)
    X = sparse_stack("Xrotor", value, np.eye(d), n)
    check_transforms("Xrotor", X, stored["has_rotor"])
    return locked(X)


def _I_rotor(value: Any, stored: Stored) -> Array:
    n, d = _bodies(stored), _size(stored)
    _check_length("I_rotor", value, n)
    inertia = sparse_stack("I_rotor", value, np.zeros((d, d)), n)
    check_inertias("I_rotor", inertia, stored["has_rotor"], stacklevel=_FROM_USER)
    return locked(inertia)


def _gr(value: Any, stored: Stored) -> Array:
    n = _bodies(stored)
    _check_length("gr", value, n)
    ratios = [None] * n if value is None else value
    if isinstance(ratios, list | tuple):
        ratios = [1.0 if g is None or np.size(g) == 0 else g for g in ratios]
    return locked(check_numbers("gr", ratios, (n,)))


def _joint_term(name: str) -> Callable[[Any, Stored], Array | None]:
    """Return the conversion of a joint term: one number per velocity variable, not negative but for
    the positions at which springs are at rest.
    """

    def convert(value: Any, stored: Stored) -> Array | None:
        if value is None:
            return None
        n = sum(joint_type(j).nv for j in stored["jtype"])
        if not is_foreign(value) and np.ndim(value) == 0:
            value = np.full(n, value)
        if name == "armature" and np.ndim(value) == 2:
            raise ModelError(
                f"armature: want shape ({n},), got {np.shape(value)}; drives that several joints "
                "turn, A^T J A, are those of couple(model, drives={name: (J, {joint: ratio})})"
            )
        x = check_numbers(name, value, (n,))
        real = isinstance(x, np.ndarray) and x.dtype.kind in "fc"
        if real and name != "rest" and (x.real < 0).any():
            raise ModelError(f"{name}: want no negative numbers, got {x.tolist()}")
        if name in SPRING:
            check_spring(name, x, stored["jtype"])
        return locked(x)

    return convert


def check_spring(name: str, x: Array, jtype: Sequence[Any]) -> None:
    """Check that entries of `stiffness` or `rest` are zero for joints without one position.

    Examples
    --------
    >>> check_spring("stiffness", np.ones(4), ["Rx", "S"])
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.ModelError: stiffness: springs act on joints with one degree of freedom;
    joint 1, 'S', has 3: want zeros for it, got [1.0, 1.0, 1.0]
    """
    if not isinstance(x, np.ndarray):
        return
    start = 0
    for i, joint in enumerate(map(joint_type, jtype)):
        entries = x[start : start + joint.nv]
        start += joint.nv
        if joint.nv != 1 and any(entry != 0 for entry in entries):
            raise ModelError(
                f"{name}: springs act on joints with one degree of freedom; joint {i}, "
                f"{joint.code!r}, has {joint.nv}: want zeros for it, got {entries.tolist()}"
            )


def _names(name: str, stem: str) -> Callable[[Any, Stored], tuple[str, ...]]:
    """Return the conversion of the names of joints or bodies."""

    def convert(value: Any, stored: Stored) -> tuple[str, ...]:
        n = _bodies(stored)
        if isinstance(value, str):
            raise ModelError(f"{name}: want a list of names, got {value!r}")
        names = tuple([f"{stem}{i}" for i in range(n)] if value is None else value)
        if len(names) != n:
            raise ModelError(f"{name}: want {n} names, one for each body, got {len(names)}")
        wrong = [x for x in names if not isinstance(x, str)]
        if wrong:
            raise ModelError(f"{name}: want names that are strings, got {wrong[0]!r}")
        twice = sorted(x for x, count in Counter(names).items() if count > 1)
        if twice:
            raise ModelError(f"{name}: {twice[0]!r} is the name of more than one {stem}")
        return names

    return convert


def _as_given(value: Any, stored: Stored) -> Any:
    return value


def _fixed(convert: Callable[[Any, Stored], Any]) -> Callable[[Any, Stored], Any]:
    return lambda value, stored: fixed(convert(value, stored))


FIELDS: dict[str, Callable[[Any, Stored], Any]] = {
    "parent": _parent,
    "jtype": _jtype,
    "Xtree": _Xtree,
    "I": _I,
    "gravity": _gravity,
    "joint_names": _names("joint_names", "joint"),
    "body_names": _names("body_names", "body"),
    **{name: ATTACHED[name] for name in ("appearance", "camera", "user")},
    **{name: _fixed(ATTACHED[name]) for name in ("limits", "mimic", "frames")},
    "gc": ATTACHED["gc"],
    "gamma_q": _as_given,
    "loops": _fixed(_as_given),
    "has_rotor": _has_rotor,
    "jtype_rotor": _jtype_rotor,
    "Xrotor": _Xrotor,
    "I_rotor": _I_rotor,
    "gr": _gr,
    **{name: _joint_term(name) for name in JOINT_TERMS},
    "name": _as_given,
    "left_out": lambda value, stored: tuple(value or ()),
}
"""Conversions of all fields, in an order in which each depends on fields before it."""

_BY_NUMBER = frozenset(
    ("parent", "jtype", "Xtree", "I", "gravity", "has_rotor", "jtype_rotor", "Xrotor", "I_rotor",
     "gr", *JOINT_TERMS, "joint_names", "body_names")
)  # fmt: skip
"""Fields with an entry for each body, velocity variable or component."""
