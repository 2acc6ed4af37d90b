"""Second derivatives of inverse dynamics contracted with a vector, without the tensors."""

from __future__ import annotations

from typing import NamedTuple

from derivatives.ground import ancestry, each, second_order
from derivatives.ID_derivatives import ID_derivatives
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics
from spatial_v2.model import Model

__all__ = ["ModIDSecondDerivatives", "modID_second_derivatives"]


class ModIDSecondDerivatives(NamedTuple):
    """Gradient and Hessian blocks of ``lambda . ID``, with MATLAB's field names (v for qd)."""

    dmod_dq: Array
    """Gradient along q, shape (..., NV)."""
    dmod_dv: Array
    """Gradient by qd, shape (..., NV)."""
    dmod_dqq: Array
    """Entry [j, k] is the derivative along q_k of that along q_j; ordered. (..., NV, NV)."""
    dmod_dvv: Array
    """Entry [j, k] is the second derivative by qd_j and qd_k."""
    dmod_dqv: Array
    """Entry [j, k] is the derivative along q_j and by qd_k."""
    dtau_dq: Array
    """First derivatives of the joint forces, as of `ID_derivatives`."""
    dtau_dv: Array
    """The same by qd."""


@accelerated("mod_idsva_so", "(q),(v),(v),(v)->(v),(v),(v,v),(v,v),(v,v),(v,v),(v,v)")
def modID_second_derivatives(
    model: Model, q: Array, qd: Array, qdd: Array, lambda_: Array
) -> ModIDSecondDerivatives:
    """Gradient and Hessian of ``lambda . ID(q, qd, qdd)`` in the work of first derivatives.

    MATLAB: ``out = modID_second_derivatives(model,q,qd,qdd,lambda)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    lambda_ : array, shape (..., NV)
        Weight of each joint force.

    Returns
    -------
    ModIDSecondDerivatives
        ``dmod_dqq[j, k] = sum_i lambda_i d2tau_dq[i, j, k]``, and so on.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Algorithm 1 of Singh, Russell, Wensing (2023), summed over the torque index before it is spread
    over the others. With t an ancestor of p or in its joint: where the torque is the deepest of the
    three variables, the sum over p turns its matrices A into sums over subtrees; where it is the
    middle or the shallowest one, the sum over ``lambda S`` is the velocity w of the body before
    the joint, as if lambda were the joint velocity. Each pair (p, t) costs a few products of
    six-vectors: O(N d) in the kernel.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> m = modID_second_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [0, 0], [1, -1])
    >>> m.dmod_dqq.shape
    (2, 2)
    """
    xp = namespace(q, qd, qdd, lambda_)
    T = xp.matrix_transpose
    g = GlobalDynamics(model, q, qd, qdd)
    S, psid, psidd, rate = g.S, g.psid, g.psidd, g.psid + g.Sd
    A = second_order(model, g)
    below, above = ancestry(model, like=q)
    same, before = below - T(above), T(above)
    w = (lambda_[..., None, :] * S) @ above

    def summed(M: Array) -> Array:
        """For each t, the sum of ``lambda_p M[p]`` over its subtree."""
        M = lambda_[..., None, None] * M
        flat = T(below) @ xp.reshape(M, (*M.shape[:-2], -1))
        return xp.reshape(flat, (*flat.shape[:-1], *M.shape[-2:]))

    L0, L1, L2, L4 = (summed(M) for M in (A.A0, A.A1, A.A2, A.A4))
    u5, u9, u12 = each(L2, psid) + each(L4, S), each(L0, S), each(L1, S)
    deep, a_b = T(u5) @ psid + T(u9) @ psidd, before * (T(u12 - u9) @ S)
    dqq = below * deep + T(before * deep)
    dqv = before * (T(u5) @ S + T(u9) @ rate) - T(below * (T(u12 - u9) @ psid))
    dvv = -a_b - T(a_b) - same * (T(u12) @ S)

    def near(M: Array, X: Array) -> Array:
        """Entry [p, t] is ``w_p . M[p] X[:, t]``."""
        return T(each(T(M), w)) @ X

    def far(M: Array, X: Array) -> Array:
        """Entry [p, t] is ``w_t . M[p] X[:, t]``."""
        return xp.sum((M @ X[..., None, :, :]) * w[..., None, :, :], axis=-2)

    y = near(A.A3, psid) + near(A.A1, psidd) + far(A.A5, S)
    z = before * near(A.Bs, S)
    dqq = dqq + below * y + T(before * y)
    dqv = dqv + before * (near(A.A3, S) + near(A.A1, rate))
    dqv = dqv + T(below * (near(A.Bs, psid) + far(A.A7, S)))
    dvv = dvv + z + T(z) + T(same * near(A.A6, S))

    d = ID_derivatives.textbook(model, q, qd, qdd)
    grad_q, grad_v = (uncolumn(T(x) @ column(lambda_)) for x in d)
    return ModIDSecondDerivatives(grad_q, grad_v, dqq, dvv, dqv, d.dtau_dq, d.dtau_dqd)
