"""Inverse joint-space inertia matrix, by the articulated-body algorithm.

The algorithm computes accelerations for many sets of joint forces and body forces at a time:
`inward_columns` and `outward_columns` process blocks of columns, each column one set of forces.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.column_blocks import choose, choose_six, hand_out, span, work
from spatial_v2.engine.numbers.kinds import empty, simd_columns
from spatial_v2.engine.numbers.simd_columns import as_simd
from spatial_v2.engine.numbers.vectors import (
    dot6,
    plus,
    shift_force,
    shift_motion,
    six,
    store,
    times,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.articulate import Articulated, articulate, new_articulated
from spatial_v2.engine.parts.ldl import ldl_solve
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tree import Floats, Ints, Tree


class Where(NamedTuple):
    """The columns in the subtree of each body, and the place of the body's acceleration."""

    within: Annotated[Ints, "nb + 1, blocks"]  # bit masks of columns with variables in the subtree
    columns: Annotated[Ints, "nb + 1, blocks"]  # the blocks with such columns: columns[i, :many[i]]
    many: Annotated[Ints, "nb + 1"]
    place: Annotated[Ints, "nb + 1"]  # see `places`
    last: Annotated[Ints, "nb + 1"]  # scratch space
    free: Annotated[Ints, "nb"]  # scratch space


new_where = allocator(Where, "nb, blocks")


@part
def subtrees(tree: Tree, m: int, where: Where) -> None:
    """Fill `where` with the columns of each body's subtree, in blocks of m columns."""
    within, columns, many = where.within, where.columns, where.many
    within[:, :] = 0
    many[:] = 0
    for i in range(links(tree) - 1, -1, -1):
        v0, v1, par = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4], tree.parent[i]
        for c in range(within.shape[1]):
            within[i, c] |= span(v0, v1, c, m)
            if within[i, c] != 0:
                within[par, c] |= within[i, c]
                columns[i, many[i]] = c
                many[i] += 1


@part
def places(tree: Tree, where: Where) -> int:
    """Assign places in memory to the accelerations of bodies with children; return the number of
    places.

    The place of a body is reused after its last child, so that the memory stays in the cache. It is
    -1 for the base and for bodies without children.
    """
    place, last, free = where.place, where.last, where.free
    nb, used, spare = links(tree), 0, 0
    last[:] = -1
    place[:] = -1
    for i in range(nb):
        last[tree.parent[i]] = i
    for i in range(nb):
        par = tree.parent[i]
        if last[i] >= 0:
            if spare > 0:
                spare -= 1
                place[i] = free[spare]
            else:
                place[i] = used
                used += 1
        if par >= 0 and last[par] == i:
            free[spare] = place[par]
            spare += 1
    return used


@part
def inward_columns(
    tree: Tree, where: Where, body: Articulated, push: Floats, w: Floats, F: Floats, out: Floats
) -> None:
    """Compute joint accelerations for fixed parents, and replace the joint forces in out by them.

    Only the columns of each body's subtree change. F (blocks, 6) has bias forces on the body that
    the variable of a column moves; push (blocks, 6), unless it is empty, has forces on the parent
    of that body.
    """
    d, S, U, D = body.d, body.S, body.U, body.D
    m = simd_columns(S)
    for i in range(links(tree) - 1, -1, -1):
        v0, n, par = tree.joint[i, 3], tree.joint[i, 4], tree.parent[i]
        for j in range(where.many[i]):
            c = where.columns[i, j]
            bits = where.within[i, c] if m > 1 else -1
            f = six(F[c])
            if n == 1:
                z = out[v0, c]
                x = D[i, 0, 0] * (z - dot6(six(S[v0]), f))
                out[v0, c] = choose(bits, x, z)
                g = plus(f, times(x, six(U[v0])))
            else:
                g = f
                for k in range(n):
                    w[k] = out[v0 + k, c] - dot6(six(S[v0 + k]), f)
                ldl_solve(D[i], n, w)
                for k in range(n):
                    out[v0 + k, c] = choose(bits, w[k], out[v0 + k, c])
                    g = plus(g, times(w[k], six(U[v0 + k])))
            if par >= 0:
                if push.shape[0]:
                    own = span(v0, v0 + n, c, m)
                    if own != 0:
                        g = choose_six(own, plus(g, six(push[c])), g)
                store(choose_six(bits, shift_force(d[i], g), f), F[c])


@part
def outward_columns(
    tree: Tree, where: Where, body: Articulated, jump: Floats, upper: bool, w: Floats, A: Floats,
    out: Floats,
) -> None:  # fmt: skip
    """Compute joint accelerations for moving parents, in place, after `inward_columns`.

    For column t, jump (blocks, 6), unless it is empty, is added to the acceleration of the body
    that variable t moves. If `upper` is True, columns below the diagonal are not computed. A
    (`places` + 1, blocks, 6) and w (6,) are scratch space.
    """
    d, S, U, D = body.d, body.S, body.U, body.D
    m = simd_columns(S)
    A[-1, :, :] = 0.0
    for i in range(links(tree)):
        v0, n, par = tree.joint[i, 3], tree.joint[i, 4], tree.parent[i]
        before, here = A[where.place[par]], where.place[i]
        for c in range(v0 // m if upper else 0, out.shape[1]):
            a = shift_motion(d[i], six(before[c]))
            if n == 1:
                x = out[v0, c] - D[i, 0, 0] * dot6(six(U[v0]), a)
                out[v0, c] = x
                a = plus(a, times(x, six(S[v0])))
            else:
                if par >= 0:
                    for k in range(n):
                        w[k] = dot6(six(U[v0 + k]), a)
                    ldl_solve(D[i], n, w)
                    for k in range(n):
                        out[v0 + k, c] -= w[k]
                for k in range(n):
                    a = plus(a, times(out[v0 + k, c], six(S[v0 + k])))
            if here >= 0:
                if jump.shape[0]:
                    own = span(v0, v0 + n, c, m)
                    if own != 0:
                        a = choose_six(own, plus(a, six(jump[c])), a)
                store(a, A[here, c])


@part
def invert(
    tree: Tree, where: Where, body: Articulated, none: Floats, w: Floats, F: Floats, A: Floats,
    room: Floats, X: Floats, H: Floats,
) -> None:  # fmt: skip
    """Compute H^-1 in H (nv, nv) after `articulate`; `room` is X viewed as a matrix of numbers."""
    room[:, :] = 0.0
    F[:, :] = 0.0
    for r in range(H.shape[0]):
        room[r, r] = 1.0
    inward_columns(tree, where, body, none, w, F, X)
    outward_columns(tree, where, body, none, True, w, A, X)
    hand_out(room, H)
    for r in range(H.shape[0]):
        for c in range(r):
            H[r, c] = H[c, r]


@jit
def Hinverse(tree: Tree, q: Floats, Hinv: Floats) -> None:
    """Compute the inverse inertia matrices Hinv (B, nv, nv) of a batch of states."""
    nb, nv, s, m = tree.parent.size, Hinv.shape[1], row_count(tree), simd_columns(q)
    body = new_articulated(q, nb, s)
    most = (nv + m - 1) // m
    where = new_where(nb, most)
    subtrees(tree, m, where)
    aside = empty(q, nv * (m > 1), most * m)
    F = as_simd(empty(q, most, 6 * m))
    A, w, none = empty(F, places(tree, where) + 1, most, 6), empty(F, 6), F[:0]
    for b in range(q.shape[0]):
        articulate(tree, q[b], body)
        room = work(Hinv[b], aside)
        invert(tree, where, body, none, w, F, A, room, as_simd(room), Hinv[b])
