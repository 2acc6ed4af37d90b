"""Workspace of second derivatives of the rows of closed loops."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.loop import Linkage
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.constraint_arrays import RowVectors
from spatial_v2.engine.parts.constraint_hessians import Weighted
from spatial_v2.engine.parts.paths import Paths
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats


class Bend(NamedTuple):
    """Second derivatives of rows in one state; `sweep` and `rows` are those of joints at rest."""

    sweep: Annotated[Sweep, "q, of.constraints.tree.parent.size, nv"]
    rows: Annotated[RowVectors, "q, m, nv"]
    zero: Annotated[Floats, "nv"]
    qdd: Annotated[Floats, "nv"]  # accelerations of the loops' joints
    eta: Annotated[Floats, "m"]  # multipliers of the derivatives of forces with respect to qdd,
    zeta: Annotated[Floats, "m"]  # qd
    kappa: Annotated[Floats, "m"]  # and q
    qq: Annotated[Floats, "nv, nv"]  # second derivatives
    qv: Annotated[Floats, "nv, nv"]
    vv: Annotated[Floats, "nv, nv"]
    qa: Annotated[Floats, "nv, nv"]  # derivatives of ``J^T eta`` along q
    spare: Annotated[Floats, "nv, nv"]
    alpha_q: Annotated[Floats, "m, nv"]  # derivatives of the rows at rest
    alpha_qd: Annotated[Floats, "m, nv"]
    b_loops: Annotated[Floats, "E"]  # derivatives of velocities b along y: entries of loops
    b_y: Annotated[Floats, "of.followers.row.size"]  # and those of `Followers`
    paths: Annotated[Paths, "nv"]
    room: Annotated[Weighted, "q"]


_allocate = allocator(Bend, "of, E, q, m, nv")


@within
def new_bend(of: Linkage, E: int, q: Floats) -> Bend:
    """Allocate a `Bend` of loops with E entries, for the kind of number of q."""
    made = _allocate(of, E, q, of.row_scale.size, of.v.size)
    made.zero[:] = 0.0
    return made
