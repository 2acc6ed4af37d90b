"""Structure constants: the Lie brackets of the columns of a joint's motion subspace."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.spatial import crm

__all__ = ["StructureConstants", "StructureConstantsResult"]


@shown_in_notebooks
class StructureConstantsResult(NamedTuple):
    """Structure constants of the first and the second kind, in MATLAB's order."""

    first: Array
    """Constants of the first kind, ``first[i, j, k] = sum_l H[i, l] second[l, j, k]`` with H the
    inertia matrix, shape (..., NV, NV, NV).
    """
    second: np.ndarray
    """Constants of the second kind: component i of the bracket of velocity variables j and k, shape
    (NV, NV, NV).
    """


@overload
def StructureConstants(model: Model) -> np.ndarray: ...
@overload
def StructureConstants(model: Model, q: Any) -> StructureConstantsResult: ...
def StructureConstants(model: Model, q: Array | None = None) -> Any:
    """Compute the structure constants of the Lie brackets of the joints' degrees of freedom.

    MATLAB: ``[first,second] = StructureConstants(model,q)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ), optional
        Joint positions, on which only the first kind depends [rad or m].

    Returns
    -------
    array, shape (NV, NV, NV)
        Without q, the constants of the second kind: ``c[i, j, k]`` is component i of
        ``S_j x S_k``. Zero between joints, and for joints with one degree of freedom.
    StructureConstantsResult
        With q, both kinds, ``first`` and ``second``.

    Raises
    ------
    ArrayShapeError
        If q has the wrong shape.

    Notes
    -----
    The constants measure how second derivatives along q of any function f of the configuration
    depend on their order: ``d_k d_j f - d_j d_k f = sum_l (d_l f) c[l, k, j]``. They also enter the
    Christoffel symbols of joints with several degrees of freedom, by Koszul's formula,
    ``2 Gamma_ijk = dH_kij + dH_jik - dH_jki + s_ijk + s_kij + s_jik`` with ``dH_ijk`` of
    `H_derivatives` and s of the first kind.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> StructureConstants(autoTree(1).replace(jtype=["S"]))[2]
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  0.]])
    """
    check_model(model)
    second = np.zeros((model.NV, model.NV, model.NV))
    for joint, v in zip(model.layout.joints, model.vinds, strict=True):
        if joint.nv > 1:
            S, cross = joint.S, crm(column(joint.S.T))
            second[v, v, v] = np.einsum("ci,jcd,dk->ijk", S, cross, S)
    if q is None:
        return second
    H = CRBA(model, q)
    xp = namespace(H)
    flat = H @ constant(second.reshape(model.NV, -1), H)
    return StructureConstantsResult(xp.reshape(flat, (*flat.shape[:-1], *second.shape[1:])), second)
