"""Impacts: velocities that jump when constraints begin to hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.blocks import fill_blocks
from spatial_v2.calls.options import Options
from spatial_v2.constraints.ConstraintSet import Constraints, ConstraintSet, constraint_set
from spatial_v2.constraints.kernels import rows, size_of, solve
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.motions import at_rest
from spatial_v2.constraints.options import Rank, settle
from spatial_v2.dynamics import CRBA
from spatial_v2.model import Model

__all__ = ["Impact", "Impact_dyn"]


@shown_in_notebooks
class Impact(NamedTuple):
    """``H (qd_plus - qd) = G^T impulse``, ``G qd_plus = -e G qd``."""

    qd_plus: Array
    """Joint velocities after the impact, shape (..., NV)."""
    impulse: Array
    """Impulses on bodies 2, shape (..., m) [N s or N m s]."""


def _compiled(
    model: Model,
    arrays: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    packs: bool,
    constraints: ConstraintSet,
    restitution: Any = 0.0,
    rank: Rank = "raise",
) -> None:
    """The results of a batch from kernels; where rows depend on others, from the page."""

    def made(q: np.ndarray, qd: np.ndarray) -> Sequence[np.ndarray]:
        H, (G, _) = CRBA(model, q, workers=1), rows(model, q, 0 * qd, constraints, None, packs)
        e, v = np.broadcast_to(restitution, constraints.m)[:, None], qd[..., None]
        found = solve(model, 0.0, H, G, H @ v, -e * (G @ v), packs)
        if found is not None:
            return [x[..., 0] for x in found]
        return Impact_dyn.textbook(model, q, qd, constraints, restitution, rank=rank)

    fill_blocks(made, arrays, results, packs, size_of(model, constraints.m, 1))


@accelerated(
    None, "(q),(v)->(v),(m)", rotors="ignore", settle=settle, composed=_compiled, joints="page"
)
def Impact_dyn(
    model: Model,
    q: Array,
    qd: Array,
    constraints: Constraints,
    restitution: float = 0.0,
    *,
    rank: Rank = "raise",
    **options: Unpack[Options],
) -> Impact:
    """Joint velocities after an impact at which constraints begin to hold, and the impulses.

    MATLAB: ``[qd_p,Lambda] = Impact_dyn(model,q,qd)``, of one quadruped's foot.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions, and velocities before the impact [rad or m, per second].
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        What comes to hold.
    restitution : float or array, shape (m,), optional
        From 0 (plastic) to 1 (elastic), of all rows or of each.
    rank : {"raise", "minimum_norm", "proximal"}, optional
        What to do where rows depend on each other; see `KKT_FD`.
    **options : Options
        ``out`` and ``workers``, as of all accelerated functions.

    Returns
    -------
    qd_plus : array, shape (..., NV)
        Joint velocities after the impact.
    impulse : array, shape (..., m)
        Impulses of the rows, on bodies 2 [N s or N m s].

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        A constraint that the model cannot have.
    SpatialError
        Rows that depend on each other, or a restitution outside 0 to 1.

    Notes
    -----
    Newton's law of impact, ``G qd_plus = -e G qd``: with K the matrix of `KKT_FD`,
    ``K [qd_plus; -impulse] = [H qd; -e G qd]``. Kinetic energy changes by
    ``-(1 - e^2)/2 w^T W^-1 w`` with w = G qd and ``W = G H^-1 G^T``. MATLAB's function has ``+e``
    in the second row: there a body with e > 0 goes on into the ground.

    Examples
    --------
    >>> from spatial_v2 import PointConstraint, autoTree
    >>> tip = PointConstraint(0, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> Impact_dyn(autoTree(1), [0.0], [-2.0], [tip], 0.5).qd_plus
    array([1.])
    """
    q, rest, _ = at_rest(model, q)
    H = CRBA(model, q)
    rows = constraint_set(model, constraints).rows(model, q, rest, rest)
    G = rows.G
    e = constant(np.broadcast_to(restitution, G.shape[-2]), G)
    qd = column(qd)
    kkt = KKT(H, G, 0.0, rank, rows.m)
    qd_plus, impulse = kkt.solve(H @ qd, -column(e) * (G @ qd))
    return Impact(uncolumn(qd_plus), uncolumn(impulse))
