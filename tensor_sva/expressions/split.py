"""First derivatives along q of the three terms of inverse dynamics, equations (25) to (29)."""

from __future__ import annotations

from spatial_v2.arrays import Array, column, uncolumn
from spatial_v2.spatial import crm, icrf
from tensor_sva.body import Body
from tensor_sva.expressions.block import block
from tensor_sva.permuted import T

__all__ = ["SPLIT"]


@block(
    "dMqdd_dq",
    "ij",
    "j <= i",
    r"\frac{\partial[M\ddot q]_i}{\partial q_j} = S_i^\top [I_i^C\gamma_{\lambda(j)}\times S_j]",
)
def m1(i: Body, j: Body) -> Array:
    """Derivative of (M qdd)_i along q_j, j an ancestor of i or i itself: equation (25a)."""
    return T(i.S) @ i.IC @ crm(j.parent.gamma) @ j.S


@block(
    "dMqdd_dq",
    "ji",
    "j < i",
    r"\frac{\partial[M\ddot q]_j}{\partial q_i}"
    r" = S_j^\top [\eta_i^C\bar\times^* + I_i^C\gamma_{\lambda(i)}\times] S_i",
)
def m2(i: Body, j: Body) -> Array:
    """Derivative of (M qdd)_j along q_i, j an ancestor of i: equation (25b)."""
    return T(j.S) @ (icrf(i.etaC) + i.IC @ crm(i.parent.gamma)) @ i.S


@block(
    "dCqd_dq",
    "ij",
    "j <= i",
    r"\frac{\partial[C\dot q]_i}{\partial q_j} = S_i^\top [2 B_i^C\dot\Psi_j"
    r" + I_i^C v_{\lambda(j)}\times\dot\Psi_j + I_i^C\xi_{\lambda(j)}\times S_j]",
)
def c1(i: Body, j: Body) -> Array:
    """Derivative of (C qd)_i along q_j, j an ancestor of i or i itself: equation (26)."""
    return T(i.S) @ (2 * i.BC @ j.psid + i.IC @ _turned(j))


@block(
    "dCqd_dq",
    "ji",
    "j < i",
    r"\frac{\partial[C\dot q]_j}{\partial q_i} = S_j^\top [2 B_i^C\dot\Psi_i"
    r" + I_i^C v_{\lambda(i)}\times\dot\Psi_i + I_i^C\xi_{\lambda(i)}\times S_i"
    r" + \zeta_i^C\bar\times^* S_i]",
)
def c2(i: Body, j: Body) -> Array:
    """Derivative of (C qd)_j along q_i, j an ancestor of i: equation (27)."""
    return T(j.S) @ (2 * i.BC @ i.psid + i.IC @ _turned(i) + icrf(i.zetaC) @ i.S)


@block(
    "dg_dq",
    "ij",
    "j <= i",
    r"\frac{\partial g_i}{\partial q_j} = S_i^\top I_i^C (a_0\times S_j)",
)
def g1(i: Body, j: Body) -> Array:
    """Derivative of g_i along q_j, j an ancestor of i or i itself: equation (29a)."""
    return T(i.S) @ i.IC @ crm(i.a0) @ j.S


@block(
    "dg_dq",
    "ji",
    "j < i",
    r"\frac{\partial g_j}{\partial q_i}"
    r" = S_j^\top [(I_i^C a_0)\bar\times^* + I_i^C (a_0\times)] S_i",
)
def g2(i: Body, j: Body) -> Array:
    """Derivative of g_j along q_i, j an ancestor of i: equation (29b)."""
    return T(j.S) @ (icrf(uncolumn(i.IC @ column(i.a0))) + i.IC @ crm(i.a0)) @ i.S


def _turned(j: Body) -> Array:
    """Return the part of psidd of body j (see `Body`) that is quadratic in velocities."""
    return crm(j.parent.v) @ j.psid + crm(j.parent.xi) @ j.S


SPLIT = (m1, m2, c1, c2, g1, g2)
"""The expressions (25a) to (29b) of the paper of 2022."""
