"""Forward dynamics of a tree with closed loops, in its independent variables.

Loops are closed, or found closed, with the Jacobian of their rows, of which the motion of the tree
follows.
"""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.close_loops import Steps, close, new_steps, start
from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.algorithms.loop_motion import Closing, moving, new_closing
from spatial_v2.engine.algorithms.open_loops import most_dependents, opened, with_errors
from spatial_v2.engine.algorithms.pulled_back_inertia import left, right
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.loop import Branches, Linkage
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.body_sweep import motion_and_forces
from spatial_v2.engine.parts.coupling import eliminate
from spatial_v2.engine.parts.loop_products import dependents, from_loops, move, pulled_force
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.engine.parts.sweep import Moving, new_moving
from spatial_v2.engine.tree import Floats

__all__ = [
    "Followed",
    "accelerate",
    "accelerations",
    "begin",
    "coefficients",
    "follow",
    "new_followed",
]


class Followed(NamedTuple):
    """The motion and the dynamics of a tree with closed loops.

    Attributes
    ----------
    q : (nq of loops,)
    w : Closing
    W : (dependents, most)
        See `inverse`, of all loops below each other.
    steps : Steps
    E : (loop entries,)
        Entries of G of the loops: for each loop, dependent and independent variable.
    G : (entries,)
        Entries of `Followers`.
    g : (dependents,)
        Accelerations of dependents at ``ydd = 0``.
    at, qd, qdd : (B, NQ), (B, nv), (B, nv)
        The motion of the tree in all states.
    bodies, IC, p : Moving, (nb + 1, 10), (nb + 1, 3)
        Workspaces of `HandC`.
    H, C : (nv, nv), (nv,)
        Coefficients of the dynamics of the tree.
    right, least, L, x : (nv, n), (n,), (n, n), (n, 1)
        H G; scratch space; factors of ``G^T H G``; right-hand side.
    """

    q: Floats
    w: Closing
    W: Floats
    steps: Steps
    E: Floats
    G: Floats
    g: Floats
    at: Floats
    qd: Floats
    qdd: Floats
    bodies: Moving
    IC: Floats
    p: Floats
    H: Floats
    C: Floats
    right: Floats
    least: Floats
    L: Floats
    x: Floats


@within
def new_followed(of: Branches, q: Floats, n: int) -> Followed:
    """Allocate a `Followed` for n variables, for the kind of number of q, with an H of zeros."""
    link = of.of
    most, r, nb, B = most_dependents(link), link.d.size, link.tree.parent.size, q.shape[0]
    nv: int = link.tree.joint[-1, 3] + link.tree.joint[-1, 4]
    H, own, loops = empty(q, nv, nv), empty(q, link.q.size), link.begin.shape[0] - 1
    E = 0
    for l in range(loops):
        r_l = link.begin[l + 1, 0] - link.begin[l, 0]
        E += r_l * (link.begin[l + 1, 1] - link.begin[l, 1])
    H[:, :] = 0.0
    return Followed(
        own, new_closing(link.constraints, q, link.v.size, most), empty(q, r, most),
        new_steps(link, q, own), empty(q, E), empty(q, link.followers.row.size), empty(q, r),
        empty(q, B, of.guess.size + link.gears.rotor.size), empty(q, B, nv), empty(q, B, nv),
        new_moving(q, nb, nv), empty(q, nb + 1, 10), empty(q, nb + 1, 3), H, empty(q, nv),
        empty(q, nv, n), empty(q, n), empty(q, n, n), empty(q, n, 1),
    )  # fmt: skip


@part
def begin(of: Branches, constraints: ConstraintArrays, q: Floats, x: Followed) -> None:
    """Compute what all states share."""
    if q.shape[1] == of.own.size:
        start(of, constraints, q, x.steps)


