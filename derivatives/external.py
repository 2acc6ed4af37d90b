"""External forces in the body quantities from which derivatives are computed."""

from __future__ import annotations

from typing import Literal

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, on_first, uncolumn
from spatial_v2.dynamics.robot_frame import GroundFrame, shift
from spatial_v2.model import Model
from spatial_v2.model.subtrees import reach

__all__ = ["with_external_forces"]


def with_external_forces(
    model: Model,
    g: GroundFrame,
    o: Array,
    f_ext: Array | None,
    frame: Literal["base", "body"] = "base",
) -> tuple[GroundFrame, Array]:
    """Include external forces in the forces on subtrees that `robot_frame` computes.

    A force that is constant in body coordinates moves with the body, as inertial forces do, and is
    added to them. A force that is constant in base coordinates does not change when joints move.
    Let e be minus the sum of such forces over the subtree of body k. It contributes ``S_k^T e`` to
    ``tau_k``, in which only S_k depends on q. With j and l ancestors of k or k itself, and l equal
    to j or an ancestor of j,

    ``dtau_k/dq_j = (S_j x S_k)^T e = S_j^T (S_k x* e)``,
    ``d2tau_k/(dq_j dq_l) = (S_l x (S_j x S_k))^T e``, and the second derivative is the same with
    q_j and q_l exchanged.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    g, o
        Result of `robot_frame`.
    f_ext : array, shape (..., NB, 6), or None
        External forces, in the coordinates of `frame`.
    frame : {"base", "body"}
        Coordinates in which the external forces are given and constant.

    Returns
    -------
    g : GroundFrame
        The argument `g`; forces that are constant in body coordinates are subtracted from `fC`.
    eC : array, shape (..., NB, 6)
        Minus the forces that are constant in base coordinates, summed over subtrees, about o; zero
        if there are none.

    Examples
    --------
    >>> from spatial_v2.dynamics.robot_frame import robot_frame
    >>> from spatial_v2.models import autoTree
    >>> model, f_ext = autoTree(2), np.ones((2, 6))
    >>> g, o = robot_frame(model, [0.0, 0.0], [0, 0], [0, 0])
    >>> o + 0, with_external_forces(model, g, o, f_ext)[1][0]
    (array([1., 0., 0.]), array([-2., -4.,  0., -2., -2., -2.]))
    """
    if f_ext is None:
        return g, 0 * g.fC
    T = namespace(g.fC, o, f_ext).matrix_transpose
    X = g.X0 if frame == "body" else shift(-o)[..., None, :, :]
    subtrees = constant(np.ascontiguousarray(reach(model).T), g.fC)
    eC = -uncolumn(on_first(subtrees, T(X) @ column(f_ext)))
    return (g._replace(fC=g.fC + eC), 0 * eC) if frame == "body" else (g, eC)
