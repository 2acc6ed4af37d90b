"""Inverse kinematics of a frame by the Levenberg-Marquardt method; see `frames.least_squares`."""

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.algorithms.configurationAddition import add_turn
from spatial_v2.engine.algorithms.log6_residual import position, rotation_vector
from spatial_v2.engine.compile.decorators import jit, part, within
from spatial_v2.engine.parts.damped_steps import LEAST, MOST, STILL, Search
from spatial_v2.engine.parts.frame_view import FramePath, new_frame_path, see
from spatial_v2.engine.parts.ldl import ldl, ldl_solve
from spatial_v2.engine.parts.rotation_maps import LOGARITHM, coefficients, matrix, matrix_along
from spatial_v2.engine.tree import Floats, Ints, View

TURN, TINY = 2 * np.pi, 1e-300
"""A full turn; an addition to pivots, so that they are not zero."""


class Work(NamedTuple):
    """Workspaces: residuals e and Jacobian J of the variables that move the frame, their system A
    with right side b, maps M of the error, small arrays.
    """

    e: Floats
    J: Floats
    A: Floats
    slope: Floats
    dq: Floats
    M: Floats
    R: Floats
    r: Floats
    f: Floats


@within
def new_work(nv: int) -> Work:
    """Allocate the workspaces."""
    return Work(
        np.empty(6), np.empty((6, nv)), np.empty((nv, nv)), np.empty(nv), np.empty(nv),
        np.empty((6, 6)), np.empty((3, 3)), np.empty((2, 3)), np.empty(19),
    )  # fmt: skip


@part
def error_map(target: Floats, path: FramePath, log6: bool, w: Work) -> None:
    """Compute the error e of a frame's pose, and M, with ``de/dt = M v`` for its velocity v."""
    end = path.R.shape[0] - 2
    E, R, e, M, a, b = path.R[end], w.R, w.e, w.M, w.f[9:12], w.f[12:15]
    position(target, w.r[0])
    for i in range(3):
        w.r[0, i] = -path.p[-1, i] - w.r[0, i]
        for l in range(3):
            R[i, l] = 0.0
            for m in range(3):
                R[i, l] += target[i, m] * E[m, l]
    rotation_vector(R, w.f[15:19], e[:3])
    phi, p = e[:3], w.r[1]
    for i in range(3):
        p[i] = target[i, 0] * w.r[0, 0] + target[i, 1] * w.r[0, 1] + target[i, 2] * w.r[0, 2]
    coefficients(LOGARITHM, phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2, w.f, a, b)
    M[:] = 0.0
    for i in range(3):
        M[i, i] = 1.0
        e[3 + i] = p[i]
        for l in range(3):
            M[3 + i, 3 + l] = R[i, l]
    matrix(0.5, b[0], phi, M[:3, :3])
    if log6:
        R[:] = 0.0
        matrix(-0.5, b[0], phi, R)
        for i in range(3):
            for l in range(3):
                e[3 + i] += R[i, l] * p[l]
                M[3 + i, 3 + l] = M[i, l]
        rate = 2.0 * (phi[0] * e[3] + phi[1] * e[4] + phi[2] * e[5])
        matrix_along(0.0, rate * b[1], 0.5, b[0], phi, e[3:], M[3:, :3])


@part
def linearise(
    view: View, search: Search, target: Floats, length: float, log6: bool, q: Floats,
    path: FramePath, w: Work,
) -> int:  # fmt: skip
    """Compute residuals e and their derivatives J[:, :n] along the variables path.var[:n].

    Displacements are parts of the length. Returns n.
    """
    n = see(view, q, path)
    error_map(target, path, log6, w)
    for i in range(6):
        unit = search.weights[i] / (length if i >= 3 else 1.0)
        w.e[i] *= unit
        for x in range(n):
            scale = length if search.is_length[path.var[x]] else 1.0
            w.J[i, x] = 0.0
            for k in range(6):
                w.J[i, x] += w.M[i, k] * path.J[x, k]
            w.J[i, x] *= unit * scale
    return n


