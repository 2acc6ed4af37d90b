"""Sizes up to which pivots of the joint-space inertia matrix are rounding errors."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.blocks import flattened
from spatial_v2.arrays.linear import solve
from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.options import Options
from spatial_v2.calls.records import new_results
from spatial_v2.couplings import CoupledModel
from spatial_v2.dynamics.CRBA import CRBA
from spatial_v2.dynamics.moved_bodies import moved_bodies
from spatial_v2.dynamics.pivots import least_pivots, regular_inertia
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.joints import jcalc
from spatial_v2.model import Model

__all__ = ["smallest_pivots", "solve_coupled", "solve_regular"]


def _of_coupled(model: Model, q: Array) -> Array:
    """Compute the sizes for a coupled model."""
    return _of_inertia(model, CRBA(model, q))


def solve_coupled(model: Model, H: Array, B: Array) -> Array:
    """Return ``H^-1 B`` for the inertia matrix H of a coupled model and matrices B (..., n, k); NaN
    where a pivot is a rounding error.
    """
    return solve_regular(H, _of_inertia(model, H), B)


def solve_regular(H: Array, least: Array, B: Array) -> Array:
    """Return ``H^-1 B`` for joint-space inertia matrices H (..., n, n) and matrices B (..., n, k);
    NaN where a pivot of H is not larger than its entry of `least` (..., n).
    """
    plain = all(isinstance(x, np.ndarray) and x.dtype == np.float64 for x in (H, B))
    if not (plain and has_kernels("inertia_solve")):
        return solve(regular_inertia(H, least), B)
    lead = np.broadcast_shapes(H.shape[:-2], B.shape[:-2])
    cores = (H, 2), (least, 1), (B, 2)
    states = [flattened(x, lead, core) for x, core in cores]
    record = Record(np.arange(-1, H.shape[-1] - 1))
    (out,) = new_results("inertia_solve", record, states, [B.shape[-2:]], bool(lead))
    return out.reshape(*lead, *B.shape[-2:])


def _of_inertia(model: Model, H: Array) -> Array:
    """Compute the sizes for a coupled model: the share of the diagonal of its inertia matrix, and,
    for a linear coupling, of the inertia carried at the neutral configuration.
    """
    carried = np.zeros(model.NV)
    if isinstance(model, CoupledModel) and model.is_linear:
        coupling = model.coupling
        q_tree = coupling.positions @ model.layout.neutral() + coupling.shift
        of_tree = smallest_pivots(model.tree, q_tree)
        carried = of_tree @ coupling.matrix**2
    own = namespace(H).sum(H * constant(np.eye(model.NV), H), axis=-1)
    return SHARE * own + constant(carried, H)


@accelerated("smallest_pivots", "(q)->(v)", rotors="own", joint_terms=True, coupled=_of_coupled)
def smallest_pivots(model: Model, q: Array, **options: Unpack[Options]) -> Array:
    """Compute the sizes up to which pivots of the joint-space inertia matrix are rounding errors.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (..., NQ)
        Joint positions.

    Returns
    -------
    array, shape (..., NV)
        For each velocity variable a share of the inertia that it carries; see
        `pivots.least_pivots`.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> smallest_pivots(autoTree(2), [0.1, 0.2]).shape
    (2,)
    """
    xp, (bodies, _) = namespace(q), moved_bodies(model)
    Xup, S = {}, {}
    for b, (i, _, jtype, Xtree, _, gear) in enumerate(bodies):
        XJ, Sb = jcalc(jtype, gear * q[..., model.qinds[i]])
        Xup[b], S[b] = XJ @ constant(Xtree, q), constant(gear * Sb, q)
    parts = [
        x + 0 * q[..., :1] + constant(np.zeros(n), q)
        for x, n in zip(least_pivots(bodies, Xup, S), model.nv, strict=False)
    ]
    return xp.concat(parts, axis=-1)
