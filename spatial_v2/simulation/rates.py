"""The differential equation of a simulation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import column, uncolumn
from spatial_v2.arrays.checks import as_real
from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.configuration import configurationRates, normalizeConfVec
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.couplings.free import free_motion, free_tree, pulled_back
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.joints.table import TRANSFORM
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import drag_forces
from spatial_v2.model.state import check_forces
from spatial_v2.simulation.ground import Contact
from spatial_v2.simulation.stops import Stops

__all__ = ["Rates", "State"]


_STEP = 1e-7
"""Steps of differences, relative to the size of a variable."""


class State(NamedTuple):
    """Parts of the integrated vector: q, qd, ground deformations u, and work."""

    q: np.ndarray
    qd: np.ndarray
    u: np.ndarray
    work: np.ndarray


class Rates:
    """The right-hand side ``dy/dt`` of the differential equation, y = [q, qd, u, work].

    Parameters
    ----------
    model : Model
        The robot.
    tau, f_ext : callable, array or None
        Joint forces and external forces; see `simulate`.
    contact : Contact or None
        The contact points on the ground, if there is one.
    dynamics : callable
        Forward dynamics.
    rest : float
        Speed below which dry friction is proportional to the speed; see `simulate`.
    stops : Stops or None
        Forces at the limits of joints.
    limit : array (NV,) or None
        Largest size of the joint forces `tau`.

    Attributes
    ----------
    lost : float or None
        The time at which rates were first not finite.
    columns : int
        Number of states that Jacobians were computed from.
    """

    def __init__(
        self,
        model: Model,
        tau: Any,
        f_ext: Any,
        contact: Contact | None,
        dynamics: Callable[..., Any],
        rest: float,
        stops: Stops | None = None,
        limit: np.ndarray | None = None,
    ) -> None:
        self.stops, self.limit = stops, limit
        self.friction, self.rest = free_tree(model).friction, rest
        model = model if self.friction is None else model.replace(friction=None)
        self.tree = free_tree(model)
        self.model, self.tau, self.f_ext = model, tau, f_ext
        self.contact, self.dynamics = contact, dynamics
        self.points = 0 if contact is None else len(contact.points.body)
        self.nq, self.nv = model.NQ, model.NV
        self.flat = self.nq == self.nv
        self.tangents = 1 if model.is_planar else 2
        by_kernel = not self.flat and has_kernels("configurationRates")
        self.spaces = spaces(model) if by_kernel else None
        self.damped = self.tree.has_joint_terms
        self.lost: float | None = None
        self.columns = 0

    def split(self, y: np.ndarray) -> State:
        """Split vectors y (..., n) into the parts of the state, with normalised q."""
        q = y[..., : self.nq]
        return self._parts(y, q if self.flat else np.asarray(normalizeConfVec(self.model, q)))

    def _parts(self, y: np.ndarray, q: np.ndarray) -> State:
        nx = self.nq + self.nv
        u = y[..., nx:-1].reshape(*y.shape[:-1], self.points, self.tangents)
        return State(q, y[..., self.nq : nx], u, y[..., -1])

    def _normalised(self, y: np.ndarray) -> tuple[State, np.ndarray]:
        """Return the parts of states, with normalised q, and the rates of their q."""
        x, qd = y[..., : self.nq], y[..., self.nq : self.nq + self.nv]
        if self.flat:
            return self._parts(y, x), qd
        if self.spaces is None:
            return self.split(y), np.asarray(configurationRates(self.model, x, qd))
        unit, rates = np.empty((2, y.size // y.shape[-1], self.nq))
        several = (x, qd) if y.ndim == 2 else (x[None], qd[None])
        load_procedure("configurationRates")(
            self.spaces, *map(np.ascontiguousarray, several), unit, rates
        )
        return self._parts(y, unit.reshape(x.shape)), rates.reshape(x.shape)

    def __call__(self, t: float, y: np.ndarray) -> np.ndarray:
        """Compute dy/dt for one state y (n,), or for several (B, n)."""
        model, ((q, qd, u, _), q_dot) = self.model, self._normalised(y)
        tau = self._force(self.tau, t, q, qd)
        if self.limit is not None:
            tau = np.clip(tau, -self.limit, self.limit)
        if self.stops is not None:
            tau = tau + self.stops.forces(q, qd)
        if self.friction is not None:
            speed = free_motion(model, q, qd) / self.rest
            dry = np.asarray(self.friction) * np.clip(speed, -1.0, 1.0)
            tau = tau - pulled_back(model, q, dry)
        f_ext: np.ndarray | None = None
        power: Any = 0.0
        if self.f_ext is not None:
            f_ext = self._external(self.f_ext, t, q, qd)
        if f_ext is not None or self.contact is not None:
            motion = forward_kinematics(model, q, qd)
        if f_ext is not None:
            v = motion_inverse(motion.X0) @ column(motion.v)
            power = np.sum(f_ext * uncolumn(v), axis=(-1, -2))
        if self.contact is not None:
            pushed = self.contact.push(motion, u)
            f_ext = pushed.f_ext if f_ext is None else f_ext + pushed.f_ext
            u, power = pushed.ud, power + pushed.power
        forces = () if f_ext is None else (f_ext,)
        qdd = self.dynamics(model, q.copy(), qd.copy(), tau, *forces)
        if isinstance(qdd, tuple):
            qdd, tau = qdd
        if np.shape(qdd) != qd.shape:
            raise ArrayShapeError(
                f"simulate: dynamics must give accelerations of shape {qd.shape}, got "
                f"{np.shape(qdd)}"
            )
        power = power + (tau * qd).sum(-1)
        if self.damped:
            moved = free_motion(model, q, qd)
            power = power - (drag_forces(self.tree, moved) * moved).sum(-1)
        rates = np.empty_like(y)
        nx = self.nq + self.nv
        rates[..., : self.nq], rates[..., self.nq : nx], rates[..., -1] = q_dot, qdd, power
        if self.points:
            rates[..., nx:-1] = u.reshape(*y.shape[:-1], -1)
        if self.lost is None and not np.isfinite(rates).all():
            self.lost = t
        return rates

    def jacobian(self, t: float, y: np.ndarray, scale: float) -> np.ndarray:
        """Compute the Jacobian (n, n) of dy/dt by differences of all states in one batch.

        `scale` is the size of y below which steps no longer shrink with it. Nothing depends on the
        work, the last entry of y, nor on the last rows of transforms, which are constant.
        """
        moved = self.entries
        states = np.tile(y, (len(moved) + 1, 1))
        rows = np.arange(len(moved))
        states[rows, moved] += _STEP * np.maximum(np.abs(y[moved]), scale)
        steps = states[rows, moved] - y[moved]  # as they were rounded
        rates = self(t, states)
        self.columns += len(states)
        jacobian = np.zeros((len(y), len(y)))
        jacobian[:, moved] = ((rates[:-1] - rates[-1]) / steps[:, None]).T
        return jacobian

    @cached_property
    def entries(self) -> np.ndarray:
        """Numbers of the entries of y on which rates depend."""
        layout = self.model.layout
        moves = np.ones(self.nq + self.nv + self.points * self.tangents, dtype=bool)
        for i in layout.matrices:
            if layout.joints[i].kind == TRANSFORM:
                q = layout.qinds[i]
                moves[q.start + 3 : q.stop : 4] = False
        return np.flatnonzero(moves)

    def held(self, y: np.ndarray) -> str:
        """Return the names of the joints that dry friction holds at rest in a state.

        The text is empty if there are none.
        """
        if self.friction is None:
            return ""
        tree, state = self.tree, self.split(y)
        qd = free_motion(self.model, state.q, state.qd)
        slow = (np.asarray(self.friction) > 0) & (np.abs(qd) < self.rest)
        bodies = [i for i, v in enumerate(tree.vinds) if slow[v].any()]
        names = ", ".join(f"{i} ({tree.body_names[i]!r})" for i in bodies)
        return f"joint{'s' if len(bodies) > 1 else ''} {names}" if bodies else ""

    def not_finite(self) -> str:
        """Return a message that rates were not finite, with the time; empty if all were finite."""
        if self.lost is None:
            return ""
        return (
            "simulate: accelerations, or the power of tau and f_ext, are not finite at t = "
            f"{self.lost:g} s"
        )

    def _external(self, x: Any, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Check external forces, and return them as an array (NB, 6), planar (NB, 3).

        A function is called with copies of the state, which it may keep; for several states, with
        each.
        """
        if callable(x):
            if q.ndim > 1:
                return np.stack([self._external(x, t, *s) for s in zip(q, qd, strict=True)])
            x = x(t, q.copy(), qd.copy())
        force = as_real(check_forces(self.tree, x), "simulate: f_ext")
        if force.ndim != 2:
            raise ArrayShapeError(
                f"simulate: f_ext must be, or give, forces on the bodies in one state, of shape "
                f"{force.shape[-2:]}, got {force.shape}"
            )
        return force

    def _force(self, x: Any, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return joint forces (NV,), or (B, NV) of a function for several states."""
        if x is None:
            return np.zeros(qd.shape)
        if callable(x):
            if q.ndim > 1:
                return np.stack([self._force(x, t, *s) for s in zip(q, qd, strict=True)])
            x = x(t, q.copy(), qd.copy())
        force = as_real(x, "simulate: tau")
        if force.shape != (self.nv,):
            raise ArrayShapeError(
                f"simulate: tau must be, or give, an array of shape ({self.nv},), got {force.shape}"
            )
        return force
