"""First derivatives of the spatial forces on bodies and subtrees."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from derivatives.per_body import ForceRates, carried, force_rates, force_to_body
from derivatives.per_velocity import per_velocity
from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import GroundFrame, robot_frame, shift
from spatial_v2.model import Model
from spatial_v2.spatial import icrf

__all__ = ["SpatialForceDerivatives", "in_frame", "spatial_force_derivatives"]


@shown_in_notebooks
class SpatialForceDerivatives(NamedTuple):
    """Arrays (..., NB, 6, NV): entry [i, :, j] belongs to body i and velocity variable j.

    f is the net force ``I a + v x* I v`` on body i alone, fC the net force on its subtree, both
    including gravity. In the names v stands for qd and a for qdd. Fields whose names end in
    ``_body`` are in coordinates of body i, the others in base coordinates.
    """

    df_dq: Array
    df_dv: Array
    df_da: Array
    dfC_dq: Array
    dfC_dv: Array
    dfC_da: Array
    df_dq_body: Array
    df_dv_body: Array
    df_da_body: Array
    dfC_dq_body: Array
    dfC_dv_body: Array
    dfC_da_body: Array


@accelerated(
    "spatial_force_derivatives", "(q),(v),(v)->" + ",".join(12 * ["(b,6,v)"]), joint_terms=True
)
def spatial_force_derivatives(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> SpatialForceDerivatives:
    """Compute derivatives of forces on bodies and on subtrees with respect to q, qd and qdd.

    MATLAB: ``[df_dq,dfC_dq,...] = spatial_force_derivatives(model,q,qd,qdd,i,j)``, for each pair
    of bodies i and j. Access results by name: their order differs from MATLAB's.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). The forces on geared rotors are
        included in those on the subtrees that they belong to.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    SpatialForceDerivatives
        Named tuple of arrays (..., NB, 6, NV). Derivatives along q are along the joints' degrees of
        freedom.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    For joints j that carry body i, ``df_i/dq_j = I_i psidd_j + 2 B_i psid_j + f_i xbar* S_j``, and
    dfC_i/dq_j is the same with IC, BC, fC. If i carries j, dfC_i/dq_j is the derivative of fC of
    the body of j. In body coordinates ``S_j x* f`` is subtracted, since the coordinate frame moves.
    Singh, Russell, Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial
    Vector Algebra" (2022). Since S_i is constant in body coordinates, the rows of `ID_derivatives`
    for joint i are ``S_i^T`` times ``dfC_dq_body`` and ``dfC_dv_body``. To keep digits far from the
    base, all quantities are computed about a point o of the robot and shifted to the base origin at
    the end.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> d = spatial_force_derivatives(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> d.dfC_dq[0, 0].round(3)
    array([42.509, 18.106,  4.048])
    """
    g, o = robot_frame(model, q, qd, qdd)
    d = in_frame(model, g)
    XF = namespace(o).matrix_transpose(shift(o))[..., None, :, :]
    return d._replace(**{name: XF @ getattr(d, name) for name in d._fields[:6]})


def in_frame(model: Model, g: GroundFrame) -> SpatialForceDerivatives:
    """Compute the results of `spatial_force_derivatives` in the frame of the `GroundFrame` g."""
    T = namespace(g.S, g.v, g.a).matrix_transpose
    columns = (g.S, g.psid, g.psidd, g.psid + g.Sd)
    up, down = carried(model, like=g.S)

    alone = _at_bodies(g.I, 2 * g.B, g.f, columns)
    summed = _at_bodies(g.IC, 2 * g.BC, g.fC, columns)
    IC, BC, fC = per_velocity(model, g.IC, 2 * g.BC, column(g.fC))
    below = force_rates(IC, BC, fC, *(column(T(x)) for x in columns))
    df = [up * x for x in alone]
    dfC = [
        up * x + down * T(uncolumn(y))[..., None, :, :] for x, y in zip(summed, below, strict=True)
    ]

    F = force_to_body(g.X0)
    bodies = []
    for f, d in ((g.f, df), (g.fC, dfC)):
        turned = up * (icrf(column(f)) @ g.S[..., None, :, :])
        bodies += [F @ (d[0] - turned), F @ d[1], F @ d[2]]
    return SpatialForceDerivatives(*df, *dfC, *bodies)


def _at_bodies(I: Array, B: Array, f: Array, columns: tuple[Array, ...]) -> ForceRates:
    """Compute the force derivatives of all bodies for all velocity variables, (..., NB, 6, NV)."""
    return force_rates(I, B, column(f), *(x[..., None, :, :] for x in columns))
