"""Rates of the position variables at given joint velocities."""

from __future__ import annotations

from spatial_v2.arrays import Array, namespace
from spatial_v2.arrays.numbers import check_switch
from spatial_v2.model import Model
from spatial_v2.model.state import check_state

__all__ = ["configurationRates"]


def configurationRates(model: Model, q: Array, qd: Array, stabilise: bool = True) -> Array:
    """Compute the time derivative of q (..., NQ) for joint velocities qd, as integrators need it.

    MATLAB: ``q_dot = configurationRates(model,q,qd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Configurations.
    qd : array, shape (..., NV)
        Joint velocities.
    stabilise : bool, optional
        If True, add a term that drives the norm of quaternions towards one, as MATLAB does; see
        `rqd`. It is zero for unit quaternions.

    Returns
    -------
    array, shape (..., NQ)
        Rates of change of the position variables [1/s, rad/s or m/s].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2).replace(jtype=["S", "Rx"])
    >>> configurationRates(model, [1, 0, 0, 0, 7], [2, 4, 6, 8])
    array([0., 1., 2., 3., 8.])
    """
    check_switch("stabilise", stabilise)
    q, qd = check_state(model, q=q, qd=qd)
    layout = model.layout
    parts = [
        joint.group.rate(q[..., qs], qd[..., vs], stabilise)
        for joint, qs, vs in zip(layout.joints, layout.qinds, layout.vinds, strict=True)
    ]
    return namespace(q, qd).concat(parts, axis=-1)
