"""Controllers that run at fixed intervals, with actuators and sensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real
from spatial_v2.configuration import configurationAddition
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.simulation.arguments import check_function, check_number

__all__ = ["Actuators", "Sampled", "Sensors", "sampled_of"]


class Actuators(NamedTuple):
    """Limits and delay of the motors of the joints."""

    limit: ArrayLike | None = None
    """Largest size of the joint forces [N m or N], one number or shape (NV,); None for those of the
    model, ``model.effort_limit``.
    """
    delay: float = 0.0
    """Time from a sample of the state to the action of its forces [s]; until the first ones act,
    the joint forces are zero.
    """

    def limits(self, model: Model) -> np.ndarray:
        """Return the limits as an array (NV,)."""
        limit = model.effort_limit if self.limit is None else as_real(self.limit, "limit")
        return _sizes(limit, "actuators: limit", model.NV)


class Sensors(NamedTuple):
    """Errors of the state that a controller sees: normally distributed, others at each sample."""

    q_noise: ArrayLike = 0.0
    """Standard deviations of positions along the velocity variables [rad or m], one number or shape
    (NV,).
    """
    qd_noise: ArrayLike = 0.0
    """Standard deviations of velocities [rad/s or m/s], one number or shape (NV,)."""
    seed: int = 0
    """Seed of the random numbers."""


class Sampled:
    """A controller that sees the state every `step` seconds, and whose forces act until the next.

    Parameters
    ----------
    model : Model
        The robot.
    command : callable
        ``command(t, q, qd) -> tau`` (NV,).
    step, delay : float
        Time between samples, and from a sample to the action of its forces [s].
    sensors : Sensors
        Errors of the state that the controller sees.
    begin : float
        Time of the first sample [s].
    """

    def __init__(
        self, model: Model, command: Callable[..., Any], step: float, delay: float,
        sensors: Sensors, begin: float,
    ) -> None:  # fmt: skip
        self.model, self.command = model, command
        self.step, self.delay, self.begin = step, delay, begin
        self.random = np.random.default_rng(sensors.seed)
        self.q_noise = _sizes(sensors.q_noise, "sensors: q_noise", model.NV)
        self.qd_noise = _sizes(sensors.qd_noise, "sensors: qd_noise", model.NV)
        self.samples = 0
        self.waiting: list[tuple[float, np.ndarray]] = []
        self.tau = np.zeros(model.NV)

    def advance(self, now: float, q: np.ndarray, qd: np.ndarray) -> float:
        """Take the sample that is due, update `tau`, and return the time of the next change."""
        near = now + 1e-9 * self.step  # equal times may differ by rounding
        if self._next_sample() <= near:
            self.samples += 1
            seen = self._measured(q, qd)
            tau = as_real(self.command(now, *seen), "simulate: tau")
            if tau.shape != qd.shape:
                raise ArrayShapeError(
                    f"simulate: tau must give an array of shape {qd.shape}, got {tau.shape}"
                )
            self.waiting.append((now + self.delay, tau.copy()))
        while self.waiting and self.waiting[0][0] <= near:
            self.tau = self.waiting.pop(0)[1]
        return min([self._next_sample(), *(when for when, _ in self.waiting)])

    def _next_sample(self) -> float:
        return self.begin + self.samples * self.step

    def _measured(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        dq, dv = self.random.normal(size=(2, self.model.NV)) * [self.q_noise, self.qd_noise]
        return np.asarray(configurationAddition(self.model, q, dq)), qd + dv


def sampled_of(
    model: Model, tau: Any, control_step: float | None, actuators: Actuators | None,
    sensors: Sensors | None, begin: float,
) -> Sampled | None:  # fmt: skip
    """Convert the options of a closed loop to a controller; None without `control_step`."""
    for name, kind, x in (("actuators", Actuators, actuators), ("sensors", Sensors, sensors)):
        if x is not None and not isinstance(x, kind):
            raise SpatialError(f"simulate: {name}: want {kind.__name__}(...) or None, got {x!r}")
    delay = 0.0 if actuators is None else actuators.delay
    if delay:
        check_number("actuators: delay", delay)
    if control_step is None:
        if sensors is not None or delay:
            what = "actuators with a delay" if delay else "sensors"
            raise SpatialError(f"simulate: {what}: want control_step too, for a sampled controller")
        return None
    check_number("control_step", control_step)
    check_function("tau, with control_step", tau)
    return Sampled(model, tau, control_step, delay, sensors or Sensors(), begin)


def _sizes(x: ArrayLike, name: str, n: int) -> np.ndarray:
    """Convert one number, or one for each velocity variable, to an array (n,)."""
    sizes = as_real(x, f"simulate: {name}")
    if sizes.shape not in ((), (n,)):
        raise ArrayShapeError(
            f"simulate: {name}: want one number or shape ({n},), got shape {sizes.shape}"
        )
    if not (sizes >= 0).all():
        raise SpatialError(f"simulate: {name}: want numbers, 0 or greater, got {x!r}")
    return np.array(np.broadcast_to(sizes, (n,)))
