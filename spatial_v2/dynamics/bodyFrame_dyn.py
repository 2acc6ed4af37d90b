"""Kinematic and dynamic quantities of all bodies in body coordinates."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.robot_frame import motion_inverse, robot_frame
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["BodyFrame", "bodyFrame_dyn"]


@shown_in_notebooks
class BodyFrame(NamedTuple):
    """Quantities in body coordinates: S (..., 6, NV), all others (..., NB, ...)."""

    S: Array
    """Motion subspaces; column k belongs to velocity variable k, in coordinates of its body."""
    vJ: Array
    """Velocity across each joint."""
    v: Array
    """Body velocities."""
    a: Array
    """Spatial accelerations of the bodies; that of the base is minus gravity."""
    I: Array
    """Inertias, shape (..., NB, 6, 6)."""
    IC: Array
    """Composite inertias of the subtrees."""
    B: Array
    """Coriolis matrix of each body, ``1/2 (crf(v) I - I crm(v) + icrf(I v))``."""
    BC: Array
    """Sum of B over the subtree of each body."""
    f: Array
    """Net force on each body, ``I a + v x* I v``."""
    fC: Array
    """Sum of f over the subtree of each body: the force across its joint."""


def bodyFrame_dyn(model: Model, q: Array, qd: Array, qdd: Array) -> BodyFrame:
    """Compute kinematic and dynamic quantities of every body in body coordinates.

    MATLAB: ``bodyFrame_dyn(model,q,qd,qdd)``, whose field v contains forces, and the second output
    of ``GlobalDynamics``, which applies the transform of motions to forces and composite inertias.
    This function corrects both.

    Parameters
    ----------
    model : Model
        The rigid-body tree, without rotors; planar models too (3 replaces 6).
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    BodyFrame
        Named tuple of arrays.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    Featherstone (2008), Table 2.4: with X from the base to the body motions become ``X m``, forces
    ``X^-T f`` and inertias ``X^-T I X^-1``.

    Examples
    --------
    >>> from spatial_v2 import ID, autoTree
    >>> model, q = autoTree(3), [0.1, 0.2, 0.3]
    >>> g, tau = bodyFrame_dyn(model, q, q, q), ID(model, q, q, q)
    >>> bool(abs(g.fC[2] @ g.S[:, 2] - tau[2]) < 1e-12)
    True
    """
    check_model(model)
    g, _ = robot_frame(model, q, qd, qdd)
    xp = namespace(g.v)
    T, X, back = xp.matrix_transpose, g.X0, motion_inverse(g.X0)
    S = [X[..., i, :, :] @ g.S[..., model.vinds[i]] for i in range(model.NB)]

    def motions(x: Array) -> Array:
        return uncolumn(X @ column(x))

    def forces(x: Array) -> Array:
        return uncolumn(T(back) @ column(x))

    def inertias(x: Array) -> Array:
        return T(back) @ x @ back

    return BodyFrame(
        S=xp.concat(S, axis=-1),
        vJ=motions(g.vJ),
        v=motions(g.v),
        a=motions(g.a),
        I=inertias(g.I),
        IC=inertias(g.IC),
        B=inertias(g.B),
        BC=inertias(g.BC),
        f=forces(g.f),
        fC=forces(g.fC),
    )
