"""Inverse dynamics with a reference velocity in the Coriolis term (Slotine and Li)."""

from __future__ import annotations

from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.factorization import Factorization, body_factor
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.spatial import crm

__all__ = ["ID_SlotineLi"]


@accelerated("ID_SlotineLi", "(q),(v),(v),(v)->(v)")
def ID_SlotineLi(
    model: Model,
    q: Array,
    qd: Array,
    qd_r: Array,
    qdd: Array,
    factorization: Factorization = 3,
    **options: Unpack[Options],
) -> Array:
    """Compute the joint forces ``H qdd + C(q, qd) qd_r + g`` of passivity-based control.

    C is the Coriolis matrix, g the gravity force, qd_r a reference velocity.

    MATLAB: ``tau = ID_SlotineLi(model,q,qd,qd_r,qdd,factorFunction)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    qd_r, qdd : array, shape (..., NV)
        Reference velocity and acceleration [per second, per second^2].
    factorization : {3, 1, 2} or callable, optional
        Choice of the Coriolis matrix C, as in `CoriolisMatrix`. Only number 3, the C of the
        Christoffel symbols, has a compiled kernel.

    Returns
    -------
    array, shape (..., NV)
        Joint forces [N m or N].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    The Newton-Euler algorithm with two velocities v and v_r of each body,
    ``f = I a + B(I, v) v_r``. Niemeyer, Slotine, "Performance in adaptive manipulator control"
    (1991); Remark 2 of Echeandia, Wensing (2021). With ``qd_r = qd`` the result is that of `ID`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> ID_SlotineLi(autoTree(2), [0, 1], [1, 2], [0, 0], [0, 0]).round(12) + 0
    array([0., 0.])
    """
    xp = namespace(q, qd, qd_r, qdd)
    Xup, S, v, w, a, f, tau = ({} for _ in range(7))

    v[-1] = w[-1] = column(constant(0 * get_gravity(model), q))
    a[-1] = column(constant(-get_gravity(model), q))
    for i, p in enumerate(model.parent.tolist()):
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        S[i], Xup[i], I = constant(Si, q), XJ @ constant(model.Xtree[i], q), constant(model.I[i], q)
        wJ = S[i] @ column(qd_r[..., model.vinds[i]])
        v[i] = Xup[i] @ v[p] + S[i] @ column(qd[..., model.vinds[i]])
        w[i] = Xup[i] @ w[p] + wJ
        a[i] = Xup[i] @ a[p] + S[i] @ column(qdd[..., model.vinds[i]]) + crm(v[i]) @ wJ
        f[i] = I @ a[i] + body_factor(I, uncolumn(v[i]), factorization) @ w[i]

    f[-1] = 0 * v[-1]
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        tau[i] = xp.matrix_transpose(S[i]) @ f[i]
        f[p] = f[p] + xp.matrix_transpose(Xup[i]) @ f[i]

    return uncolumn(xp.concat([tau[i] for i in range(model.NB)], axis=-2))
