"""Results that are not finite at finite arguments: the reason, if configuration or model has it."""

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from spatial_v2.calls.declaration import Singular
from spatial_v2.calls.signature import Function
from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import SingularWarning, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_quaternions

_WITHIN: ContextVar[bool] = ContextVar("within", default=False)
_NAMED = 5
"""Largest number of states that a warning names."""


def numbers_of(xs: Sequence[Any]) -> bool:
    """Test if arrays are NumPy's real or complex numbers, of which the reason can be told."""
    return all(isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in xs)


def explain(
    of: Function,
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    lead: tuple[int, ...],
    singular: bool = True,
) -> None:
    """Explain results that are not finite at finite arguments, by an error or a `SingularWarning`.

    The cost is that of finding the states, and of one sweep for those of them whose arguments are
    finite. Numbers that overflow, and NaN in the arguments, need no explanation.

    Arguments, the configuration first, have the leading axes `lead` or flattened ones, as the
    results. A state whose inertia matrix is singular becomes NaN in all results, unless `singular`
    is False: that has been explained already. Tensors of functions that do not divide by the
    inertia are not read, as it takes long; the quaternions of all states are checked instead.
    """
    divides = singular and of.singular is not None
    read = divides or max(map(len, of.results)) <= 2
    which = _unexplained(arrays, results if read else (), lead)
    if which.size:
        _check_quaternions(model, arrays[0], which, lead)
        if divides and of.singular is not None:
            explain_singular(of.name, of.singular, model, arrays, results, lead)


def explain_call(
    of: Function, model: Model, arrays: Sequence[np.ndarray], force: np.ndarray | None, out: Any,
    compiled: bool,
) -> None:  # fmt: skip
    """Do as `explain` for the results of a call, whose arrays are not broadcast; functions that are
    composed of others leave it to those if they are `compiled`.
    """
    lead, read = of.lead(arrays, force), [(x, 1) for x in arrays]
    read += [] if force is None else [(force, 2)]
    wide = [np.broadcast_to(x, (*lead, *x.shape[x.ndim - n :])) for x, n in read]
    parts: list[Any] = [
        getattr(x, "values", x) for x in (out if isinstance(out, tuple) else (out,))
    ]
    if numbers_of(parts):
        explain(of, model, wide, parts, lead, singular=not (compiled and of.composed))


def explain_singular(
    name: str, singular: Singular, model: Model, arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray], lead: tuple[int, ...],
) -> None:  # fmt: skip
    """Do as `explain`, for the function of this name, where `singular` finds lost pivots."""
    which = _unexplained(arrays, results, lead)
    if not which.size:
        return
    joint = singular(model, arrays[0].reshape(math.prod(lead), -1)[which])
    which, joint = which[joint >= 0], joint[joint >= 0]
    if not which.size:
        return
    missing = int(singular(model)[0])
    if missing >= 0:
        raise SpatialError(f"{name}: {_without_inertia(model, missing)}")
    if not lead:
        raise SpatialError(f"{name}: {_singular(model, int(joint[0]), '')}")
    places = np.unravel_index(which, lead)
    for x in results:
        x[places] = np.nan
    named = ", ".join(str(tuple(k)) for k in np.stack(places, axis=-1)[:_NAMED].tolist())
    more = ", ..." if which.size > _NAMED else ""
    where = f" in {which.size} of {math.prod(lead)} states, {named}{more}"
    told = f"{_singular(model, int(joint[0]), where)}. The results of these states are NaN"
    if not _WITHIN.get():
        warnings.warn(told, SingularWarning, stacklevel=2)


@contextmanager
def within(of: Function) -> Iterator[None]:
    """Leave the warning to the function `of`, if it divides by pivots, while it calls others and
    computes with NaN in place of lost pivots.
    """
    if of.singular is None:
        yield
        return
    before = _WITHIN.set(True)
    try:
        with np.errstate(invalid="ignore"):
            yield
    finally:
        _WITHIN.reset(before)


def _unexplained(
    arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], lead: tuple[int, ...]
) -> np.ndarray:
    """Return the states, by their number, with finite arguments and a result that is not finite;
    without results, all with finite arguments.
    """
    states = math.prod(lead)
    fine = results and all(map(_is_finite, results))
    if not states or fine or (states == 1 and not all(map(_is_finite, arrays))):
        return np.zeros(0, dtype=np.int64)
    which = _not_finite(results, states) if results else np.arange(states)
    for x in arrays if which.size else ():
        which = which[np.isfinite(x.reshape(states, -1)[which]).all(axis=1)]
    return which


def _is_finite(x: np.ndarray) -> bool:
    return int(np.count_nonzero(np.isfinite(x))) == x.size


def _not_finite(results: Sequence[np.ndarray], states: int) -> np.ndarray:
    """Return the states with a result that is not finite, in order."""
    places = [np.flatnonzero(~np.isfinite(x.ravel())) // max(x.size // states, 1) for x in results]
    return np.unique(np.concatenate(places))


def _check_quaternions(
    model: Model, q: np.ndarray, which: np.ndarray, lead: tuple[int, ...]
) -> None:
    """Raise an error if a quaternion of these states is zero."""
    q = q.reshape(math.prod(lead), -1)
    if any(joint.has_quaternion for joint in model.layout.joints):
        some = np.tile(model.layout.neutral(), (len(q), 1))
        some[which] = q[which].real
        check_quaternions(model, some.reshape(*lead, -1))


def _variable(model: Model, i: int) -> str:
    return f"the motion of variable {model.joint_names[i]!r} alone, with the joints that follow it,"


def _joint(model: Model, i: int) -> str:
    return f"joint {i} ({model.layout.joints[i].code!r})"


def _without_inertia(model: Model, i: int) -> str:
    if isinstance(model, CoupledModel):
        return f"{_variable(model, i)} moves no inertia; give a body mass, or a joint armature"
    return (
        f"body {i} ({model.body_names[i]!r}), with the bodies that it carries, has no inertia "
        f"along {_joint(model, i)}, so that a force there causes no finite acceleration; give the "
        "body mass, or remove the joint"
    )


def _singular(model: Model, i: int, where: str) -> str:
    if isinstance(model, CoupledModel):
        return (
            f"the inertia matrix of the independent variables is singular{where}: "
            f"{_variable(model, i)} moves no inertia that other variables do not take up; give a "
            "body mass, or a joint armature"
        )
    return (
        f"the joint-space inertia matrix is singular{where}: {_joint(model, i)} of body {i} "
        f"({model.body_names[i]!r}) has no inertia at this configuration that the joints beyond it "
        "do not take up, so that a force there causes no finite acceleration; give the joint "
        "armature, or the body mass"
    )
