"""excitation_trajectory: motions from which inertial parameters can be identified well."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.couplings.coupled_model import CoupledModel, CoupledModelError
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.identification.excitation import Excitement
from spatial_v2.identification.fourier import at_rest, basis, peaks
from spatial_v2.identification.natural_units import force_units
from spatial_v2.identification.unknowns import Unknowns, as_bodies, as_terms
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["Excitation", "excitation_trajectory"]

_STARTS = 10
_STEPS = 30
_NORM = 40.0
"""Order of the norm that stands for the largest position, velocity or acceleration."""
_INSIDE = 1.0 - 1e-4
"""Largest part of a limit that is used: between the instants at which it is checked, a motion may
exceed its value there by less than the rest.
"""


@shown_in_notebooks
class Excitation(NamedTuple):
    """Result of `excitation_trajectory`: a periodic motion.

    Parameters
    ----------
    t : array, shape (n,)
        Instants of one period.
    q, qd, qdd : array, shape (n, NV)
        Joint positions, velocities and accelerations at these instants.
    condition : float
        Condition number of the regressor, as in `Identification`, of what motions can determine.
    center : array, shape (NV,)
        Middle of the motion.
    sine, cosine : array, shape (NV, harmonics)
        Coefficients: ``q = center + sum of sine_k sin(k w t) + cosine_k cos(k w t)``, with
        ``w = 2 pi / period``.
    period : float
        The period.

    Examples
    --------
    >>> Excitation._fields[:4]
    ('t', 'q', 'qd', 'qdd')
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    condition: float
    center: np.ndarray
    sine: np.ndarray
    cosine: np.ndarray
    period: float

    def at(self, t: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd, each of shape (..., NV), at any instants t (...)."""
        t = np.asarray(t, dtype=np.float64)
        x = basis(np.ravel(t) / self.period, self.sine.shape[1])
        x = x @ np.hstack([self.sine, self.cosine]).T
        x[0] += self.center
        shaped = x.reshape(3, *t.shape, -1)
        return shaped[0], shaped[1] / self.period, shaped[2] / self.period**2


def excitation_trajectory(
    model: Model,
    period: float,
    *,
    harmonics: int = 5,
    samples: int = 500,
    limits: Any = None,
    velocity: Any = None,
    acceleration: Any = None,
    friction: Any = False,
    armature: bool = False,
    offset: bool = False,
    unknown: Any = None,
    rng: np.random.Generator,
) -> Excitation:
    """Compute a motion that excites the inertial parameters well, for `identify`.

    The motion is a Fourier series for each joint, at rest at the beginning of each period. It has a
    small condition number of the regressor of `identify`, whose columns are scaled to equal length,
    and reaches the limits of each joint.

    Parameters
    ----------
    model : Model
        The robot; its joints have one degree of freedom, and may follow each other linearly.
    period : float
        Duration of the motion [s].
    harmonics : int, optional
        Number of frequencies, the multiples of ``1 / period``; at least 2.
    samples : int, optional
        Number of instants of the result.
    limits : pair of array_like, shapes (NV,), optional
        Lower and upper bounds of positions [rad or m]. By default those of the model, and a turn of
        2 pi for joints without limits that rotate.
    velocity, acceleration : float or array_like, shape (NV,), optional
        Largest velocities and accelerations; by default the velocities of the model's limits, and
        any accelerations.
    friction : bool, {"viscous", "coulomb"} or several of them, optional
        Friction that is to be identified, as in `identify`.
    armature, offset : bool, optional
        True if they are to be identified.
    unknown : list of str or int, optional
        Bodies whose parameters are to be identified, as in `identify`.
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.

    Returns
    -------
    Excitation
        Named tuple: samples of the motion, condition number, coefficients. Its method ``at(t)``
        returns q, qd, qdd at any instants.

    Raises
    ------
    ModelError
        A joint with several degrees of freedom, or one that slides and has no limits; a model whose
        joints follow loops or functions.
    ArrayShapeError, SpatialError
        Wrong numbers.

    Notes
    -----
    A quasi-Newton method minimises a smooth upper bound of the condition number over the
    coefficients, from the best of ten random motions; the limits are kept by the amplitude of each
    joint. Swevers, Ganseman, Tukel, De Schutter, Van Brussel, "Optimal robot excitation and
    identification" (1997).

    Examples
    --------
    >>> from spatial_v2 import planar
    >>> arm = planar(2).replace(gravity=[0, -9.81])
    >>> found = excitation_trajectory(arm, 5.0, velocity=2.0, rng=np.random.default_rng(0))
    >>> bool(np.abs(found.qd).max() <= 2.0), bool(found.condition < 10)
    (True, True)
    """
    from scipy.optimize import minimize

    check_model(model)
    if isinstance(model, CoupledModel) and not model.is_linear:
        raise CoupledModelError(
            "excitation_trajectory: takes no coupled model with loops or functions, whose joints "
            "may not reach all values of a series; compare motions by identify(...).condition"
        )
    if any(n != 1 for n in model.nv):
        raise ModelError(
            "excitation_trajectory: want joints with one degree of freedom; joint "
            f"{model.joint_names[int(np.argmax(np.asarray(model.nv) != 1))]} has more"
        )
    period = _positive(period, "period")
    harmonics, samples = _whole(harmonics, "harmonics", 2), _whole(samples, "samples", 1)
    lower, upper, speed = _limits(model, limits)
    speed = speed if velocity is None else _bounds(model, velocity, "velocity")
    most = _bounds(model, np.inf if acceleration is None else acceleration, "acceleration")
    bounds = np.array([(upper - lower) / 2, speed * period, most * period**2])
    center = (lower + upper) / 2

    rate = np.pi * harmonics
    sizes = np.minimum(bounds, bounds[0] * np.array([[1.0], [rate], [rate**2]]))
    sizes /= np.array([[2.0], [2 * period], [2 * period**2]])
    unknowns = Unknowns(model, as_terms(friction, armature, offset), as_bodies(model, unknown))
    excitement = Excitement(unknowns, center, sizes, rng)
    times = np.array([[[1.0]], [[1 / period]], [[1 / period**2]]])
    n = max(64, 16 * harmonics)
    still, phase = at_rest(harmonics), np.arange(n) / n
    coarse = basis(phase, harmonics) @ still

    def cost(z: np.ndarray) -> tuple[float, np.ndarray]:
        z = z.reshape(-1, model.NV)
        x = coarse @ z
        top, slopes = peaks(x, bounds, _NORM)
        y = x / top * times
        value, g = excitement.slopes(center + y[0], y[1], y[2])
        g = g * times
        direct = np.einsum("knp,knv->pv", coarse, g / top)
        scale = np.einsum("knv,knv->v", g, x) / top**2
        return value, np.ravel(direct - scale * np.einsum("knp,knv->pv", coarse, slopes))

    def random() -> tuple[float, np.ndarray]:
        z = rng.normal(size=(coarse.shape[2], model.NV))
        x = coarse @ z
        y = x / peaks(x, bounds)[0] * times
        return excitement.condition(center + y[0], y[1], y[2]), z

    z = min((random() for _ in range(_STARTS)), key=lambda pair: pair[0])[1]
    best = minimize(cost, z.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    fine = basis(np.arange(400 * harmonics) / (400 * harmonics), harmonics) @ still
    z = best.reshape(-1, model.NV)
    z = z / peaks(fine @ z, bounds)[0] * _INSIDE
    sine, cosine = np.split((still @ z).T, 2, axis=1)
    t = period * np.arange(samples) / samples
    empty = np.zeros((0, model.NV))
    excitation = Excitation(t, empty, empty, empty, 0.0, center, sine, cosine, period)
    q, qd, qdd = excitation.at(t)
    return excitation._replace(q=q, qd=qd, qdd=qdd, condition=excitement.condition(q, qd, qdd))


def _limits(model: Model, limits: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return lower and upper bounds of positions, and bounds of velocities."""
    straight = force_units(model, 2.0) != 1
    lower, upper = np.where(straight, -np.inf, -np.pi), np.where(straight, np.inf, np.pi)
    speed = np.full(model.NV, np.inf)
    for j, name in enumerate(model.joint_names):
        own = (model.limits or {}).get(name)
        if own is not None:
            low, high = float(own.lower), float(own.upper)
            if np.isfinite([low, high]).all():
                lower[j], upper[j] = low, high
            speed[j] = float(own.velocity) or np.inf
    if limits is not None:
        pair = [as_real(x, "limits") for x in limits] if np.iterable(limits) else []
        if [x.shape for x in pair] != 2 * [(model.NV,)]:
            raise ArrayShapeError(
                f"limits: want a pair of arrays of shape ({model.NV},), lower and upper bounds"
            )
        lower, upper = (np.asarray(x, dtype=np.float64) for x in pair)
    if not (lower < upper).all():
        raise SpatialError("limits: want lower bounds below the upper ones")
    if not np.isfinite(upper - lower).all():
        j = int(np.argmin(np.isfinite(upper - lower)))
        raise ModelError(
            f"excitation_trajectory: joint {model.joint_names[j]} has no limits; give limits="
        )
    return lower, upper, speed


def _bounds(model: Model, bound: Any, name: str) -> np.ndarray:
    x = np.asarray(as_real(bound, name), dtype=np.float64)
    if x.shape not in ((), (model.NV,)):
        raise ArrayShapeError(f"{name}: want a number or shape ({model.NV},), got {x.shape}")
    if not (x > 0).all():
        raise SpatialError(f"{name}: want positive numbers, got {x.tolist()}")
    return np.broadcast_to(x, (model.NV,)).copy()


def _positive(x: Any, name: str) -> float:
    number = np.asarray(x)
    if number.shape != () or number.dtype.kind not in "fiu" or not 0 < number < np.inf:
        raise SpatialError(f"{name}: want a positive number, got {x!r}")
    return float(number)


def _whole(x: Any, name: str, least: int) -> int:
    if not isinstance(x, (int, np.integer)) or isinstance(x, bool) or x < least:
        raise SpatialError(f"{name}: want a whole number, at least {least}, got {x!r}")
    return int(x)
