"""First derivatives of inverse dynamics, equations (12) and (13)."""

from __future__ import annotations

from spatial_v2.arrays import Array
from spatial_v2.spatial import icrf
from tensor_sva.body import Body
from tensor_sva.expressions.block import block
from tensor_sva.permuted import T

__all__ = ["FIRST_ORDER"]


@block(
    "dtau_dq",
    "ij",
    "j <= i",
    r"\frac{\partial\tau_i}{\partial q_j}"
    r" = S_i^\top [2 B_i^C]\dot\Psi_j + S_i^\top I_i^C\ddot\Psi_j",
)
def q1(i: Body, j: Body) -> Array:
    """Derivative of tau_i along q_j for a body j that is body i or an ancestor of it: equation
    (12a).
    """
    return T(i.S) @ (2 * i.BC @ j.psid + i.IC @ j.psidd)


@block(
    "dtau_dq",
    "ji",
    "j < i",
    r"\frac{\partial\tau_j}{\partial q_i}"
    r" = S_j^\top [2 B_i^C\dot\Psi_i + I_i^C\ddot\Psi_i + f_i^C\bar\times^* S_i]",
)
def q2(i: Body, j: Body) -> Array:
    """Derivative of tau_j along q_i for a body j that is an ancestor of body i: equation (12b)."""
    return T(j.S) @ (2 * i.BC @ i.psid + i.IC @ i.psidd + icrf(i.fC) @ i.S)


@block(
    "dtau_dqd",
    "ij",
    "j <= i",
    r"\frac{\partial\tau_i}{\partial\dot q_j}"
    r" = S_i^\top [2 B_i^C S_j + I_i^C(\dot\Psi_j + \dot S_j)]",
)
def v1(i: Body, j: Body) -> Array:
    """Derivative of tau_i with respect to qd_j for a body j that is body i or an ancestor of it:
    equation (13a).
    """
    return T(i.S) @ (2 * i.BC @ j.S + i.IC @ (j.psid + j.Sd))


@block(
    "dtau_dqd",
    "ji",
    "j < i",
    r"\frac{\partial\tau_j}{\partial\dot q_i}"
    r" = S_j^\top [2 B_i^C S_i + I_i^C(\dot\Psi_i + \dot S_i)]",
)
def v2(i: Body, j: Body) -> Array:
    """Derivative of tau_j with respect to qd_i for a body j that is an ancestor of body i: equation
    (13b).
    """
    return T(j.S) @ (2 * i.BC @ i.S + i.IC @ (i.psid + i.Sd))


FIRST_ORDER = (q1, q2, v1, v2)
"""The expressions (12a) to (13b)."""
