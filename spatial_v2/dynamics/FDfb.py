"""Forward dynamics of a floating-base tree."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.FDab import FDab
from spatial_v2.dynamics.floating_base import floating_state
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["FDfb", "FDfbResult"]


@shown_in_notebooks
class FDfbResult(NamedTuple):
    """Result of `FDfb`."""

    xdfb: Array
    """Rate of the state of the base, shape (..., 13): quaternion, position, velocity."""
    qdd: Array
    """Accelerations of the joints above the base, shape (..., NV - 6)."""


def FDfb(
    model: Model, xfb: Array, q: Array, qd: Array, tau: Array, f_ext: Array | None = None
) -> FDfbResult:
    """Compute accelerations of a floating base and the joints above it from joint forces.

    MATLAB: ``[xdfb,qdd] = FDfb(model,xfb,q,qd,tau,f_ext)``, which supports only joints with one
    degree of freedom and no rotors; this function supports all joints and rotors.

    Parameters
    ----------
    model : Model
        A tree returned by `floatbase`, or a tree whose first joint is ``Fb``. The ``Xtree`` of
        these base joints are ignored, since `xfb` is the pose of the base.
    xfb : array, shape (..., 13)
        Quaternion [w, x, y, z] of the base's orientation, position [m] of its origin and its
        spatial velocity [rad/s, m/s], all in fixed coordinates. The linear part of the spatial
        velocity is at the fixed origin; `Vpt` gives the velocity of the base's origin.
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV) less those of the base
        Positions, velocities and forces of the joints above the base; ``[]`` for a single body.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in fixed coordinates, see `ID`; forces on the five massless bodies of
        `floatbase` are ignored.

    Returns
    -------
    xdfb : array, shape (..., 13)
        Rate of `xfb`. The last six entries are the spatial acceleration of the base in fixed
        coordinates, gravity included.
    qdd : array
        Accelerations of the joints above the base.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without a floating base.

    Notes
    -----
    Featherstone (2008), Chapter 9: the articulated-body algorithm with no force on the base. It is
    `FDab` for a tree on one joint ``Fb``, whose velocity is ``v0 = X vfb``, with vfb the velocity
    in `xfb` and X the transform from fixed to base coordinates. As in `rqd`, the rate of the
    quaternion has a term that drives the norm towards one.

    Examples
    --------
    >>> from spatial_v2.models import autoTree, floatbase
    >>> falling = FDfb(floatbase(autoTree(1)), [1] + 12 * [0], [], [], [])
    >>> falling.xdfb[7:].round(12) + 0
    array([ 0.  ,  0.  ,  0.  ,  0.  ,  0.  , -9.81])
    """
    check_model(model)
    s = floating_state(model, xfb, f_ext, "FDfb", q=q, qd=qd, tau=tau)
    (tau,) = s.above
    a = FDab(s.tree, s.q, s.qd, s.full(tau), s.f_ext)
    return FDfbResult(s.rate(a[..., :6]), a[..., 6:])
