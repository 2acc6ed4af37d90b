"""angleAxisToAngleAndAxis: angle and axis of a rotation vector."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, namespace, real_part
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.linear import length
from spatial_v2.arrays.namespaces import settled
from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["AngleAndAxis", "angleAxisToAngleAndAxis"]


@shown_in_notebooks
class AngleAndAxis(NamedTuple):
    """Angle and axis of a rotation.

    Parameters
    ----------
    angle : array, shape (...)
        Angle [rad].
    axis : array, shape (..., 3)
        Unit vector, or zero if the angle is zero.

    Examples
    --------
    >>> from spatial_v2 import angleAxisToAngleAndAxis
    >>> angleAxisToAngleAndAxis([0, 0, 2]).axis
    array([0., 0., 1.])
    """

    angle: Array
    axis: Array


def angleAxisToAngleAndAxis(phi: Any) -> AngleAndAxis:
    """Split phi into ``angle, axis`` with phi = angle * axis (MATLAB ``angleAxisToAngleAndAxis``).

    Parameters
    ----------
    phi : array, shape (..., 3) or (..., 3, 1)
        Angle times axis [rad].

    Returns
    -------
    angle : array, shape (...)
        Length of `phi` [rad].
    axis : array, shape (..., 3)
        Unit vector, or zero if the angle is zero.

    Raises
    ------
    ArrayShapeError
        If `phi` does not hold 3-vectors.

    Examples
    --------
    >>> angle, axis = angleAxisToAngleAndAxis([0, 3, 4])
    >>> float(angle), axis
    (5.0, array([0. , 0.6, 0.8]))
    """
    phi = as_vector(phi, "angleAxisToAngleAndAxis: phi", 3)
    xp, angle = namespace(phi), length(phi)
    none = settled(xp.equal(real_part(angle), 0), generic=False)
    return AngleAndAxis(angle[..., 0], phi / xp.where(none, 0 * angle + 1, angle))
