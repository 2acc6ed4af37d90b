"""Checks of the arguments of `simulate`."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real
from spatial_v2.contact import Ground
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model

__all__ = [
    "check_call",
    "check_function",
    "check_method",
    "check_number",
    "check_rest",
    "deformation_of",
    "events_of",
    "ground_of",
    "start_of",
    "times_of",
]

_METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")


def check_function(name: str, x: Any) -> None:
    """Raise an error unless x can be called."""
    if not callable(x):
        raise SpatialError(f"simulate: {name}: want a function, got {x!r}")


def check_call(name: str, f: Any, call: str) -> None:
    """Raise an error if a function does not take the arguments that a call names, "t, q, qd"."""
    try:
        inspect.signature(f).bind(*call.split(", "))
    except TypeError as error:
        raise TypeError(f"simulate: {name} is called as {name}({call}); {error}") from None
    except ValueError:
        pass  # a compiled function, which has no signature


def check_method(method: Any) -> None:
    """Raise an error unless `method` is a class or a method name of `scipy.integrate.solve_ivp`."""
    if not isinstance(method, type) and method not in _METHODS:
        raise SpatialError(f"simulate: method {method!r} is unknown; valid: {', '.join(_METHODS)}")


def check_number(name: str, x: Any, zero: bool = False) -> None:
    """Raise an error unless x is a positive number, or zero if `zero` says so."""
    value = np.asarray(x)
    real = value.shape == () and value.dtype.kind in "fiu"
    if not (real and (value > 0 or (zero and value == 0))):
        least = "0 or greater" if zero else "greater than 0"
        raise SpatialError(f"simulate: {name}: want a number, {least}, got {x!r}")


def check_rest(rest: Any) -> None:
    """Raise an error unless `rest` is a positive number."""
    x = np.asarray(rest)
    if x.shape != () or x.dtype.kind not in "fiu" or not 0 < x < np.inf:
        raise SpatialError(f"simulate: rest: want a speed, greater than 0, got {rest!r}")


def events_of(events: Any) -> tuple[Any, ...]:
    """Convert one event, or several, to a tuple of functions."""
    try:
        several = (events,) if callable(events) else tuple(events)
    except TypeError:
        several = (None,)
    if not all(callable(event) for event in several):
        raise SpatialError(
            f"simulate: events: want a function event(t, q, qd), or several, got {events!r}"
        )
    return several


def ground_of(contact: Any) -> Ground | None:
    """Convert the option `contact` to the parameters of the ground, or None."""
    if contact is None:
        return None
    if not (isinstance(contact, tuple) and len(contact) == 3):
        raise SpatialError(f"simulate: contact: want Ground(K, D, mu) or None, got {contact!r}")
    ground = Ground(*contact)
    for name, x in ground._asdict().items():
        size = as_real(x, f"simulate: contact: {name}")
        if not np.all(size >= 0 if name == "mu" else size > 0):
            least = "0 or positive" if name == "mu" else "positive"
            raise SpatialError(f"simulate: contact: {name} must be {least}, got {x!r}")
    return ground


def times_of(t: ArrayLike) -> np.ndarray:
    """Convert t to an array of times, and check that they increase."""
    times = as_real(t, "simulate: t")
    if times.ndim != 1 or len(times) < 2:
        raise ArrayShapeError(f"simulate: t must have shape (N,), N >= 2, got {times.shape}")
    if not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
        raise SpatialError(f"simulate: t must be finite and increase, got {times}")
    return times


def start_of(model: Model, x0: Any) -> np.ndarray:
    """Convert the initial state x0 to one vector [q0, qd0]."""
    nq, nv = model.NQ, model.NV
    parts = [as_real(x, "simulate: x0") for x in (x0 if isinstance(x0, tuple) else (x0,))]
    wanted = [(nq,), (nv,)] if isinstance(x0, tuple) else [(nq + nv,)]
    if [x.shape for x in parts] != wanted:
        raise ArrayShapeError(
            f"simulate: x0 must be a tuple (q0, qd0) of shapes ({nq},) and ({nv},), or an array "
            f"[q0, qd0] of shape ({nq + nv},), got {[x.shape for x in parts]}"
        )
    start = np.concatenate(parts)
    if not np.isfinite(start).all():
        raise SpatialError(f"simulate: x0 must be finite, got {start}")
    return start


def deformation_of(u0: ArrayLike | None, n: int, tangents: int) -> np.ndarray:
    """Convert the initial deformations u0 of the ground to one vector, zero by default."""
    u = np.zeros((n, tangents)) if u0 is None else as_real(u0, "simulate: u0")
    if u.shape != (n, tangents):
        raise ArrayShapeError(f"simulate: u0 must have shape {(n, tangents)}, got {u.shape}")
    return u.ravel()
