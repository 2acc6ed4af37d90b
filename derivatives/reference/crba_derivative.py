"""Forward-mode derivative of the composite-rigid-body algorithm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.checks import real_vector, tangents
from derivatives.reference.complex_step import directions_first
from spatial_v2 import crf, crm
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.rotors import contract, expand, expand_vector

__all__ = ["CRBADerivative", "crba_derivative"]


@shown_in_notebooks
class CRBADerivative(NamedTuple):
    """The joint-space inertia matrix and its derivatives.

    Attributes
    ----------
    H : array, shape (..., NV, NV)
        Joint-space inertia matrix.
    dH : array, shape (..., NV, NV, p)
        ``dH[..., i, j, k]``: derivative of H[i, j] along direction k.
    """

    H: np.ndarray
    dH: np.ndarray


def crba_derivative(
    model: Model, q: ArrayLike, directions: ArrayLike | None = None
) -> CRBADerivative:
    """Compute the inertia matrix H(q) and its derivatives along p directions in one sweep of CRBA.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with or without geared rotors.
    q : array_like, shape (..., NQ)
        Configuration.
    directions : array_like, shape (p, NV), optional
        Tangent vectors along the joints' degrees of freedom, one per row; by default the unit
        vectors.

    Returns
    -------
    CRBADerivative
        ``H, dH``.

    Notes
    -----
    Kudruss, Manns, Kirches (2019), Algorithm 3, for joints of any number of degrees of freedom.
    With ``s = S_i dq_i`` Proposition 1 gives ``dX = -crm(s) X`` and hence
    ``d(X^T I X) = X^T (crf(s) I - I crm(s) + dI) X`` and ``d(X^T F) = X^T (crf(s) F + dF)``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> H, dH = crba_derivative(autoTree(3), [0.1, 0.2, 0.3])
    >>> dH[0].round(3)
    array([[ 0.   , -1.075, -0.775],
           [ 0.   , -0.538, -0.535],
           [ 0.   , -0.24 , -0.387]])
    """
    q, dq, n = real_vector(model, "q", q, "q"), tangents(model, directions), model.NV
    if model.has_rotors:
        q, dq = expand_vector(model, q, "q"), expand_vector(model, dq, "v")
        big = crba_derivative(expand(model), q, dq)
        return CRBADerivative(*contract(model, big, (("v", "v"), ("v", "v", "p"))))
    dq = directions_first(q, dq)
    parent = model.parent.tolist()
    S: dict[int, np.ndarray] = {}
    X: dict[int, np.ndarray] = {}
    s: dict[int, np.ndarray] = {}
    Ic = {i: model.I[i] for i in range(model.NB)}
    dIc = {i: 0.0 * model.I[i] for i in range(model.NB)}
    for i in range(model.NB):
        X_J, S[i] = jcalc(model.jtype[i], q[..., model.qinds[i]])
        X[i] = X_J @ model.Xtree[i]
        s[i] = S[i] @ dq[..., model.vinds[i], None]

    H = np.zeros((*q.shape[:-1], n, n))
    dH = np.zeros((len(dq), *H.shape))
    for i in reversed(range(model.NB)):
        F, dF = Ic[i] @ S[i], dIc[i] @ S[i]
        rows = model.vinds[i]
        H[..., rows, rows], dH[..., rows, rows] = S[i].T @ F, S[i].T @ dF
        j = i
        while parent[j] >= 0:
            dF = X[j].mT @ (crf(s[j]) @ F + dF)
            F = X[j].mT @ F
            j = parent[j]
            cols = model.vinds[j]
            H[..., rows, cols], dH[..., rows, cols] = F.mT @ S[j], dF.mT @ S[j]
            H[..., cols, rows], dH[..., cols, rows] = S[j].T @ F, S[j].T @ dF
        p = parent[i]
        if p >= 0:
            dI = crf(s[i]) @ Ic[i] - Ic[i] @ crm(s[i]) + dIc[i]
            Ic[p], dIc[p] = Ic[p] + X[i].mT @ Ic[i] @ X[i], dIc[p] + X[i].mT @ dI @ X[i]
    return CRBADerivative(H, np.moveaxis(dH, 0, -1))
