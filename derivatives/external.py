"""External forces in the quantities that derivatives are computed from."""

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
    """Quantities of `robot_frame`, with external forces included in the forces on subtrees.

    A force that is constant in a body moves with it, as the inertial forces do, and is one of them.
    One that is constant in the base stays as it is when joints turn the bodies. The sum e of minus
    such forces over the subtree of body k is in ``tau_k`` as ``S_k^T e``, of which only S_k
    changes: with j and l ancestors of k or k itself, l not beyond j,

    ``dtau_k/dq_j = (S_j x S_k)^T e = S_j^T (S_k x* e)``,
    ``d2tau_k/(dq_j dq_l) = (S_l x (S_j x S_k))^T e``, the same with q_j and q_l exchanged.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    g, o
        Result of `robot_frame`.
    f_ext : array, shape (..., NB, 6), or None
        External forces, in the coordinates of `frame`.
    frame : {"base", "body"}
        Coordinates in which they are given and constant.

    Returns
    -------
    g : GroundFrame
        The same, with less `fC` by the forces that are constant in the bodies.
    eC : array, shape (..., NB, 6)
        Minus the forces that are constant in the base, summed over subtrees, about o; or zeros.

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
