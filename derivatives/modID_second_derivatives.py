"""Second derivatives of inverse dynamics contracted with a vector, without the tensors."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.external import with_external_forces
from derivatives.ID_derivatives import ID_derivatives
from derivatives.per_velocity import ancestry, constant_force, each, second_order_matrices
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, on_first, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.model import Model

__all__ = ["ModIDSecondDerivatives", "modID_second_derivatives"]


@shown_in_notebooks
class ModIDSecondDerivatives(NamedTuple):
    """Gradient and Hessian blocks of ``lambda . ID``, with MATLAB's field names (v for qd)."""

    dmod_dq: Array
    """Gradient of the scalar along q, shape (..., NV)."""
    dmod_dv: Array
    """Gradient of the scalar with respect to qd, shape (..., NV)."""
    dmod_dqq: Array
    """Entry [j, k] is the derivative along q_j, then along q_k; shape (..., NV, NV)."""
    dmod_dvv: Array
    """Entry [j, k] is the second derivative with respect to qd_j and qd_k."""
    dmod_dqv: Array
    """Entry [j, k] is the derivative along q_j and with respect to qd_k."""
    dtau_dq: Array
    """First derivatives of the joint forces along q, shape (..., NV, NV)."""
    dtau_dv: Array
    """First derivatives of the joint forces with respect to qd, shape (..., NV, NV)."""


@accelerated(
    "modID_second_derivatives",
    "(q),(v),(v),(v)->(v),(v),(v,v),(v,v),(v,v),(v,v),(v,v)",
    joint_terms=True,
)
def modID_second_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    lambda_: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> ModIDSecondDerivatives:
    """Compute gradient and Hessian of ``lambda . ID(q, qd, qdd)`` at the cost of `ID_derivatives`.

    MATLAB: ``out = modID_second_derivatives(model,q,qd,qdd,lambda)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    lambda_ : array, shape (..., NV)
        Weight of each joint force.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    ModIDSecondDerivatives
        ``dmod_dqq[j, k] = sum_i lambda_i d2tau_dq[i, j, k]``, and so on.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    Algorithm 1 of Singh, Russell, Wensing (2023), summed over the torques before it is spread over
    the pairs of variables; A and u are as in `idsva_so` of `derivatives.reference`, B stands for
    ``A0 + A1``, and rate for ``psid + sd``. x and y are velocity variables, the joint of y being
    that of x or nearer to the base. Joint forces in the subtree of x enter by sums over that
    subtree, ``u5_x = sum_p lambda_p u5_p`` and so on. Joint forces nearer to the base enter by
    ``w_x = sum_l lambda_l s_l`` over the joints before x, which is the velocity of the parent body
    with lambda in place of qd::

        qq[x, y] = u5_x . psid_y + u9_x . psidd_y + w_x . (A3 psid_y + A1 psidd_y) + w_y . A5 s_y
        qv[x, y] = u5_x . s_y + u9_x . rate_y + w_x . (A3 s_y + A1 rate_y)
        vq[x, y] = -u11_x . psid_y + w_x . B psid_y + w_y . A7 s_y
        vv[x, y] = -u11_x . s_y + w_x . B s_y
        vv[x, y] = -u12_x . s_y + w_x . A6 s_y    where x and y are of one joint

    qq and vq hold if y belongs to the joint of x or to one nearer to the base, qv and vv only in
    the latter case. qq and vv are symmetric there, and vq, transposed, is the other half of
    ``dmod_dqv``. Each pair costs a few products of six-vectors: O(N d) in the kernel. External
    forces that are constant in the base add ``s_y . sum_p lambda_p (s_x x s_p) x* eC_p`` to qq.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> m = modID_second_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [0, 0], [1, -1])
    >>> m.dmod_dqq.round(3)
    array([[0.   , 0.   ],
           [0.   , 0.894]])
    """
    xp = namespace(q, qd, qdd, lambda_, f_ext)
    T = xp.matrix_transpose
    g, eC = with_external_forces(model, *robot_frame(model, q, qd, qdd), f_ext, frame)
    S, psid, psidd, rate = g.S, g.psid, g.psidd, g.psid + g.Sd
    A = second_order_matrices(model, g)
    below, above = ancestry(model, like=q)
    same, before = below - T(above), T(above)
    w = (lambda_[..., None, :] * S) @ above

    def beyond(M: Array) -> Array:
        """Sum ``lambda_p M[p]`` over the subtree of the body of each variable x."""
        return on_first(T(below), lambda_[..., None, None] * M)

    def wx(M: Array, Y: Array) -> Array:
        """Return the matrix with entries [x, y] ``w_x . M[x] Y[:, y]``, with w as in
        `modID_second_derivatives`.
        """
        return T(each(T(M), w)) @ Y

    def wy(M: Array, Y: Array) -> Array:
        """Return the matrix with entries [x, y] ``w_y . M[x] Y[:, y]``, with w as in
        `modID_second_derivatives`.
        """
        return xp.sum((M @ Y[..., None, :, :]) * w[..., None, :, :], axis=-2)

    u5 = each(beyond(A.A2), psid) + each(beyond(A.A4), S)
    u9, u12 = each(beyond(A.A0), S), each(beyond(A.A1), S)
    u11, E = u12 - u9, each(beyond(constant_force(model, g, eC)), S)

    qq = T(u5) @ psid + T(u9) @ psidd + wx(A.A3, psid) + wx(A.A1, psidd) + wy(A.A5, S)
    qq = qq + T(E) @ S
    qv = T(u5) @ S + T(u9) @ rate + wx(A.A3, S) + wx(A.A1, rate)
    vq = -T(u11) @ psid + wx(A.Bs, psid) + wy(A.A7, S)
    vv = -T(u11) @ S + wx(A.Bs, S)
    vv_joint = -T(u12) @ S + wx(A.A6, S)

    dtau_dq, dtau_dv = ID_derivatives.reference(model, q, qd, qdd, f_ext, frame=frame)
    return ModIDSecondDerivatives(
        dmod_dq=uncolumn(T(dtau_dq) @ column(lambda_)),
        dmod_dv=uncolumn(T(dtau_dv) @ column(lambda_)),
        dmod_dqq=below * qq + T(before * qq),
        dmod_dvv=before * vv + T(before * vv) + same * vv_joint,
        dmod_dqv=before * qv + T(below * vq),
        dtau_dq=dtau_dq,
        dtau_dv=dtau_dv,
    )
