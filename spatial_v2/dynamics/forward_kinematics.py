"""Forward kinematics: poses and velocities of all bodies."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, alike, column, constant, namespace, uncolumn
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.get_gravity import get_gravity
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.model.state import check_model, check_vector
from spatial_v2.spatial import transform_parts

__all__ = ["BodyMotion", "forward_kinematics"]


@shown_in_notebooks
class BodyMotion(NamedTuple):
    """Poses and velocities of the bodies; sizes for planar models are in brackets.

    There is one entry per body; for a single frame the axis NB is missing.
    """

    X0: Array
    """Transforms from the base to each body, shape (..., NB, 6, 6) [3, 3]."""
    R: Array
    """Orientations: body to base coordinates, shape (..., NB, 3, 3) [2, 2]."""
    p: Array
    """Positions of the body origins in base coordinates [m], shape (..., NB, 3) [2]."""
    v: Array
    """Spatial velocities of the bodies in body coordinates, shape (..., NB, 6) [3]."""


def forward_kinematics(
    model: Model, q: Array, qd: Array | None = None, frame: Frame | int | str | None = None
) -> BodyMotion:
    """Compute poses and velocities of all bodies, or of one frame.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    qd : array, shape (..., NV), optional
        Joint velocities; zero if not given.
    frame : Frame, int or str, optional
        If given, the results are those of this frame alone, without the axis NB: a `Frame` on a
        body, the number of a body, -1 for the base, or a name. Names are looked up in
        ``model.frames``, then among the bodies.

    Returns
    -------
    BodyMotion
        Named tuple ``X0, R, p, v``. A point with body coordinates r has base coordinates
        ``p + R r``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        There is no such frame; the message suggests similar names.

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
    >>> forward_kinematics(autoTree(3), [0, np.pi / 2, 0], frame=2).p.round(12) + 0
    array([1., 1., 0.])
    """
    if qd is None:
        check_model(model)
        q = check_vector(model, "q", q, model.NQ, "q", rotations=False)
        zero = np.zeros((*q.shape[:-1], model.NV))
        qd = constant(zero, q) if is_foreign(q) else zero
    return _body_motion(model, q, qd) if frame is None else frame_motion(model, q, qd, frame)


@accelerated("frame_motion", "(q),(v)->(6,6),(3,3),(3),(6)", subject="frame")
def frame_motion(
    model: Model, q: Array, qd: Array, frame: Frame | int | str, axes: Literal["body"] = "body"
) -> BodyMotion:
    motion, frame = _body_motion(model, q, qd), find_frame(model, frame)
    X, X0, v = alike(frame.X, motion.X0, column(motion.v))
    xp = namespace(X0)
    if frame.body >= 0:
        X, v = X @ X0[..., frame.body, :, :], X @ v[..., frame.body, :, :]
    else:
        X, v = xp.broadcast_to(X, (*X0.shape[:-3], *X.shape)), 0 * v[..., 0, :, :]
    E, r = transform_parts(X)
    return BodyMotion(X, xp.matrix_transpose(E), r, uncolumn(v))


@accelerated(
    "forward_kinematics", "(q),(v)->(b,6,6),(b,3,3),(b,3),(b,6)", rotors="ignore", joint_terms=True
)
def _body_motion(model: Model, q: Array, qd: Array) -> BodyMotion:
    xp = namespace(q, qd)
    X0: dict[int, Array] = {}
    v = {-1: column(constant(0 * get_gravity(model), q))}
    for i, p in enumerate(model.parent.tolist()):
        XJ, S = jcalc(model.jtype[i], q[..., model.qinds[i]])
        Xup = XJ @ constant(model.Xtree[i], q)
        vJ = constant(S, q) @ column(qd[..., model.vinds[i]])
        X0[i] = Xup if p < 0 else Xup @ X0[p]
        v[i] = Xup @ v[p] + vJ
    transforms, velocities = (xp.stack([x[i] for i in range(model.NB)], axis=-3) for x in (X0, v))
    E, position = transform_parts(transforms)
    return BodyMotion(transforms, xp.matrix_transpose(E), position, uncolumn(velocities))
