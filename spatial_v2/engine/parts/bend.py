"""Workspace of second derivatives of the rows of closed loops."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.loop import Linkage
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import RowVectors, new_row_vectors
from spatial_v2.engine.parts.constraint_hessians import Weighted, new_weighted
from spatial_v2.engine.parts.paths import Paths, new_paths
from spatial_v2.engine.parts.sweep import Sweep, new_sweep
from spatial_v2.engine.tree import Floats

__all__ = ["Bend", "new_bend"]


class Bend(NamedTuple):
    """Second derivatives of rows in one state.

    Attributes
    ----------
    sweep, rows, zero, qdd : Sweep, RowVectors, (nv,), (nv,)
        The loops' joints at rest, with accelerations qdd.
    eta, zeta, kappa : (m,)
        Multipliers of the derivatives of forces with respect to qdd, qd and q.
    qq, qv, vv, qa, spare : (nv, nv)
        Second derivatives; the derivatives of ``J^T eta`` along q; scratch space.
    alpha_q, alpha_qd : (m, nv)
        Derivatives of the rows at rest.
    b_loops, b_y : (loop entries,), (entries,)
        Derivatives of the tree's velocities b along y, where those of y are constant.
    paths, room : Paths, Weighted
        Workspaces of `add_rows`.
    """

    sweep: Sweep
    rows: RowVectors
    zero: Floats
    qdd: Floats
    eta: Floats
    zeta: Floats
    kappa: Floats
    qq: Floats
    qv: Floats
    vv: Floats
    qa: Floats
    spare: Floats
    alpha_q: Floats
    alpha_qd: Floats
    b_loops: Floats
    b_y: Floats
    paths: Paths
    room: Weighted


@within
def new_bend(of: Linkage, E: int, q: Floats) -> Bend:
    """Allocate a `Bend` of loops with E entries, for the kind of number of q."""
    m, nv, e = of.row_scale.size, of.v.size, of.followers.row.size
    zero = empty(q, nv)
    zero[:] = 0.0
    return Bend(
        new_sweep(q, of.constraints.tree.parent.size, nv), new_row_vectors(q, m, nv), zero,
        empty(q, nv), empty(q, m), empty(q, m), empty(q, m), empty(q, nv, nv), empty(q, nv, nv),
        empty(q, nv, nv), empty(q, nv, nv), empty(q, nv, nv), empty(q, m, nv), empty(q, m, nv),
        empty(q, E), empty(q, e), new_paths(nv), new_weighted(q),
    )  # fmt: skip
