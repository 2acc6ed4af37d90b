"""Geared rotors as bodies of a tree.

A rotor is a body without children. Its parent is the parent of the link whose joint drives it.
Rotors have the indices after all links. The motion subspace of a rotor, times the gear ratio, is a
row of S after those of the velocity variables. Column 5 of `joint` is, for a rotor, the link, and
for a link, the rotor. Rotors have no entries in q and qd. Loops over all bodies include rotors;
inward sweeps iterate over links only and add the terms of the rotor of each joint, which are
computed about the rotor's origin and shifted to the link's.
"""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import Six, add, crf, dot6, plus, six, store, times
from spatial_v2.engine.parts.body_coriolis import apply_coriolis
from spatial_v2.engine.parts.inertia import apply_inertia, shift_inertia
from spatial_v2.engine.tree import Floats, Tree


@inline
def links(tree: Tree) -> int:
    """Return the number of links, the bodies that are not rotors."""
    n = tree.parent.size
    while n > 0 and 0 <= tree.joint[n - 1, 5] < n - 1:
        n -= 1
    return n


@inline
def row_count(tree: Tree) -> int:
    """Return the number of rows of S: velocity variables and rotors."""
    count: int = tree.joint[-1, 3] + tree.joint[-1, 4]
    return count


@inline
def turn_joint(tree: Tree, i: int, S: Floats, x: Floats, out: Floats) -> None:
    """Add the joint velocity S x of body i, a link or a rotor, to out; x is (nv,)."""
    row, n, v0 = tree.joint[i, 3], tree.joint[i, 4], tree.joint[i, 3]
    if v0 >= x.size:
        v0 = tree.joint[tree.joint[i, 5], 3]
    y = six(out)
    for k in range(n):
        y = plus(y, times(x[v0 + k], six(S[row + k])))
    store(y, out)


@inline
def to_link(tree: Tree, b: int, d: Floats, f: Six) -> Six:
    """Shift a force from the origin of rotor b to the origin of the link of its joint."""
    i = tree.joint[b, 5]
    n0, n1, n2 = d[b, 0] - d[i, 0], d[b, 1] - d[i, 1], d[b, 2] - d[i, 2]
    f0, f1, f2, f3, f4, f5 = f
    return f0 + n1 * f5 - n2 * f4, f1 + n2 * f3 - n0 * f5, f2 + n0 * f4 - n1 * f3, f3, f4, f5


@part
def couple_rotor(
    tree: Tree, i: int, d: Floats, S: Floats, IC: Floats, IA: Floats, U: Floats, D: Floats
) -> None:
    """Add the terms of the rotor of joint i to U, to D = S^T U and to the parent's inertia IA."""
    b, v0 = tree.joint[i, 5], tree.joint[i, 3]
    s = six(S[tree.joint[b, 3]])
    F = apply_inertia(IC[b], s)
    D[i, 0, 0] += dot6(s, F)
    add(to_link(tree, b, d, F), U[v0])
    shift_inertia(d[b], IA[b], IA[tree.parent[b]])


@part
def pushes(
    tree: Tree, d: Floats, S: Floats, x: Floats, y: Floats, IC: Floats, BC: Floats, f: Floats,
    g: Floats, h: Floats,
) -> None:  # fmt: skip
    """Compute the forces g (nv, 6) on the parents and h (nv,) at the joints that are equivalent to
    a change of each q_k.

    A joint turns the force f on the bodies beyond it. Its rotor needs a further force for the
    acceleration y and for the change x of its velocity.
    """
    nb = links(tree)
    for i in range(nb):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            store(crf(six(S[k]), six(f[i])), g[k])
            h[k] = 0.0
    for b in range(nb, tree.parent.size):
        row, v0 = tree.joint[b, 3], tree.joint[tree.joint[b, 5], 3]
        p = plus(apply_inertia(IC[b], six(y[row])), apply_coriolis(BC[b], six(x[row])))
        h[v0] = dot6(six(S[row]), p)
        p = plus(p, crf(six(S[row]), six(f[b])))
        add(to_link(tree, b, d, p), g[v0])
