"""The differential equation of a simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import column, uncolumn
from spatial_v2.arrays.checks import as_real
from spatial_v2.calls.loading import has_compiler, load_function
from spatial_v2.configuration import configurationRates, normalizeConfVec
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.couplings.free import free_motion, free_tree, pulled_back
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_forces
from spatial_v2.model.state import check_forces
from spatial_v2.simulation.ground import Contact
from spatial_v2.simulation.stops import Stops

__all__ = ["Rates", "State"]


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
        self.flat = model.NQ == model.NV
        self.tangents = 1 if model.is_planar else 2
        self.spaces = spaces(model) if has_compiler() and not self.flat else None
        self.lost: float | None = None

    def split(self, y: np.ndarray) -> State:
        """Split vectors y (..., n) into the parts of the state, with normalised q."""
        nq = self.model.NQ
        q = y[..., :nq] if self.flat else normalizeConfVec(self.model, y[..., :nq])
        return self._parts(y, np.asarray(q))

    def _parts(self, y: np.ndarray, q: np.ndarray) -> State:
        nq, nx = self.model.NQ, self.model.NQ + self.model.NV
        u = y[..., nx:-1].reshape(*y.shape[:-1], self.points, self.tangents)
        return State(q, y[..., nq:nx], u, y[..., -1])

    def _normalised(self, y: np.ndarray) -> tuple[State, np.ndarray]:
        """Return the parts of one state, with normalised q, and the rates of its q."""
        x, n = y[: self.model.NQ], self.model.NQ
        qd = y[n : n + self.model.NV]
        if self.flat:
            return self._parts(y, x), qd
        if self.spaces is None:
            return self.split(y), np.asarray(configurationRates(self.model, x, qd))
        unit, rates = np.empty((2, 1, n))
        load_function("configurationRates")(self.spaces, x[None], qd[None], unit, rates)
        return self._parts(y, unit[0]), rates[0]

    def __call__(self, t: float, y: np.ndarray) -> np.ndarray:
        model, ((q, qd, u, _), q_dot) = self.model, self._normalised(y)
        tau = self._force("tau", self.tau, t, q, qd)
        if self.limit is not None:
            tau = np.clip(tau, -self.limit, self.limit)
        if self.stops is not None:
            tau = tau + self.stops.forces(q, qd)
        if self.friction is not None:
            speed = free_motion(model, q, qd) / self.rest
            dry = np.asarray(self.friction) * np.clip(speed, -1.0, 1.0)
            tau = tau - pulled_back(model, q, dry)
        f_ext, power = None, 0.0
        if self.f_ext is not None:
            f_ext = self._external(self._given(self.f_ext, t, q, qd))
        if f_ext is not None or self.contact is not None:
            motion = forward_kinematics(model, q, qd)
        if f_ext is not None:
            v = motion_inverse(motion.X0) @ column(motion.v)
            power = float(np.sum(f_ext * uncolumn(v)))
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
        power += float(tau @ qd)
        if self.tree.has_joint_terms:
            moved = free_motion(model, q, qd)
            power -= float(joint_forces(self.tree, moved) @ moved)
        found = np.concatenate([q_dot, qdd, np.ravel(u), [power]])
        if self.lost is None and not np.isfinite(found).all():
            self.lost = t
        return found

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

    def _given(self, x: Any, t: float, q: np.ndarray, qd: np.ndarray) -> Any:
        """Return forces, or the result of a function for copies of the state, which it may keep."""
        return x(t, q.copy(), qd.copy()) if callable(x) else x

    def _external(self, given: Any) -> np.ndarray:
        """Check external forces, and return them as an array (NB, 6), planar (NB, 3)."""
        force = as_real(check_forces(self.tree, given), "simulate: f_ext")
        if force.ndim != 2:
            raise ArrayShapeError(
                f"simulate: f_ext must be, or give, forces on the bodies in one state, of shape "
                f"{force.shape[-2:]}, got {force.shape}"
            )
        return force

    def _force(self, name: str, x: Any, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        if x is None:
            return np.zeros(self.model.NV)
        force = as_real(self._given(x, t, q, qd), f"simulate: {name}")
        if force.shape != (self.model.NV,):
            raise ArrayShapeError(
                f"simulate: {name} must be, or give, an array of shape ({self.model.NV},), got "
                f"{force.shape}"
            )
        return force
