"""The velocity variables on the path from the base to a body."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.tree import Ints, Tree

__all__ = ["path_variables"]


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
            at = end - m + k
            index[at], first[at], last[at] = v0 + k, end - m, end
        end -= m
        j = tree.parent[j]
    return n
