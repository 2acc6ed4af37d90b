"""Second derivatives of the spatial forces on subtrees."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.per_body import carried, force_rates, force_to_body
from derivatives.per_velocity import ancestry, per_velocity
from derivatives.spatial_force_derivatives import in_frame
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, on_first
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame, shift
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["SpatialForceSODerivatives", "spatial_force_SO_derivatives", "spatial_force_SO_derivs"]


@shown_in_notebooks
class SpatialForceSODerivatives(NamedTuple):
    """Arrays (..., NB, 6, NV, NV): entry [i, :, j, k] belongs to body i, variable j, then k.

    They are second derivatives of the force fC on the subtree of body i. In the names v stands for
    qd and a for qdd: in ``d2fc_dvq`` j is a velocity and k a position variable. Fields whose names
    end in ``_b`` are in coordinates of body i, the others in base coordinates. All other second
    derivatives are zero, or one of these with j and k exchanged.
    """

    d2fc_dq: Array
    d2fc_dv: Array
    d2fc_dvq: Array
    d2fc_daq: Array
    d2fc_dqa: Array
    d2fc_dq_b: Array
    d2fc_dv_b: Array
    d2fc_dvq_b: Array
    d2fc_daq_b: Array
    d2fc_dqa_b: Array


class _Terms(NamedTuple):
    """Second derivatives of the force on a subtree, arrays (..., NV, 6, NV): entries [t, :, r] are
    for a variable t and a variable r of the same joint or of an ancestor; v stands for qd, a for
    qdd.
    """

    qq: Array
    vv: Array
    vv_joint: Array
    vq: Array
    qv: Array
    aq: Array
    qa: Array


@accelerated(
    "spatial_force_SO_derivatives", "(q),(v),(v)->" + ",".join(10 * ["(b,6,v,v)"]), joint_terms=True
)
def spatial_force_SO_derivatives(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> SpatialForceSODerivatives:
    """Compute second derivatives of the forces on all subtrees with respect to q, qd and qdd.

    MATLAB: ``derivs = spatial_force_SO_derivs(model,q,qd,qdd)``, where the results are cell arrays
    with one cell for each body, ``d2fc_dqa_b`` is left empty and ``d2fc_dav``, ``d2fc_dva`` are
    zeros.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). The forces on geared rotors are
        included in those on the subtrees that they belong to.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    SpatialForceSODerivatives
        Named tuple of arrays (..., NB, 6, NV, NV). Second derivatives along q are ordered, as those
        of `ID_SO_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Let t be the deeper of the two joints and r the same joint or an ancestor of it. IC, BC and fC
    are those of body i, or those of the body of t if i carries t. Then

    ``d_r d_t fC = 2 (B(IC, psid_t) + crf(S_t) BC - BC crm(S_t)) psid_r
    + (crf(S_t) IC - IC crm(S_t)) psidd_r + crf(S_r) d_t fC``,

    and so on: Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics" (2023),
    identities K. The force on body i alone is fC of i without those of its children.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> d = spatial_force_SO_derivatives(autoTree(2), [0.1, 0.2], [1, 1], [0, 0])
    >>> d.d2fc_dq[0, 0].round(3)
    array([[-2.919, -1.45 ],
           [-1.45 , -1.45 ]])
    """
    xp = namespace(q, qd, qdd)
    T = xp.matrix_transpose
    g, o = robot_frame(model, q, qd, qdd)
    columns = (g.S, g.psid, g.psidd, g.psid + g.Sd)
    IC, BC, fC = g.IC, 2 * g.BC, column(g.fC)
    here = _terms(*(x[..., None, :, :] for x in (IC, BC, fC, *columns)))
    there = _terms(*per_velocity(model, IC, BC, fC), *columns)
    up, down = (T(mask)[..., None] for mask in carried(model, like=q))
    V = _Terms(*(up * x + down * y[..., None, :, :, :] for x, y in zip(here, there, strict=True)))

    below, above = ancestry(model, like=q)
    before = T(above)
    same = below - before

    def jk(x: Array) -> Array:
        """Move entries [i, t, :, r] of x to [i, :, j, k] with j = t and k = r."""
        return xp.moveaxis(x, -3, -2)

    def kj(x: Array) -> Array:
        """Move entries [i, t, :, r] of x to [i, :, j, k] with k = t and j = r."""
        return T(jk(x))

    qq = below * jk(V.qq) + above * kj(V.qq)
    vv = before * jk(V.vv) + same * jk(V.vv_joint) + above * kj(V.vv)
    vq = below * jk(V.vq) + above * kj(V.qv)
    aq = below * jk(V.aq) + above * kj(V.qa)

    F, d = force_to_body(g.X0), in_frame(model, g)
    s = crf(column(T(g.S)))[..., None, :, :, :]

    def turned(x: Array) -> Array:
        """Return entries [i, :, j, k] ``S_j x* x[i, :, k]`` if j carries i, else 0."""
        return jk(up * (s @ x[..., None, :, :]))

    twice = turned(carried(model, like=q)[0] * (icrf(fC) @ g.S[..., None, :, :]))
    first = turned(d.dfC_dq)
    qq_b = qq - first - T(first) + below * twice + above * T(twice)
    vq_b, aq_b = vq - T(turned(d.dfC_dv)), aq - T(turned(d.dfC_da))
    XF = T(shift(o))[..., None, :, :]
    base = (on_first(XF, x) for x in (qq, vv, vq, aq, T(aq)))
    body = (on_first(F, x) for x in (qq_b, vv, vq_b, aq_b, T(aq_b)))
    return SpatialForceSODerivatives(*base, *body)


spatial_force_SO_derivs = spatial_force_SO_derivatives  # MATLAB's name of this function


def _terms(IC: Array, BC: Array, fC: Array, *columns: Array) -> _Terms:
    """Compute the second derivatives from composite quantities of a body: inertia IC, force fC, and
    BC, which here is twice the body Coriolis matrix.
    """
    T = namespace(IC, *columns).matrix_transpose
    S, psid, psidd, rate = (x[..., None, :, :] for x in columns)
    s, ds, dds, rs = (column(T(x)) for x in columns)
    d = force_rates(IC, BC, fC, s, ds, dds, rs)
    P = crf(s) @ IC
    U = icrf(IC @ s)
    D = P - IC @ crm(s)
    M = crf(ds) @ IC - IC @ crm(ds) + icrf(IC @ ds) + crf(s) @ BC - BC @ crm(s)
    return _Terms(
        qq=M @ psid + D @ psidd + icrf(d.dq) @ S,
        vv=(D + U) @ S,
        vv_joint=(P + U) @ S,
        vq=(D + U) @ psid + icrf(d.dv) @ S,
        qv=M @ S + D @ rate,
        aq=icrf(d.da) @ S,
        qa=D @ S,
    )
