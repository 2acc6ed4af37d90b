"""Gradient of lambda . H qdd, which is that of lambda . ID at rest, without gravity and springs."""

from __future__ import annotations

from spatial_v2.engine.algorithms.modID_derivatives import modID_derivatives
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.sweep import inertial
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["modID_derivatives_simple"]


@jit
def modID_derivatives_simple(tree: Tree, q: Floats, qdd: Floats, lam: Floats, grad: Floats) -> None:
    """Compute the gradient (B, nv) of lam . H qdd with respect to q."""
    light = inertial(tree)
    rest, dqd = empty(q, 1, qdd.shape[1]), empty(q, 1, qdd.shape[1])
    none = empty(q, 0, 0, 6)
    rest[:, :] = 0.0
    for b in range(q.shape[0]):
        at = slice(b, b + 1)
        modID_derivatives(light, q[at], rest, qdd[at], lam[at], none, none, grad[at], dqd)
