"""Closing a loop: its dependent joints from its independent ones, by Newton's method along a path.

One Newton solve from a guess lands on another branch within a third of a crank's turn, without a
sign of it. So a solution is accepted only where Newton's method converged fast from close by, and
the determinant of the dependents' Jacobian kept its sign; else the path from the guess is followed
in smaller steps.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spatial_v2.configuration import configurationAddition, configurationDifference
from spatial_v2.constraints import constraint_bias
from spatial_v2.engine.loop import CONTRACTION, FIRST, MET, SHORTEST
from spatial_v2.mechanisms.kernels import (
    close_by_kernel,
    has_motion,
    motion_by_kernel,
)
from spatial_v2.mechanisms.loop import Loop
from spatial_v2.mechanisms.resting import errors_of, jacobian_of, turned_over

__all__ = [
    "Branch",
    "Closed",
    "close",
    "close_all",
    "openings",
    "quality",
    "refined",
]


@dataclass(frozen=True, eq=False)
class Branch:
    """The branch of a loop's motion on which its guess lies."""

    loop: Loop
    rows: np.ndarray
    """Indices of independent rows, as many as dependent variables."""
    u: np.ndarray
    """Indices of the independent velocity variables of the loop's model."""
    d: np.ndarray
    """Indices of the dependent ones."""
    guess: np.ndarray
    """A configuration of the loop's model, closed."""

    @functools.cached_property
    def independents(self) -> np.ndarray:
        """Indices of the independents' entries of the loop's q."""
        model = self.loop.model
        bodies = sorted({int(b) for b in model.body_of_v[self.u]})
        entries = [np.arange(model.NQ)[model.qinds[i]] for i in bodies]
        return np.concatenate(entries) if entries else np.zeros(0, dtype=int)

    @functools.cached_property
    def sign(self) -> float:
        """The sign of the determinant of the dependents' Jacobian at the guess."""
        J = errors_of(self.loop, self.guess)[1]
        return float(np.sign(np.linalg.det(self.dependents(J))))

    def dependents(self, J: np.ndarray) -> np.ndarray:
        """Return the square Jacobian of the selected rows by the dependents."""
        return J[..., self.rows, :][..., self.d]

    def turn(self, q: np.ndarray, du: np.ndarray, dd: np.ndarray) -> np.ndarray:
        """Move configurations by displacements of independents and dependents."""
        dq = np.zeros((*q.shape[:-1], self.loop.model.NV), dtype=np.result_type(du, dd))
        dq[..., self.u], dq[..., self.d] = du, dd
        return np.asarray(configurationAddition(self.loop.model, q, dq))


class Closed(NamedTuple):
    """Configurations of a batch, and a reason for each that has none."""

    q: np.ndarray
    """Configurations (B, NQ)."""
    reached: np.ndarray
    """The part (B,) of the path from the guess that was followed; 1 where the loop is closed."""
    least: np.ndarray
    """Lower bounds (B,) of `quality`."""


def close(branch: Branch, y: np.ndarray) -> Closed:
    """Close a loop at independent positions y (B, n), which follow the path from the guess.

    y are positions of the loop's independent joints, as entries of its model's q.
    """
    loop, B = branch.loop, len(y)
    model, guess = loop.model, branch.guess
    q = np.tile(guess, (B, 1))
    goal = q.copy()
    goal[:, branch.independents] = y
    path = np.asarray(configurationDifference(model, q, goal))
    if has_motion(branch, y):
        found = Closed(*close_by_kernel(branch, goal, path))
        if not turned_over(branch.loop, found.q).any():
            return found
    path = path[:, branch.u]
    reached, step = np.zeros(B), np.ones(B)
    reached[(path == 0).all(axis=-1)] = 1.0
    while (active := np.flatnonzero((reached < 1) & (step >= SHORTEST))).size:
        now, s = q[active], np.minimum(reached[active] + step[active], 1.0)
        du = (s - reached[active])[:, None] * path[active]
        ahead = branch.turn(now, du, _predicted(branch, now, du))
        at_s = np.asarray(configurationAddition(model, guess, _spread(branch, s, path[active])))
        keep = branch.independents
        ahead[:, keep] = np.where((s == 1)[:, None], goal[active][:, keep], at_s[:, keep])
        ahead, good = _newton(branch, ahead)
        done, again = active[good], active[~good]
        q[done], reached[done] = ahead[good], s[good]
        step[done] *= 2
        step[again] /= 2
    return Closed(q, reached, quality(branch, q))


def _spread(branch: Branch, s: np.ndarray, path: np.ndarray) -> np.ndarray:
    dq = np.zeros((len(s), branch.loop.model.NV))
    dq[:, branch.u] = s[:, None] * path
    return dq


