"""The velocity variables on the path from the base to a body, and to both of a constraint."""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.tree import Ints, Tree


class Paths(NamedTuple):
    """The variables between the bodies of a constraint and the base, for each of its two ends."""

    var: Annotated[Ints, "2, nv"]  # results of `path_variables`
    first: Annotated[Ints, "2, nv"]
    last: Annotated[Ints, "2, nv"]
    place: Annotated[Ints, "2, nv"]  # index of each variable on the path, or -1
    counts: Annotated[Ints, "2"]  # number of variables on the path


new_paths = allocator(Paths, "nv")


@part
def path_variables(tree: Tree, i: int, index: Ints, first: Ints, last: Ints) -> int:
    """List the n velocity variables from the root to body i in index[:n], and return n.

    The variables of the joint of index[x] are index[first[x]:last[x]].
    """
    n, j = 0, i
    while j >= 0:
        n += tree.joint[j, 4]
        j = tree.parent[j]
    end, j = n, i
    while j >= 0:
        v0, m = tree.joint[j, 3], tree.joint[j, 4]
        for k in range(m):
            x = end - m + k
            index[x], first[x], last[x] = v0 + k, end - m, end
        end -= m
        j = tree.parent[j]
    return n


@part
def find_paths(constraints: ConstraintArrays, c: int, paths: Paths) -> None:
    """Compute the paths to both ends of constraint c."""
    var, first, last, place, count = paths
    for e in range(2):
        i = constraints.ends[c, e]
        place[e, :] = -1
        count[e] = path_variables(constraints.tree, i, var[e], first[e], last[e])
        for k in range(count[e]):
            place[e, var[e, k]] = k
