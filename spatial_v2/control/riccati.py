"""Passes over the stages of a quadratic problem: costates, Riccati recursion, rollout."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.control.shooting import Expansion
from spatial_v2.packed.memory import allocate

__all__ = [
    "Feedback", "compliances", "cost_scales", "costates", "linear_rollout", "merit",
    "motion_errors", "riccati",
]  # fmt: skip


T = np.matrix_transpose
NOTHING = np.empty((0, 0))
"""Bounds on controls that have none."""


class Feedback(NamedTuple):
    """Optimal feedback of B problems: changes of the controls ``feed + K dx`` for a change dx of
    the state, and the cost to go.
    """

    feed: np.ndarray
    """Changes of the controls for an unchanged state, shape (B, S, m)."""
    K: np.ndarray
    """Feedback matrices, shape (B, S, m, 2 NV)."""
    p: np.ndarray
    """Gradient of the cost to go with respect to the state, shape (B, S + 1, 2 NV)."""
    P: np.ndarray
    """Hessian of the cost to go with respect to the state, shape (B, S + 1, 2 NV, 2 NV)."""
    failed: np.ndarray
    """True for problems without a minimum, shape (B,)."""

    @property
    def stiffness(self) -> np.ndarray:
        """Largest curvature over the instants of the cost to go with respect to each variable of
        the state, shape (B, 2 NV): what weighs a change of this variable, whatever its unit.
        """
        return np.asarray(np.abs(np.diagonal(self.P, axis1=-2, axis2=-1)).max(axis=1))


def _pass(name: str) -> Any:
    """Return a pass by its name: a kernel, or its reference implementation."""
    if has_kernels(name):
        return load_procedure(name)
    from spatial_v2.control import riccati_reference

    return getattr(riccati_reference, name)


def riccati(
    x: Expansion, c: np.ndarray, lower: np.ndarray, upper: np.ndarray, shift: np.ndarray
) -> Feedback:
    """Compute the optimal feedback from the derivatives x, the defects c and the bounds on the
    changes of the controls.

    `shift` (B, m) is added to the diagonal of the Hessian with respect to the controls.
    """
    B, S, n, z = x.F.shape
    shapes = (B, S, z - n), (B, S, z - n, n), (B, S + 1, n), (B, S + 1, n, n), (B,)
    feed, K, p, P, failed = map(allocate, shapes)
    _pass("riccati")((x.F, c, x.g, x.Q), lower, upper, shift, (feed, K, p, P), failed)
    return Feedback(feed, K, p, P, failed > 0)


def linear_rollout(
    x: Expansion, c: np.ndarray, lower: np.ndarray, upper: np.ndarray, f: Feedback
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the changes of states and controls under the feedback f, and the multipliers."""
    dx, du, multipliers = np.empty(f.p.shape), np.empty(f.feed.shape), np.empty(f.p.shape)
    _pass("linear_rollout")(x.F, c, tuple(f[:4]), lower, upper, dx, du, multipliers)
    return dx, du, multipliers


def costates(x: Expansion) -> tuple[np.ndarray, np.ndarray]:
    """Compute the costates (B, S + 1, 2 NV), and the gradient (B, S, m) with respect to the
    controls.
    """
    B, S, n, z = x.F.shape
    p, slope = np.empty((B, S + 1, n)), np.empty((B, S, z - n))
    _pass("costates")(x.F, x.g, p, slope)
    return p, slope


def compliances(x: Expansion, f: Feedback) -> np.ndarray:
    """Compute the blocks (B, S + 1, z, z) of the inverse Hessian of each instant, under the
    dynamics: how far, and in which combinations, a unit of cost moves states and controls.

    A sum of squares under the feedback: ``F Z F'`` is the same number, but rounding errors grow in
    it as motions without feedback diverge.
    """
    B, S, n, z = x.F.shape
    Z, F_u = np.empty((B, S + 1, z, z)), x.F[..., n:]
    A = x.Q[:, :-1, n:, n:] + T(F_u) @ f.P[:, 1:] @ F_u
    if (bad := f.failed).any():
        own = np.empty_like(A)
        own[~bad], own[bad] = np.linalg.inv(A[~bad]), np.linalg.pinv(A[bad], hermitian=True)
    else:
        own = np.linalg.inv(A)
    _pass("compliances")(x.F, f.K, own, Z)
    return Z


def merit(
    c: np.ndarray, w: np.ndarray, stiffness: np.ndarray, g: np.ndarray, x: np.ndarray,
    u: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Compute three numbers of each problem for the line search, shape (3, B).

    They are the sum of squares of the defects c times their stiffness (B, 2 NV), their sum weighted
    by the multipliers w, and the slope of the costs along the changes x and u.
    """
    merits = np.empty((len(c), 3))
    _pass("merit")(c, w, stiffness, g, x, u, merits)
    return merits.T


def motion_errors(
    slope: np.ndarray, u: np.ndarray, bounds: tuple[np.ndarray, np.ndarray] | None, c: np.ndarray,
    of_control: np.ndarray, of_state: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Compute the largest gradient and the largest defect of each problem, as they are and in units
    of controls (B, m) and states (B, 2 NV), shape (4, B).

    Gradients `slope` with respect to the controls u are projected on their bounds, if there are
    some.
    """
    low, high = (NOTHING, NOTHING) if bounds is None else bounds
    errors = np.empty((4, len(c)))
    arguments = slope, u, low, high, bounds is not None, c, of_control, of_state
    _pass("motion_errors")(*arguments, errors)
    return errors


def cost_scales(
    moved: np.ndarray, q: np.ndarray, qd: np.ndarray, u: np.ndarray, g: np.ndarray, Q: np.ndarray
) -> np.ndarray:
    """Compute how much the costs with the gradients g change over the range of each motion in one
    of its variables, and the sum of their curvatures times the squares of these, shape (2, B).

    `moved` are displacements of the configurations from the first one, q from the neutral one.
    """
    scales = np.empty((2, len(g)))
    _pass("cost_scales")(moved, q, qd, u, g, Q, scales)
    return scales
