"""Poses and velocities of the bodies."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.spatial import transform_parts
from spatial_v2.state import aligned, check_vector

__all__ = ["BodyMotion", "forward_kinematics"]


class BodyMotion(NamedTuple):
    """Where the bodies are and how they move; one entry per body, planar shapes in brackets."""

    Xup: Array
    """Transforms from the parent to each body, shape (..., NB, 6, 6) [3, 3]."""
    X0: Array
    """Transforms from the base to each body, shape (..., NB, 6, 6) [3, 3]."""
    R: Array
    """Orientations: body to base coordinates, shape (..., NB, 3, 3) [2, 2]."""
    p: Array
    """Positions of the body origins in base coordinates [m], shape (..., NB, 3) [2]."""
    v: Array
    """Spatial velocities of the bodies in body coordinates, shape (..., NB, 6) [3]."""


def forward_kinematics(model: Model, q: Array, qd: Array | None = None) -> BodyMotion:
    """Poses of all bodies, and their velocities.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    qd : array, shape (..., NV), optional
        Joint velocities; zero if not given.

    Returns
    -------
    BodyMotion
        Named tuple ``Xup, X0, R, p, v``. A point with body coordinates r stands at ``p + R r`` in
        base coordinates.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Featherstone (2008), Sec. 4.1 and Table 5.1. Accelerations and forces of the bodies come from
    ``ID(..., return_info=True)``.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> forward_kinematics(autoTree(3), [0, np.pi / 2, 0]).p.round(12) + 0
    array([[0., 0., 0.],
           [1., 0., 0.],
           [1., 1., 0.]])
    """
    q = check_vector(model, "q", q, model.NQ, "q")
    if qd is not None:
        q, qd = aligned(q=q, qd=check_vector(model, "qd", qd, model.NV, "v"))
    xp = namespace(q)
    Xtree = constant(model.Xtree, q)
    Xup: dict[int, Array] = {}
    X0: dict[int, Array] = {}
    v: dict[int, Array] = {}
    for i, p in enumerate(model.parent.tolist()):
        XJ, S = jcalc(model.jtype[i], q[..., model.qinds[i]])
        Xup[i] = XJ @ Xtree[i, ...]
        X0[i] = Xup[i] if p < 0 else Xup[i] @ X0[p]
        if qd is None:
            v[i] = 0 * X0[i][..., :1]
            continue
        vJ = constant(S, q) @ column(qd[..., model.vinds[i]])
        v[i] = vJ if p < 0 else Xup[i] @ v[p] + vJ
    up, base, motion = (xp.stack(xp.broadcast_arrays(*x.values()), axis=-3) for x in (Xup, X0, v))
    E, r = transform_parts(base)
    return BodyMotion(up, base, xp.matrix_transpose(E), r, uncolumn(motion))
