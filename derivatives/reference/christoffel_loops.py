"""Christoffel symbols by the loops of the paper, line by line, in body coordinates."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import page
from spatial_v2.arrays import Array, constant, namespace, uncolumn
from spatial_v2.calls.options import Options
from spatial_v2.exceptions import ModelError
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm, icrf

__all__ = ["christoffel_loops"]


@page("(q)->(v,v,v)")
def christoffel_loops(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the Christoffel symbols by the loops of the paper, for joints with one variable.

    This is the readable definition of `Christoffel`, which computes the same tensor by masked
    matrix products. For symbolic arguments it needs far fewer operations than the products with
    masks.

    Parameters
    ----------
    model : Model
        The rigid-body tree, whose joints have one degree of freedom; geared rotors too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., NV, NV, NV)
        Christoffel symbols of the first kind, as those of `Christoffel`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A joint with several degrees of freedom; `Christoffel` accepts it.

    Notes
    -----
    Echeandia, Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols"
    (2021), Algorithm 2. Comments at the ends of lines of code name the lines of the algorithm. k
    is a body, j is k or an ancestor of it, and i is j or an ancestor of j.

    Examples
    --------
    >>> from spatial_v2 import Christoffel
    >>> from spatial_v2.models import autoTree
    >>> model, q = autoTree(4, 2), [0.1, 0.2, 0.3, 0.4]
    >>> np.allclose(christoffel_loops(model, q), Christoffel(model, q))
    True
    """
    if max(model.nv) > 1:
        raise ModelError(
            "christoffel_loops: model: want joints with one degree of freedom, got a joint with "
            f"{max(model.nv)}. Christoffel accepts such joints"
        )
    T, parent = namespace(q).matrix_transpose, model.parent.tolist()
    Xup, S, IC, Gamma = {}, {}, {}, {}
    for i in range(model.NB):  # line 1
        XJ, Si = jcalc(model.jtype[i], q[..., model.qinds[i]])
        S[i], Xup[i] = constant(Si, q), XJ @ constant(model.Xtree[i], q)
        IC[i] = constant(model.I[i], q)  # line 2
    zero = 0 * (T(S[0]) @ Xup[0] @ S[0])
    for k in reversed(range(model.NB)):  # line 4
        U = icrf(IC[k] @ S[k])
        B = (crf(S[k]) @ IC[k] + U - IC[k] @ crm(S[k])) / 2  # line 5
        D = U - B  # line 6
        j = k  # line 7
        while j >= 0:  # line 8
            F1, F2, F3 = B @ S[j], T(B) @ S[j], D @ S[j]  # line 9
            i = j  # line 10
            while i >= 0:  # line 11
                Gamma[i, j, k] = Gamma[i, k, j] = T(S[i]) @ F1  # line 12
                Gamma[j, i, k] = Gamma[j, k, i] = T(S[i]) @ F2  # line 13
                Gamma[k, i, j] = Gamma[k, j, i] = T(S[i]) @ F3  # line 14
                if parent[i] >= 0:
                    F1, F2, F3 = (T(Xup[i]) @ F for F in (F1, F2, F3))  # line 15
                i = parent[i]  # line 16
            if parent[j] >= 0:
                B = T(Xup[j]) @ B @ Xup[j]  # line 18
                D = T(Xup[j]) @ D @ Xup[j]  # line 19
            j = parent[j]  # line 20
        if parent[k] >= 0:
            IC[parent[k]] = IC[parent[k]] + T(Xup[k]) @ IC[k] @ Xup[k]  # line 22
    xp, n = namespace(q), model.NV
    flat = [uncolumn(Gamma.get(index, zero) + zero) for index in np.ndindex(n, n, n)]
    joined = xp.concat(flat, axis=-1)
    return xp.reshape(joined, (*joined.shape[:-1], n, n, n))
