"""Velocities of the bodies, and rates of their motion subspaces."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import combine, crm, six, store
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.tree import Floats, Tree


class Velocities(NamedTuple):
    """Poses R, p of the bodies, motion subspaces S and their rates Sd, and body velocities v."""

    R: Annotated[Floats, "nb + 1, 3, 3"]
    p: Annotated[Floats, "nb + 1, 3"]
    S: Annotated[Floats, "nv, 6"]
    Sd: Annotated[Floats, "nv, 6"]
    v: Annotated[Floats, "nb + 1, 6"]


new_velocities = allocator(Velocities, "q, nb, nv")


@inline
def velocities(tree: Tree, q: Floats, qd: Floats, bodies: Velocities) -> None:
    """Compute the results of `about_robot`, rates ``Sd = crm(v) S`` and body velocities v."""
    R, p, S, Sd, v = bodies
    about_robot(tree, q, R, p, S)
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        store(six(v[tree.parent[i]]), v[i])
        combine(S, v0, v1, qd, v[i])
        mover = tree.parent[i] if v1 == v0 + 1 else i
        for k in range(v0, v1):
            store(crm(six(v[mover]), six(S[k])), Sd[k])