def _predicted(branch: Branch, q: np.ndarray, du: np.ndarray) -> np.ndarray:
    """Return displacements of the dependents to second order in those of the independents."""
    loop, v = branch.loop, np.zeros((len(q), branch.loop.model.NV))
    v[:, branch.u] = du
    J = jacobian_of(loop, q)[:, branch.rows]
    Jd = J[..., branch.d]
    v[:, branch.d] = first = -_solved(Jd, J[..., branch.u], du)
    bend = np.asarray(constraint_bias(loop.model, q, v, loop.constraints))[:, branch.rows]
    return first - 0.5 * np.linalg.solve(_regular(Jd), bend[..., None])[..., 0]


def _solved(Jd: np.ndarray, Ju: np.ndarray, du: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.solve(_regular(Jd), Ju @ du[..., None])[..., 0])


def _regular(A: np.ndarray) -> np.ndarray:
    """Replace singular matrices by NaN, of which solutions are NaN."""
    with np.errstate(all="ignore"):
        bad = ~(np.abs(np.linalg.det(A)) > 0)
    return np.where(bad[..., None, None], np.nan * np.eye(A.shape[-1]) + 0 * A, A)


def _newton(branch: Branch, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Correct the dependents (B, NQ); tell which states converged fast, on the same branch."""
    loop = branch.loop
    scale, size = loop.row_scale[branch.rows], loop.column_scale[branch.d]
    good = np.ones(len(q), dtype=bool)
    met, last = np.zeros(len(q), dtype=bool), np.full(len(q), FIRST)
    q = q.copy()
    for _ in range(12):
        run = np.flatnonzero(good & ~met)
        if not run.size:
            break
        e, J = errors_of(loop, q[run])
        e, Jd = e[:, branch.rows], branch.dependents(J)
        step = -np.linalg.solve(_regular(Jd), e[..., None])[..., 0]
        length = np.abs(step / size).max(axis=-1)
        closed = np.abs(e * scale).max(axis=-1) <= MET
        on_branch = np.sign(np.linalg.det(Jd)) == branch.sign
        fine = on_branch & (closed | (length <= last[run]))
        move = run[fine]
        q[move] = branch.turn(q[move], np.zeros((len(move), len(branch.u))), step[fine])
        last[run], met[run], good[run] = CONTRACTION * length, closed & fine, fine
    return q, good & met


def refined(branch: Branch, q: np.ndarray, y: np.ndarray, steps: int = 3) -> np.ndarray:
    """Return the configuration of complex y from that of their real parts.

    Chord steps with the real Jacobian carry derivatives: n steps those up to order n.
    """
    real = q
    q = q.astype(complex)
    q[..., branch.independents] = y
    Jd = branch.dependents(errors_of(branch.loop, real)[1])
    for _ in range(steps):
        e = errors_of(branch.loop, q)[0][..., branch.rows]
        step = -np.linalg.solve(Jd, e[..., None])[..., 0]
        q = branch.turn(q, np.zeros((*q.shape[:-1], len(branch.u))), step)
    return q


def openings(branch: Branch, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much a loop is open at q (..., NQ), in its lengths, and lower bounds of
    `quality`.
    """
    if has_motion(branch, q):
        found = motion_by_kernel(branch, q, np.zeros(len(branch.u)))
        e, least = found.e, np.sqrt(found.bound[..., 0])
        e = np.where(turned_over(branch.loop, q)[..., None], np.pi * branch.loop.length, e)
    else:
        e, least = errors_of(branch.loop, q)[0], quality(branch, q)
    return np.abs(e * branch.loop.row_scale).max(axis=-1), np.asarray(least)


def quality(branch: Branch, q: np.ndarray) -> np.ndarray:
    """Return the smallest singular value of the dependents' Jacobian by the largest of the Jacobian
    by all joints, (...).

    So a single dependent, which has one singular value, is compared with the independents.
    """
    J = branch.loop.scaled(jacobian_of(branch.loop, q))[..., branch.rows, :]
    J = np.where(np.isfinite(J), J, 0.0)
    least, most = (np.linalg.svd(A, compute_uv=False) for A in (J[..., branch.d], J))
    with np.errstate(all="ignore"):
        return np.asarray(least[..., -1] / most[..., 0])


def close_all(loop: Loop, q: np.ndarray) -> tuple[np.ndarray, float]:
    """Close a loop by moving all its joints, from a guess that may be far, by Levenberg and
    Marquardt's method; return the nearest configuration found and its error in lengths.
    """
    model, C, R = loop.model, loop.column_scale, loop.row_scale
    e, J = errors_of(loop, q)
    size, damping, last = float(np.linalg.norm(R * e)), 1.0, 0
    for _ in range(200):
        if size <= MET or damping > 1e12:
            last += 1
            if last > 1 or damping > 1e12:
                break
        Jt = loop.scaled(J)
        mu = damping * min(size, 1.0) ** 2
        A = Jt.T @ Jt + mu * np.eye(model.NV)
        step = -C * np.linalg.lstsq(A, Jt.T @ (R * e), rcond=1e-14)[0]
        ahead = np.asarray(configurationAddition(model, q, step))
        found = errors_of(loop, ahead)
        new = float(np.linalg.norm(R * found[0]))
        if new < size or new <= MET:
            q, (e, J), size, damping = ahead, found, new, 1.0
        else:
            damping *= 10
    return q, size
