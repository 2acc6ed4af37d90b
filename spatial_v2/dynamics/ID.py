"""Inverse dynamics: the recursive Newton-Euler algorithm."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.apply_external_forces import apply_external_forces
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_forces
from spatial_v2.spatial import crf, crm

__all__ = ["ID", "IDInfo"]


@shown_in_notebooks
class IDInfo(NamedTuple):
    """Quantities of the sweeps of `ID` in body coordinates.

    Xup has the shape (..., NB, 6, 6), f0 (..., 6), the others (..., NB, 6).
    """

    Xup: Array
    """Transforms from the parents to the bodies."""
    v: Array
    """Velocities."""
    h: Array
    """Momenta."""
    a: Array
    """Accelerations; that of the base is minus gravity."""
    f: Array
    """Forces across the joints: sums over the subtrees."""
    f0: Array
    """Total force that the base transmits to the robot, in base coordinates."""

    def first(self, n: int) -> IDInfo:
        """Return the quantities of the first n bodies."""
        v, h, a, f = (x[..., :n, :] for x in (self.v, self.h, self.a, self.f))
        return IDInfo(self.Xup[..., :n, :, :], v, h, a, f, self.f0)


@accelerated(
    "ID",
    "(q),(v),(v)->(v)",
    info=("ID_info", "(b,6,6),(b,6),(b,6),(b,6),(b,6),(6)", IDInfo),
    joint_terms=True,
)
def ID(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    return_info: bool = False,
    **options: Unpack[Options],
) -> Array:
    """Compute the joint forces that produce a given motion: recursive Newton-Euler algorithm.

    MATLAB: ``tau = ID(model,q,qd,qdd)``, ``[tau,out] = ID(model,q,qd,qdd,f_ext)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force], one row per body, in base coordinates with couples about
        the base origin [N m, N]. In a list, None stands for a body without external force.
    frame : {"base", "body"}, optional
        With ``"body"`` each external force is in coordinates of its body instead, with the couple
        about the body's origin.
    return_info : bool, optional
        Return `IDInfo` as well: transforms, velocities, momenta, accelerations (gravity included
        as a fictitious base acceleration), forces accumulated over each subtree, and `f0`, the
        total force transmitted from the base, in base coordinates.

    Returns
    -------
    tau : array, shape (..., NV)
        Joint forces [N m or N].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    ``tau = H(q) qdd + C(q, qd, f_ext)``. Featherstone (2008), Table 5.1, in body coordinates; the
    forces of armature, damping, friction and springs are added at the end. The compiled kernel
    works in the ground frame.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(3)
    >>> ID(model, [0.1, 0.2, 0.3], [0, 0, 0], [1, 1, 1]).round(3)
    array([14.561,  7.97 ,  2.398])
    """
    xp = namespace(q, qd, qdd, f_ext)
    Xtree, I = constant(model.Xtree, q), constant(model.I, q)
    Xup, v, h, a, f = {}, {}, {}, {}, {}
    S, tau = {}, {}

    v[-1] = column(constant(0 * get_gravity(model), q))
    a[-1] = column(constant(-get_gravity(model), q))
    for i, p in enumerate(model.parent.tolist()):
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        S[i] = constant(Si, q)
        vJ = S[i] @ column(qd[..., model.vinds[i]])
        Xup[i] = XJ @ Xtree[i, ...]
        v[i] = Xup[i] @ v[p] + vJ
        a[i] = Xup[i] @ a[p] + S[i] @ column(qdd[..., model.vinds[i]]) + crm(v[i]) @ vJ
        h[i] = I[i, ...] @ v[i]
        f[i] = I[i, ...] @ a[i] + crf(v[i]) @ h[i]
    f = apply_external_forces(model, Xup, f, f_ext, frame)

    f[-1] = 0 * v[-1]
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        tau[i] = xp.matrix_transpose(S[i]) @ f[i]
        f[p] = f[p] + xp.matrix_transpose(Xup[i]) @ f[i]

    torque = uncolumn(xp.concat([tau[i] for i in range(model.NB)], axis=-2))
    torque = torque + joint_forces(model, q, qd, qdd)
    if not return_info:
        return torque
    f0 = uncolumn(f[-1])
    columns = (xp.stack([x[i] for i in range(model.NB)], axis=-3) for x in (v, h, a, f))
    v, h, a, f = map(uncolumn, columns)
    X = xp.stack(xp.broadcast_arrays(*[Xup[i] for i in range(model.NB)]), axis=-3)
    return torque, IDInfo(X, v, h, a, f, f0)
