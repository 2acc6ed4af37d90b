"""Pull-back of derivatives of frames to independent variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives.frame_SO_derivatives import frame_SO_derivatives
from spatial_v2.mechanisms.pull_back import on_rows
from spatial_v2.mechanisms.tree_state import State, summed, transposed

__all__ = ["of_frame_SO_derivatives", "of_frame_derivatives", "of_modFrame_second_derivatives"]


def of_frame_derivatives(s: State) -> list[Any]:
    J, J_q = map(np.asarray, s.function(s.tree, s.x.q, **s.options))
    G = s.x.G
    return [J @ G, transposed(G)[..., None, :, :] @ J_q @ G[..., None, :, :] + on_rows(J, s.x.G_y)]


def _second_of_frame(s: State, J: Any, J_q: Any, J_qq: Any) -> list[np.ndarray]:
    """Return the Jacobian of a frame by y, with its first and second derivatives along y."""
    G, G_y = s.x.G, s.x.G_y
    J, J_q, J_qq = map(np.asarray, (J, J_q, J_qq))
    sums = [
        np.einsum("...ckl,...kim,...lj->...cijm", J_q, G_y, G),
        np.einsum("...ckl,...ki,...ljm->...cijm", J_q, G, G_y),
        np.einsum("...ckl,...kij,...lm->...cijm", J_q, G_y, G),
        np.einsum("...ck,...ikjm->...cijm", J, s.bends),
    ]
    out = np.einsum("...cklp,...ki->...cilp", J_qq, G)
    out = transposed(G)[..., None, None, :, :] @ out @ G[..., None, None, :, :]
    first_order = transposed(G)[..., None, :, :] @ J_q @ G[..., None, :, :] + on_rows(J, G_y)
    return [J @ G, first_order, sum(sums, out)]


def of_frame_SO_derivatives(s: State) -> list[Any]:
    return [*_second_of_frame(s, *s.function(s.tree, s.x.q, **s.options))]


def of_modFrame_second_derivatives(s: State) -> list[Any]:
    u, w = s.given["u"], s.given["weight"]
    J, J_y, J_yy = _second_of_frame(s, *s.call(frame_SO_derivatives, s.x.q, **s.options))
    by_uq = summed(w, J_y)
    by_u, by_q = (w[..., None, :] @ J)[..., 0, :], (u[..., None, :] @ by_uq)[..., 0, :]
    return [by_q, by_u, np.einsum("...c,...i,...cijk->...jk", w, u, J_yy), by_uq]