@part
def place(
    of: Branches, constraints: ConstraintArrays, q: Floats, x: Followed, b: int, gap: Floats,
    bound: Floats,
) -> None:  # fmt: skip
    """Compute W and the configuration of the tree, of state b, from independent positions q or from
    a configuration, with gap and bound (L,) of `close` or of `opened`.
    """
    link, at, gears = of.of, x.at[b], of.of.gears
    if q.size == of.own.size:
        close(of, constraints, q, x.steps, x.w, x.W, at[: of.guess.size], gap, bound)
    else:
        for i in range(q.size):
            at[i] = q[i]
        for i in range(link.q.size):
            x.q[i] = q[link.q[i]]
        opened(link, constraints, x.q, x.w, x.W, gap, bound)
    for k in range(gears.rotor.size):
        at[gears.rotor[k]] = gears.ratio[k] * at[gears.link[k]]


@part
def follow(
    branches: Branches, constraints: ConstraintArrays, state: tuple[Floats, Floats], x: Followed,
    b: int, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute W, G, g, and the motion of the tree in state b, for q and yd, with gap and bound (L,)
    of `place`.
    """
    (q, yd), of, w = state, branches.of, x.w
    place(branches, constraints, q, x, b, gap, bound)
    dependents(of, x.W, w.J, x.E)
    from_loops(of.products, 1.0, x.E, x.G)
    move(of.followers, x.G, yd, x.qd[b])
    for i in range(of.v.size):
        w.qd[i] = x.qd[b, of.v[i]]
    moving(constraints, w)
    for l in range(of.begin.shape[0] - 1):
        for j in range(of.begin[l, 0], of.begin[l + 1, 0]):
            x.g[j] = 0.0
            for i in range(of.begin[l, 0], of.begin[l + 1, 0]):
                x.g[j] -= x.W[j, i - of.begin[l, 0]] * w.alpha[of.rows[i]]


@part
def accelerations(of: Linkage, ydd: Floats, x: Followed, b: int) -> None:
    """Compute the accelerations of the tree in state b, after `follow`."""
    qdd, gears = x.qdd[b], of.gears
    move(of.followers, x.G, ydd, qdd)
    for j in range(of.d.size):
        qdd[of.v[of.d[j]]] += x.g[j]
    for k in range(gears.of.size):
        qdd[gears.row[k]] += gears.factor[k] * x.g[gears.of[k]]


@part
def coefficients(of: Linkage, f_ext: Floats, f_body: Floats, b: int, x: Followed) -> None:
    """Compute H, the bias force C at ``ydd = 0`` and H G in state b, after `follow`."""
    gears = of.gears
    motion_and_forces(of.tree, x.at, x.qd, x.C[:0], f_ext, f_body, b, x.bodies, x.p, x.C)
    mass_matrix(of.tree, x.bodies.R, x.bodies.p, x.bodies.S, x.IC, x.H)
    for i in range(x.C.size):
        for j in range(of.d.size):
            x.C[i] += x.H[i, of.v[of.d[j]]] * x.g[j]
        for k in range(gears.of.size):
            x.C[i] += x.H[i, gears.row[k]] * (gears.factor[k] * x.g[gears.of[k]])
    right(of.followers, x.H, x.G, x.right)


@part
def accelerate(of: Linkage, tau: Floats, x: Followed, ydd: Floats) -> None:
    """Compute the accelerations ydd (n,) under the forces tau (n,), and the factors L, after
    `coefficients`.
    """
    left(of.followers, x.G, x.right, x.L)
    pulled_force(of.followers, x.G, x.C, ydd)
    for k in range(ydd.size):
        x.least[k] = SHARE * x.L[k, k]
        x.x[k, 0] = tau[k] - ydd[k]
    eliminate(of.above, x.least, x.L)
    ltdl_columns(of.above, x.L, x.x)
    for k in range(ydd.size):
        ydd[k] = x.x[k, 0]


@jit
def FDab_closed(
    of: Branches, q: Floats, yd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    ydd: Floats, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the accelerations ydd (B, n) of independent variables under the forces tau (B, n), at
    independent positions or configurations q of the tree, with gap and bound (B, L) of `place`.
    """
    link, constraints, x = of.of, with_errors(of.of.constraints), new_followed(of, q, yd.shape[1])
    begin(of, constraints, q, x)
    for b in range(q.shape[0]):
        follow(of, constraints, (q[b], yd[b]), x, b, gap[b], bound[b])
        coefficients(link, f_ext, f_body, b, x)
        accelerate(link, tau[b], x, ydd[b])
