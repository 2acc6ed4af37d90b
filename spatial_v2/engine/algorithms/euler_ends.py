"""Ends of steps of semi-implicit Euler; see `euler_jacobian`."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition import displace, new_turns
from spatial_v2.engine.algorithms.configurationDifference import displacement
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["euler_ends"]

Two = tuple[Floats, Floats]
Three = tuple[Floats, Floats, Floats]


@jit
def euler_ends(
    h: Floats, spaces: Ints, start: Three, x: Floats, ends: Two, after: Two, c: Floats
) -> None:
    """Compute the displacements ``x = h v'`` (N, n) in N steps, and their ends q' and v'.

    `start` has q, v and the accelerations, `after` states, of which c (N, 2 n) are the
    displacements to the ends; c may be empty.
    """
    (q, v, a), (q_end, v_end), (q1, v1) = start, ends, after
    n, w = v.shape[1], new_turns(q)
    f, d, M = np.empty(9), np.empty((4, 3)), np.empty((3, 3))
    for i in range(len(v)):
        step = h[i % h.size]
        for r in range(n):
            v_end[i, r] = v[i, r] + step * a[i, r]
            x[i, r] = step * v_end[i, r]
        displace(spaces, q[i], x[i], w, q_end[i])
        if c.size:
            displacement(spaces, q1[i], q_end[i], f, d, M, c[i, :n])
            for r in range(n):
                c[i, n + r] = v_end[i, r] - v1[i, r]
