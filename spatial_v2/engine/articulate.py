"""Articulated-body inertias, and what joint forces do to bodies that have them.

Each body's quantities are taken about its own origin, along the ground's axes, and shifted by the
distance d to the parent's origin on their way inward and outward. The algorithm divides by what is
left of large inertias after projection; about a distant point they would be larger still, by the
square of the distance, and what is left of them would have fewer digits.
"""

from __future__ import annotations

from spatial_v2.engine.compile import part
from spatial_v2.engine.inertia import apply_symmetric, dense_inertia, ground_inertia, shift_inertia
from spatial_v2.engine.ldl import deflate, ldl, ldl_solve
from spatial_v2.engine.poses import local
from spatial_v2.engine.rotors import couple, links
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import (
    add,
    combine,
    dot6,
    plus,
    put,
    shift_force,
    shift_motion,
    six,
    times,
)

__all__ = ["articulate", "respond"]


@part
def articulate(
    tree: Tree, q: Floats, R: Floats, d: Floats, S: Floats, IC: Floats,
    IA: Floats, U: Floats, D: Floats, W: Floats,
) -> None:  # fmt: skip
    """Poses, S, body inertias IC, articulated-body inertias IA, U = IA S and the factors of S^T U.

    U and S^T U of a joint with a rotor are the sums. W (2, 6, 6) is scratch space.
    """
    local(tree, q, R, d, S)
    for i in range(tree.parent.size):
        ground_inertia(tree.I[i], R[i], d[-1], IC[i])
        dense_inertia(IC[i], IA[i])
    for i in range(links(tree) - 1, -1, -1):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for k in range(n):
            put(apply_symmetric(IA[i], six(S[v0 + k])), U[v0 + k])
            for s in range(k + 1):
                D[i, k, s] = dot6(six(S[v0 + s]), six(U[v0 + k]))
        if tree.joint[i, 5] >= 0:
            couple(tree, i, d, S, IC, IA, U, D)
        ldl(D[i], n)
        if tree.parent[i] < 0:
            continue
        for r in range(6):
            put(six(IA[i, r]), W[0, r])
        deflate(D[i], n, U[v0 : v0 + n], W[1], W[0])
        shift_inertia(d[i], W[0], IA[tree.parent[i]])


@part
def respond(
    tree: Tree, d: Floats, S: Floats, U: Floats, D: Floats, c: Floats, pA: Floats, a: Floats,
    tau: Floats, u: Floats, w: Floats, qdd: Floats,
) -> None:  # fmt: skip
    """Joint accelerations qdd under the joint forces tau, the base accelerating by a[-1].

    c (nb, 6) are the velocity products; pA (nb + 1, 6) the bias forces that accelerations c would
    leave, which become those of the subtrees; u (nv,) and w (6,) are scratch space.
    """
    nb = links(tree)
    for i in range(nb - 1, -1, -1):
        v0, n, b = tree.joint[i, 3], tree.joint[i, 4], tree.joint[i, 5]
        f = six(pA[i])
        if n == 1 and b < 0:
            x = tau[v0] - dot6(six(S[v0]), f)
            u[v0] = x
            f = plus(f, times(D[i, 0, 0] * x, six(U[v0])))
            add(shift_force(d[i], f), pA[tree.parent[i]])
            continue
        for k in range(n):
            u[v0 + k] = w[k] = tau[v0 + k] - dot6(six(S[v0 + k]), f)
        if b >= 0:
            u[v0] = w[0] = w[0] - dot6(six(S[tree.joint[b, 3]]), six(pA[b]))
            add(shift_force(d[b], six(pA[b])), pA[tree.parent[b]])
        ldl_solve(D[i], n, w)
        for k in range(n):
            f = plus(f, times(w[k], six(U[v0 + k])))
        add(shift_force(d[i], f), pA[tree.parent[i]])
    for i in range(nb):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        at = shift_motion(d[i], six(a[tree.parent[i]]))
        if n == 1:
            x = D[i, 0, 0] * (u[v0] - dot6(six(U[v0]), at))
            qdd[v0] = x
            put(plus(plus(at, six(c[i])), times(x, six(S[v0]))), a[i])
            continue
        for k in range(n):
            w[k] = u[v0 + k] - dot6(six(U[v0 + k]), at)
        ldl_solve(D[i], n, w)
        put(plus(at, six(c[i])), a[i])
        for k in range(n):
            qdd[v0 + k] = w[k]
        combine(S, v0, v0 + n, qdd, a[i])
