"""Optimal control problems in the form that shooting methods solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.options import as_gains
from spatial_v2.control.bounds import Bounds
from spatial_v2.control.checks import as_floats, check_count, check_limit, check_list, check_order
from spatial_v2.control.costs import Cost, Instants
from spatial_v2.control.options import Method, check_method
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["ContactPhase", "ShootingProblem"]


class ContactPhase(NamedTuple):
    """Intervals during which the same constraints are active."""

    steps: int
    """Number of intervals."""
    constraints: Constraints = ()
    """Active constraints; an empty list stands for free flight."""
    impact: bool = False
    """True if the phase begins with an impact, after which the velocities satisfy the constraints.
    """
    restitution: float = 0.0
    """Coefficient of restitution of that impact."""


@dataclass(frozen=True, eq=False, repr=False)
class ShootingProblem:
    """Optimal control problem: least cost of a motion whose controls are constant in intervals.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models, geared rotors and every joint type too.
    q, qd : array, shapes (NQ,), (NV,)
        Initial state [rad or m, per second]; a leading axis stands for several problems.
    h : array, shape (N,)
        Lengths of the intervals [s].
    running : sequence of Cost
        Costs per unit of time: interval k contributes ``h_k`` times their sum at its beginning.
    terminal : sequence of Cost, optional
        Costs of the last state.
    actuation : array, shape (NV, m), optional
        Joint forces of unit controls, ``tau = actuation @ u``; the identity by default.
    lower, upper : array, shape (m,) or (N, m), optional
        Bounds on the controls; infinite by default.
    phases : sequence of ContactPhase, optional
        Constraints in the intervals, in order; none by default.
    method : {"semi_implicit_euler", "rk4"}, optional
        As in `time_step`.
    baumgarte : tuple of two floats, optional
        Gains of Baumgarte stabilisation, which reduces errors of the constraints; see `KKT_FD`.
    damping : float, optional
        Damping of the KKT matrix; see `KKT_FD`.
    running_bounds : sequence of Bounds, optional
        Bounds on quantities at the beginning of each interval.
    terminal_bounds : sequence of Bounds, optional
        Bounds on quantities of the last state.

    Raises
    ------
    ArrayShapeError
        An array of the wrong shape, also one in a cost.
    SpatialError
        A lower bound above the upper one, or NaN; an interval whose length is not positive; phases
        that do not have N intervals in all; an initial state or actuation that is not finite;
        negative damping or gains.
    TypeError
        Costs, bounds or phases that are no list of such objects.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> goal = StateCost(model, [1.0, 0.0], 10.0, 1.0)
    >>> problem = ShootingProblem(
    ...     model, [0.0, 0.0], [0.0, 0.0], [0.02] * 50, [ControlCost(0.1)], [goal])
    >>> problem
    ShootingProblem of 'autoTree(2, 1, 0, 1)': 50 intervals, 1 s, 2 controls, 1 phase
    >>> problem.steps, problem.controls
    (50, 2)
    """

    model: Model
    q: Any
    qd: Any
    h: Any
    running: Sequence[Cost]
    terminal: Sequence[Cost] = ()
    actuation: Any = None
    lower: Any = -np.inf
    upper: Any = np.inf
    phases: Sequence[ContactPhase] = ()
    method: Method = "semi_implicit_euler"
    baumgarte: tuple[float, float] | None = None
    damping: float = 0.0
    running_bounds: Sequence[Bounds] = ()
    terminal_bounds: Sequence[Bounds] = ()
    sets: tuple[ConstraintSet, ...] = field(init=False)
    """The checked constraints of each phase."""

    def __post_init__(self) -> None:
        model = self.model
        check_model(model)
        check_method(self.method)
        check_limit(self.damping, "damping")
        for name in ("running", "terminal", "phases", "running_bounds", "terminal_bounds"):
            check_list(getattr(self, name), name)
        if self.actuation is None:
            self._put("actuation", np.eye(model.NV))
        for name in ("q", "qd", "h", "actuation", "lower", "upper"):
            self._put(name, as_floats(getattr(self, name), name))
        lead = np.broadcast_shapes(self.q.shape[:-1], self.qd.shape[:-1])
        if len(lead) > 1 or 0 in lead:
            raise ArrayShapeError(
                f"q, qd: want at most one leading axis, for one or more problems; got {lead}"
            )
        self._check("q", self.q, (*self.q.shape[:-1], model.NQ))
        self._check("qd", self.qd, (*self.qd.shape[:-1], model.NV))
        if self.h.ndim != 1 or not self.h.size:
            raise ArrayShapeError(
                f"h: want shape (N,), the lengths of N >= 1 intervals; got {self.h.shape}"
            )
        self._check("h", self.h, self.h.shape)
        self._check(
            "actuation", self.actuation, (model.NV, *(self.actuation.shape or (model.NV,))[-1:])
        )
        if not self.controls:
            raise ArrayShapeError(
                f"actuation: want shape ({model.NV}, m) with m >= 1 controls, got m = 0"
            )
        if not (self.h > 0).all():
            raise SpatialError(f"h: want positive lengths of the intervals, got {self.h.min()}")
        for name in ("lower", "upper"):
            try:
                bound = np.broadcast_to(getattr(self, name), (self.steps, self.controls))
            except ValueError:
                wanted = f"({self.controls},) or ({self.steps}, {self.controls})"
                got = np.shape(getattr(self, name))
                raise ArrayShapeError(f"{name}: want shape {wanted}, got {got}") from None
            self._put(name, bound.copy())
        check_order(self.lower, self.upper, " on the controls")
        phases = tuple(self.phases) or (ContactPhase(self.steps),)
        for k, x in enumerate(phases):
            check_count(x.steps, f"phases[{k}]: steps", 1)
        if sum(x.steps for x in phases) != self.steps:
            counts = [x.steps for x in phases]
            raise SpatialError(f"phases: want {self.steps} intervals, as h has; got {counts}")
        self._put("phases", phases)
        self._put("sets", tuple(constraint_set(model, x.constraints) for x in phases))
        for x, rows in zip(phases, self.sets, strict=True):
            if self.baumgarte is not None:
                as_gains(self.baumgarte, rows.m)
            if x.impact and not rows.m:
                raise SpatialError(
                    "phases: want constraints in a phase with an impact, for the points that "
                    "strike the ground; got none"
                )
        q, qd = (x.reshape(-1, x.shape[-1])[:1] for x in (self.q, self.qd))
        u, one = np.zeros((self.steps, self.controls)), np.ones((self.steps, 1))
        within, end = Instants(q * one, qd * one, u), Instants(q[0], qd[0], u[0, :0])
        self._check_costs("running", Instants(*(x[None] for x in within)))
        self._check_costs("terminal", end)
        for k, bounds in enumerate(self.running_bounds):
            part = Instants(*(y[bounds.intervals] for y in within))
            self._check_bounds(f"running_bounds[{k}]", bounds, part)
        for k, bounds in enumerate(self.terminal_bounds):
            self._check_bounds(f"terminal_bounds[{k}]", bounds, end)

    def __repr__(self) -> str:
        count = len(self.phases)
        several = f"{len(self.q)} problems, " if self.q.ndim == 2 else ""
        return (
            f"ShootingProblem of {self.model.name!r}: {several}{self.steps} intervals, "
            f"{self.h.sum():.3g} s, {self.controls} controls, {count} phase{'s' * (count != 1)}"
        )

    def _check_costs(self, name: str, at: Instants) -> None:
        for k, cost in enumerate(getattr(self, name)):
            try:
                shape = np.shape(cost.value(at))
            except ArrayShapeError as error:
                raise ArrayShapeError(f"{name}[{k}]: {error}") from None
            except ValueError as error:
                arrays = getattr(cost, "__dict__", {}).items()
                sizes = [f"{key} {x.shape}" for key, x in arrays if isinstance(x, np.ndarray)]
                rows = f"{self.steps} intervals" if name == "running" else "the last state"
                raise ArrayShapeError(
                    f"{name}[{k}]: want a cost for {rows} and {at.u.shape[-1]} controls; got a "
                    f"{type(cost).__name__} with arrays of shapes {', '.join(sizes) or 'unknown'}: "
                    f"{error}"
                ) from None
            if shape != at.q.shape[:-1]:
                raise ArrayShapeError(
                    f"{name}[{k}]: want costs of shape {at.q.shape[:-1]}, got {shape}"
                )

    def _check_bounds(self, name: str, bounds: Bounds, at: Instants) -> None:
        try:
            shape = bounds.shape(at)
        except ValueError as error:
            raise ArrayShapeError(f"{name}: {error}") from None
        if not shape[-1]:
            raise SpatialError(f"{name}: want a quantity with values, got one without any")
        if not shape[0]:
            raise SpatialError(
                f"{name}: want bounds in at least one interval; got intervals = "
                f"{bounds.intervals}, which selects none"
            )

    def _put(self, name: str, x: Any) -> None:
        object.__setattr__(self, name, x)

    def _check(self, name: str, x: np.ndarray, shape: tuple[int, ...]) -> None:
        if x.shape != shape:
            raise ArrayShapeError(f"{name}: want shape {shape}, got {x.shape}")
        if not np.isfinite(x).all():
            raise SpatialError(f"{name}: want finite numbers, got {x.tolist()}")

    @property
    def steps(self) -> int:
        """Number of intervals."""
        return int(self.h.size)

    @property
    def controls(self) -> int:
        """Number of controls."""
        return int(self.actuation.shape[-1])
