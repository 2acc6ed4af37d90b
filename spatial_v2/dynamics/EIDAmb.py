"""Extended inverse dynamics of a tree on a moving base: base wrench and joint forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.dynamics.ID import ID
from spatial_v2.dynamics.moving_base import (
    Velocity,
    at_states,
    base_pose,
    base_twist,
    check_moving_base,
)
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm

__all__ = ["EIDAmb", "Table4", "by_ID", "table_4"]


def by_ID(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    batched: bool,
    velocity: Velocity = "inertial",
) -> None:
    """Compute the result of `EIDAmb` by the kernel of `ID`, which takes body velocities."""
    q, qd, qdd = arrays
    if velocity != "body":
        _, v, a = base_twist(model, q, qd, qdd, velocity)
        qd, qdd = np.concatenate([v, qd[:, 6:]], -1), np.concatenate([a, qdd[:, 6:]], -1)
    results[0][...] = at_states(ID, model, (q, qd, qdd), batched)[0]


@accelerated(None, "(q),(v),(v)->(v)", composed=by_ID, uses=("ID",), accepts=check_moving_base)
def EIDAmb(
    model: Model,
    q: Array,
    qd: Array,
    qdd: Array,
    *,
    velocity: Velocity = "inertial",
    **options: Unpack[Options],
) -> Array:
    """Compute base wrench and joint forces that produce a given motion of a moving-base tree.

    Parameters
    ----------
    model : Model
        A spatial tree in which body 0, the moving base, is connected to the fixed base by a joint
        ``Fb`` or ``SE3`` and carries all other bodies; geared rotors too.
    q : array, shape (..., NQ)
        Pose of the base (H in the paper), then the joint positions s [rad or m].
    qd : array, shape (..., NV)
        Velocity of the base in the chart `velocity`, then the joint velocities r.
    qdd : array, shape (..., NV)
        Acceleration of the base, then the rate of r. The acceleration of the base is the rate of
        its twist in body coordinates; with ``"mixed"`` it is the rate of the mixed velocity.
    velocity : {"inertial", "body", "mixed"}, optional
        ``"inertial"``, as in the paper: twist of body 0 in coordinates of the fixed base.
        ``"body"``: twist in body coordinates, as elsewhere in this library. ``"mixed"``: angular
        velocity of body 0 and velocity of its origin, both along the axes of the fixed base.

    Returns
    -------
    array, shape (..., NV)
        The wrench on the base, [couple; force] in body coordinates, then the joint forces.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without a moving base.
    SpatialError
        An unknown `velocity`.

    Notes
    -----
    Bos, Traversaro, Pucci, Saccon, "Efficient geometric linearization of moving-base rigid robot
    dynamics" (2022), Table 4. Joints may have several degrees of freedom. Differences from the
    paper: it writes the linear part of twists first, its gravity vector is minus that of the model,
    and its Table 4 prints the joint forces before the wrench, although its Tables 6 to 8 have the
    wrench first. With ``velocity="body"`` the result is that of `ID`, whose kernel computes all
    three charts.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> EIDAmb(model, [1, 0, 0, 0, 0, 0, 0, 0.5], np.zeros(7), np.zeros(7))[3:6].round(12)
    array([ 0.  ,  0.  , 19.62])
    """
    _, v, a = base_twist(model, q, qd, qdd, velocity)
    return table_4(model, q, v, a, qd[..., 6:], qdd[..., 6:]).tau


class Table4(NamedTuple):
    """Quantities of Table 4 of the paper; each is a dictionary from the number of a body to its
    value.
    """

    Xup: dict[int, Array]
    """Transform from the parent."""
    S: dict[int, Array]
    """Motion subspace of the joint (Gamma in the paper)."""
    vJ: dict[int, Array]
    """Velocity across the joint."""
    v: dict[int, Array]
    """Velocity of the body."""
    ar: dict[int, Array]
    """Acceleration with gravity included but without the acceleration of the base."""
    avp: dict[int, Array]
    """The acceleration `ar` without joint accelerations."""
    a0: dict[int, Array]
    """Acceleration of the base, transformed to coordinates of each body."""
    m: dict[int, Array]
    """Spatial momentum of the body."""
    Mc: dict[int, Array]
    """Composite inertia: that of the body and all bodies that it carries."""
    bc: dict[int, Array]
    """Bias wrench of the composite body, from the accelerations `ar`."""
    bvp: dict[int, Array]
    """Bias wrench of the composite body at zero joint accelerations, from `avp`."""
    tau: Array


def table_4(model: Model, q: Array, v0: Array, a0: Array, r: Array, rd: Array) -> Table4:
    """Evaluate Table 4 from line 5 on, given the base twist v0 and acceleration a0 in body
    coordinates, and joint velocities r and accelerations rd.
    """
    xp = namespace(q, v0, a0, r, rd)
    T, links = xp.matrix_transpose, list(enumerate(model.parent.tolist()))[1:]
    M = [constant(I, q) for I in model.I]
    Xup, S, vJ, v, ar, avp, a, m, Mc, bc, bvp, tau = ({} for _ in range(12))

    v[0], a[0] = column(v0), column(a0)
    avp[0] = ar[0] = base_pose(model, q) @ column(constant(-get_gravity(model), q))
    Mc[0], m[0] = M[0], M[0] @ v[0]
    bvp[0] = bc[0] = M[0] @ ar[0] + crf(v[0]) @ m[0]
    for i, p in links:
        vi = slice(model.vinds[i].start - 6, model.vinds[i].stop - 6)
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        S[i] = constant(Si, q)
        vJ[i] = S[i] @ column(r[..., vi])
        Xup[i] = XJ @ constant(model.Xtree[i], q)
        v[i] = Xup[i] @ v[p] + vJ[i]
        ar[i] = Xup[i] @ ar[p] + S[i] @ column(rd[..., vi]) + crm(v[i]) @ vJ[i]
        avp[i] = Xup[i] @ avp[p] + crm(v[i]) @ vJ[i]
        Mc[i], m[i] = M[i], M[i] @ v[i]
        bc[i] = M[i] @ ar[i] + crf(v[i]) @ m[i]
        bvp[i] = M[i] @ avp[i] + crf(v[i]) @ m[i]

    for i, p in reversed(links):
        Mc[p] = Mc[p] + T(Xup[i]) @ Mc[i] @ Xup[i]
        bc[p] = bc[p] + T(Xup[i]) @ bc[i]
        bvp[p] = bvp[p] + T(Xup[i]) @ bvp[i]

    tau[0] = Mc[0] @ a[0] + bvp[0]
    for i, p in links:
        vi = slice(model.vinds[i].start - 6, model.vinds[i].stop - 6)
        a[i] = Xup[i] @ a[p]
        tau[i] = T(S[i]) @ (Mc[i] @ a[i] + bc[i])
        F, j = Mc[i] @ S[i] @ column(rd[..., vi]), i
        while j > 0:
            F, j = T(Xup[j]) @ F, int(model.parent[j])
        tau[0] = tau[0] + F

    forces = uncolumn(xp.concat([tau[i] for i in range(model.NB)], axis=-2))
    return Table4(Xup, S, vJ, v, ar, avp, a, m, Mc, bc, bvp, forces)
