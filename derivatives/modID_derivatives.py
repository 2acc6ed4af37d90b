"""Gradient of inverse dynamics contracted with a vector."""

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
from spatial_v2.model.joint_terms import joint_product
from spatial_v2.spatial import icrf

__all__ = ["ModIDDerivatives", "modID_derivatives"]


@shown_in_notebooks
class ModIDDerivatives(NamedTuple):
    """Gradient of the scalar ``lambda . ID``, arrays (..., NV)."""

    grad_q: Array
    """Derivatives along q: ``dtau_dq^T lambda``."""
    grad_qd: Array
    """Derivatives with respect to qd: ``dtau_dqd^T lambda``."""


@accelerated("modID_derivatives", "(q),(v),(v),(v)->(v),(v)", joint_terms=True)
def modID_derivatives(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    lambda_: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    **options: Unpack[Options],
) -> ModIDDerivatives:
    """Compute the gradient of ``lambda . ID(q, qd, qdd)`` without derivatives of each joint force.

    To use several vectors lambda, pass them as the rows of an array; MATLAB expects them as
    columns. A square array is always read as rows.

    MATLAB: ``[grad_q, grad_qd] = modID_derivatives(model,q,qd,qdd,lambda)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    lambda_ : array, shape (..., NV)
        Weight of each joint force; one row for each vector lambda.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base, or of the body that each force acts
        on. In these coordinates the forces do not change with q.

    Returns
    -------
    grad_q, grad_qd : array, shape (..., NV)
        Derivatives along q (degrees of freedom of the joints) and with respect to qd.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    The matrices of `ID_derivatives` are not formed. Their products with lambda are sums over the
    subtree of each joint and over its path to the root. Along that path the vectors ``lambda S``
    add up to a velocity w. The cost is O(N).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> modID_derivatives(autoTree(2), [0.1, 0.2], [1, 2], [0, 0], [1, -1]).grad_q.round(3)
    array([ 0.  , -4.41])
    """
    xp = namespace(q, qd, qdd, lambda_, f_ext)
    T = xp.matrix_transpose
    g, eC = with_external_forces(model, *robot_frame(model, q, qd, qdd), f_ext, frame)
    S, psid, psidd, rate = g.S, g.psid, g.psidd, g.psid + g.Sd
    IC, BC2, fC, eC = per_velocity(model, g.IC, 2 * g.BC, column(g.fC), column(eC))
    below, above = ancestry(model, like=q)
    weights = lambda_[..., None, :]

    w = (weights * S) @ above
    L, P = (weights * each(T(BC2), S)) @ below, (weights * each(IC, S)) @ below
    E = (weights * each(icrf(eC), S)) @ below
    F = each(BC2, psid) + each(IC, psidd) + each(icrf(fC), S)
    G = each(BC2, S) + each(IC, rate)
    grad_q = xp.sum(L * psid + P * psidd + E * S + w * F, axis=-2)
    grad_qd = xp.sum(L * S + P * rate + w * G, axis=-2)
    return ModIDDerivatives(
        grad_q=grad_q + joint_product(model, "stiffness", lambda_),
        grad_qd=grad_qd + joint_product(model, "damping", lambda_),
    )
