"""Derivative of H x with respect to q.

It is the derivative of inverse dynamics at rest, without gravity and springs, with x as the
acceleration.
"""

from __future__ import annotations

from spatial_v2.engine.algorithms.ID_derivatives import ID_derivatives
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.sweep import inertial
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["IDFOZA"]


@jit
def IDFOZA(tree: Tree, q: Floats, x: Floats, dHx: Floats) -> None:
    """Compute the derivatives dHx (B, nv, nv): entry [b, i, k] is the derivative of (H x)_i with
    respect to q_k in state b. dHx must be zero on entry.
    """
    light = inertial(tree)
    rest, dqd = empty(q, 1, x.shape[1]), empty(q, 1, x.shape[1], x.shape[1])
    none = empty(q, 0, 0, 6)
    rest[:, :] = 0.0
    for b in range(q.shape[0]):
        ID_derivatives(light, q[b : b + 1], rest, x[b : b + 1], none, none, dHx[b : b + 1], dqd)
