"""Jacobians and Hessians of steps of semi-implicit Euler, from derivatives of the accelerations.

A step of length h leads from q and v to ``v' = v + h a(q, v, S u)`` and ``q' = q (+) h v'``, with
the accelerations a and the joint forces S u of the m controls u. There are N steps, of states with
n velocity variables; the variables of derivatives are z = [q, v, u].

S is given by its entries: `entries` (k, 2) has their rows and columns, `S` (k,) their values.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["add_euler_hessian", "euler_jacobian"]


@jit
def euler_jacobian(
    h: Floats, a_q: Floats, a_v: Floats, a_tau: Floats, entries: Ints, S: Floats, line: Floats,
    F: Floats,
) -> None:  # fmt: skip
    """Compute the Jacobians F (N, 2 n, 2 n + m) of q' and v'.

    The lengths h repeat if there are more steps than lengths. The rows of q' are right where `line`
    (n,) is one: where q is a number, or several, that displacements are added to. Where `line` is
    zero, they are ``h v'_z``, the derivatives of the displacement.
    """
    n, z = a_q.shape[1], F.shape[2]
    for i in range(len(F)):
        d = h[i % h.size]
        for r in range(n):
            v, q = F[i, n + r], F[i, r]
            for j in range(n):
                v[j] = d * a_q[i, r, j]
                v[n + j] = d * a_v[i, r, j]
            for j in range(2 * n, z):
                v[j] = 0.0
            for k in range(S.size):
                v[2 * n + entries[k, 1]] += d * a_tau[i, r, entries[k, 0]] * S[k]
            v[n + r] += 1.0
            for j in range(z):
                q[j] = d * v[j]
            q[r] += line[r]


@jit
def add_euler_hessian(
    qq: Floats, vv: Floats, vq: Floats, tau_q: Floats, entries: Ints, S: Floats, Q: Floats
) -> None:
    """Add to Q (N, 2 n + m, 2 n + m) the symmetric Hessian of weighted accelerations with respect
    to z, given its blocks (N, n, n) with respect to q, v and tau; qq may be not symmetric.
    """
    n = qq.shape[1]
    for i in range(len(Q)):
        for r in range(n):
            for c in range(n):
                Q[i, r, c] += (qq[i, r, c] + qq[i, c, r]) / 2
                Q[i, r, n + c] += vq[i, c, r]
                Q[i, n + r, c] += vq[i, r, c]
                Q[i, n + r, n + c] += vv[i, r, c]
        for k in range(S.size):
            u = 2 * n + entries[k, 1]
            for c in range(n):
                x = S[k] * tau_q[i, entries[k, 0], c]
                Q[i, u, c] += x
                Q[i, c, u] += x
