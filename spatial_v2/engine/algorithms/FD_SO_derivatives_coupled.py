"""Second derivatives of forward dynamics of a coupled model: a Hessian for each acceleration."""

from __future__ import annotations

from spatial_v2.engine.algorithms.acceleration_hessian import combine_blocks
from spatial_v2.engine.algorithms.FD_derivatives_coupled import (
    accelerate,
    by_inverse_dynamics,
    new_factored,
)
from spatial_v2.engine.algorithms.modFD_second_derivatives_coupled import curve, new_curves
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.sparse_products import spread
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats

__all__ = ["FD_SO_derivatives_coupled"]


@jit
def FD_SO_derivatives_coupled(
    of: Coupled, y: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """Compute qq, vv, qv and dM, the four tensors (B, n, n, n) of `FD_SO_derivatives` in the
    independent variables.
    """
    n, nv = yd.shape[1], of.v.shift.size
    ydd, qdd, mu = empty(y, y.shape[0], n), empty(y, y.shape[0], nv), empty(y, n)
    P, Q, Minv, vq = empty(y, n, n), empty(y, n, n), empty(y, n, n), empty(y, n, n)
    w, s = new_factored(of, y, n), new_curves(of, y, n)
    accelerate(of, y, yd, tau, f_ext, f_body, w, ydd)
    for b in range(y.shape[0]):
        spread(of.v, ydd[b], qdd[b])
        for i in range(n):
            if i == 0:
                mu[:] = 0.0
                curve(of, w, b, qdd, mu, (f_ext, f_body), s)
                by_inverse_dynamics(of, w, b, s.tree.dq[0], s.tree.dqd[0], (P, Q, Minv))
            for k in range(n):
                mu[k] = Minv[k, i]
            curve(of, w, b, qdd, mu, (f_ext, f_body), s)
            out = qq[b, i], vv[b, i], vq, dM[b, i]
            combine_blocks(s.blocks, (P, Q, Minv), s.X, out)
            for j in range(n):
                for k in range(n):
                    qv[b, i, k, j] = vq[j, k]
