"""Vectors of the whole model, split into the parts of the joints."""

from __future__ import annotations

from spatial_v2.arrays import Array
from spatial_v2.arrays.namespaces import copied
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector

__all__ = ["confVecToCell"]


def confVecToCell(model: Model, q: Array, *v: Array) -> tuple[list[Array], ...]:
    """Split configuration and velocity-like vectors into the entries of each joint.

    MATLAB: ``[q,v,vd,vd2] = confVecToCell(model,q,v,vd,vd2)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Joint positions.
    *v : array, shape (..., NV)
        Any number of velocity-like vectors.

    Returns
    -------
    tuple of lists of NB arrays
        First the parts of `q`, shapes (..., nq[i]), then those of each `v`, shapes (..., nv[i]).

    Raises
    ------
    ArrayShapeError
        A vector of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> confVecToCell(model, [1, 0, 0, 0, 5], [1, 2, 3, 4])[1]
    [array([1., 2., 3.]), array([4.])]
    """
    check_model(model)
    q = copied(check_vector(model, "q", q, model.NQ, "q"))
    v = tuple(copied(check_vector(model, f"v[{k}]", x, model.NV, "v")) for k, x in enumerate(v))
    return [q[..., i] for i in model.qinds], *([x[..., i] for i in model.vinds] for x in v)
