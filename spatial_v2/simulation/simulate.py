"""Simulation of a robot by numerical integration."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real
from spatial_v2.constraints import KKT_FD
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.constraints.options import Rank, validate_constraints
from spatial_v2.contact import Ground
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import EnerMo, FDab
from spatial_v2.exceptions import ArrayShapeError, ConvergenceWarning, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from spatial_v2.simulation.arguments import (
    check_call,
    check_function,
    check_method,
    check_number,
    check_rest,
    deformation_of,
    events_of,
    ground_of,
    start_of,
    times_of,
)
from spatial_v2.simulation.ground import Contact
from spatial_v2.simulation.integrate import Solver, deadline_after, integrate
from spatial_v2.simulation.progress import showing_progress
from spatial_v2.simulation.rates import Rates
from spatial_v2.simulation.results import EnergyReport, Simulation
from spatial_v2.simulation.sampled import Actuators, Sensors, sampled_of
from spatial_v2.simulation.stiffness import advised
from spatial_v2.simulation.stops import stops_of, warn_of_limits

__all__ = ["simulate"]


def simulate(
    model: Model,
    x0: ArrayLike | tuple[ArrayLike, ArrayLike],
    t: ArrayLike,
    tau: Any = None,
    *,
    contact: Ground | None = None,
    constraints: Constraints | None = (),
    baumgarte: tuple[float, float] | None = None,
    damping: float = 0.0,
    rank: Rank = "raise",
    f_ext: Any = None,
    dynamics: Callable[..., Any] = FDab,
    u0: ArrayLike | None = None,
    events: Sequence[Callable[..., float]] | Callable[..., float] = (),
    dense_output: bool = False,
    rest: float = 1e-5,
    method: str | None = None,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    max_step: float = np.inf,
    progress: Callable[[float], None] | bool | None = None,
    control_step: float | None = None,
    actuators: Actuators | None = None,
    sensors: Sensors | None = None,
    stops: bool | float = False,
    time_limit: float | None = None,
) -> Simulation:
    """Simulate the motion of a robot under joint forces, external forces and ground contact.

    The integrator is `scipy.integrate.solve_ivp`. In MATLAB, Simulink examples with blocks that
    call the library's functions do the same.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models, geared rotors and every joint type too.
    x0 : tuple (q0, qd0) or array [q0, qd0]
        Positions (NQ,) and velocities (NV,) at the beginning.
    t : array_like, shape (N,)
        Increasing times [s]. If there are two, they are the beginning and the end, and the result
        has the steps of the solver; otherwise the result has these times.
    tau : array (NV,) or callable ``tau(t, q, qd) -> (NV,)``, optional
        Joint forces; zero by default.
    contact : Ground, optional
        Stiffness, damping and friction of the ground, which acts on the contact points
        ``model.gc``; see `gcontact`.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet, optional
        Constraints of the motion, by `KKT_FD`. The initial velocity should satisfy them, see
        `project_velocity`.
    baumgarte : (Kp, Kd), optional
        Gains that reduce errors of the constraints, which drift without gains; see `KKT_FD`.
    damping, rank : optional
        Treatment of dependent constraint rows; see `KKT_FD`. A hinge that closes a planar linkage
        in space, for instance, needs ``rank="minimum_norm"``. The damping is that of the
        constraints; joints are damped by ``model.damping``.
    f_ext : array, dict or callable ``f_ext(t, q, qd)`` that returns one, optional
        External forces in base coordinates, in a form that `ID` accepts.
    dynamics : callable, optional
        Forward dynamics ``(model, q, qd, tau[, f_ext]) -> qdd``: `FDab`, `FDcrb`, `FDgq`, or your
        own. It may return ``(qdd, tau)``, as `HD` does, with the joint forces that actually act.
    u0 : array, shape (n, 2), planar (n, 1), optional
        Initial tangential deformations of the ground; zero by default.
    events : callable ``event(t, q, qd) -> float``, or several, optional
        An event occurs where its function passes through zero. Its attribute ``terminal`` ends the
        motion there, and ``direction`` selects rising or falling values, as in
        `scipy.integrate.solve_ivp`.
    dense_output : bool, optional
        If True, the field `sol` of the result is a function that interpolates the state, from the
        beginning to the end of the motion.
    rest : float, optional
        Speed [rad/s or m/s] below which the dry friction of the model is proportional to the speed.
        A joint at rest under a force below its friction creeps more slowly than this.
    method : str, optional
        Method of `scipy.integrate.solve_ivp`; by default ``"LSODA"`` for a model with dry friction
        and on a ground without `control_step`, else ``"DOP853"``. ``"RK45"`` is MATLAB's ode45. For
        stiff gains or damping use ``"LSODA"``, ``"Radau"`` or ``"BDF"``; with `FDab`, their
        Jacobians are computed from one batch of states. Where dry friction holds a joint at rest,
        the steps of an explicit method are about `rest` times the inertia / friction.
    rtol, atol, max_step : float, optional
        Relative and absolute tolerance of the solver, and its longest step [s].
    progress : callable or bool, optional
        Function that is called with the completed fraction of the time, 0 to 1, as it grows; False
        for none. By default a bar appears after a second in a terminal or a notebook.
    control_step : float, optional
        If given, `tau` is a controller that runs at this interval [s], and whose forces act until
        it runs again. The field `tau` of the result has these forces.
    actuators : Actuators, optional
        Limits of the joint forces `tau`, and the delay of a controller with `control_step`.
    sensors : Sensors, optional
        Noise of the state that a controller with `control_step` sees.
    stops : bool or float, optional
        If True, the limits of joints act as stops: springs that are critically damped, with a time
        constant of 0.01 s for the inertia in the initial state. A number is another time constant.
    time_limit : float, optional
        Time of the clock [s], without that of compilations, after which the simulation ends, with
        the motion so far.

    Returns
    -------
    Simulation
        Named tuple ``t, q, qd, u, energy, t_events, x_events, sol, nfev, message, tau``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        `contact` for a model without contact points.
    SpatialError
        Options out of range, times that do not increase, a solver that does not reach the end,
        accelerations that are not finite, or an explicit method that would take more than 100000
        steps because dry friction holds a joint at rest.

    Warns
    -----
    ConvergenceWarning
        The differential equation is stiff: a fast decaying pole limits the steps of an explicit
        method. The message has the step, the pole, and the number of steps left. Or the steps of
        any method become so short, as with a controller that switches, that the simulation would
        not end. Or `time_limit` was reached.
    LimitWarning
        Joints leave their limits.

    Notes
    -----
    The position variables are integrated with `configurationRates`. Quaternions and rotation
    matrices are normalised wherever they are used, and in the result. Ground contact forces are
    continuous but not smooth; a solver with error control makes short steps there. Dry friction is
    discontinuous at rest. It is replaced by ``friction * clip(qd / rest, -1, 1)``, which resists
    any smaller force almost without motion, and which stiff methods can integrate.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> motion = simulate(autoTree(2), ([0, 0], [1, 0]), [0, 0.5, 1])
    >>> motion.q.shape, bool(abs(motion.energy.drift).max() < 1e-7)
    ((3, 2), True)
    """
    check_model(model)
    times = times_of(t)
    if method is None:
        lands = contact is not None and control_step is None
        method = "LSODA" if lands or free_tree(model).friction is not None else "DOP853"
    check_method(method)
    check_rest(rest)
    for name, x in (("rtol", rtol), ("max_step", max_step)):
        check_number(name, x)
    check_number("atol", atol, zero=True)
    check_function("dynamics", dynamics)
    for name, force in (("tau", tau), ("f_ext", f_ext)):
        if callable(force):
            check_call(name, force, "t, q, qd")
    if progress is not None and not isinstance(progress, bool):
        check_function("progress", progress)
    several, ground = events_of(events), ground_of(contact)
    held = () if constraints is None else constraints
    how = {"constraints": held, "baumgarte": baumgarte, "damping": damping, "rank": rank}
    if validate_constraints(model, how):
        dynamics = _constrained(how, dynamics)
    start = start_of(model, x0)
    sampled = sampled_of(model, tau, control_step, actuators, sensors, float(times[0]))
    rates = Rates(
        model, None if sampled else tau, f_ext,
        None if ground is None else Contact(model, ground), dynamics, rest,
        stops_of(model, stops, start[: model.NQ]), actuators.limits(model) if actuators else None,
    )  # fmt: skip
    u = deformation_of(u0, rates.points, rates.tangents)
    y0 = np.concatenate([start, u, [0.0]])
    rates(times[0], y0)
    if rates.not_finite():
        raise SpatialError(rates.not_finite())
    happenings: list[Any] = [_event(rates, e) for e in several]
    deadline = None if time_limit is None else deadline_after(time_limit)
    with showing_progress(rates, times[0], times[-1], progress) as shown:
        watched = advised(shown, method, times, rates.held)
        try:
            done, forces = integrate(
                watched, rates, y0, times, [*happenings, *([deadline] if deadline else [])],
                Solver(method, rtol, atol, max_step, dense_output), sampled,
            )  # fmt: skip
        except ValueError as error:
            if rates.not_finite() and "infs or NaNs" in str(error):
                raise SpatialError(rates.not_finite()) from error
            raise
    if rates.not_finite() and not (done.success and np.isfinite(done.y).all()):
        raise SpatialError(rates.not_finite())
    if not done.success:
        raise SpatialError(
            f"simulate: the solver stopped at t = {done.t[-1] if len(done.t) else times[0]:g} s: "
            f"{done.message}"
        )
    message = done.message
    if deadline and deadline.reached is not None:
        message = f"time_limit = {time_limit:g} s was reached at t = {deadline.reached:.6g} s"
        warnings.warn(f"simulate: {message}: the motion ends there", ConvergenceWarning, 2)
    s = rates.split(done.y.T)
    if rates.stops is None:
        warn_of_limits(model, s.q)
    e = EnerMo(model, s.q, s.qd)
    total = e.KE + e.PE
    at_start = EnerMo(model, *rates.split(y0)[:2])
    drift = total - (at_start.KE + at_start.PE) - s.work
    states = [rates.split(np.reshape(y, (-1, len(y0)))) for y in done.y_events or []]
    return Simulation(
        done.t, s.q, s.qd, None if ground is None else s.u,
        EnergyReport(np.asarray(e.KE), np.asarray(e.PE), s.work, np.asarray(drift)),
        list(done.t_events or [])[: len(several)],
        [(x.q, x.qd) for x in states[: len(several)]],
        _interpolated(rates, done.sol, done.sol.t_min, done.sol.t_max) if dense_output else None,
        done.nfev + rates.columns, message, forces,
    )  # fmt: skip


def _constrained(how: dict[str, Any], dynamics: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that computes forward dynamics under constraints."""
    if dynamics is not FDab:
        raise SpatialError("simulate: give either constraints or dynamics, not both")

    def accelerate(model: Model, q: Any, qd: Any, tau: Any, f_ext: Any = None) -> Any:
        return KKT_FD(model, q, qd, tau, f_ext=f_ext, **how).qdd

    return accelerate


