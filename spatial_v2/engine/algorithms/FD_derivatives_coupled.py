"""First derivatives of forward dynamics of a coupled model."""

from __future__ import annotations

from spatial_v2.engine.algorithms.FDab_coupled import accelerate, new_motion
from spatial_v2.engine.algorithms.Hinverse_coupled import invert
from spatial_v2.engine.algorithms.ID_derivatives import ID_derivatives
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.coupling import pull_back_matrix, spread
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats

__all__ = ["FD_derivatives_coupled"]


@jit
def FD_derivatives_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    dq: Floats, dqd: Floats, Minv: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives dq, dqd and Minv (B, n, n) of the accelerations of independent
    variables with respect to y, yd and tau.
    """
    n, nv = yd.shape[1], of.v.shift.size
    ydd, qdd = empty(y, y.shape[0], n), empty(y, y.shape[0], nv)
    ID_q, ID_qd = empty(y, y.shape[0], nv, nv), empty(y, y.shape[0], nv, nv)
    ID_q[:, :, :] = 0.0
    ID_qd[:, :, :] = 0.0
    w = new_motion(of, y, n)
    accelerate(of, y, yd, tau, f_ext, f_body, w, ydd)
    for b in range(y.shape[0]):
        spread(of.v, ydd[b], qdd[b])
    ID_derivatives(of.tree, w.q, w.qd, qdd, f_ext, f_body, ID_q, ID_qd)
    for b in range(y.shape[0]):
        pull_back_matrix(of.v, ID_q[b], w.right, dq[b])
        pull_back_matrix(of.v, ID_qd[b], w.right, dqd[b])
        ltdl_columns(of.above, w.L[b], dq[b])
        ltdl_columns(of.above, w.L[b], dqd[b])
        for i in range(n):
            for j in range(n):
                dq[b, i, j] = -dq[b, i, j]
                dqd[b, i, j] = -dqd[b, i, j]
        invert(of.above, w.L[b], Minv[b])
