"""Addition and difference of configurations for batches of float64, computed by kernels."""

from __future__ import annotations

import math

import numpy as np

from spatial_v2.calls.loading import has_compiler, load_function
from spatial_v2.configuration.by_joint import runs
from spatial_v2.frames.pose_error import log6_error
from spatial_v2.joints import tangent
from spatial_v2.joints.groups import FB, LINE, Group, S
from spatial_v2.model import Model

__all__ = ["add", "difference", "exponential", "logarithm", "relative_twist", "transport"]

T = np.matrix_transpose


def _is_compiled(group: Group) -> bool:
    """Test if the kernels support a configuration space."""
    return group in (S, FB) and has_compiler()


def add(model: Model, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """Return ``q (+) dq``, as `configurationAddition` does."""
    spaces = runs(model)
    if len(spaces) == 1 and spaces[0][0] is LINE:
        return np.asarray(q + dq)
    lead = np.broadcast_shapes(q.shape[:-1], dq.shape[:-1])
    out = np.empty((*lead, spaces[-1][1].stop))
    for group, qs, vs in spaces:
        if group is LINE:
            np.add(q[..., qs], dq[..., vs], out=out[..., qs])
        elif _is_compiled(group):
            x = _flat(q[..., qs], lead), _flat(dq[..., vs], lead)
            load_function("configurationAddition")(*x, y := _empty(lead, qs))
            out[..., qs] = y.reshape(*lead, -1)
        else:
            out[..., qs] = group.add(q[..., qs], dq[..., vs], "exp")
    return out


def difference(model: Model, q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    """Return the displacement from q0 to q1, as `configurationDifference` does."""
    spaces = runs(model)
    if len(spaces) == 1 and spaces[0][0] is LINE:
        return np.asarray(q1 - q0)
    lead = np.broadcast_shapes(q0.shape[:-1], q1.shape[:-1])
    out = np.empty((*lead, spaces[-1][2].stop))
    for group, qs, vs in spaces:
        a, b = q0[..., qs], q1[..., qs]
        if group is LINE:
            np.subtract(b, a, out=out[..., vs])
        elif _is_compiled(group):
            x = _flat(a, lead), _flat(b, lead)
            load_function("configurationDifference")(*x, y := _empty(lead, vs))
            out[..., vs] = y.reshape(*lead, -1)
        else:
            out[..., vs] = group.difference(a, b)
    return out


def exponential(x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the matrix J(x) of `tangent.exponential`, and the matrix whose entry [j, k] is
    ``p . dJ_j / dx_k``, where J_j is column j of J; both have shape (..., n, n).
    """
    return _maps(1, x, p)


def logarithm(x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the matrix K(x) of `tangent.logarithm`, and the matrix whose entry [j, k] is
    ``p . dK_j / dx_k``, where K_j is column j of K; both have shape (..., n, n).
    """
    return _maps(2, x, p)


def transport(x: np.ndarray) -> np.ndarray:
    """Compute the matrix (..., n, n) of `tangent.transport`, which maps displacements before the
    motion x to displacements after it.
    """
    return _maps(0, x, 0 * x)[0]


def relative_twist(X: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Compute the twists (..., 6) that move target poses to the poses X, both given as transforms
    (..., 6, 6) from the base.
    """
    if not has_compiler():
        return log6_error(X, target)[0]
    lead = np.broadcast_shapes(X.shape[:-2], target.shape[:-2])
    X, Y = (np.ascontiguousarray(np.broadcast_to(x, (*lead, 6, 6))) for x in (X, target))
    e = np.empty((*lead, 6))
    load_function("pose_error")(X.reshape(-1, 6, 6), Y.reshape(-1, 6, 6), e.reshape(-1, 6))
    return e


def _maps(kind: int, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shape = (*x.shape, x.shape[-1])
    if has_compiler():
        n, lead = x.shape[-1], x.shape[:-1]
        M, D = np.zeros((2, math.prod(lead), n, n))
        run = load_function("configurationAddition_derivatives")
        run(kind, _flat(x, lead), _flat(p, lead), M, D)
        return M.reshape(shape), D.reshape(shape)
    if not kind:
        return np.asarray(tangent.transport(x)), np.zeros(shape)
    M = (tangent.exponential if kind == 1 else tangent.logarithm)(x)
    d = (tangent.exponential_derivatives if kind == 1 else tangent.logarithm_derivatives)(x)
    return np.asarray(M), np.einsum("...i,...ijk->...jk", p, d)


def _flat(x: np.ndarray, lead: tuple[int, ...]) -> np.ndarray:
    if x.shape[:-1] != lead or not x.flags.c_contiguous:
        x, part = np.empty((*lead, x.shape[-1])), x
        x[...] = part
    return x.reshape(-1, x.shape[-1])


def _empty(lead: tuple[int, ...], part: slice) -> np.ndarray:
    return np.empty((math.prod(lead), part.stop - part.start))
