"""Addition and difference of configurations for batches of float64, computed by kernels."""

from __future__ import annotations

import math

import numpy as np

from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.configuration.by_joint import runs, spaces
from spatial_v2.frames.residuals import log6_residual
from spatial_v2.joints import tangent
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model

__all__ = [
    "add", "difference", "exponential", "logarithm", "relative_twist", "transport", "turn_rows",
]  # fmt: skip

T = np.matrix_transpose
_KERNELS = (
    "configurationAddition", "configurationDifference", "configurationAddition_derivatives",
    "euler_jacobian",
)  # fmt: skip
"""Kernels of displacements and of time steps that displace configurations."""


def compiled_spaces(model: Model) -> np.ndarray | None:
    """Return the table of `by_joint.spaces` if kernels compute displacements of the model."""
    return spaces(model) if has_kernels(*_KERNELS) else None


def add(model: Model, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """Return ``q (+) dq``, as `configurationAddition` does."""
    parts = runs(model)
    if len(parts) == 1 and parts[0][0] is LINE:
        return np.asarray(q + dq)
    table, lead = compiled_spaces(model), np.broadcast_shapes(q.shape[:-1], dq.shape[:-1])
    out = np.empty((*lead, parts[-1][1].stop))
    if table is not None:
        load_procedure("configurationAddition")(table, rows(q, lead), rows(dq, lead), flat(out))
        return out
    for group, qs, vs in parts:
        out[..., qs] = group.add(q[..., qs], dq[..., vs], "exp")
    return out


def difference(model: Model, q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    """Return the displacement from q0 to q1, as `configurationDifference` does."""
    parts = runs(model)
    if len(parts) == 1 and parts[0][0] is LINE:
        return np.asarray(q1 - q0)
    table, lead = compiled_spaces(model), np.broadcast_shapes(q0.shape[:-1], q1.shape[:-1])
    out = np.empty((*lead, parts[-1][2].stop))
    if table is not None:
        load_procedure("configurationDifference")(table, rows(q0, lead), rows(q1, lead), flat(out))
        return out
    for group, qs, vs in parts:
        out[..., vs] = group.difference(q0[..., qs], q1[..., qs])
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


def turn_rows(model: Model, c: np.ndarray, F: np.ndarray) -> list[tuple[slice, np.ndarray]]:
    """Replace the rows of displacements of the ends of stages in F (B, S, 2 NV, z) by those of the
    defects c (B, S, 2 NV), for joints with rotations.

    Return, for each of them, its velocity variables and the derivatives of the defects with respect
    to displacements of the ends, shape (B, S, n, n).
    """
    turning = [vs for group, _, vs in runs(model) if group is not LINE]
    table = compiled_spaces(model) if turning else None
    if table is not None:
        K, whole = np.empty((*c.shape[:-1], model.NV, 6)), np.ascontiguousarray(F)
        load_procedure("defect_charts")(table, flat(c), flat(whole, 2), flat(K, 2))
        if whole is not F:
            F[...] = whole
        return [(vs, K[..., vs, : vs.stop - vs.start]) for vs in turning]
    charts = [(vs, logarithm(c[..., vs], 0 * c[..., vs])[0]) for vs in turning]
    for vs, K in charts:
        F[..., vs, :] = K @ F[..., vs, :]
    return charts


def relative_twist(X: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Compute the twists (..., 6) that move target poses to the poses X, both given as transforms
    (..., 6, 6) from the base.
    """
    if not has_kernels("log6_residual"):
        return log6_residual(X, target)[0]
    lead = np.broadcast_shapes(X.shape[:-2], target.shape[:-2])
    e = np.empty((*lead, 6))
    all_poses = rows(np.broadcast_to(X, (*lead, 6, 6)), lead, 2)
    load_procedure("log6_residual")(all_poses, rows(target, lead, 2), flat(e))
    return e


def _maps(kind: int, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shape = (*x.shape, x.shape[-1])
    if has_kernels("configurationAddition_derivatives"):
        n, lead = x.shape[-1], x.shape[:-1]
        M, D = np.zeros((2, math.prod(lead), n, n))
        run = load_procedure("configurationAddition_derivatives")
        run(kind, flat(x), rows(np.broadcast_to(p, x.shape), lead), M, D)
        return M.reshape(shape), D.reshape(shape)
    if not kind:
        return np.asarray(tangent.transport(x)), np.zeros(shape)
    M = (tangent.exponential if kind == 1 else tangent.logarithm)(x)
    d = (tangent.exponential_derivatives if kind == 1 else tangent.logarithm_derivatives)(x)
    return np.asarray(M), np.einsum("...i,...ijk->...jk", p, d)


def flat(x: np.ndarray, core: int = 1) -> np.ndarray:
    """Return an array (B, ...) with the leading axes of x as one; the last `core` axes stay. It is
    a view if x is contiguous.
    """
    if x.ndim == core + 1 and x.flags.c_contiguous:
        return x
    return np.ascontiguousarray(x).reshape(-1, *x.shape[x.ndim - core :])


def rows(x: np.ndarray, lead: tuple[int, ...], core: int = 1) -> np.ndarray:
    """Return an array as `flat` does; if its leading axes are the last ones of `lead`, kernels
    repeat its rows, and other arrays are broadcast to `lead`.
    """
    if x.ndim == core and x.flags.c_contiguous:
        return x[None]
    own = x.shape[:-core]
    if own and own != lead[len(lead) - len(own) :]:
        x = np.broadcast_to(x, (*lead, *x.shape[x.ndim - core :]))
    return flat(x, core)
