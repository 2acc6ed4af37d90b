"""First derivatives of inverse dynamics: IDSVA."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from derivatives.external import with_external_forces
from derivatives.per_velocity import ancestry, each, per_velocity
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal
from spatial_v2.spatial import icrf

__all__ = ["IDDerivatives", "ID_derivatives"]


@shown_in_notebooks
class IDDerivatives(NamedTuple):
    """First derivatives of inverse dynamics, arrays (..., NV, NV)."""

    dtau_dq: Array
    """Entry [i, j] is the derivative of tau_i along velocity variable j."""
    dtau_dqd: Array
    """Entry [i, j] is the derivative of tau_i with respect to qd_j."""


@accelerated("ID_derivatives", "(q),(v),(v)->(v,v),(v,v)", joint_terms=True)
def ID_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> IDDerivatives:
    """Compute derivatives of inverse dynamics with respect to position and velocity.

    MATLAB: ``[dtau_dq, dtau_dqd] = ID_derivatives(model,q,qd,qdd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    dtau_dq, dtau_dqd : array, shape (..., NV, NV)
        Named tuple; entry [i, j] is a derivative of tau_i. In dtau_dq it is the right Lie
        derivative along velocity variable j: the derivative of
        ``tau(configurationAddition(model, q, t e_j))`` with respect to t at t = 0.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    The derivative with respect to qdd is H. Singh, Russell, Wensing, "Efficient Analytical
    Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra" (2022), Algorithm 1; (12)-(13)
    in "On Second-Order Derivatives of Rigid-Body Dynamics" (2023): with j an ancestor of i or i
    itself,

    ``dtau_i/dq_j = S_i^T (2 BC_i psid_j + IC_i psidd_j)``,
    ``dtau_j/dq_i = S_j^T (2 BC_i psid_i + IC_i psidd_i + fC_i xbar* S_i)`` for j != i,

    The derivatives with respect to qd have ``S`` in place of psid and ``psid + Sd`` in place of
    psidd. The kernel is O(N d). External forces that are constant in body coordinates are included
    in fC. Those that are constant in base coordinates add ``S_j^T (S_i x* eC_i)`` to dtau_i/dq_j,
    with eC minus their sums over subtrees. Stiffness is added to the diagonal of dtau_dq, damping
    to that of dtau_dqd; dry friction is constant wherever it has a derivative.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> d = ID_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> d.dtau_dq.round(3)
    array([[ 0.   , -7.921, -5.899],
           [ 0.   ,  1.909, -1.95 ],
           [ 0.   ,  0.439,  2.349]])
    """
    T = namespace(q, qd, qdd, f_ext).matrix_transpose
    g, eC = with_external_forces(model, *robot_frame(model, q, qd, qdd), f_ext, frame)
    S, psid, psidd, rate = g.S, g.psid, g.psidd, g.psid + g.Sd
    IC, BC2, fC, eC = per_velocity(model, g.IC, 2 * g.BC, column(g.fC), column(eC))
    below, above = ancestry(model, like=q)

    F = each(BC2, psid) + each(IC, psidd) + each(icrf(fC), S)
    G = each(BC2, S) + each(IC, rate)
    P, L, E = each(IC, S), each(T(BC2), S), each(icrf(eC), S)
    dtau_dq = below * (T(L) @ psid + T(P) @ psidd + T(E) @ S) + above * (T(S) @ F)
    dtau_dqd = below * (T(L) @ S + T(P) @ rate) + above * (T(S) @ G)
    return IDDerivatives(
        dtau_dq=dtau_dq + joint_diagonal(model, "stiffness", q),
        dtau_dqd=dtau_dqd + joint_diagonal(model, "damping", q),
    )
