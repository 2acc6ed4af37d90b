"""Product of the inverse joint-space inertia matrix with vectors, at rest and without gravity."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.articulate import (
    articulate,
    new_articulated,
    new_motion,
    respond,
)
from spatial_v2.engine.parts.rotors import row_count
from spatial_v2.engine.tree import Floats, Tree


@jit
def AZA(tree: Tree, q: Floats, f: Floats, out: Floats) -> None:
    """Compute out = H(q)^-1 f for a batch of vectors f (B, nv), with H the joint-space inertia
    matrix.

    A state with the same q as the state before it reuses the factorisation of that state.
    """
    nb, nv, m = tree.parent.size, f.shape[1], row_count(tree)
    body, motion = new_articulated(q, nb, m), new_motion(q, nb, nv)
    motion.c[:, :] = 0.0
    motion.a[-1, :] = 0.0
    for b in range(q.shape[0]):
        same = b > 0
        for k in range(q.shape[1]):
            same = same and q[b, k] == q[b - 1, k]
        if not same:
            articulate(tree, q[b], body)
        motion.pA[:, :] = 0.0
        respond(tree, body, motion, f[b], out[b])
