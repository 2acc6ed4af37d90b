"""Quantities of a body and its joint, the symbols of identities and expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from spatial_v2.arrays import Array, column, uncolumn
from spatial_v2.dynamics.GlobalDynamics import GroundFrame
from spatial_v2.model import Model
from spatial_v2.spatial import motion_cross_matrix

__all__ = ["Base", "Body", "bodies"]


@dataclass(frozen=True)
class Base:
    """The fixed base, which is the parent of the first bodies and does not move."""

    v: Array
    """Velocity, zero."""
    xi: Array
    """Velocity-product acceleration, zero."""
    gamma: Array
    """Acceleration due to joint accelerations, zero."""


@dataclass(frozen=True)
class Body:
    """A body and its joint with n degrees of freedom, in ground coordinates.

    Motion and force vectors are (..., 6), joint matrices (..., 6, n), inertias (..., 6, 6).
    """

    index: int
    """Number of the body in the model."""
    modes: range
    """Numbers of the velocity variables of the body's joint."""
    parent: Body | Base
    """The parent body, or the base."""
    S: Array
    """Motion subspace, (..., 6, n)."""
    Sd: Array
    """Rate of the motion subspace, ``v x S``."""
    psid: Array
    """``v_p x S``, with v_p the velocity of the parent: psi-dot in the papers."""
    psidd: Array
    """``a_p x S + v_p x psid``, with a_p and v_p the acceleration and velocity of the parent:
    psi-double-dot.
    """
    vJ: Array
    """Velocity across the joint, (..., 6)."""
    v: Array
    """Velocity."""
    a: Array
    """Acceleration; that of the base is minus gravity."""
    xi: Array
    """Part of the acceleration that is quadratic in velocities: sum of ``v x vJ`` over the path to
    the base.
    """
    gamma: Array
    """Part of the acceleration due to joint accelerations: sum of ``S qdd`` over the path to the
    base.
    """
    I: Array
    """Inertia, (..., 6, 6)."""
    IC: Array
    """Composite inertia of the subtree."""
    B: Array
    """Body-Coriolis matrix: eq. (14) of the paper of 2023, with its factor 1/2."""
    BC: Array
    """Composite body-Coriolis matrix: sum of `B` over the subtree."""
    f: Array
    """Net force on the body, (..., 6)."""
    fC: Array
    """Sum of the net forces over the subtree."""
    etaC: Array
    """Part of `fC` due to joint accelerations: sum of ``I gamma`` over the subtree."""
    moved: Mapping[str, Sequence[Body]] = field(default_factory=dict, repr=False)
    """Copies of the body after a complex step of "q" or "qd", one for each velocity variable."""

    @property
    def a0(self) -> Array:
        """Acceleration of the base, minus gravity."""
        return self.a - self.xi - self.gamma

    @property
    def zetaC(self) -> Array:
        """Part of `fC` that is quadratic in velocities: sum of ``I xi + v x* I v``."""
        return self.fC - uncolumn(self.IC @ column(self.a0)) - self.etaC


def bodies(model: Model, g: GroundFrame, qdd: Array) -> list[Body]:
    """Create the bodies of a model from the quantities of `GlobalDynamics` and qdd.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics
    >>> from spatial_v2.models import autoTree
    >>> model, q = autoTree(3), np.zeros(3)
    >>> [b.S.shape for b in bodies(model, GlobalDynamics(model, q, q, q), q)]
    [(6, 1), (6, 1), (6, 1)]
    """
    zero = 0 * g.v[..., 0, :]
    base = Base(zero, zero, zero)
    etaC = _summed(model, g, qdd)
    made: list[Body] = []
    for i, p in enumerate(model.parent.tolist()):
        parent = made[p] if p >= 0 else base
        modes = model.vinds[i]
        S, v, vJ = g.S[..., modes], g.v[..., i, :], g.vJ[..., i, :]
        made.append(
            Body(
                index=i,
                modes=range(modes.start, modes.stop),
                parent=parent,
                S=S,
                Sd=g.Sd[..., modes],
                psid=g.psid[..., modes],
                psidd=g.psidd[..., modes],
                vJ=vJ,
                v=v,
                a=g.a[..., i, :],
                xi=parent.xi + uncolumn(motion_cross_matrix(v) @ column(vJ)),
                gamma=parent.gamma + uncolumn(S @ column(qdd[..., modes])),
                I=g.I[..., i, :, :],
                IC=g.IC[..., i, :, :],
                B=g.B[..., i, :, :],
                BC=g.BC[..., i, :, :],
                f=g.f[..., i, :],
                fC=g.fC[..., i, :],
                etaC=etaC[i],
            )
        )
    return made


def _summed(model: Model, g: GroundFrame, qdd: Array) -> dict[int, Array]:
    """Sum ``I gamma`` over the subtree of each body."""
    gamma, eta = {-1: column(0 * g.v[..., 0, :])}, {}
    for i, p in enumerate(model.parent.tolist()):
        modes = model.vinds[i]
        gamma[i] = gamma[p] + g.S[..., modes] @ column(qdd[..., modes])
        eta[i] = uncolumn(g.I[..., i, :, :] @ gamma[i])
    for i, p in reversed(list(enumerate(model.parent.tolist()))):
        if p >= 0:
            eta[p] = eta[p] + eta[i]
    return eta
