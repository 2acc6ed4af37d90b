"""The forward sweep of velocities in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.compile import inline
from spatial_v2.engine.kin import add_crm, poses

__all__ = ["velocities"]


@inline
def velocities(tree, q, qd, R, p, S, Sd, v):
    """Poses, motion subspaces S, their rates Sd = v x S and body velocities of one state."""
    poses(tree, q, R, p, S)
    for i in range(tree.parent.size):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        for c in range(6):
            v[i, c] = 0.0 if par < 0 else v[par, c]
            for k in range(v0, v1):
                v[i, c] += S[k, c] * qd[k]
        for k in range(v0, v1):
            Sd[k, :] = 0.0
            add_crm(v[i], S[k], Sd[k])
