"""The equation of motion: joint-space inertia matrix and bias force."""

from __future__ import annotations

from typing import Literal, NamedTuple, Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.CRBA import composite_rigid_bodies
from spatial_v2.dynamics.ID import ID
from spatial_v2.model import Model

__all__ = ["HandC", "HandCInfo", "HandCResult"]


@shown_in_notebooks
class HandCResult(NamedTuple):
    """Coefficients of the equation of motion ``tau = H qdd + C``."""

    H: Array
    """Joint-space inertia matrix, shape (..., NV, NV)."""
    C: Array
    """Bias force, shape (..., NV)."""


@shown_in_notebooks
class HandCInfo(NamedTuple):
    """Quantities of the sweeps of `HandC` in body coordinates.

    IC and Xup have the shape (..., NB, 6, 6), the others (..., NB, 6). The bias motion is that with
    ``qdd = 0``.
    """

    IC: Array
    """Composite inertias of the subtrees."""
    Xup: Array
    """Transforms from the parents to the bodies."""
    v: Array
    """Velocities."""
    avp: Array
    """Accelerations in the bias motion; that of the base is minus gravity."""
    fvp: Array
    """Forces across the joints in the bias motion."""

    def first(self, n: int) -> HandCInfo:
        """Return the quantities of the first n bodies."""
        IC, Xup = (x[..., :n, :, :] for x in (self.IC, self.Xup))
        return HandCInfo(IC, Xup, *(x[..., :n, :] for x in (self.v, self.avp, self.fvp)))


@accelerated(
    "HandC",
    "(q),(v)->(v,v),(v)",
    info=("HandC_info", "(b,6,6),(b,6,6),(b,6),(b,6),(b,6)", HandCInfo),
    joint_terms=True,
)
def HandC(
    model: Model,
    q: Array,
    qd: Array,
    f_ext: Array | None = None,
    *,
    frame: Literal["base", "body"] = "base",
    return_info: bool = False,
    **options: Unpack[Options],
) -> HandCResult:
    """Compute the coefficients of the equation of motion ``tau = H qdd + C``.

    MATLAB: ``[H,C] = HandC(model,q,qd,f_ext)``, ``[H,C,info] = HandC(...)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].
    f_ext : array, shape (..., NB, 6), or dict {body: (..., 6)}, optional
        External forces [couple; force] on the bodies; see `ID`.
    frame : {"base", "body"}, optional
        Coordinates of the external forces: those of the base or of the bodies.
    return_info : bool, optional
        Return `HandCInfo` as well: composite inertias IC, transforms, velocities, and the
        accelerations and accumulated forces of the bias motion.

    Returns
    -------
    H : array, shape (..., NV, NV)
        Joint-space inertia matrix, symmetric.
    C : array, shape (..., NV)
        Bias force: gravity, velocity and external-force terms [N m or N].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    SpatialError
        An unknown `frame`.

    Notes
    -----
    H is that of `CRBA`, Featherstone (2008), Table 6.2, and C is ``ID(q, qd, 0)``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> H, C = HandC(autoTree(3), [0.1, 0.2, 0.3], [0, 0, 0])
    >>> H.round(3)
    array([[8.777, 4.533, 1.251],
           [4.533, 2.625, 0.812],
           [1.251, 0.812, 0.335]])
    """
    xp = namespace(q, qd, f_ext)
    rest = constant(np.zeros(model.NV), q)
    C, out = ID.reference(model, q, qd, rest, f_ext, frame=frame, return_info=True)
    Xup = {i: out.Xup[..., i, :, :] for i in range(model.NB)}
    H, IC = composite_rigid_bodies(model, q, Xup)
    if not return_info:
        return HandCResult(H, C)
    IC = xp.stack([xp.broadcast_to(I, out.Xup.shape[:-3] + I.shape[-2:]) for I in IC], axis=-3)
    return HandCResult(H, C), HandCInfo(IC, out.Xup, out.v, out.a, out.f)  # type: ignore[return-value]
