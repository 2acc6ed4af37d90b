"""Forward dynamics of a floating-base tree."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.FDab import FDab
from spatial_v2.dynamics.floating_base import floating_state
from spatial_v2.model import Model

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
    """Motion of a floating base and of the joints above it, under given joint forces.

    MATLAB: ``[xdfb,qdd] = FDfb(model,xfb,q,qd,tau,f_ext)``, which knows joints with one degree of
    freedom and no rotors; here all joints and rotors are taken.

    Parameters
    ----------
    model : Model
        A tree made by `floatbase`, or one on a single joint ``Fb``. The ``Xtree`` of these joints
        are ignored: `xfb` says where the base is.
    xfb : array, shape (..., 13)
        Quaternion [w, x, y, z] of the base's orientation, position [m] of its origin and its
        spatial velocity [rad/s, m/s], all in fixed coordinates; the velocity is referred to the
        fixed origin, so that its linear part is not that of the base's origin (`Vpt` gives that).
    q, qd, tau : array, shapes (..., NQ), (..., NV), (..., NV) less those of the base
        Positions, velocities and forces of the joints above the base; ``[]`` for a single body.
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates, see `ID`; those on the five massless bodies of
        `floatbase` are ignored.

    Returns
    -------
    xdfb : array, shape (..., 13)
        Rates of the variables of `xfb`. The last six are the spatial acceleration of the base in
        fixed coordinates, gravity included.
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
    Featherstone (2008), Chapter 9: the articulated-body algorithm, at whose base no force acts. It
    is `FDab` of a tree on one joint ``Fb``, whose velocity is that of the base in its own
    coordinates: ``v0 = X vfb``. Like `rqd` the rate of the quaternion draws its norm towards one.

    Examples
    --------
    >>> from spatial_v2.models import autoTree, floatbase
    >>> falling = FDfb(floatbase(autoTree(1)), [1] + 12 * [0], [], [], [])
    >>> falling.xdfb[7:].round(12) + 0
    array([ 0.  ,  0.  ,  0.  ,  0.  ,  0.  , -9.81])
    """
    s = floating_state(model, xfb, f_ext, "FDfb", q=q, qd=qd, tau=tau)
    (tau,) = s.above
    a = FDab(s.tree, s.q, s.qd, s.full(tau), s.f_ext)
    return FDfbResult(s.rate(a[..., :6]), a[..., 6:])
