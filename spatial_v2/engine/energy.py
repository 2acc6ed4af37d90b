"""Energy, momentum, inertia and centre of mass of the whole tree."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import apply_inertia, dot6, ground_inertia
from spatial_v2.engine.velocity import velocities

__all__ = ["energy"]


@inline
def inertia_matrix(I, out):
    """The 6x6 matrix, zero before, of an inertia of ten numbers."""
    out[0, 0], out[1, 1], out[2, 2] = I[4], I[5], I[6]
    out[0, 1] = out[1, 0] = I[7]
    out[0, 2] = out[2, 0] = I[8]
    out[1, 2] = out[2, 1] = I[9]
    out[3, 3] = out[4, 4] = out[5, 5] = I[0]
    out[1, 3] = out[3, 1] = I[3]
    out[2, 4] = out[4, 2] = I[1]
    out[0, 5] = out[5, 0] = I[2]
    out[2, 3] = out[3, 2] = -I[2]
    out[0, 4] = out[4, 0] = -I[3]
    out[1, 5] = out[5, 1] = -I[1]


@jit
def energy(tree, q, qd, KE, PE, htot, Itot, mass, cm, vcm):
    """The fields of `EnerMo`, zero before, for a batch (B, n) of states."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, Sd, v = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nb, 6))
    I, total, h = np.empty(10), np.empty(10), np.empty(6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        total[:] = 0.0
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], p[i], I)
            apply_inertia(I, v[i], h)
            KE[b] += 0.5 * dot6(v[i], h)
            for c in range(6):
                htot[b, c] += h[c]
            for c in range(10):
                total[c] += I[c]
        inertia_matrix(total, Itot[b])
        mass[b] = total[0]
        for c in range(3):
            PE[b] -= total[1 + c] * tree.gravity[c]
            cm[b, c], vcm[b, c] = total[1 + c] / total[0], htot[b, 3 + c] / total[0]
