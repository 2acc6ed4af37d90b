"""Chapter 13: first derivatives of dynamics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CRBA, FDab
from spatial_v2.models import autoTree, planar

__all__ = ["EXERCISES"]

ARM = autoTree(5, 1.4, np.pi / 3)
X = np.random.default_rng(3).normal(size=(4, 5))


def swings(angle: float) -> np.ndarray:
    """Compute the frequencies of two links about rest, the first at an angle to the x axis."""
    from derivatives import linearize

    model, rest = planar(2).replace(gravity=[0, -9.81]), np.zeros(2)
    roots = np.linalg.eigvals(np.asarray(linearize(model, np.array([angle, 0]), rest, rest).A))
    return np.sort(roots.imag)[-2:]


def torque_rate(model: Any, q: Any, qd: Any, qdd: Any, j: Any) -> Any:
    """Compute the time derivative of the joint forces."""
    return without_jerk(model, q, qd, qdd, j) + CRBA(model, q) @ j


def without_jerk(model: Any, q: Any, qd: Any, qdd: Any, j: Any) -> Any:
    """Compute the time derivative of the joint forces, mistakenly without the term of the jerk."""
    from derivatives import ID_derivatives

    d = ID_derivatives(model, q, qd, qdd)
    return d.dtau_dq @ qd + d.dtau_dqd @ qdd


def dqdd_dq(model: Any, q: Any, qd: Any, tau: Any, sign: float = -1.0) -> Any:
    """Compute the derivative of forward dynamics with respect to q."""
    from derivatives import ID_derivatives

    d = ID_derivatives(model, q, qd, FDab(model, q, qd, tau))
    return sign * np.linalg.solve(CRBA(model, q), d.dtau_dq)


def at_rest(model: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Compute the derivative of forward dynamics, mistakenly with acceleration zero in ID."""
    from derivatives import ID_derivatives

    return -np.linalg.solve(CRBA(model, q), ID_derivatives(model, q, qd, 0 * qd).dtau_dq)


EXERCISES = (
    Exercise(
        "13.1",
        lambda: True,
        hints=(
            "In which powers do velocities enter the torques?",
            "tau = H qdd + C(q, qd) qd + g, with C linear in qd; differentiate, and put zero.",
        ),
    ),
    Exercise(
        "13.2",
        lambda: torque_rate,
        hints=(
            "Torques are a function of three arguments, each of which changes.",
            "d tau/dt = dtau/dq qd + dtau/dqd qdd + dtau/dqdd j, and dtau/dqdd = H.",
        ),
        mistakes={"The jerk is missing: d tau/d qdd = H.": lambda: without_jerk},
        view=lambda f: f(ARM, *X),
    ),
    Exercise(
        "13.3",
        lambda: 27,
        hints=(
            "Two joints have an entry only if one of them carries the other.",
            "2 sum(d) - n, with n bodies and the depth d of each, itself included.",
        ),
        mistakes={
            "That is one triangle; torques feel joints beyond as well as before.": lambda: 17,
            "The diagonal is counted twice.": lambda: 34,
        },
    ),
    Exercise(
        "13.4",
        lambda: swings(-np.pi / 2),
        hints=(
            "Linearise about the hanging state: what do eigenvalues of swinging look like?",
            "Without damping the eigenvalues of A = linearize(...).A are +-i omega.",
        ),
        mistakes={
            "In rad/s, not in Hz.": lambda: swings(-np.pi / 2) / (2 * np.pi),
            "The smaller one comes first.": lambda: swings(-np.pi / 2)[::-1],
        },
    ),
    Exercise(
        "13.5",
        lambda: dqdd_dq,
        hints=(
            "Forward dynamics is the inverse of inverse dynamics, whose derivative is known.",
            "H dqdd/dq + dtau/dq = 0, with dtau/dq at the acceleration that FDab gives.",
        ),
        mistakes={
            "The sign: more torque would be needed, so less acceleration is had.": lambda: partial(
                dqdd_dq, sign=1.0
            ),
            "At which acceleration? At that of FDab, not at zero.": lambda: at_rest,
        },
        view=lambda f: f(ARM, *X[:3]),
    ),
)
