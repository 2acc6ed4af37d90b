"""Forward dynamics with forces at the contact points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spatial_v2.arrays import alike
from spatial_v2.contact.points import body_forces
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["gcFD"]


def gcFD(model: Model, FDfun: Callable[..., Any], *state: Any) -> Any:
    """Compute forward dynamics with forces at the contact points, by a given function.

    MATLAB: ``y = gcFD(model,FDfun,u)``, where u and y are the arguments and results stacked in one
    vector each.

    Parameters
    ----------
    model : Model
        A tree with the field ``gc``, see `gcPosVel`.
    FDfun : callable
        `FDab`, `FDcrb`, `FDgq`, `FDfb` or another function with their arguments, the last of which
        is `f_ext`.
    *state : arrays
        The arguments of `FDfun` between the model and `f_ext` (``q, qd, tau``, or
        ``xfb, q, qd, tau``), then `f_gc`, shape (..., n, 6), planar (..., n, 3): a spatial force in
        base coordinates for each contact point, ``Fpt(f, p)`` with f of `gcontact`.

    Returns
    -------
    array or named tuple
        The result of `FDfun`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A model without contact points.

    Examples
    --------
    >>> from spatial_v2 import FDfb, Fpt, gcontact, gcPosVel
    >>> from spatial_v2.models import rollingdisc
    >>> disc, x = rollingdisc(4), [1, 0, 0, 0, 0, 0, 0.0499, *6 * [0]]
    >>> p, pd = gcPosVel(disc, x)
    >>> f = gcontact(1e6, 2000, 0.1, p, pd, 0 * p[:, :2]).f
    >>> gcFD(disc, FDfb, x, [], [], [], Fpt(f, p)).xdfb[12].round(4)
    np.float64(-1.3217)
    """
    check_model(model)
    if len(state) < 2:
        raise TypeError("gcFD: want the arguments of FDfun after the model, then f_gc")
    return FDfun(model, *alike(*state[:-1], body_forces(model, state[-1], "gcFD")))
