"""Articulated-body inertias, and accelerations of the bodies under joint forces.

Each body's quantities are taken about its own origin, along the ground's axes, and shifted by the
distance d to the parent's origin in inward and outward sweeps. The algorithm divides by differences
of large inertias; about a distant point these would be larger by the square of the distance, and
their differences would have fewer digits.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import (
    add,
    combine,
    dot6,
    plus,
    shift_force,
    shift_motion,
    six,
    store,
    times,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.inertia import (
    apply_symmetric,
    dense_inertia,
    shift_inertia,
    turn_inertia,
)
from spatial_v2.engine.parts.ldl import deflate, ldl_regular, ldl_solve
from spatial_v2.engine.parts.pivots import carry, least_pivot, own_mass
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.parts.rotors import couple_rotor, links
from spatial_v2.engine.tree import Floats, Tree


class Articulated(NamedTuple):
    """Workspace of the articulated-body algorithm for one configuration, in the book's symbols."""

    R: Annotated[Floats, "nb + 1, 3, 3"]  # orientations of the bodies
    d: Annotated[Floats, "nb + 1, 3"]  # their origins relative to the parents' origins
    S: Annotated[Floats, "rows, 6"]  # motion subspaces about the bodies' own origins
    U: Annotated[Floats, "rows, 6"]  # IA S
    IC: Annotated[Floats, "nb + 1, 10"]  # inertias of the bodies
    IA: Annotated[Floats, "nb + 1, 6, 6"]  # articulated-body inertias
    D: Annotated[Floats, "nb, 6, 6"]  # factors of S^T U
    C: Annotated[Floats, "nb + 1, 5"]  # mass and moments of what a body carries, see `pivots`
    W: Annotated[Floats, "2, 6, 6"]  # scratch space


new_articulated = allocator(Articulated, "q, nb, rows")


class Motion(NamedTuple):
    """Workspace of the articulated-body algorithm for one motion, in the book's symbols."""

    v: Annotated[Floats, "nb + 1, 6"]  # velocities
    a: Annotated[Floats, "nb + 1, 6"]  # accelerations
    c: Annotated[Floats, "nb, 6"]  # velocity products
    pA: Annotated[Floats, "nb + 1, 6"]  # bias forces
    u: Annotated[Floats, "nv"]  # joint forces minus those due to bias forces
    p: Annotated[Floats, "nb + 1, 3"]  # scratch space
    w: Annotated[Floats, "6"]  # scratch space


new_motion = allocator(Motion, "q, nb, nv")


@inline
def place(tree: Tree, q: Floats, body: Articulated) -> None:
    """Compute poses, S, and inertias of the bodies alone, in IC, IA and C."""
    about_body(tree, q, body.R, body.d, body.S)
    for i in range(tree.parent.size):
        turn_inertia(tree.I[i], body.R[i], body.IC[i])
        dense_inertia(body.IC[i], body.IA[i])
        own_mass(body.IC[i], body.C[i])


@part
def articulate(tree: Tree, q: Floats, body: Articulated) -> None:
    """Compute poses, S, IC, IA, U = IA S and the factors of S^T U; the symbols are those of
    `Articulated`.

    For a joint with a rotor, U and S^T U are the sums over link and rotor; armature is added to S^T
    U. The factors of a joint are NaN where a pivot is a rounding error; see `pivots`.
    """
    _, d, S, U, IC, IA, D, C, W = body
    place(tree, q, body)
    for i in range(tree.parent.size - 1, links(tree) - 1, -1):
        carry(d[i], C[i], C[tree.parent[i]])
    for i in range(links(tree) - 1, -1, -1):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for k in range(n):
            store(apply_symmetric(IA[i], six(S[v0 + k])), U[v0 + k])
            for s in range(k + 1):
                D[i, k, s] = dot6(six(S[v0 + s]), six(U[v0 + k]))
        if tree.joint[i, 5] >= 0:
            couple_rotor(tree, i, d, S, IC, IA, U, D)
        for k in range(v0, v0 + n if tree.armature.size else v0):
            D[i, k - v0, k - v0] += tree.armature[k]
        for k in range(n):
            W[1, 0, k] = least_pivot(C[i], six(S[v0 + k]))
        ldl_regular(D[i], n, W[1, 0])
        if tree.parent[i] < 0:
            continue
        carry(d[i], C[i], C[tree.parent[i]])
        deflate(D[i], n, U[v0 : v0 + n], W[1], IA[i], W[0])
        shift_inertia(d[i], W[0], IA[tree.parent[i]])


@part
def respond(tree: Tree, body: Articulated, motion: Motion, tau: Floats, qdd: Floats) -> None:
    """Compute joint accelerations qdd under joint forces tau, with base acceleration a[-1].

    The bias forces pA are summed over subtrees in place. tau may be the array u of `motion`.
    """
    d, S, U, D = body.d, body.S, body.U, body.D
    a, c, pA, u, w = motion.a, motion.c, motion.pA, motion.u, motion.w
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
        ap = shift_motion(d[i], six(a[tree.parent[i]]))
        if n == 1:
            x = D[i, 0, 0] * (u[v0] - dot6(six(U[v0]), ap))
            qdd[v0] = x
            store(plus(plus(ap, six(c[i])), times(x, six(S[v0]))), a[i])
            continue
        for k in range(n):
            w[k] = u[v0 + k] - dot6(six(U[v0 + k]), ap)
        ldl_solve(D[i], n, w)
        store(plus(ap, six(c[i])), a[i])
        for k in range(n):
            qdd[v0 + k] = w[k]
        combine(S, v0, v0 + n, qdd, a[i])
