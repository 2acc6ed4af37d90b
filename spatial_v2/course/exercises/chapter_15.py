"""Chapter 15: second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CRBA, FDab
from spatial_v2.models import autoTree, puma560

__all__ = ["EXERCISES"]

ARM = puma560()
STATE = np.random.default_rng(0).normal(size=(4, 6))[:3]
OTHER = np.random.default_rng(14).normal(size=(3, 6))


def share(name: str = "d2tau_dqd") -> float:
    """Compute the fraction of a tensor's entries that can be nonzero."""
    from derivatives import SO_pattern

    pattern = getattr(SO_pattern(autoTree(31, 2, np.pi / 3)), name)
    return float(pattern.nnz) / 31**3


def tensors() -> Any:
    """Compute the second derivatives of inverse dynamics at the state OTHER."""
    from derivatives import ID_SO_derivatives

    return ID_SO_derivatives(ARM, *OTHER)


def velocity_force(d2tau_dqd: Any, qd: Any) -> Any:
    """Compute the joint force that is quadratic in the velocities."""
    return np.einsum("ijk,j,k", d2tau_dqd, qd, qd) / 2


def d2qdd_dqd(model: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Compute the second derivatives of forward dynamics with respect to qd."""
    from derivatives import FD_SO_derivatives

    return FD_SO_derivatives(model, q, qd, tau).d2qdd_dqd


def forgot_inverse(model: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Return second derivatives of forward dynamics, mistakenly without the inverse of H."""
    from derivatives import ID_SO_derivatives

    return -np.asarray(ID_SO_derivatives(model, q, qd, FDab(model, q, qd, tau)).d2tau_dqd)


def forgot_sign(model: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Return second derivatives of forward dynamics, mistakenly without the minus sign."""
    return np.einsum(
        "li,ijk->ljk", -np.linalg.inv(CRBA(model, q)), forgot_inverse(model, q, qd, tau)
    )


def hessian(moving: bool = False) -> Any:
    """Compute the derivative of the joint forces with respect to q, at rest or in motion."""
    from derivatives import ID_derivatives

    q, qd, qdd = STATE
    return ID_derivatives(ARM, q, moving * qd, moving * qdd).dtau_dq


EXERCISES = (
    Exercise(
        "15.1",
        share,
        hints=(
            "The pattern of the tensor says how many entries it has.",
            "nnz / n^3, with nnz of the pattern and n = 31.",
        ),
        mistakes={
            "That is the pattern of dM_dq.": lambda: share("dM_dq"),
            "A share, not a number of entries.": lambda: share() * 31**3,
        },
    ),
    Exercise(
        "15.2",
        lambda: velocity_force,
        hints=(
            "The force is quadratic in the velocities, and the tensor is its Hessian.",
            "f(x) = x^T A x / 2 for a quadratic function with the Hessian A.",
        ),
        mistakes={
            "Twice too much: (x^2)'' = 2.": lambda: lambda T, qd: 2 * velocity_force(T, qd),
        },
        view=lambda f: f(np.asarray(tensors().d2tau_dqd), OTHER[1]),
    ),
    Exercise(
        "15.3",
        lambda: lambda dM, qd: dM @ qd,
        hints=(
            "Along a motion H changes because q does.",
            "dH_ij/dt = sum over k of dM_dq[i, j, k] qd[k].",
        ),
        mistakes={
            "The direction is the last index; the first two are those of H.": lambda: (
                lambda dM, qd: np.einsum("ikj,k", dM, qd)
            ),
        },
        view=lambda f: f(np.asarray(tensors().dM_dq), OTHER[1]),
    ),
    Exercise(
        "15.4",
        lambda: d2qdd_dqd,
        hints=(
            "Differentiate the equation of motion twice, with q and tau constant.",
            "H d2qdd + d2tau_dqd = 0, at the acceleration of FDab.",
        ),
        mistakes={
            "Multiply with the inverse of H.": lambda: forgot_inverse,
            "The sign.": lambda: forgot_sign,
        },
        view=lambda f: f(ARM, *OTHER),
    ),
    Exercise(
        "15.5",
        hessian,
        hints=(
            "The Hessian is the derivative of the gradient.",
            "d2V/dq2 = dtau/dq at qd = qdd = 0.",
        ),
        mistakes={
            "The torque of rest: with qd = qdd = 0.": lambda: hessian(moving=True),
        },
    ),
)
