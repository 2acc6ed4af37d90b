"""Functions of MATLAB's folder ``utility`` with other arguments or results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

import spatial_v2
from derivatives import reference
from derivatives.reference.complexStepForce import rows_of_joint
from spatial_v2.exceptions import SpatialError
from spatial_v2.matlab.arguments import body, counted
from spatial_v2.model import Model

__all__ = [
    "complexStepForce",
    "complexStepForce_SOa",
    "complexStepForce_SOaq",
    "complexStepForce_SOav",
    "complexStepForce_SOqa",
    "complexStepForce_SOv",
    "complexStepForce_SOva",
    "complexStepForce_SOvq",
    "complexStepHessian_FD",
    "complexStepJacobian",
    "complexStepJacobian_MFO",
    "confVecToCell",
    "configurationAddition",
    "outputSelect",
    "randomAdSE3",
    "randomInertia",
    "randomInertialParams",
    "randomPinertia",
    "randomPositiveDefinite",
    "randomQuat",
    "randomRotation",
    "randomSE3",
    "randomSkew",
    "randomSymmetric",
    "random_se3",
    "symbolicCartesian",
    "symbolicForce",
    "symbolicInertialParams",
    "symbolicVelocity",
]

STEP = 1e-20


def configurationAddition(model: Model, q: Any, dq: Any) -> Any:
    """``new_q = configurationAddition(model,q,dq)``: see `spatial_v2.configurationAddition`."""
    return spatial_v2.configurationAddition(model, q, dq, "matlab")


def confVecToCell(model: Model, q: Any, *v: Any) -> Any:
    """``[q_cell,v_cell,vd_cell,vd2_cell] = confVecToCell(model,q,v,vd,vd2)``; states as columns."""
    found = spatial_v2.confVecToCell(model, np.asarray(q).T, *(np.asarray(x).T for x in v))
    return tuple([x.T for x in parts] for parts in found)


def outputSelect(num: int, f: Callable[..., Any], *args: Any) -> Any:
    """``outputSelect(num,f,...)``: result number num, from 1, of f."""
    found = f(*args)
    results = found if isinstance(found, tuple) else (found,)
    return results[counted(num, "outputSelect: num", len(results)) - 1]


def _first(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wrap a function to return only its first result."""
    return lambda x: outputSelect(1, f, x)


def complexStepJacobian(
    f: Callable[[Any], Any], x: Any, step: float = STEP, *, nargout: int = 1
) -> np.ndarray:
    """``J = complexStepJacobian(f,x,step)``, of the first result of f."""
    if nargout > 1:
        raise SpatialError(
            "complexStepJacobian: nargout: want 1, since the outputs evals and steps are not "
            "supported"
        )
    x = np.atleast_1d(np.asarray(x))
    return reference.complexStepJacobian(_first(f), x, step)


def complexStepJacobian_MFO(f: Callable[[Any], Any], x: Any, step: float = STEP) -> np.ndarray:
    """``complexStepJacobian_MFO(f,x)`` of a matrix: page k is the derivative with respect to
    x_k.
    """
    return complexStepJacobian(f, x, step)


def complexStepHessian_FD(f: Callable[[Any], Any], x: Any, step: float = STEP) -> Any:
    """``[H1,H2,H3] = complexStepHessian_FD(f,x,step)``: see `complexStepHessian`."""
    return reference.complexStepHessian(f, x, step)


def complexStepForce(model: Model, f: Callable[[Any], Any], x: Any, jj: int, kk: int) -> Any:
    """``complexStepForce(model,f,x,jj,kk)``: derivatives of f along the variables of joint kk.

    f gives matrices (6, nv) for joint jj at a configuration x, one or several.
    """
    body(model, jj, "jj")
    directions = rows_of_joint(model, body(model, kk, "kk"), "kk")
    add = spatial_v2.configurationAddition
    return _by_steps(f, [add(model, x, 1j * STEP * d) for d in directions])


def complexStepForce_SOv(model: Model, f: Callable[[Any], Any], x: Any, jj: int, kk: int) -> Any:
    """``complexStepForce_SOv(model,f,x,jj,kk)``: as `complexStepForce`, x a velocity."""
    body(model, jj, "jj")
    directions = rows_of_joint(model, body(model, kk, "kk"), "kk")
    return _by_steps(f, [np.asarray(x) + 1j * STEP * d for d in directions])


def _by_steps(f: Callable[[Any], Any], points: list[Any]) -> Any:
    """Compute derivatives of each result of f at complex points; point k gives the slice
    ``[..., k]``.
    """
    found = [f(x) for x in points]
    if not isinstance(found[0], tuple):
        return np.stack([np.imag(y) for y in found], axis=-1) / STEP
    return tuple(np.stack(y, axis=-1).imag / STEP for y in zip(*found, strict=True))


complexStepForce_SOa = complexStepForce_SOav = complexStepForce_SOva = complexStepForce_SOv
complexStepForce_SOaq = complexStepForce_SOqa = complexStepForce_SOvq = complexStepForce


def _unseeded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a random function so that its generator is the optional keyword ``rng``."""

    @wraps(function)
    def call(*n: Any, rng: np.random.Generator | None = None) -> Any:
        return function(np.random.default_rng() if rng is None else rng, *n)

    del call.__dict__["__wrapped__"]
    return call


randomQuat = _unseeded(spatial_v2.randomQuat)
randomRotation = _unseeded(spatial_v2.randomRotation)
randomSE3 = _unseeded(spatial_v2.randomSE3)
randomAdSE3 = _unseeded(spatial_v2.randomAdSE3)
random_se3 = _unseeded(spatial_v2.random_se3)
randomSkew = _unseeded(spatial_v2.randomSkew)
randomSymmetric = _unseeded(spatial_v2.randomSymmetric)
randomPositiveDefinite = _unseeded(spatial_v2.randomPositiveDefinite)
randomPinertia = _unseeded(spatial_v2.randomPinertia)
randomInertialParams = _unseeded(spatial_v2.randomInertialParams)
randomInertia = _unseeded(spatial_v2.randomInertia)


def _with_struct(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function to return a struct of its symbols as second result."""

    @wraps(function)
    def call(*names: Any) -> Any:
        found = function(*names)
        return found, spatial_v2.symbolicStruct(found)

    return call


symbolicCartesian = _with_struct(spatial_v2.symbolicCartesian)
symbolicForce = _with_struct(spatial_v2.symbolicForce)
symbolicVelocity = _with_struct(spatial_v2.symbolicVelocity)
symbolicInertialParams = _with_struct(spatial_v2.symbolicInertialParams)
