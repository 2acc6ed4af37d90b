"""Joint-space inertia matrix: the composite-rigid-body algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, assemble, constant, namespace
from spatial_v2.calls.options import Options
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal

__all__ = ["CRBA", "composite_rigid_bodies"]


@accelerated("CRBA", "(q)->(v,v)", joint_terms=True)
def CRBA(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the joint-space inertia matrix H by the composite-rigid-body algorithm.

    MATLAB: ``H = CRBA(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    H : array, shape (..., NV, NV)
        Joint-space inertia matrix, symmetric; ``tau = H qdd + C`` with C of `HandC`.

    Raises
    ------
    ArrayShapeError
        `q` has the wrong shape.

    Notes
    -----
    Featherstone (2008), Table 6.2, in body coordinates, with armature added to the diagonal. The
    kernel works in the ground frame.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> CRBA(autoTree(2), [0.1, 0.0]).round(3)
    array([[2.669, 0.835],
           [0.835, 0.335]])
    """
    Xup = {}
    for i in range(model.NB):
        XJ, _ = jcalc(model.jtype[i], q[..., model.qinds[i]])
        Xup[i] = XJ @ constant(model.Xtree[i], q)
    H, _ = composite_rigid_bodies(model, q, Xup)
    return H


def composite_rigid_bodies(
    model: Model, q: Array, Xup: Mapping[int, Array]
) -> tuple[Array, list[Array]]:
    """Compute H and the composite inertias, given the transforms ``Xup`` from parents to bodies.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> H, IC = composite_rigid_bodies(autoTree(1), np.zeros(1), {0: np.eye(6)})
    >>> bool(H[0, 0] == IC[0][2, 2])
    True
    """
    T = namespace(q).matrix_transpose
    S = [constant(joint.S, q) for joint in model.layout.joints]
    IC, H = [constant(I, q) for I in model.I], {}

    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        if p >= 0:
            IC[p] = IC[p] + T(Xup[i]) @ IC[i] @ Xup[i]
        F = IC[i] @ S[i]
        H[i, i] = T(S[i]) @ F
        j = i
        while model.parent[j] >= 0:
            F = T(Xup[j]) @ F
            j = int(model.parent[j])
            H[i, j] = T(F) @ S[j]
            H[j, i] = T(H[i, j])

    H = assemble(H, model.nv, model.nv, like=q)
    return H + joint_diagonal(model, "armature", q), IC
