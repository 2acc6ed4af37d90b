"""Forward dynamics of a tree with closed loops, in its independent variables.

Loops are closed, or found closed, with the Jacobian of their rows, of which the motion of the tree
follows.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.algorithms.close_loops import Steps, close, start
from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.algorithms.loop_motion import Closing, moving
from spatial_v2.engine.algorithms.open_loops import most_dependents, opened, with_errors
from spatial_v2.engine.algorithms.pulled_back_inertia import left, right
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.loop import Branches, Linkage
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.body_sweep import inertias_and_bias
from spatial_v2.engine.parts.coupling import eliminate
from spatial_v2.engine.parts.loop_products import dependents, from_loops, move, pulled_force
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.engine.parts.sweep import Moving
from spatial_v2.engine.tree import Floats


class Followed(NamedTuple):
    """The motion and the dynamics of a tree with closed loops."""

    w: Annotated[Closing, "of.of.constraints, q, of.of.v.size, most"]
    W: Annotated[Floats, "of.of.d.size, most"]  # see `inverse`, of all loops below each other
    steps: Annotated[Steps, "of.of, q"]
    E: Annotated[Floats, "E"]  # entries of G of the loops: dependent and independent variable
    G: Annotated[Floats, "of.of.followers.row.size"]  # entries of `Followers`
    g: Annotated[Floats, "of.of.d.size"]  # accelerations of dependents at ``ydd = 0``
    # motion of the tree, in all states
    tree_q: Annotated[Floats, "q.shape[0], of.guess.size + of.of.gears.rotor.size"]
    qd: Annotated[Floats, "q.shape[0], nv"]
    qdd: Annotated[Floats, "q.shape[0], nv"]
    bodies: Annotated[Moving, "q, nb, nv"]  # workspaces of `HandC`
    IC: Annotated[Floats, "nb + 1, 10"]
    p: Annotated[Floats, "nb + 1, 3"]
    H: Annotated[Floats, "nv, nv"]  # coefficients of the dynamics of the tree
    C: Annotated[Floats, "nv"]
    right: Annotated[Floats, "nv, n"]  # H G
    least: Annotated[Floats, "n"]  # scratch space
    L: Annotated[Floats, "n, n"]  # factors of ``G^T H G``
    x: Annotated[Floats, "n, 1"]  # right-hand side


_allocate = allocator(Followed, "of, q, n, most, E, nb, nv")


@within
def new_followed(of: Branches, q: Floats, n: int) -> Followed:
    """Allocate a `Followed` for n variables, for the kind of number of q, with an H of zeros."""
    link, E = of.of, 0
    nv: int = link.tree.joint[-1, 3] + link.tree.joint[-1, 4]
    for l in range(link.begin.shape[0] - 1):
        r = link.begin[l + 1, 0] - link.begin[l, 0]
        E += r * (link.begin[l + 1, 1] - link.begin[l, 1])
    made = _allocate(of, q, n, most_dependents(link), E, link.tree.parent.size, nv)
    made.H[:, :] = 0.0
    return made


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
    link, tree_q, gears = of.of, x.tree_q[b], of.of.gears
    if q.size == of.own.size:
        close(of, constraints, q, x.steps, x.w, x.W, tree_q[: of.guess.size], gap, bound)
    else:
        for i in range(q.size):
            tree_q[i] = q[i]
        for i in range(link.q.size):
            x.steps.q[i] = q[link.q[i]]
        opened(link, constraints, x.steps.q, x.w, x.W, gap, bound)
    for k in range(gears.rotor.size):
        tree_q[gears.rotor[k]] = gears.ratio[k] * tree_q[gears.link[k]]


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
    inertias_and_bias(of.tree, x.tree_q, x.qd, f_ext, f_body, b, x.bodies, x.p, x.IC, x.C)
    mass_matrix(of.tree, x.bodies.p, x.bodies.S, x.IC, x.H)
    for i in range(x.C.size):
        for j in range(of.d.size):
            x.C[i] += x.H[i, of.v[of.d[j]]] * x.g[j]
        for k in range(gears.of.size):
            x.C[i] += x.H[i, gears.row[k]] * (gears.factor[k] * x.g[gears.of[k]])
    right(of.followers, x.H, x.G, x.right)


@part
def accelerate(of: Linkage, tau: Floats, x: Followed, ydd: Floats) -> None:
    """Compute accelerations ydd (n,) under forces tau (n,), and factors L, after `coefficients`."""
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
