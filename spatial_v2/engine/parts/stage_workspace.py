"""Workspace of one stage of a Riccati recursion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import part, within
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["Stage", "new_stage", "padded"]


class Stage(NamedTuple):
    """Workspace of one stage, with n state variables, m controls and z = n + m.

    The rows of matrices are padded with zeros to whole SIMD batches; the matrices with the suffix
    `s` are views of them as SIMD batches. L is the Cholesky factor of A_uu. The projected Newton
    method uses the gradient `grad`, the step, the controls x, the trial point, and masks (1 or 0)
    of the free controls: the present ones, and in `now` the new ones.
    """

    P: Floats
    """Hessian of the cost to go after the stage, (n, n)."""
    F: Floats
    Fs: Floats
    """Jacobian of the stage, (n, z)."""
    PF: Floats
    PFs: Floats
    """Product P F, (n, z)."""
    line: Floats
    ratio: Floats
    rest: Ints
    """Rows of F that depend on others; see `stage_products.split`."""
    A: Floats
    As: Floats
    """Upper triangle of the Hessian ``Q + F^T P F`` of the stage, (z, z)."""
    h: Floats
    """Gradient of the stage, (z,)."""
    L: Floats
    inverse: Floats
    """Reciprocal of the diagonal of L, (m,)."""
    W: Floats
    Ws: Floats
    """Factor of A times the gains of the free controls, (m, n)."""
    K: Floats
    Ks: Floats
    """The gains of the free controls, (m, n)."""
    grad: Floats
    step: Floats
    x: Floats
    trial: Floats
    free: Floats
    now: Floats


@part
def padded(n: int) -> int:
    """Return the least length of at least n that has whole SIMD batches and whole fours."""
    width = max(4, SIMD_WIDTH)
    return -(-n // width) * width


@within
def new_stage(F: Floats, n: int, z: int) -> Stage:
    """Allocate the workspace of a stage."""
    m, N, Z = z - n, padded(n), padded(z)
    Y, E, PF, A, W, G = (
        empty(F, n, N), empty(F, n, Z), empty(F, N, Z), empty(F, Z, Z), empty(F, m, N),
        empty(F, m, N),
    )  # fmt: skip
    for X in (Y, E, A, W):
        X[:] = 0.0
    return Stage(
        Y, E, as_simd(E), PF, as_simd(PF), np.zeros(n), np.zeros(n), np.zeros(n, dtype=np.int64),
        A, as_simd(A), np.zeros(z), np.empty((m, m)), np.empty(m),
        W, as_simd(W), G, as_simd(G), np.empty(m), np.empty(m), np.empty(m), np.empty(m),
        np.empty(m), np.empty(m),
    )  # fmt: skip
