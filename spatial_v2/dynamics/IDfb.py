"""Inverse dynamics of a floating-base tree."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array, column, namespace, uncolumn
from spatial_v2.arrays.linear import solve
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.floating_base import floating_state
from spatial_v2.dynamics.ID import ID
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["IDfb", "IDfbResult"]


@shown_in_notebooks
class IDfbResult(NamedTuple):
    """Result of `IDfb`."""

    xdfb: Array
    """Rate of the state of the base, shape (..., 13): quaternion, position, velocity."""
    tau: Array
    """Forces of the joints above the base, shape (..., NV - 6)."""


def IDfb(
    model: Model, xfb: Array, q: Array, qd: Array, qdd: Array, f_ext: Array | None = None
) -> IDfbResult:
    """Compute base acceleration and joint forces from the accelerations of the joints above it.

    MATLAB: ``[xdfb,tau] = IDfb(model,xfb,q,qd,qdd,f_ext)``, which fails with two outputs if there
    are no joints above the base; here `tau` is then empty.

    Parameters
    ----------
    model : Model
        A tree returned by `floatbase`, or a tree whose first joint is ``Fb``; as for `FDfb`.
    xfb : array, shape (..., 13)
        Quaternion, position and spatial velocity of the base in fixed coordinates, as for `FDfb`.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV) less those of the base
        Positions, velocities and accelerations of the joints above the base.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in fixed coordinates, as for `FDfb`.

    Returns
    -------
    xdfb : array, shape (..., 13)
        Rate of `xfb`.
    tau : array
        Forces of the joints above the base.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without a floating base.

    Notes
    -----
    No force acts on the base. With the bias force ``p = ID(q, qd, [0; qdd])`` of the tree on one
    joint ``Fb``, the base has the acceleration ``a0 = -I0^C^-1 p0``, where ``I0^C``, the first
    block of H, is the inertia of the whole tree as one rigid body. Featherstone (2008), Chapter 9.
    The function is the inverse of `FDfb` with respect to the last argument.

    Examples
    --------
    >>> from spatial_v2 import FDfb
    >>> from spatial_v2.models import autoTree, floatbase
    >>> model, xfb = floatbase(autoTree(2)), [1] + 12 * [0]
    >>> tau = IDfb(model, xfb, [0.1], [0.2], [0.3]).tau
    >>> FDfb(model, xfb, [0.1], [0.2], tau).qdd.round(12)
    array([0.3])
    """
    check_model(model)
    s = floating_state(model, xfb, f_ext, "IDfb", q=q, qd=qd, qdd=qdd)
    (qdd,) = s.above
    T = namespace(s.q).matrix_transpose
    p = ID(s.tree, s.q, s.qd, s.full(qdd), s.f_ext)
    F = CRBA(s.tree, s.q)[..., :6, :]
    a = -solve(F[..., :, :6], column(p[..., :6]))
    return IDfbResult(s.rate(uncolumn(a)), p[..., 6:] + uncolumn(T(F[..., :, 6:]) @ a))
