"""Chapter 12: accuracy and complex steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import ID, FDab
from spatial_v2.models import autoTree

__all__ = ["EXERCISES"]

CHAIN = autoTree(6, 1, np.pi / 3)
Q, QD, TAU = np.random.default_rng(1).normal(size=(3, 6))


def best(central: bool = False) -> float:
    """Find the exponent of ten that is the best step of a finite difference."""
    from derivatives import FD_derivatives

    true = FD_derivatives(CHAIN, Q, QD, TAU).dqdd_dq[5, 1]

    def f(x: float) -> Any:
        return FDab.reference(CHAIN, Q + x * np.eye(6)[1], QD, TAU)[5]

    steps = 10.0 ** np.arange(-1, -21, -1)
    behind = [-h if central else 0.0 for h in steps]
    slopes = [(f(h) - f(x)) / (h - x) for h, x in zip(steps, behind, strict=True)]
    return float(steps[np.argmin(np.abs(np.array(slopes) - true))])


def gravity() -> np.ndarray:
    """Compute the joint forces of the chain at rest."""
    return np.asarray(ID(CHAIN, Q, 0 * Q, 0 * Q))


def second() -> float:
    """Compute the second derivative of exp(x) / sqrt(sin(x)^3 + cos(x)^3) at x = 1.5."""
    from derivatives.reference import Bicomplex
    from derivatives.reference import bicomplex_namespace as xp

    x = Bicomplex(1.5 + 1e-20j, 1e-20)
    y = xp.exp(x) / xp.sqrt(xp.sin(x) ** 3 + xp.cos(x) ** 3)
    return float(y.im12 / 1e-40)


def first() -> float:
    """Compute the first derivative of exp(x) / sqrt(sin(x)^3 + cos(x)^3) at x = 1.5."""
    x = 1.5 + 1e-20j
    return float(np.imag(np.exp(x) / np.sqrt(np.sin(x) ** 3 + np.cos(x) ** 3)) / 1e-20)


def length(v: Any) -> Any:
    """Compute the length of a vector by an analytic function."""
    return np.sqrt(v @ v)


def derivative(f: Any, x: Any, d: Any) -> Any:
    """Compute the derivative of f at x in the direction d."""
    return np.imag(f(x + 1e-20j * d)) / 1e-20


def differentiated(f: Any) -> Any:
    """Return the value of f at a vector, and its gradient by complex steps."""
    v = np.array([3.0, -4.0, 12.0])
    value = f(v + 0j)
    if value is None:
        return None
    return np.array([value, *(np.imag(f(v + 1e-20j * e)) / 1e-20 for e in np.eye(3))])


EXERCISES = (
    Exercise(
        "12.1",
        best,
        hints=(
            "The lists above have an error for each step.",
            "np.argmin(list) is the index of the least number; errors['one-sided'] belongs to "
            "steps.",
        ),
        mistakes={
            "That is the best step of central differences, which may be larger.": lambda: best(
                central=True
            ),
            "So small a step is for complex steps only.": lambda: 1e-20,
        },
    ),
    Exercise(
        "12.2",
        lambda: length,
        hints=(
            "A sum of squares is analytic as long as no absolute value is taken.",
            "The root of v_1^2 + v_2^2 + ..., without |v_i|.",
        ),
        mistakes={
            "The value is right, the derivative lost: norms take absolute values.": lambda: (
                np.linalg.norm
            ),
            "That is the square of the length.": lambda: lambda v: v @ v,
        },
        view=differentiated,
    ),
    Exercise(
        "12.3",
        gravity,
        hints=(
            "The energy is a function of q, and it takes complex numbers.",
            "dV/dq = complex_step(f, q), with the function f(q) that returns the potential energy.",
        ),
        mistakes={"The sign: uphill the energy grows.": lambda: -gravity()},
        tolerance=1e-12,
    ),
    Exercise(
        "12.4",
        lambda: derivative,
        hints=(
            "Go from x in the direction d, but by an imaginary step.",
            "Im f(x + i h d) / h with h = 1e-20; in Python 1e-20j is i h.",
        ),
        mistakes={
            "Divide by h.": lambda: lambda f, x, d: np.imag(f(x + 1e-20j * d)),
            "Differences lose half of the digits. Take the imaginary part.": lambda: (
                lambda f, x, d: (f(x + 1e-8 * d) - f(x)) / 1e-8
            ),
        },
        view=lambda g: g(lambda x: np.exp(x[0]) * np.sin(x), np.array([0.3, 1.0]), np.ones(2)),
        tolerance=1e-12,
    ),
    Exercise(
        "12.5",
        second,
        hints=(
            "One number has both imaginary units, and the second derivative is in their product.",
            "x + i_1 h + i_2 h is Bicomplex(x + 1j * h, h); its f has h^2 f'' as the part im12.",
        ),
        mistakes={"That is the first derivative.": first},
    ),
)
