"""Changes of motions and forces of a tree along one direction, for kernels in forward mode.

The functions are for joints with one degree of freedom, without external forces, rotors or joint
terms. Along a direction dq, dqd of the state each body has three motion vectors: ``w = sum S dq``,
by which it is displaced, ``A = sum (psid dq + S dqd)`` and ``B = sum (psidd dq + rate dqd)``. Sums
are over the joints that carry the body, and the symbols are those of `engine.parts.sweep.Sweep`.
Seen from the body, its force changes by ``IC B + BC A``, and a force f that it passes on to its
parent by ``S x* f dq`` (paper 001, Proposition 1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.engine.compile.decorators import uncached, within
from spatial_v2.engine.compile.linking import KernelCompiler
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import add, crf, dot6, plus, six, store, times
from spatial_v2.engine.parts.body_coriolis import apply_coriolis
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.sweep import Sweep
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["Along", "collect", "inward", "kernel", "new_along", "outward"]


class Along(NamedTuple):
    """Workspace of one direction: w, A, B, changes dF of forces (nb + 1, 6), and the forces
    ``S x* f`` (nb, 6), which all directions share.
    """

    w: Floats
    A: Floats
    B: Floats
    dF: Floats
    turned: Floats


def kernel(function: Any) -> Any:
    """Compile a kernel as those of the engine, but without a cache, whose stamp covers the engine
    alone.
    """
    return uncached(function, KernelCompiler)


@within
def new_along(q: Floats, nb: int) -> Along:
    """Allocate an `Along` for a base at rest."""
    found = Along(
        empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6),
        empty(q, nb, 6),
    )  # fmt: skip
    found.w[-1, :] = 0.0
    found.A[-1, :] = 0.0
    found.B[-1, :] = 0.0
    return found


@within
def collect(tree: Tree, sweep: Sweep, turned: Floats) -> None:
    """Sum the forces fC over subtrees; compute ``turned[i] = S_i x* fC_i``."""
    for i in range(tree.parent.size - 1, -1, -1):
        f = six(sweep.fC[i])
        store(crf(six(sweep.S[tree.joint[i, 3]]), f), turned[i])
        add(f, sweep.fC[tree.parent[i]])


@within
def outward(tree: Tree, sweep: Sweep, dq: Floats, dqd: Floats, along: Along) -> None:
    """Compute w, A and B of the bodies, and the changes dF of their forces."""
    w, A, B = along.w, along.A, along.B
    for i in range(tree.parent.size):
        p, k = tree.parent[i], tree.joint[i, 3]
        s, x, y = six(sweep.S[k]), dq[k], dqd[k]
        a = plus(plus(six(A[p]), times(x, six(sweep.psid[k]))), times(y, s))
        b = plus(six(B[p]), times(x, six(sweep.psidd[k])))
        b = plus(b, times(y, six(sweep.rate[k])))
        store(plus(six(w[p]), times(x, s)), w[i])
        store(a, A[i])
        store(b, B[i])
        store(plus(apply_inertia(sweep.IC[i], b), apply_coriolis(sweep.BC[i], a)), along.dF[i])


@within
def inward(tree: Tree, sweep: Sweep, dq: Floats, along: Along, dtau: Floats) -> None:
    """Compute the changes dtau (nv,) of the joint forces; dF is summed over subtrees."""
    for i in range(tree.parent.size - 1, -1, -1):
        k = tree.joint[i, 3]
        f = six(along.dF[i])
        dtau[k] = dot6(six(sweep.S[k]), f)
        add(plus(f, times(dq[k], six(along.turned[i]))), along.dF[tree.parent[i]])
