"""The manipulability of a frame, and its gradient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from derivatives import frame_derivatives
from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model, check_vector
from spatial_v2.tasks.rows import Rows, rows_of

__all__ = ["ManipulabilityDerivatives", "manipulability_derivatives"]


@shown_in_notebooks
class ManipulabilityDerivatives(NamedTuple):
    """The manipulability of a frame, and its gradient."""

    w: np.ndarray
    """`manipulability`, shape (...)."""
    dw_dq: np.ndarray
    """Its derivatives along q, shape (..., NV)."""


def manipulability_derivatives(
    model: Model, q: Array, frame: Frame | int | str, rows: Rows = "pose"
) -> ManipulabilityDerivatives:
    """Compute the manipulability of a frame and its gradient, which leads away from singularities.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m], real numbers.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    rows : {"pose", "position", "orientation"}, optional
        The part of the velocity that counts.

    Returns
    -------
    ManipulabilityDerivatives
        Named tuple ``w, dw_dq``. At a singularity w has a kink; the gradient is then that on one of
        its sides.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape; complex numbers.
    ModelError
        An unknown frame.
    SpatialError
        Unknown rows.

    Notes
    -----
    With the singular values s_i of J and its singular vectors u_i, v_i, the derivative of s_i along
    q_k is ``u_i^T (dJ/dq_k) v_i``.

    Examples
    --------
    >>> from spatial_v2 import Frame, planar
    >>> arm, tip = planar(2), Frame(1, [[1, 0, 0], [0, 1, 0], [-1, 0, 1]])
    >>> w, gradient = manipulability_derivatives(arm, [0.0, 0.5], tip, "position")
    >>> np.allclose(w, np.sin(0.5)), np.allclose(gradient, [0, np.cos(0.5)])
    (True, True)
    """
    check_model(model)
    q = as_real(check_vector(model, "q", q, model.NQ, "q"), "q")
    motion = frame_derivatives(model, q, frame, "body")
    part = rows_of(model, rows)
    u, s, vT = np.linalg.svd(motion.J[..., part, :], full_matrices=False)
    ds = np.einsum("...ri,...rjk,...ij->...ik", u, motion.dJ_dq[..., part, :, :], vT)
    others = np.where(np.eye(s.shape[-1], dtype=bool), 1.0, s[..., None, :]).prod(axis=-1)
    dw = (others[..., None, :] @ ds)[..., 0, :]
    return ManipulabilityDerivatives(np.prod(s, axis=-1), dw)
