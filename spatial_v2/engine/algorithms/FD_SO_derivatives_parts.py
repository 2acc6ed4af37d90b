"""First derivatives of forward dynamics and second derivatives of inverse dynamics, in one kernel.

The second derivatives of forward dynamics are computed from these.
"""

from __future__ import annotations

from spatial_v2.engine.algorithms.FD_derivatives import FD_derivatives
from spatial_v2.engine.algorithms.FDab import FDab
from spatial_v2.engine.algorithms.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["FD_SO_derivatives_parts"]


@jit
def FD_SO_derivatives_parts(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    P: Floats, Q: Floats, Minv: Floats, x: Floats, v: Floats, z: Floats, m: Floats,
) -> None:  # fmt: skip
    """Compute first derivatives of forward dynamics and second derivatives of inverse dynamics.

    Results: P, Q and Minv (B, nv, nv) are dqdd_dq, dqdd_dqd and H^-1; x, v, z and m are the values
    of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq, at the accelerations of forward dynamics.
    """
    qdd = empty(q, q.shape[0], qd.shape[1])
    Minv[:, :, :] = 0.0
    FD_derivatives(tree, q, qd, tau, f_ext, f_body, P, Q, Minv)
    FDab(tree, q, qd, tau, f_ext, f_body, qdd)
    ID_SO_derivatives(tree, q, qd, qdd, f_ext, f_body, x, v, z, m)
