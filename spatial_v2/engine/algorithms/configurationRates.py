"""Rates of the position variables, and normalised quaternions; see `configurationAddition`."""

import math

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.parts.poses import quaternion_matrix
from spatial_v2.engine.tree import Floats, Ints


@jit
def configurationRates(spaces: Ints, q: Floats, qd: Floats, unit: Floats, rates: Floats) -> None:
    """Compute the rates of configurations q (B, NQ) at velocities qd, and q with unit quaternions.

    `spaces` is the table of `configurationAddition`. A term drives the norm of each quaternion
    towards one, as `rqd` does.
    """
    for i in range(len(q)):
        x, y, e, xd = q[i], qd[i], unit[i], rates[i]
        for r in range(len(spaces)):
            turns, a, b, n = spaces[r, 0], spaces[r, 1], spaces[r, 2], spaces[r, 3]
            if not turns:
                for k in range(n):
                    e[a + k], xd[a + k] = x[a + k], y[b + k]
                continue
            s, u, v, z = x[a], x[a + 1], x[a + 2], x[a + 3]
            w0, w1, w2 = y[b], y[b + 1], y[b + 2]
            norm = math.sqrt(s * s + u * u + v * v + z * z)
            back = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2) * (1.0 - norm) / 20.0
            xd[a] = (-u * w0 - v * w1 - z * w2) / 2.0 + back * s
            xd[a + 1] = (s * w0 + v * w2 - z * w1) / 2.0 + back * u
            xd[a + 2] = (s * w1 + z * w0 - u * w2) / 2.0 + back * v
            xd[a + 3] = (s * w2 + u * w1 - v * w0) / 2.0 + back * z
            for k in range(4):
                e[a + k] = x[a + k] / norm
            if n == 6:
                E = quaternion_matrix(x, a)
                for k in range(3):
                    e[a + 4 + k] = x[a + 4 + k]
                    xd[a + 4 + k] = (
                        E[3 * k] * y[b + 3] + E[3 * k + 1] * y[b + 4] + E[3 * k + 2] * y[b + 5]
                    )
