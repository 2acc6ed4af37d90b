"""Inverse dynamics of a tree with closed loops, in its independent variables."""

from spatial_v2.engine.algorithms.FDab_closed import (
    accelerations,
    begin,
    follow,
    new_followed,
)
from spatial_v2.engine.algorithms.open_loops import with_errors
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.loop import Branches
from spatial_v2.engine.parts.body_sweep import motion_and_forces
from spatial_v2.engine.parts.joint_terms import add_product
from spatial_v2.engine.parts.loop_products import pulled_force
from spatial_v2.engine.tree import Floats


@jit
def ID_closed(
    of: Branches, q: Floats, yd: Floats, ydd: Floats, f_ext: Floats, f_body: Floats,
    tau: Floats, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the forces tau (B, n) of independent variables for their accelerations, for the
    arguments and with gap and bound of `FDab_closed`.
    """
    link, constraints, x = of.of, with_errors(of.of.constraints), new_followed(of, q, yd.shape[1])
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        accelerations(link, ydd[b], x, b)
        motion_and_forces(link.tree, x.tree_q, x.qd, x.qdd[b], f_ext, f_body, b, x.bodies, x.p, x.C)
        add_product(link.tree.armature, x.qdd[b], x.C)
        pulled_force(link.followers, x.G, x.C, tau[b])
