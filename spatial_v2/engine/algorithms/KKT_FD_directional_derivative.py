"""Derivatives of constrained dynamics along one direction, from the state."""

from spatial_v2.engine.algorithms.KKT_FO_derivatives import alone, linearise, new_linear
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.constrained import Constrained
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.kkt_arrays import new_factors
from spatial_v2.engine.parts.kkt_factors import factorise
from spatial_v2.engine.parts.kkt_solution import solve_one
from spatial_v2.engine.tree import Floats


@jit
def KKT_FD_directional_derivative(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, direction: tuple[Floats, Floats, Floats],
    f_ext: Floats, f_body: Floats, z: Floats, dz: Floats, doubt: Floats,
) -> None:  # fmt: skip
    """Compute accelerations and m multipliers, and their derivatives along a direction, for
    independent rows.

    The direction, three arrays (B, nv), is the change of q, qd and tau. z (B, nv + m) is qdd, then
    lambda, and dz its derivative; doubt (B, 1) is that of `KKT.solve_refined`.
    """
    nv, m = qd.shape[1], z.shape[1] - qd.shape[1]
    at = new_linear(q, nv, m)
    w = new_factors(q, nv, m)
    x, y = empty(q, nv, 1), empty(q, m, 1)
    linearise(of, q, qd, tau, f_ext, f_body, z, at, w, doubt)
    for b in range(q.shape[0]):
        if not alone(q):
            factorise(of.equations, at.H[b], at.G[b], w)
        dq, dqd, dtau = direction[0][b], direction[1][b], direction[2][b]
        for i in range(nv):
            x[i, 0] = dtau[i]
            for c in range(nv):
                x[i, 0] += (at.push[b, i, c] - at.ID_q[b, i, c]) * dq[c]
                x[i, 0] -= at.ID_qd[b, i, c] * dqd[c]
        for k in range(m):
            y[k, 0] = 0.0
            for c in range(nv):
                y[k, 0] -= at.alpha_q[b, k, c] * dq[c] + at.alpha_qd[b, k, c] * dqd[c]
        solve_one(of.equations.above, w, x, y)
        for i in range(nv):
            dz[b, i] = x[i, 0]
        for k in range(m):
            dz[b, nv + k] = y[k, 0]
