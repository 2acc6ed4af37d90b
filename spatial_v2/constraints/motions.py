"""Motions of all bodies and their derivatives, from which constraint rows are computed."""

from __future__ import annotations

import functools

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.constraints.vectors import first, motion_cross, second
from spatial_v2.couplings import CoupledModel
from spatial_v2.dynamics.robot_frame import robot_frame
from spatial_v2.dynamics.weightless import inertial
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_state
from spatial_v2.model.subtrees import reach
from spatial_v2.spatial import transform_from, transform_parts, xlt

__all__ = ["Motions", "at_one", "at_rest"]

_PLANE = np.zeros((6, 3))
_PLANE[[2, 3, 4], [0, 1, 2]] = 1.0


class Motions:
    """Velocities, accelerations and motion subspaces of all bodies in a state, with derivatives.

    All are spatial motion vectors along the axes of the base, about the point `origin` near the
    robot. A planar model moves in the plane z = 0. Suffixes q and v name the variable of
    a derivative, q or qd. Quantities of velocity variables are columns (..., 6, NV); their
    derivatives are (..., 6, NV, NV), with entries [:, l, m] the derivative of column l with respect
    to variable m.

    Parameters
    ----------
    model : Model
        The rigid-body tree; rotors have no effect.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations.

    Attributes
    ----------
    S, psid, psidd, Sd : array, shape (..., 6, NV)
        Motion subspaces and their rates; see `GroundFrame`.
    origin : array, shape (..., 3)
        The point that moments are taken about, in base coordinates [m].
    """

    def __init__(self, model: Model, q: Array, qd: Array, qdd: Array) -> None:
        g, o = robot_frame(inertial(model), q, qd, qdd)
        self.model, self.ground, self.q, self.qd = model, g, q, qd
        self.S, self.psid, self.psidd, self.Sd = (
            self._columns(x) for x in (g.S, g.psid, g.psidd, g.Sd)
        )
        xp = namespace(o)
        self.origin = xp.concat([o, 0 * o[..., :1]], axis=-1) if o.shape[-1] == 2 else o

    def _columns(self, x: Array) -> Array:
        return x if x.shape[-2] == 6 else constant(_PLANE, x) @ x

    def v(self, body: int) -> Array:
        """Return the velocity of a body, or of the base (-1), one column (..., 6, 1)."""
        return 0 * self.S[..., :1] if body < 0 else self._columns(self.ground.v[..., body, :, None])

    def a(self, body: int) -> Array:
        """Return the acceleration of a body, or of the base (-1), one column (..., 6, 1).

        Gravity is left out: in rows it would cancel, but accelerations that are small beside it
        would lose digits.
        """
        return 0 * self.S[..., :1] if body < 0 else self._columns(self.ground.a[..., body, :, None])

    def moves(self, body: int) -> Array:
        """Return an array (NV,): 1 for velocity variables of joints that carry a body, else 0."""
        mask = np.zeros(self.model.NV)
        if body >= 0:
            mask[self.model.ancestor_vinds[body]] = 1.0
        return constant(mask, self.S)

    def pose(self, body: int) -> Array:
        """Return the transform (..., 6, 6) from the frame of the vectors to a body or the base."""
        if body < 0:
            return xlt(-self.origin)
        X = self.ground.X0[..., body, :, :]
        if X.shape[-1] == 6:
            return X
        xp = namespace(X)
        E, r = transform_parts(X)
        plane = constant(np.eye(3)[:, :2], X)
        E = plane @ E @ xp.matrix_transpose(plane) + constant(np.diag([0.0, 0.0, 1.0]), X)
        return transform_from(E, uncolumn(plane @ column(r)))

    @functools.cached_property
    def below(self) -> Array:
        """Array (NV, NV): 1 at [l, m] if velocity variable m belongs to the joint of l or to one of
        its ancestors, else 0.
        """
        pairs = np.ix_(self.model.body_of_v, self.model.body_of_v)
        return constant(reach(self.model)[pairs], self.S)

    @functools.cached_property
    def beyond(self) -> Array:
        """Array (NV, NV): 1 at [l, m] if the joint of velocity variable m is a proper ancestor of
        that of l, else 0.
        """
        body = self.model.body_of_v
        return self.below - constant(1.0 * (body[:, None] == body), self.S)

    def _along(self, *products: Array) -> Array:
        return self.below * sum(products[1:], products[0])

    @functools.cached_property
    def S_q(self) -> Array:
        """Derivative of the motion subspace S_l with respect to q_m, which equals that of its rate
        Sd_l with respect to qd_m.
        """
        return self._along(motion_cross(second(self.S), first(self.S), 2))

    @functools.cached_property
    def psid_q(self) -> Array:
        """Derivative of psid_l (see `GroundFrame`) with respect to q_m."""
        return self._along(
            motion_cross(second(self.psid), first(self.S), 2),
            motion_cross(second(self.S), first(self.psid), 2),
        )

    @functools.cached_property
    def psidd_q(self) -> Array:
        """Derivative of psidd_l (see `GroundFrame`) with respect to q_m."""
        return self._along(
            motion_cross(second(self.psidd), first(self.S), 2),
            2 * motion_cross(second(self.psid), first(self.psid), 2),
            motion_cross(second(self.S), first(self.psidd), 2),
        )

    @functools.cached_property
    def psid_v(self) -> Array:
        """Derivative of psid_l (see `GroundFrame`) with respect to qd_m."""
        return self.beyond * motion_cross(second(self.S), first(self.S), 2)

    @functools.cached_property
    def psidd_v(self) -> Array:
        """Derivative of psidd_l (see `GroundFrame`) with respect to qd_m."""
        return self.beyond * (
            motion_cross(second(self.psid + self.Sd), first(self.S), 2)
            + 2 * motion_cross(second(self.S), first(self.psid), 2)
        )


def at_rest(model: Model, q: Array) -> tuple[Array, Array, Array]:
    """Return q, after a check, and zero velocities and accelerations.

    For a model with closed loops q may be that of its tree.
    """
    loops = isinstance(model, CoupledModel) and not model.is_linear
    if not (loops and np.shape(q)[-1:] == (model.tree.NQ,)):
        (q,) = check_state(model, q=q)
    rest = constant(np.zeros(model.NV), q)
    return q, rest, rest


def at_one(model: Model, q: Array) -> Motions:
    """Return the motions at zero velocity in one configuration q (NQ,), where constraints are
    placed.
    """
    q, *rest = at_rest(model, q)
    if q.ndim != 1:
        raise ArrayShapeError(
            f"placed: q: want one configuration, of shape ({model.NQ},), got {tuple(q.shape)}"
        )
    return Motions(model, q, *rest)
