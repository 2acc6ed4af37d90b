"""What to say of a forward dynamics that is not finite: which joint or body is to blame."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints import jcalc
from spatial_v2.joints.table import FLOATING, SPHERICAL
from spatial_v2.model.model import Model

__all__ = ["check_quaternions", "explain_nan"]

_TOL = 1e-15


def check_quaternions(model: Model, q: np.ndarray) -> None:
    """Refuse a quaternion that is zero, as it is no rotation.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : numpy.ndarray, shape (..., NQ)
        Configurations.

    Raises
    ------
    SpatialError
        The joint, and the first state in which its quaternion is zero.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> check_quaternions(autoTree(2).replace(jtype=["S", "Rz"]), np.zeros((3, 5)))
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: q[..., 0:4]: the quaternion of joint 0 ('S', body 'body0')
    is zero, which is no rotation, in state (0,); see `neutral`
    """
    layout = model.layout
    for i, (joint, qs) in enumerate(zip(layout.joints, layout.qinds, strict=True)):
        if joint.kind not in (SPHERICAL, FLOATING):
            continue
        zero = (q[..., qs.start : qs.start + 4] == 0).all(axis=-1)
        if zero.any():
            raise SpatialError(
                f"q[..., {qs.start}:{qs.start + 4}]: the quaternion of joint {i} ({joint.code!r}, "
                f"body {model.body_names[i]!r}) is zero, which is no rotation{_state(zero)}; "
                "see `neutral`"
            )


def explain_nan(model: Model, q: Array, result: Any) -> str:
    """Why a result at finite arguments is not finite, if the model or q is to blame.

    To be asked after the fact: finding out costs more than the dynamics.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations.
    result : array or tuple of arrays
        What was computed from them.

    Returns
    -------
    str
        A sentence that names the joint and the body; empty if the result is finite, if q is nowhere
        finite or the reason is another, or if arrays are not NumPy's.

    Notes
    -----
    A joint whose quaternion is zero, or a joint against whose motion the articulated body beyond it
    has no inertia: ``D = S^T IA S`` of Featherstone (2008), Table 7.1, is singular.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> model.I[1] = 0
    >>> explain_nan(model, np.zeros(2), np.array([np.nan, np.nan]))
    "body 1 ('body1'), with what hangs on it, has no inertia against joint 1 ('R'): a force there
    has no finite acceleration; give the body mass, or make its joint part of another body"
    """
    parts = result if isinstance(result, tuple) else (result,)
    plain = all(isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in (q, *parts))
    if not plain or all(np.isfinite(x).all() for x in parts):
        return ""
    finite = np.isfinite(q).all(axis=-1, keepdims=True)
    anywhere = np.concatenate([joint.group.neutral for joint in model.layout.joints])
    if not finite.any():
        return ""
    q = np.where(finite, np.real(q), anywhere)
    try:
        check_quaternions(model, q)
    except SpatialError as error:
        return str(error)
    return _without_inertia(model, q)


def _without_inertia(model: Model, q: np.ndarray) -> str:
    T = np.matrix_transpose
    IA = dict(enumerate(model.I.real))
    size = np.abs(model.I.real).max() + np.abs(model.I_rotor.real).max()
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        XJ, S = jcalc(model.jtype[i], q[..., model.qinds[i]])
        X = XJ @ model.Xtree[i].real
        U, Ia = T(X) @ IA[i] @ S, T(X) @ IA[i] @ X
        D = T(S) @ IA[i] @ S
        if model.has_rotor[i]:
            XJ, S = jcalc(model.jtype_rotor[i], model.gr[i] * q[..., model.qinds[i]])
            X, S, I = XJ @ model.Xrotor[i].real, model.gr[i] * S, model.I_rotor[i].real
            D, U, Ia = D + T(S) @ I @ S, U + T(X) @ I @ S, Ia + T(X) @ I @ X
        singular = np.linalg.eigvalsh(D)[..., 0] <= _TOL * size
        if singular.any():
            return (
                f"body {i} ({model.body_names[i]!r}), with what hangs on it, has no inertia "
                f"against joint {i} ({model.layout.joints[i].code!r}){_state(singular)}: a force "
                "there has no finite acceleration; give the body mass, or make its joint part of "
                "another body"
            )
        if p >= 0:
            IA[p] = IA[p] + Ia - U @ np.linalg.solve(D, T(U))
    return ""


def _state(which: np.ndarray) -> str:
    """Where in a batch, unless everywhere in one."""
    if which.size == 1:
        return ""
    return f", in state {tuple(np.argwhere(which)[0].tolist())}"
