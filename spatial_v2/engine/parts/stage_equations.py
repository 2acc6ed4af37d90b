"""Equations of the stages of a quadratic problem: their solution by factors, and their residual."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import inline, part, within
from spatial_v2.engine.parts.stage_products import copy
from spatial_v2.engine.tree import Floats

__all__ = [
    "Equations", "Right", "Room", "Unknowns", "add_rows", "add_to", "copy_to", "new_right",
    "new_unknowns", "product", "put_column", "residual", "sweep", "take_column",
]  # fmt: skip


class Equations(NamedTuple):
    """The left-hand side of one problem, with the factors of `stage_factors`."""

    F: Floats
    H: Floats
    C: Floats
    weight: Floats
    soft: Floats
    K: Floats
    P: Floats
    L: Floats


class Right(NamedTuple):
    """A right-hand side: the change of the first state, and g, c and rho."""

    start: Floats
    g: Floats
    c: Floats
    rho: Floats


class Unknowns(NamedTuple):
    """Changes of states and controls, costates, and multipliers of the rows."""

    dz: Floats
    costates: Floats
    y: Floats


class Room(NamedTuple):
    """Workspace of `sweep`: gradients of the cost to go, feedforward, gradient of a stage."""

    p: Floats
    feed: Floats
    h: Floats
    ahead: Floats


@part
def add_rows(C: Floats, weight: Floats, z: int, A: Floats) -> None:
    """Add ``C' diag(weight) C`` to the upper triangle of the first z rows and columns of A."""
    for r in range(weight.size):
        if weight[r] != 0.0:
            for i in range(z):
                f = weight[r] * C[r, i]
                if f != 0.0:
                    for j in range(i, z):
                        A[i, j] += f * C[r, j]


@part
def take_column(x: Floats, q: int, y: Floats) -> None:
    """Copy column q on the last axis of x."""
    for k in range(y.shape[0]):
        for i in range(y.shape[1]):
            y[k, i] = x[k, i, q]


@part
def put_column(x: Floats, q: int, y: Floats) -> None:
    """Copy x to column q on the last axis of y."""
    for k in range(x.shape[0]):
        for i in range(x.shape[1]):
            y[k, i, q] = x[k, i]


@part
def add_to(x: Unknowns, y: Unknowns) -> None:
    """Add x to y."""
    for k in range(x.dz.shape[0]):
        add_multiple(1.0, x.dz[k], y.dz[k])
        add_multiple(1.0, x.costates[k], y.costates[k])
        add_multiple(1.0, x.y[k], y.y[k])


@part
def copy_to(x: Unknowns, y: Unknowns) -> None:
    """Copy x to y."""
    for k in range(x.dz.shape[0]):
        copy(x.dz[k], y.dz[k])
        copy(x.costates[k], y.costates[k])
        copy(x.y[k], y.y[k])


@within
def new_right(n: int, S: int, z: int, r: int) -> Right:
    """Allocate a right-hand side."""
    return Right(np.empty(n), np.empty((S + 1, z)), np.empty((S, n)), np.empty((S + 1, r)))


@within
def new_unknowns(n: int, S: int, z: int, r: int) -> Unknowns:
    """Allocate unknowns."""
    return Unknowns(np.empty((S + 1, z)), np.empty((S + 1, n)), np.empty((S + 1, r)))


