"""Projection of configurations onto constraints."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.numbers import check_count, check_positive
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.configuration import configurationAddition
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.constraints.coupled_rows import distances_of
from spatial_v2.constraints.motions import at_rest
from spatial_v2.constraints.shortest import shortest
from spatial_v2.constraints.turned import say_turned, turned
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["ProjectedConfiguration", "project_configuration"]


@shown_in_notebooks
class ProjectedConfiguration(NamedTuple):
    """Result of `project_configuration`: a configuration that satisfies constraints."""

    q: np.ndarray
    """The configuration, shape (..., NQ)."""
    residual: np.ndarray
    """Largest absolute position error at q, shape (...) [rad or m]."""
    iterations: np.ndarray
    """Number of Newton steps to q, shape (...)."""
    converged: np.ndarray
    """True if the residual is within the tolerance, shape (...)."""


def project_configuration(
    model: Model,
    q: Any,
    constraints: Constraints,
    *,
    tolerance: float = 1e-12,
    max_iterations: int = 50,
) -> ProjectedConfiguration:
    """Find a configuration near q that satisfies constraints, by Newton's method.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too. Rotors have no effect.
    q : array_like, shape (..., NQ)
        Initial configuration, real [rad or m].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The constraints to satisfy.
    tolerance : float, optional
        Largest position error allowed [rad or m]. For robots far from the base give more: positions
        of 1e6 m have rounding errors of 1e-10 m.
    max_iterations : int, optional
        Largest number of Newton steps.

    Returns
    -------
    ProjectedConfiguration
        Named tuple ``q, residual, iterations, converged``. Check `converged`: no configuration may
        satisfy the constraints.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that does not fit the model.
    SpatialError
        Options out of range.

    Warns
    -----
    ConvergenceWarning
        Two frames differ by a rotation of nearly pi about an axis that is not free, where the
        position error, a sine, vanishes; such states have not converged.

    Notes
    -----
    Each step is ``q (+) -e_q^+ e``, where (+) is `configurationAddition` and e_q^+ the
    pseudoinverse of the derivative of `position_error`, so that steps have least norm and
    constraints may be redundant. In the norm a rotation by one radian counts as the robot's own
    length, so that the configuration does not depend on the unit of length. The configuration with
    the least error among all steps is returned.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(2, [1.0, 0.0, 0.0], point1=[1.0, 1.0, 0.0])
    >>> found = project_configuration(autoTree(3), [0.1, 0.2, 0.3], [tip])
    >>> bool(found.converged), bool(found.iterations < 10)
    (True, True)
    """
    check_positive("tolerance", tolerance)
    check_count("max_iterations", max_iterations)
    (q,) = check_state(model, q=q)
    q = as_real(q, "q")
    constraints = constraint_set(model, constraints)
    size = distances_of(model)
    best, residual = q, np.full(q.shape[:-1], np.inf)
    iterations = np.zeros(q.shape[:-1], dtype=np.int64)
    for iteration in range(max_iterations + 1):
        rows = constraints.rows(model, *at_rest(model, q))
        error = np.abs(rows.e).max(axis=(-2, -1), initial=0.0)
        better = (error < residual) & (residual > tolerance)
        best = np.where(better[..., None], q, best)
        residual, iterations = (
            np.where(better, error, residual),
            np.where(better, iteration, iterations),
        )
        if iteration == max_iterations or not ((residual > tolerance) & (error >= 0)).any():
            break
        step = shortest(rows.e_q / size, rows.e)[..., 0] / size
        q = np.asarray(configurationAddition(model, q, -step))
    half = turned(model, best, constraints, tolerance)
    say_turned(half)
    converged = residual <= tolerance
    for where in half.values():
        converged = converged & ~where
    return ProjectedConfiguration(best, residual, iterations, converged)
