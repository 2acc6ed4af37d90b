"""Subtraction of external forces from body forces."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from spatial_v2.arrays import Array, column, namespace
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_forces, check_frame, check_model

__all__ = ["apply_external_forces"]


def apply_external_forces(
    model: Model,
    Xup: dict[int, Array],
    f_in: dict[int, Array],
    f_ext: Array | None,
    frame: Literal["base", "body"] = "base",
) -> dict[int, Array]:
    """Subtract external forces from body forces: ``f_out[i] = f_in[i] - X_i^-T f_ext[i]``.

    MATLAB: ``f_out = apply_external_forces(parent,Xup,f_in,f_ext)``, with cell arrays. X_i is the
    transform from the base to body i.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    Xup : dict of arrays (..., 6, 6)
        Transform from the parent to each body.
    f_in : dict of arrays (..., 6, 1)
        Force on each body, a column in body coordinates.
    f_ext : array (..., NB, 6), dict {body: (..., 6)} or None
        External forces in base coordinates.
    frame : {"base", "body"}, optional
        With ``"body"`` the external forces are in body coordinates and are not transformed.

    Returns
    -------
    dict of arrays (..., 6, 1)
        The differences f_out, which the joint forces have to balance.

    Raises
    ------
    ArrayShapeError
        A force that is not a column, or external forces of the wrong shape.

    Notes
    -----
    Featherstone (2008), Sec. 5.3 and Table 5.1. The transforms from the base are inverted in closed
    form, ``X^-T = [E, -E rx; 0, E]``.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> f = {0: np.zeros((6, 1))}
    >>> out = apply_external_forces(autoTree(1), {0: np.eye(6)}, f, {0: [1, 2, 3, 4, 5, 6]})
    >>> out[0].T
    array([[-1., -2., -3., -4., -5., -6.]])
    """
    check_model(model)
    check_frame(frame)
    forces: Any = f_in
    for i, f in forces.items() if isinstance(forces, dict) else enumerate(forces):
        if np.ndim(f) < 2 or np.shape(f)[-1] != 1:
            raise ArrayShapeError(
                f"f_in[{i}]: want a column, shape (..., {len(model.I[0])}, 1), got {np.shape(f)}; "
                "spatial_v2.matlab.apply_external_forces takes MATLAB's arguments"
            )
    if f_ext is None:
        return dict(f_in)
    force = check_forces(model, f_ext)
    if frame == "body":
        bodies = range(model.NB)
        return {i: f_in[i] - column(force[..., i, :]) for i in bodies}
    f_out: dict[int, Array] = {}
    Xa: dict[int, Array] = {}
    for i, p in enumerate(model.parent.tolist()):
        Xa[i] = Xup[i] if p < 0 else Xup[i] @ Xa[p]
        f_out[i] = f_in[i] - _force_transform(Xa[i]) @ column(force[..., i, :])
    return f_out


def _force_transform(X: Array) -> Array:
    """Return ``X^-T`` of a Plücker transform X: its lower left block moves to the upper right."""
    xp = namespace(X)
    n = X.shape[-1] - 3
    if n == 0:
        E, low = X[..., 1:, 1:], X[..., 1:, :1]
        top = xp.concat([X[..., :1, :1], -xp.matrix_transpose(low) @ E], axis=-1)
        return xp.concat([top, xp.concat([0 * low, E], axis=-1)], axis=-2)
    E, low = X[..., :3, :3], X[..., 3:, :3]
    return xp.concat([xp.concat([E, low], axis=-1), xp.concat([0 * E, E], axis=-1)], axis=-2)
