"""Joint transform and motion subspace."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.joints.table import JointTypeLike, joint_type

__all__ = ["jcalc"]


def jcalc(jtype: JointTypeLike, q: Array) -> tuple[Array, np.ndarray]:
    """Compute the joint transform X_J(q) and the motion subspace S of a joint.

    MATLAB: ``[Xj,S] = jcalc(jtype,q)``.

    Parameters
    ----------
    jtype : str or dict
        Joint code, or ``{"code": "H", "pars": {"pitch": h}}``; see the page "Joint types".
    q : array, shape (..., nq), or a number for a joint with one variable
        Position variables of this joint alone.

    Returns
    -------
    X_J : array, shape (..., 6, 6), planar (..., 3, 3)
        Transform of motion coordinates from the joint's parent side to the body.
    S : numpy.ndarray, shape (6, nv), planar (3, nv)
        Motion subspace in body coordinates; the same for every q.

    Raises
    ------
    JointTypeError
        Unknown joint code.
    ArrayShapeError
        `q` has not nq entries.

    Notes
    -----
    Featherstone (2008), Table 4.1 and Sec. 4.4.

    Examples
    --------
    >>> X_J, S = jcalc("Px", 0.5)
    >>> S.T
    array([[0., 0., 0., 1., 0., 0.]])
    >>> jcalc("S", [1, 0, 0, 0])[0].shape
    (6, 6)
    """
    row = joint_type(jtype)
    q = as_numbers(q, "jcalc: q")
    if q.ndim == 0:
        q = q[None]
    if q.shape[-1] != row.nq:
        raise ArrayShapeError(
            f"q: joint {row.code!r} has nq = {row.nq} position variables ({row.position}), "
            f"so q must have shape (..., {row.nq}); got {tuple(q.shape)}"
        )
    return row.X_J(q), row.S
