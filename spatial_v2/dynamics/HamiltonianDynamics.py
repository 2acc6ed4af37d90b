"""Hamilton's equations of motion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, constant
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.dynamics.FDab import FDab
from spatial_v2.dynamics.Hqd_and_CTqd import Hqd_and_CTqd
from spatial_v2.dynamics.ID import ID
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import drag_forces
from spatial_v2.model.state import check_state

__all__ = ["HamiltonianDynamics", "HamiltonianRates"]


@shown_in_notebooks
class HamiltonianRates(NamedTuple):
    """Rates of position and momentum, arrays (..., NV)."""

    q_dot: Array
    """Joint velocity ``H^-1 p``, with p the generalised momentum and H the inertia matrix."""
    p_dot: Array
    """Rate of the generalised momentum."""


def HamiltonianDynamics(
    model: Model, q: Array, p: Array, tau: Array, f_ext: Array | None = None
) -> HamiltonianRates:
    """Compute the joint velocity and the rate of the generalised momentum from q and momentum.

    MATLAB: ``[q_dot,p_dot] = HamiltonianDynamics(model,q,p,tau,f_ext)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].
    p : array, shape (..., NV)
        Generalised momentum ``H qd``.
    tau : array, shape (..., NV)
        Joint forces [N m or N].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces in base coordinates; see `ID`.

    Returns
    -------
    q_dot : array, shape (..., NV)
        Joint velocities qd. ``configurationRates(model, q, q_dot)`` converts them to the rates of
        the position variables, which differ for joints with quaternions, for example.
    p_dot : array, shape (..., NV)
        ``C^T qd + tau - tau_g``, with tau_g the joint forces that balance gravity, springs and
        external forces.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Notes
    -----
    ``dp/dt = H qdd + dH/dt qd`` and ``dH/dt = C + C^T``. The velocity ``H^-1 p`` is computed as the
    acceleration from rest under the forces ``p + g``, where g cancels gravity and springs.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> from spatial_v2 import CRBA
    >>> model = autoTree(2)
    >>> p = CRBA(model, [0, 1]) @ [1, 2]
    >>> HamiltonianDynamics(model, [0, 1], p, [0, 0]).q_dot
    array([1., 2.])
    """
    q, p, tau = check_state(model, q=q, p=p, tau=tau)
    zero = constant(np.zeros(model.NV), q)
    q_dot = FDab(model, q, zero, p + ID(model, q, zero, zero))
    tau_g = ID(model, q, zero, zero, f_ext)
    p_dot = Hqd_and_CTqd(model, q, q_dot).CTqd + tau - tau_g
    return HamiltonianRates(q_dot, p_dot - drag_forces(model, q_dot))