@part
def sweep(a: Equations, b: Right, x: Unknowns, w: Room) -> None:
    """Solve the equations with ``1 / weight`` in place of e: backwards for the gradients of the
    cost to go, forwards for the motion.
    """
    S, n, z = a.F.shape
    for k in range(S, -1, -1):
        for i in range(z):
            w.h[i] = b.g[k, i]
        for r in range(a.C.shape[1]):
            if a.weight[k, r] != 0.0:
                add_multiple(a.weight[k, r] * b.rho[k, r], a.C[k, r], w.h)
        if k < S:
            for i in range(n):
                w.ahead[i] = w.p[k + 1, i] + dot(a.P[k + 1, i], b.c[k])
            for i in range(n):
                add_multiple(w.ahead[i], a.F[k, i], w.h)
            substitute(a.L[k], w.h[n:], w.feed[k])
        for i in range(n):
            w.p[k, i] = w.h[i]
        for i in range(z - n if k < S else 0):
            add_multiple(w.h[n + i], a.K[k, i], w.p[k])
    for i in range(n):
        x.dz[0, i] = b.start[i]
    for k in range(S + 1):
        for i in range(n):
            x.costates[k, i] = w.p[k, i] + dot(a.P[k, i], x.dz[k])
        for i in range(n, z):
            x.dz[k, i] = w.feed[k, i - n] + dot(a.K[k, i - n], x.dz[k]) if k < S else 0.0
        for i in range(n if k < S else 0):
            x.dz[k + 1, i] = dot(a.F[k, i], x.dz[k]) + b.c[k, i]
        for r in range(a.C.shape[1]):
            x.y[k, r] = 0.0
            if a.weight[k, r] != 0.0:
                x.y[k, r] = a.weight[k, r] * (dot(a.C[k, r], x.dz[k]) + b.rho[k, r])


@part
def residual(
    a: Equations, b: Right, x: Unknowns, of_z: Floats, of_rows: Floats, left: Right
) -> tuple[float, float]:  # fmt: skip
    """Write the right-hand side that is left to `left`; return the largest entries of its gradient
    and of the rest, in natural units; NaN if one is.
    """
    (S, n, z), most, steepest = a.F.shape, 0.0, 0.0
    for k in range(S + 1):
        g = left.g[k]
        for i in range(z):
            g[i] = b.g[k, i] + dot(a.H[k, i], x.dz[k]) - (x.costates[k, i] if i < n else 0.0)
        for r in range(a.C.shape[1]):
            left.rho[k, r] = 0.0
            if a.weight[k, r] != 0.0:
                add_multiple(x.y[k, r], a.C[k, r], g)
                off = dot(a.C[k, r], x.dz[k]) + b.rho[k, r] - a.soft[k, r] * x.y[k, r]
                left.rho[k, r], most = off, larger(most, off / of_rows[k, r])
        for i in range(n if k < S else 0):
            add_multiple(x.costates[k + 1, i], a.F[k, i], g)
            off = dot(a.F[k, i], x.dz[k]) + b.c[k, i] - x.dz[k + 1, i]
            left.c[k, i], most = off, larger(most, off / of_z[i])
        for i in range(z):
            if k == S and i >= n:
                g[i] = 0.0
            steepest = larger(steepest, g[i] * of_z[i])
    return steepest, most


@inline
def product(sizes: tuple[float, float], least: float) -> float:
    """Return the product of two residuals, each of which counts as `least` at least.

    One of them may be a rounding error that refinement does not decrease, while the other does.
    """
    x, y = sizes
    return (least if x < least else x) * (least if y < least else y)


@inline
def larger(most: float, x: float) -> float:
    """Return the larger one of a number and the magnitude of another; NaN if one of them is."""
    return abs(x) if abs(x) > most or x != x else most


@inline
def dot(x: Floats, y: Floats) -> float:
    """Return the sum of products of x with the first entries of y."""
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


@inline
def add_multiple(f: float, x: Floats, y: Floats) -> None:
    """Add f times x to the first entries of y."""
    for i in range(x.size):
        y[i] += f * x[i]


@part
def substitute(L: Floats, h: Floats, u: Floats) -> None:
    """Solve ``L L' u = -h``."""
    m = u.size
    for i in range(m):
        u[i] = (-h[i] - dot(L[i, :i], u)) / L[i, i]
    for i in range(m - 1, -1, -1):
        u[i] /= L[i, i]
        add_multiple(-u[i], L[i, :i], u)