@part
def step(search: Search, q: Floats, path: FramePath, n: int, mu: float, w: Work) -> float:
    """Compute the damped step dq[:n] of the variables that no bound stops.

    Returns the largest diagonal entry of ``J^T J``.
    """
    A, largest = w.A, 0.0
    for x in range(n):
        w.slope[x], k = 0.0, search.place[path.var[x]]
        for i in range(6):
            w.slope[x] += w.J[i, x] * w.e[i]
        w.dq[x] = -w.slope[x]
        if k >= 0 and not search.turns[k]:
            down, up = q[k] <= search.lower[k], q[k] >= search.upper[k]
            if (w.slope[x] > 0.0 and down) or (w.slope[x] < 0.0 and up):
                w.dq[x] = 0.0
    for x in range(n):
        for y in range(x + 1):
            A[x, y] = 0.0
            if w.dq[x] != 0.0 and w.dq[y] != 0.0:
                for i in range(6):
                    A[x, y] += w.J[i, x] * w.J[i, y]
        largest = max(largest, A[x, x])
    for x in range(n):
        A[x, x] += mu + TINY
    ldl(A, n)
    ldl_solve(A, n, w.dq)
    return largest


@part
def move(search: Search, q: Floats, dq: Floats, w: Work, out: Floats) -> None:
    """Compute q (+) dq, and bring it within the bounds."""
    f, d = w.f, w.r
    for r in range(len(search.spaces)):
        row = search.spaces[r]
        turns, a, b, n = row[0], row[1], row[2], row[3]
        if turns:
            add_turn(q[a : a + n + 1], dq[b : b + n], f, d, w.R, out[a : a + n + 1])
        else:
            for k in range(n):
                out[a + k] = q[a + k] + dq[b + k]
    clip(search, out)


@part
def clip(search: Search, q: Floats) -> None:
    """Bring a configuration within its bounds; angles that may turn freely by full turns."""
    for k in range(len(q)):
        low, high = search.lower[k], search.upper[k]
        if search.turns[k]:
            over, under = max(q[k] - high, 0.0), max(low - q[k], 0.0)
            q[k] += TURN * (np.ceil(under / TURN) - np.ceil(over / TURN))
        q[k] = min(max(q[k], low), high)


@part
def copy(x: Floats, y: Floats) -> None:
    """Copy a vector x to y."""
    for k in range(len(x)):
        y[k] = x[k]


@part
def square(x: Floats) -> float:
    """Return the sum of the squares of a vector."""
    total = 0.0
    for k in range(len(x)):
        total += x[k] * x[k]
    return total


@part
def largest_of(x: Floats) -> float:
    """Return the largest absolute entry of a vector; NaN if one is NaN."""
    most = 0.0
    for k in range(len(x)):
        size = abs(x[k])
        most = size if size > most or size != size else most
    return most


@jit
def inverse_kinematics(
    view: View, search: Search, targets: Floats, lengths: Floats, log6: bool,
    damping: float, tolerance: float, q: Floats, e: Floats, steps: Ints,
) -> None:  # fmt: skip
    """Move configurations q (B, NQ) towards the target transforms (B, 6, 6).

    At most steps[i] steps are tried; their number is returned there, and the residuals in e (B, 6).
    """
    nv, moved = len(search.place), np.empty(q.shape[1])
    path, dq, now, new = new_frame_path(view, q, nv), np.empty(nv), new_work(nv), new_work(nv)
    for i in range(len(q)):
        x, target, length, most = q[i], targets[i], lengths[i], steps[i]
        clip(search, x)
        n = linearise(view, search, target, length, log6, x, path, now)
        mu, raised, steps[i], size = 0.0, 2.0, 0, largest_of(now.e)
        for k in range(n):
            mu = max(mu, damping * square(now.J[:, k]))
        while size > tolerance and steps[i] < most:
            largest, hoped, still, dq[:] = step(search, x, path, n, mu, now), 0.0, 0.0, 0.0
            for k in range(n):
                d, v = now.dq[k], path.var[k]
                dq[v] = d * (length if search.is_length[v] else 1.0)
                hoped += d * (mu * d - now.slope[k])
                still = max(still, abs(d))
            move(search, x, dq, now, moved)
            linearise(view, search, target, length, log6, moved, path, new)
            drop = square(now.e) - square(new.e)
            steps[i] += 1
            if drop > 0.0:
                gain = min(drop / hoped if hoped > 0.0 else 0.0, 2.0)
                copy(moved, x)
                copy(new.e, now.e)
                for k in range(6):
                    copy(new.J[k], now.J[k])
                mu *= max(0.1, 1.0 - (2.0 * gain - 1.0) ** 3)
                raised, size = 2.0, largest_of(now.e)
            else:
                mu *= raised
                raised *= 2.0
            mu = max(mu, LEAST * largest)
            if still <= STILL or not mu <= MOST * largest:
                break
        copy(now.e, e[i])
