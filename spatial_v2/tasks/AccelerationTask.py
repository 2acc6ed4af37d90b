"""Rows of accelerations that a controller asks for."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["AccelerationTask"]


@shown_in_notebooks
class AccelerationTask(NamedTuple):
    """Task of `whole_body_problem`: joint accelerations with ``J qdd = a``.

    For quantities that other tasks do not have, and for courses with velocities and accelerations.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2 import FrameJacobian, FrameJacobianTimeDerivative, puma560
    >>> arm, q, qd, wanted = puma560(), 0.1 * np.ones(6), np.zeros(6), np.array([0, 0, 1.0])
    >>> J = FrameJacobian(arm, q, "flange", "mixed")[3:]
    >>> drift = FrameJacobianTimeDerivative(arm, q, qd, "flange", "mixed")[3:] @ qd
    >>> AccelerationTask(J, wanted - drift).weight
    1.0
    """

    J: Any
    """Rows of a Jacobian, shape (m, NV)."""
    a: Any
    """Accelerations without the part ``dJ/dt qd``, shape (m,)."""
    weight: Any = 1.0
    """Weight of the rows, or one for each, shape (m,)."""
