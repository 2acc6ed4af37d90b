"""Second derivatives of inverse dynamics by the loops of IDSVA-SO, line by line as in the paper."""

from __future__ import annotations

from collections import defaultdict
from typing import Unpack

import numpy as np

from derivatives.ID_SO_derivatives import IDSODerivatives
from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["idsva_so"]

Entries = defaultdict[tuple[int, int, int], Array]


@page("(q),(v),(v)->(v,v,v),(v,v,v),(v,v,v),(v,v,v)")
def idsva_so(
    model: Model, q: Array, qd: Array, qdd: Array, **options: Unpack[Options]
) -> IDSODerivatives:
    """Compute second derivatives of inverse dynamics by the loops of Algorithm 1 (IDSVA-SO).

    This is the readable definition of `ID_SO_derivatives`, which computes the same tensors by
    masked matrix products.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq : array, shape (..., NV, NV, NV)
        Indices [torque, first variable, second variable], ordered, as for `ID_SO_derivatives`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics" (2023), Algorithm
    1. Comments at the ends of lines of code name the lines of the algorithm. p, t and r
    are velocity variables of the bodies i, j and k, where j is i or an ancestor of i, and k is j or
    an ancestor of j. `robot_frame` computes lines 1-11 and 75-78; its BC is half of the
    algorithm's. The force in line 22 is the force on the subtree, fC, although the paper prints f.

    Examples
    --------
    >>> from spatial_v2 import ID_SO_derivatives
    >>> from spatial_v2.models import autoTree
    >>> model, q, qd, qdd = autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0]
    >>> wanted = ID_SO_derivatives(model, q, qd, qdd)
    >>> np.allclose(idsva_so(model, q, qd, qdd), wanted, rtol=1e-12)
    True
    """
    T = namespace(q, qd, qdd).matrix_transpose
    g, _ = robot_frame(model, q, qd, qdd)  # lines 1-11
    parent, dofs = model.parent.tolist(), [range(v.start, v.stop) for v in model.vinds]
    s, sd, psid, psidd = ([x[..., k : k + 1] for k in range(model.NV)]
                          for x in (g.S, g.Sd, g.psid, g.psidd))  # fmt: skip
    zero = 0 * (T(s[0]) @ s[0])
    qq, vv, qv, M = (Entries(lambda: zero) for _ in range(4))

    for i in reversed(range(model.NB)):  # line 12
        IC, BC, fC = g.IC[..., i, :, :], 2 * g.BC[..., i, :, :], column(g.fC[..., i, :])
        for p in dofs[i]:  # lines 13-14
            B = crf(s[p]) @ IC - IC @ crm(s[p]) + icrf(IC @ s[p])  # line 15
            B_psid = crf(psid[p]) @ IC - IC @ crm(psid[p]) + icrf(IC @ psid[p])  # line 16
            A0 = icrf(IC @ s[p])  # line 17
            A1 = crf(s[p]) @ IC - IC @ crm(s[p])  # line 18
            A2 = 2 * A0 - B  # line 19
            A3 = B_psid + crf(s[p]) @ BC - BC @ crm(s[p])  # line 20
            A4 = icrf(T(BC) @ s[p])  # line 21
            A5 = icrf(BC @ psid[p] + IC @ psidd[p] + crf(s[p]) @ fC)  # line 22
            A6 = crf(s[p]) @ IC + A0  # line 23
            A7 = icrf(BC @ s[p] + IC @ (psid[p] + sd[p]))  # line 24
            j = i  # line 25
            while j >= 0:  # line 26
                for t in dofs[j]:  # lines 27-28
                    u1, u2 = T(A3) @ s[t], T(A1) @ s[t]  # line 29
                    u3 = A3 @ psid[t] + A1 @ psidd[t] + A5 @ s[t]  # line 30
                    u4, u5 = A6 @ s[t], A2 @ psid[t] + A4 @ s[t]  # line 31
                    u6 = B @ psid[t] + A7 @ s[t]  # line 32
                    u7 = A3 @ s[t] + A1 @ (psid[t] + sd[t])  # line 33
                    u8, u9 = A4 @ s[t] - T(B) @ psid[t], A0 @ s[t]  # line 34
                    u10, u11 = B @ s[t], T(B) @ s[t]  # line 35
                    u12 = A1 @ s[t]  # line 36
                    k = j  # line 37
                    while k >= 0:  # line 38
                        for r in dofs[k]:  # lines 39-41
                            p1 = T(u11) @ psid[r]  # line 42
                            p2 = T(u8) @ psid[r] + T(u9) @ psidd[r]  # line 43
                            qq[p, t, r], qv[p, r, t] = p2, -p1  # line 44
                            if j != i:  # line 45
                                qq[t, p, r] = T(u1) @ psid[r] + T(u2) @ psidd[r]  # line 46
                                qq[t, r, p] = qq[t, p, r]  # line 46
                                qv[t, p, r] = T(u1) @ s[r] + T(u2) @ (sd[r] + psid[r])  # line 47
                                qv[t, r, p] = p1  # line 48
                                vv[t, r, p] = vv[t, p, r] = T(u11) @ s[r]  # line 49
                                M[r, t, p] = M[t, r, p] = T(s[r]) @ u12  # line 50
                            if k != j:  # line 52
                                qq[p, r, t], qq[r, p, t] = p2, T(s[r]) @ u3  # line 53
                                vv[p, t, r] = vv[p, r, t] = -T(u11) @ s[r]  # line 54
                                qv[p, t, r] = T(s[r]) @ u5 + T(u9) @ (sd[r] + psid[r])  # line 55
                                qv[r, t, p] = T(s[r]) @ u6  # line 56
                                M[r, p, t] = M[p, r, t] = T(s[r]) @ u9  # line 57
                                if j != i:  # line 58
                                    qq[r, t, p] = qq[r, p, t]  # line 59
                                    qv[r, p, t] = T(s[r]) @ u7  # line 60
                                    vv[r, p, t] = vv[r, t, p] = T(s[r]) @ u10  # line 61
                                else:  # line 62
                                    vv[r, t, p] = T(s[r]) @ u4  # line 63
                            else:  # line 65
                                vv[p, t, r] = -T(u2) @ s[r]  # line 66
                        k = parent[k]  # line 69
                j = parent[j]  # line 72
    return IDSODerivatives(*(_tensor(entries, model.NV) for entries in (qq, vv, qv, M)))  # line 80


def _tensor(entries: Entries, n: int) -> Array:
    """Assemble an array (..., n, n, n) from a dictionary of entries (..., 1, 1); missing entries
    are zero.
    """
    xp = namespace(entries[0, 0, 0])
    flat = xp.concat([uncolumn(entries[index]) for index in np.ndindex(n, n, n)], axis=-1)
    return xp.reshape(flat, (*flat.shape[:-1], n, n, n))
