"""Forward dynamics of a coupled model, and the factors of its inertia matrix."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.HandC import HandC
from spatial_v2.engine.compile.decorators import jit, within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.coupling import (
    factor,
    pull_back,
    pull_back_matrix,
    spread,
)
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats

__all__ = ["FDab_coupled", "Motion", "accelerate", "new_motion"]


class Motion(NamedTuple):
    """Motions of the tree and coefficients of its dynamics for B states, and scratch space.

    Attributes
    ----------
    q, qd : (B, nq), (B, nv)
    H, C : (B, nv, nv), (B, nv)
    right, least : (nv, n), (n,)
    L : (B, n, n)
        Factors of the inertia matrix of y.
    """

    q: Floats
    qd: Floats
    H: Floats
    C: Floats
    right: Floats
    least: Floats
    L: Floats


@within
def new_motion(of: Coupled, y: Floats, n: int) -> Motion:
    """Allocate a `Motion` for n variables, for the kind of number of y."""
    B, nq, nv = y.shape[0], of.q.shift.size, of.v.shift.size
    return Motion(
        empty(y, B, nq), empty(y, B, nv), empty(y, B, nv, nv), empty(y, B, nv), empty(y, nv, n),
        empty(y, n), empty(y, B, n, n),
    )  # fmt: skip


@jit
def accelerate(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, w: Motion,
    ydd: Floats,
) -> None:  # fmt: skip
    """Compute the accelerations ydd (B, n), and w."""
    x = empty(y, ydd.shape[1], 1)
    w.H[:, :, :] = 0.0
    for b in range(y.shape[0]):
        spread(of.q, y[b], w.q[b])
        spread(of.v, yd[b], w.qd[b])
    HandC(of.tree, w.q, w.qd, f_ext, f_body, w.H, w.C)
    for b in range(y.shape[0]):
        pull_back_matrix(of.v, w.H[b], w.right, w.L[b])
        factor(of, w.least, w.L[b])
        pull_back(of.v, w.C[b], ydd[b])
        for k in range(ydd.shape[1]):
            x[k, 0] = tau[b, k] - ydd[b, k]
        ltdl_columns(of.above, w.L[b], x)
        for k in range(ydd.shape[1]):
            ydd[b, k] = x[k, 0]


@jit
def FDab_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, ydd: Floats
) -> None:
    """Compute the accelerations ydd (B, n) of independent variables under the forces tau (B, n)."""
    accelerate(of, y, yd, tau, f_ext, f_body, new_motion(of, y, yd.shape[1]), ydd)