def _interpolated(
    rates: Rates, sol: Callable[[Any], np.ndarray], begin: float, end: float
) -> Callable[[float | np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Return a function of time that interpolates the state (q, qd)."""

    def state(t: float | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        times = as_real(t, "sol: t")
        if times.ndim > 1:
            raise ArrayShapeError(f"sol: t must be a time or have shape (N,), got {times.shape}")
        slack = 1e-9 * (end - begin)
        if not ((times >= begin - slack) & (times <= end + slack)).all():
            raise SpatialError(f"sol: want times from {begin:g} to {end:g} s, got {t!r}")
        q, qd, _, _ = rates.split(sol(times).T)
        return q, qd

    return state


def _event(rates: Rates, event: Callable[..., float]) -> Callable[..., float]:
    """Convert an event to a function of the integrated vector, with the attributes of the event."""

    def happens(t: float, y: np.ndarray) -> float:
        q, qd, _, _ = rates.split(y)
        value = as_real(event(t, q.copy(), qd.copy()), "simulate: events")
        if value.shape != ():
            raise ArrayShapeError(
                f"simulate: events: want one number from each event, got shape {value.shape}"
            )
        return float(value)

    for name in ("terminal", "direction"):
        if hasattr(event, name):
            setattr(happens, name, getattr(event, name))
    return happens
