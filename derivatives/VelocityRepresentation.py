"""Dynamics of a floating-base robot with inertial, mixed or body velocity of the base."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from derivatives.base_velocity import (
    BaseTerms,
    changed_ID,
    changed_ID_SO,
    embedded,
    on_columns,
    on_rows,
    on_vector,
)
from derivatives.CoriolisMatrix import CoriolisMatrix, CoriolisTerms
from derivatives.FD_derivatives import FDDerivatives
from derivatives.FD_SO_derivatives import FDSODerivatives
from derivatives.ID_derivatives import ID_derivatives, IDDerivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives, IDSODerivatives
from derivatives.linearize import Linearization, on_group
from derivatives.transform_coordinates import transform_coordinates
from spatial_v2.arrays import Array, column, constant, namespace, on_first, uncolumn
from spatial_v2.arrays.namespaces import copied
from spatial_v2.dynamics import CRBA, ID, Factorization, FDab, HandC, Hinverse
from spatial_v2.dynamics.HandC import HandCResult
from spatial_v2.dynamics.moving_base import (
    BaseChart,
    Velocity,
    base_chart,
    check_moving_base,
    check_velocity,
)
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_state
from spatial_v2.spatial import motion_cross_matrix

__all__ = ["VelocityRepresentation"]

Where = Literal["base", "body"]


def _check(model: Model) -> None:
    """Check a model, which may have been edited, and that it has a moving base."""
    model.checked()
    check_moving_base("VelocityRepresentation", model)


class VelocityRepresentation:
    """Dynamics of a robot with inertial, mixed or body velocity of its moving base.

    Everywhere else in this library the first six velocity variables of a floating robot are the
    twist of its base in body coordinates. Other libraries and papers use other representations,
    which this class provides. Each method is named after a function of the library and returns the
    same results, but its velocities, accelerations and forces are in the representation chosen.

    Parameters
    ----------
    model : Model
        A spatial tree in which body 0, the moving base, is connected to the fixed base by a joint
        ``Fb`` or ``SE3`` and carries all other bodies; geared rotors too. The model is not copied.
    velocity : {"inertial", "mixed", "body"}
        ``"inertial"``: twist of body 0 in base coordinates, about the base's origin. ``"mixed"``:
        angular velocity of body 0 and velocity of its origin, both along the axes of the fixed
        base. ``"body"``: twist of body 0 in body coordinates, as elsewhere. Angular parts come
        first.

    Raises
    ------
    ModelError
        A model without a moving base.
    SpatialError
        An unknown `velocity`.

    Notes
    -----
    Let nu be the velocities in the representation, with ``qd = A(q) nu``. Forces are transformed by
    ``A^T``, so that they do the same work, and the equation of motion is
    ``tau' = H' dnu/dt + C' nu + g'``. A depends on the pose of the base: ``dA = -(P u) x A`` for a
    body twist u. P projects u onto all its components (inertial), onto the angular ones (mixed), or
    to zero (body). Derivatives along q are taken at constant nu and dnu/dt, along the joints'
    degrees of freedom as everywhere in this library; second derivatives are ordered. Bos,
    Traversaro, Pucci, Saccon (2022) use inertial velocities, iDynTree and jaxsim mixed ones by
    default, Pinocchio body velocities.

    External forces do not depend on the representation: `frame` says in which coordinates they are
    given and constant, as for `ID`.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["Fb", "Rz"])
    >>> mixed = VelocityRepresentation(model, "mixed")
    >>> q, nu = np.array([0.8, 0.6, 0, 0, 1, 2, 3, 0.5]), np.arange(7.0)
    >>> C, Hdot, H = mixed.CoriolisMatrix(q, nu)
    >>> np.allclose(Hdot - 2 * C, -(Hdot - 2 * C).T)
    True
    """

    model: Model
    name: Velocity

    def __init__(self, model: Model, velocity: Velocity) -> None:
        check_model(model)
        _check(model)
        check_velocity(velocity)
        self.model, self.name = model, velocity

    def __repr__(self) -> str:
        return f"<{self.name} velocities of Model {self.model.name!r}, NV = {self.model.NV}>"

    def _state(self, **vectors: Any) -> tuple[BaseChart, list[Array]]:
        """Check q and the given velocities, and broadcast them to common leading axes.

        Returns the `BaseChart` at q, which converts base velocities, and the list of the arrays.
        """
        _check(self.model)
        q, *rest = check_state(self.model, **vectors)
        return base_chart(self.model, q, self.name), [q, *rest]

    def velocity(self, q: Array, qd: Array) -> Array:
        """Convert qd, with the base twist in body coordinates, to velocities nu (..., NV)."""
        chart, (_, qd) = self._state(q=q, qd=qd)
        return on_vector(chart.inverse(), qd)

    def body_velocity(self, q: Array, nu: Array) -> Array:
        """Convert velocities nu of the representation to qd, with the base twist in body
        coordinates.
        """
        chart, (_, nu) = self._state(q=q, nu=nu)
        return on_vector(chart.A, nu)

    def acceleration(self, q: Array, qd: Array, qdd: Array) -> Array:
        """Convert qd and qdd, with the base motion in body coordinates, to the rate of nu (...,
        NV).
        """
        chart, (_, qd, qdd) = self._state(q=q, qd=qd, qdd=qdd)
        still = chart.acceleration(qd[..., :6], 0 * qd[..., :6])
        xp = namespace(qd, qdd)
        return on_vector(chart.inverse(), xp.concat([qdd[..., :6] - still, qdd[..., 6:]], axis=-1))

    def body_acceleration(self, q: Array, nu: Array, nud: Array) -> Array:
        """Convert nu and its rate nud to qdd, with the base motion in body coordinates."""
        chart, (_, nu, nud) = self._state(q=q, nu=nu, nud=nud)
        base = chart.acceleration(uncolumn(chart.A @ column(nu[..., :6])), nud[..., :6])
        return namespace(base, nud).concat([base, nud[..., 6:]], axis=-1)

    def force(self, q: Array, tau: Array) -> Array:
        """Convert joint forces tau to the forces (..., NV) that do the same work on the velocities
        nu.
        """
        chart, (_, tau) = self._state(q=q, tau=tau)
        return on_vector(namespace(chart.A).matrix_transpose(chart.A), tau)

    def body_force(self, q: Array, force: Array) -> Array:
        """Convert forces that do work on the velocities nu to joint forces tau that do the same
        work on qd.
        """
        chart, (_, force) = self._state(q=q, force=force)
        return on_vector(namespace(chart.A).matrix_transpose(chart.inverse()), force)

    def matrix(self, q: Array) -> Array:
        """Return the matrix A (..., NV, NV) of ``qd = A nu``; a Jacobian J becomes ``J A``."""
        chart, _ = self._state(q=q)
        n = self.model.NV
        joints = constant(np.diag(np.arange(n) >= 6) * 1.0, chart.A)
        return embedded(chart.A, n, -1, -2) + joints

    def matrix_rate(self, q: Array, nu: Array) -> Array:
        """Return the rate of `matrix` along the motion, shape (..., NV, NV)."""
        chart, (_, nu) = self._state(q=q, nu=nu)
        turn = uncolumn(chart.P @ chart.A @ column(nu[..., :6]))
        return embedded(-motion_cross_matrix(turn) @ chart.A, self.model.NV, -1, -2)

    def ID(
        self, q: Array, nu: Array, nud: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> Array:
        """Compute the forces (..., NV) that produce a given motion; see `ID`."""
        tau = ID(self.model, q, *self._motion(q, nu, nud), f_ext, frame=frame)
        return self.force(q, tau)

    def FDab(
        self, q: Array, nu: Array, force: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> Array:
        """Compute the rate of the velocities nu (..., NV) under given forces; see `FDab`."""
        qd, tau = self.body_velocity(q, nu), self.body_force(q, force)
        return self.acceleration(q, qd, FDab(self.model, q, qd, tau, f_ext, frame=frame))

    def HandC(
        self, q: Array, nu: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> HandCResult:
        """Compute the inertia matrix H and bias force C of ``force = H dnu/dt + C``;
        see `HandC`.
        """
        chart, (q, nu) = self._state(q=q, nu=nu)
        At = namespace(chart.A).matrix_transpose(chart.A)
        rest = self.body_acceleration(q, nu, 0 * nu)
        H, C = HandC(self.model, q, self.body_velocity(q, nu), f_ext, frame=frame)
        return HandCResult(
            H=on_rows(At, on_columns(H, chart.A)),
            C=on_vector(At, C + uncolumn(H @ column(rest))),
        )

    def CoriolisMatrix(
        self, q: Array, nu: Array, factorization: Factorization = 3
    ) -> CoriolisTerms:
        """Compute the Coriolis matrix C, ``Hdot = C + C^T`` and H; see `CoriolisMatrix`."""
        _, (q, nu) = self._state(q=q, nu=nu)
        terms = CoriolisMatrix(self.model, q, self.body_velocity(q, nu), factorization)
        A, A_dot = self.matrix(q), self.matrix_rate(q, nu)
        new = transform_coordinates(A, A_dot, M=terms.H, C=terms.C)
        T = namespace(A, nu).matrix_transpose
        turned = T(A) @ terms.H @ A_dot
        return CoriolisTerms(new.C, T(A) @ terms.Hdot @ A + turned + T(turned), new.M)

    def ID_derivatives(
        self, q: Array, nu: Array, nud: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> IDDerivatives:
        """Compute first derivatives of the method `ID` with respect to q and nu."""
        base, (q, qd, qdd) = self._terms(q, nu, nud)
        first = ID_derivatives(self.model, q, qd, qdd, f_ext, frame=frame)
        tau = ID(self.model, q, qd, qdd, f_ext, frame=frame)
        return changed_ID(base, first, CRBA(self.model, q), tau)

    def ID_SO_derivatives(
        self, q: Array, nu: Array, nud: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> IDSODerivatives:
        """Compute ordered second derivatives of the method `ID`; see `ID_SO_derivatives`."""
        base, (q, qd, qdd) = self._terms(q, nu, nud)
        first = ID_derivatives(self.model, q, qd, qdd, f_ext, frame=frame)
        second = ID_SO_derivatives(self.model, q, qd, qdd, f_ext, frame=frame)
        tau = ID(self.model, q, qd, qdd, f_ext, frame=frame)
        return changed_ID_SO(base, second, first, CRBA(self.model, q), tau)

    def FD_derivatives(
        self, q: Array, nu: Array, force: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> FDDerivatives:
        """Compute first derivatives of the method `FDab` with respect to q, nu and forces."""
        chart, (q, nu, force) = self._state(q=q, nu=nu, force=force)
        nud = self.FDab(q, nu, force, f_ext, frame=frame)
        by_q, by_v = self.ID_derivatives(q, nu, nud, f_ext, frame=frame)
        xp, back = namespace(chart.A, by_q), chart.inverse()
        Minv = on_rows(back, on_columns(Hinverse(self.model, q), xp.matrix_transpose(back)))
        Minv = copied(xp.broadcast_to(Minv, tuple(by_q.shape)))
        return FDDerivatives(-Minv @ by_q, -Minv @ by_v, Minv)

    def linearize(
        self,
        q: Array,
        nu: Array,
        force: Array,
        actuation: Array | None = None,
        f_ext: Any = None,
        *,
        frame: Where = "base",
    ) -> Linearization:
        """Linearise the method `FDab` about a motion, without constraints; see `linearize`.

        The errors are ``configurationDifference(model, q, q~)`` and ``nu~ - nu``; `actuation` is
        the matrix S of ``force = S u``. With inertial velocities the rate of the pose error does
        not depend on the pose error: ``d eps/dt = A(q) (nu~ - nu)`` for the base.
        """
        chart, (q, nu, force) = self._state(q=q, nu=nu, force=force)
        qd, n = self.body_velocity(q, nu), self.model.NV
        turned = embedded(motion_cross_matrix(qd[..., :6]) @ chart.P, n, -1, -2)
        first = self.FD_derivatives(q, nu, force, f_ext, frame=frame)
        return on_group(self.model, qd, *first, actuation, (turned, self.matrix(q)))

    def FD_SO_derivatives(
        self, q: Array, nu: Array, force: Array, f_ext: Any = None, *, frame: Where = "base"
    ) -> FDSODerivatives:
        """Compute ordered second derivatives of the method `FDab`; see `FD_SO_derivatives`."""
        _, (q, nu, force) = self._state(q=q, nu=nu, force=force)
        P, Q, Minv = self.FD_derivatives(q, nu, force, f_ext, frame=frame)
        nud = self.FDab(q, nu, force, f_ext, frame=frame)
        s = self.ID_SO_derivatives(q, nu, nud, f_ext, frame=frame)
        T = namespace(P, Q, Minv).matrix_transpose
        by_P, by_Q, by_tau = (T(X)[..., None, :, :] @ s.dM_dq for X in (P, Q, Minv))
        return FDSODerivatives(
            d2qdd_dq=-on_first(Minv, s.d2tau_dq + by_P + T(by_P)),
            d2qdd_dqd=-on_first(Minv, s.d2tau_dqd),
            d2qdd_cross=-on_first(Minv, s.d2tau_cross + T(by_Q)),
            dMinv_dq=-on_first(Minv, by_tau),
        )

    def _motion(self, q: Array, nu: Array, nud: Array) -> tuple[Array, Array]:
        return self.body_velocity(q, nu), self.body_acceleration(q, nu, nud)

    def _terms(self, q: Array, nu: Array, nud: Array) -> tuple[BaseTerms, list[Array]]:
        """Return the derivatives of the change of base velocity, and the state with body
        velocities.
        """
        chart, (q, nu, nud) = self._state(q=q, nu=nu, nud=nud)
        qd, qdd = self._motion(q, nu, nud)
        return BaseTerms.of(chart, qd[..., :6], nud[..., :6]), [q, qd, qdd]
