"""Chapter 17: identification."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.inertia import inertiaVecToMat, inertiaVecToPinertia
from spatial_v2.regressors import individualRegressor

__all__ = ["EXERCISES"]

BODY = np.array([2.0, 0.2, 0.4, 0.6, 3.0, 4.0, 5.0, 0.1, 0.2, 0.3])
THIN = np.array([1.0, 0, 0, 0, 1.0, 1.0, 2.5, 0, 0, 0])
"""Inertial parameters whose largest moment of inertia exceeds the sum of the other two."""
FAR = np.array([1.0, 2.0, 0, 0, 1.0, 3.0, 3.0, 0, 0, 0])
"""Inertial parameters whose centre of mass is farther away than their inertia allows."""
LIGHT = np.array([-1.0, 0, 0, 0, 1.0, 1.0, 1.0, 0, 0, 0])
POINT = np.array([1.0, 0.5, 0, 0, 0.01, 0.26, 0.26, 0, 0, 0])
NOISY = np.random.default_rng(5).normal(size=24)
"""Samples of one period, with all harmonics."""


def samples() -> tuple[np.ndarray, ...]:
    """Draw a regressor of low rank, random forces, and a basis of the base parameters."""
    rng = np.random.default_rng(16)
    Y, basis = rng.normal(size=(30, 4)), np.eye(6)[:, :4]
    return Y @ np.hstack([np.eye(4), rng.normal(size=(4, 2))]), rng.normal(size=30), basis


def base_parameters(Y: Any, tau: Any, Minimal_Basis: Any) -> Any:
    """Estimate base parameters by least squares."""
    return np.linalg.lstsq(Y @ Minimal_Basis, tau)[0]


def possible(pi: Any) -> bool:
    """Return whether a rigid body with these inertial parameters can exist."""
    return bool(np.linalg.eigvalsh(inertiaVecToPinertia(pi)).min() > 0)


def positive_inertia(pi: Any) -> bool:
    """Return whether the spatial inertia is positive definite, which is not enough."""
    return bool(np.linalg.eigvalsh(np.asarray(inertiaVecToMat(pi))).min() > 0)


def load() -> tuple[np.ndarray, np.ndarray]:
    """Return the measurements of a force sensor and the gravity vector."""
    g = np.array([3.0, -5.0, 7.0])
    still = np.concatenate([np.zeros(3), -g])
    return np.asarray(individualRegressor(still, np.zeros(6))) @ BODY, g


def mass(f: Any, g: Any) -> float:
    """Compute the mass of a load at rest from the measured force f and gravity g."""
    return float(np.sqrt(f[3:] @ f[3:] / (g @ g)))


def harmonics(x: Any, T: float, k: int, *, order: int = 0) -> Any:
    """Compute the mean and the first harmonics of samples, or a derivative of their sum."""
    f = np.arange(len(x) // 2 + 1)
    factor = np.where(f <= k, (2j * np.pi * f / T) ** order, 0)
    return np.fft.irfft(factor * np.fft.rfft(x), len(x))


def rate(x: Any, T: float, k: int) -> Any:
    """Compute the derivative of the mean and the first k harmonics."""
    return harmonics(x, T, k, order=1)


EXERCISES = (
    Exercise(
        "17.1",
        lambda: [1, 3],
        hints=(
            "What does the motor feel about its axis, and what does gravity add?",
            "The rank of ComputeSampledRegressor(model, 20, rng=...), for each gravity.",
        ),
        mistakes={
            "The order: gravity along z first.": lambda: [3, 1],
            "Across the axis, gravity shows hx and hy as well, not their sum only.": lambda: [1, 2],
        },
    ),
    Exercise(
        "17.2",
        lambda: base_parameters,
        hints=(
            "The torques are linear in the base parameters.",
            "tau = (Y Minimal_Basis) x; np.linalg.lstsq(matrix, tau)[0] solves for x.",
        ),
        mistakes={
            "These are the shortest parameters that fit, not the base parameters.": lambda: (
                lambda Y, tau, M: M.T @ np.linalg.lstsq(Y, tau)[0]
            ),
        },
        view=lambda f: f(*samples()),
    ),
    Exercise(
        "17.3",
        lambda: mass,
        hints=(
            "The sensor holds the load against gravity.",
            "F = -m g, with F the last three numbers of f.",
        ),
        mistakes={
            "The sign: the sensor holds the load, against gravity.": lambda: (
                lambda f, g: -mass(f, g)
            ),
            "The force is the second half of f; the first is the couple.": lambda: (
                lambda f, g: float(np.sqrt(f[:3] @ f[:3] / (g @ g)))
            ),
        },
        view=lambda f: f(*load()),
    ),
    Exercise(
        "17.4",
        lambda: possible,
        hints=(
            "The pseudo-inertia of the parameters tells.",
            "All eigenvalues of P are positive; inertiaVecToPinertia makes P, "
            "np.linalg.eigvalsh its eigenvalues.",
        ),
        mistakes={
            "A positive spatial inertia is not enough: moments of inertia obey the triangle "
            "inequality.": lambda: positive_inertia,
            "A positive mass is not enough.": lambda: lambda pi: bool(pi[0] > 0),
        },
        view=lambda f: [f(x) for x in (BODY, THIN, FAR, LIGHT, POINT)],
    ),
    Exercise(
        "17.5",
        lambda: 100,
        hints=(
            "How does the covariance depend on the number of samples?",
            "sigma^2 (Y^T Y)^-1, and Y^T Y is a sum over samples; the standard deviation is "
            "the root of it.",
        ),
        mistakes={"Ten times as many divide the variance by ten.": lambda: 10},
    ),
    Exercise(
        "17.6",
        lambda: rate,
        hints=(
            "Each harmonic can be differentiated on its own; those above k / T are noise.",
            "The coefficient of the frequency f gets the factor 2 pi i f; np.fft.rfft and irfft.",
        ),
        mistakes={
            "Frequencies are in 1/s: in radians per second they are 2 pi times as large.": lambda: (
                lambda x, T, k: rate(x, T, k) / (2 * np.pi)
            ),
            "The period: coefficient j belongs to the frequency j / T.": lambda: (
                lambda x, T, k: rate(x, 1.0, k)
            ),
            "Harmonics above k are still there.": lambda: lambda x, T, k: rate(x, T, len(x)),
            "The harmonic k itself has to stay.": lambda: lambda x, T, k: rate(x, T, k - 1),
            "That is the filtered signal, without the derivative.": lambda: harmonics,
        },
        view=lambda f: f(NOISY, 4.0, 3),
    ),
)
