"""Chapter 16: Coriolis and Christoffel."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CRBA, ID
from spatial_v2.models import autoTree

__all__ = ["EXERCISES"]

TREE = autoTree(5, 1.4, np.pi / 3)
Q, QD = np.random.default_rng(0).normal(size=(2, 5))
U, V, W = np.random.default_rng(15).normal(size=(3, 5))


def rates() -> np.ndarray:
    """Compute the derivatives of the mass matrix with respect to q."""
    from derivatives import H_derivatives

    return np.asarray(H_derivatives(TREE, Q))


def symbols(dH: Any) -> Any:
    """Compute Christoffel symbols from the derivatives of the mass matrix."""
    return (dH + np.einsum("ikj->ijk", dH) - np.einsum("jki->ijk", dH)) / 2


def geodesic(H: Any, Gamma: Any, qd: Any) -> Any:
    """Compute the accelerations of a robot without forces and gravity."""
    return -np.linalg.solve(H, np.einsum("ijk,j,k", Gamma, qd, qd))


def torques(H: Any, C: Any, g: Any, K: Any, qd: Any, qd_r: Any, qdd_r: Any) -> Any:
    """Compute the torques of the controller of Slotine and Li, with H, C and g of the equation of
    motion, gain K, and desired rates qd_r, qdd_r.
    """
    return H @ qdd_r + C @ qd_r + g - K @ (qd - qd_r)


def matrices() -> tuple[np.ndarray, ...]:
    """Draw example arguments of the controller."""
    rng = np.random.default_rng(4)
    return *rng.normal(size=(2, 5, 5)), U, np.diag(np.abs(V)), QD, W, V


def fed(*, doubled: bool = True) -> list[float]:
    """Compute the power that each of two Coriolis matrices feeds into the velocity error.

    One is a dyad, the other the matrix of the Christoffel symbols.
    """
    from derivatives import CoriolisMatrix

    none, s = np.zeros(5), np.ones(5)
    force = ID(TREE, Q, QD, none) - ID(TREE, Q, none, none)
    C, Hdot, _ = CoriolisMatrix(TREE, Q, QD)
    dyad = np.outer(force, QD) / (QD @ QD)
    return [float(s @ (Hdot - (1 + doubled) * X) @ s / 2) for X in (dyad, C)]


EXERCISES = (
    Exercise(
        "16.1",
        lambda: symbols,
        hints=(
            "There are three derivatives of H, which differ in the order of their indices.",
            "(dH_ij/dq_k + dH_ik/dq_j - dH_jk/dq_i) / 2; np.einsum('ikj->ijk', dH) puts "
            "dH_ik/dq_j at [i, j, k].",
        ),
        mistakes={
            "The third term is subtracted.": lambda: (
                lambda dH: symbols(dH) + np.einsum("jki->ijk", dH)
            ),
            "Half of it.": lambda: lambda dH: 2 * symbols(dH),
        },
        view=lambda f: f(rates()),
    ),
    Exercise(
        "16.2",
        lambda: "neither",
        hints=(
            "What does the added matrix do to qd, and is it skew-symmetric?",
            "(qd u^T - u qd^T) qd = qd (u . qd) - u (qd . qd).",
        ),
    ),
    Exercise(
        "16.3",
        lambda: geodesic,
        hints=(
            "No force acts, so accelerations balance the velocity terms.",
            "H qdd + Gamma qd qd = 0.",
        ),
        mistakes={
            "The sign.": lambda: lambda *x: -geodesic(*x),
            "Multiply with the inverse of H.": lambda: (
                lambda H, G, qd: -np.einsum("ijk,j,k", G, qd, qd)
            ),
        },
        view=lambda f: f(np.asarray(CRBA(TREE, Q)), symbols(rates()), QD),
    ),
    Exercise(
        "16.4",
        lambda: torques,
        hints=(
            "H and C act on the reference motion, and K on the error.",
            "tau = H qdd_r + C qd_r + g - K s, with s = qd - qd_r.",
        ),
        mistakes={
            "C acts on qd_r; its own velocities are already within it.": lambda: (
                lambda H, C, g, K, qd, qd_r, qdd_r: H @ qdd_r + C @ qd + g - K @ (qd - qd_r)
            ),
            "The sign of K s: it brakes.": lambda: (
                lambda H, C, g, K, qd, qd_r, qdd_r: torques(H, C, g, -K, qd, qd_r, qdd_r)
            ),
        },
        view=lambda f: f(*matrices()),
    ),
    Exercise(
        "16.5",
        fed,
        hints=(
            "The matrices are in the dictionary above; the rate of H is a field of CoriolisMatrix.",
            "s . (Hdot - 2 C) s / 2, with C = others['dyad'] and others['factor 3'].",
        ),
        mistakes={"dH/dt less twice C.": lambda: fed(doubled=False)},
    ),
)
