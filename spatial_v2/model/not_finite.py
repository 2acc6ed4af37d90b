"""Explanations why results of forward dynamics are not finite."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints import jcalc
from spatial_v2.model.joint_terms import joint_diagonal
from spatial_v2.model.model import Model
from spatial_v2.model.rotations import check_quaternions, state

__all__ = ["explain_nan"]

_TOL = 1e-15


def explain_nan(model: Model, q: Array, result: Any, inertia: bool = True) -> str:
    """Explain a result that is not finite at finite arguments, if the model or q is the cause.

    This costs more than the dynamics themselves, so call it only for such results.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations.
    result : array or tuple of arrays
        Results of forward dynamics at these configurations.
    inertia : bool, optional
        If True, look for bodies without inertia.

    Returns
    -------
    str
        A sentence that names the joint and the body. Empty if results are finite wherever q is, if
        there is another reason, or for arrays that are not NumPy's.

    Notes
    -----
    The causes are a zero quaternion, and a joint whose articulated body has no inertia along the
    motion of the joint: ``D = S^T IA S`` in Featherstone (2008), Table 7.1, is singular.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> model.I = {1: np.zeros((6, 6))}
    >>> explain_nan(model, np.zeros(2), np.array([np.nan, np.nan]))
    "body 1 ('body1'), with the bodies that it carries, has no inertia along joint 1 ('R'), so that
    a force there causes no finite acceleration; give the body mass, or remove the joint"
    """
    parts = result if isinstance(result, tuple) else (result,)
    plain = all(isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in (q, *parts))
    if not plain or all(np.isfinite(x).all() for x in parts):
        return ""
    finite = (np.isfinite(q).all(axis=-1) & _not_finite(parts, q.shape[:-1]))[..., None]
    anywhere = np.concatenate([joint.group.neutral for joint in model.layout.joints])
    if not finite.any():
        return ""
    q = np.where(finite, np.real(q), anywhere)
    try:
        check_quaternions(model, q)
    except SpatialError as error:
        return str(error)
    return _without_inertia(model, q) if inertia else ""


def _not_finite(parts: tuple[np.ndarray, ...], lead: tuple[int, ...]) -> np.ndarray:
    """Mask (...) of the states of a batch with a result that is not finite."""
    found, n = np.zeros(lead, dtype=bool), len(lead)
    for x in parts:
        of_states = x.shape[:n] == lead
        found |= ~np.isfinite(x).all(axis=tuple(range(n, x.ndim)) if of_states else None)
    return found


def _without_inertia(model: Model, q: np.ndarray) -> str:
    T = np.matrix_transpose
    IA = dict(enumerate(model.I.real))
    size = np.abs(model.I.real).max() + np.abs(model.I_rotor.real).max()
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        XJ, S = jcalc(model.jtype[i], q[..., model.qinds[i]])
        X = XJ @ model.Xtree[i].real
        U, Ia = T(X) @ IA[i] @ S, T(X) @ IA[i] @ X
        D = T(S) @ IA[i] @ S + joint_diagonal(model, "armature", q, model.vinds[i])
        if model.has_rotor[i]:
            XJ, S = jcalc(model.jtype_rotor[i], model.gr[i] * q[..., model.qinds[i]])
            X, S, I = XJ @ model.Xrotor[i].real, model.gr[i] * S, model.I_rotor[i].real
            D, U, Ia = D + T(S) @ I @ S, U + T(X) @ I @ S, Ia + T(X) @ I @ X
        singular = np.linalg.eigvalsh(D)[..., 0] <= _TOL * size
        if singular.any():
            return (
                f"body {i} ({model.body_names[i]!r}), with the bodies that it carries, has no "
                f"inertia along joint {i} ({model.layout.joints[i].code!r}){state(singular)}, so "
                "that a force there causes no finite acceleration; give the body mass, or remove "
                "the joint"
            )
        if p >= 0:
            IA[p] = IA[p] + Ia - U @ np.linalg.solve(D, T(U))
    return ""
