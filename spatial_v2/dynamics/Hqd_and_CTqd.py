"""Generalised momentum, and the velocity term of its rate."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_product
from spatial_v2.spatial import crm

__all__ = ["GeneralisedMomentum", "Hqd_and_CTqd"]


@shown_in_notebooks
class GeneralisedMomentum(NamedTuple):
    """Terms of a momentum observer, arrays (..., NV)."""

    Hqd: Array
    """Generalised momentum ``H qd``."""
    CTqd: Array
    """``C^T qd``, a term of the rate of the momentum, ``tau + C^T qd - tau_g``."""


@accelerated("Hqd_and_CTqd", "(q),(v)->(v),(v)", joint_terms=True)
def Hqd_and_CTqd(
    model: Model, q: Array, qd: Array, **options: Unpack[Options]
) -> GeneralisedMomentum:
    """Compute the generalised momentum ``H qd``, and ``C^T qd``, without forming matrices.

    MATLAB: ``[Hqd, CTqd] = Hqd_and_CTqd(model,q,qd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    Hqd, CTqd : array, shape (..., NV)
        Named tuple. C^T qd is the same for all admissible Coriolis matrices C, since
        ``C^T qd = dH/dt qd - C qd``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    An admissible factor B of the velocity-product force has ``B^T v = 0``, so that only the momenta
    h of the bodies remain. With hC the sum of h over a subtree, ``(H qd)_i = S_i^T hC_i`` and
    ``(C^T qd)_i = (v_i x S_i)^T hC_i``. O(N). For collision detection by momentum observers see De
    Luca, Mattone (2005).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> Hqd_and_CTqd(autoTree(2), [0, 0], [1, 0]).Hqd
    array([2.66916667, 0.83458333])
    """
    xp = namespace(q, qd)
    T = xp.matrix_transpose
    Xup, S, v, h, Hqd, CTqd = ({} for _ in range(6))

    v[-1] = column(constant(0 * get_gravity(model), q))
    for i, p in enumerate(model.parent.tolist()):
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        S[i], Xup[i] = constant(Si, q), XJ @ constant(model.Xtree[i], q)
        v[i] = Xup[i] @ v[p] + S[i] @ column(qd[..., model.vinds[i]])
        h[i] = constant(model.I[i], q) @ v[i]

    h[-1] = 0 * v[-1]
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        Hqd[i] = T(S[i]) @ h[i]
        CTqd[i] = T(crm(v[i]) @ S[i]) @ h[i]
        h[p] = h[p] + T(Xup[i]) @ h[i]

    p, CTv = (uncolumn(xp.concat([x[i] for i in range(model.NB)], axis=-2)) for x in (Hqd, CTqd))
    return GeneralisedMomentum(p + joint_product(model, "armature", qd), CTv)
