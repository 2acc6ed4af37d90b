"""Loops by kernels: closing them, and their motion, for batches of states."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spatial_v2.arrays.blocks import flattened
from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.records import new_results
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.constraints.kernels import constraint_arrays
from spatial_v2.constraints.residual import Gains
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.loop import BranchArrays, LoopArrays

if TYPE_CHECKING:
    from spatial_v2.mechanisms.closing import Branch

__all__ = ["LoopMotion", "close_by_kernel", "has_motion", "motion_by_kernel"]


class Records(NamedTuple):
    """The records of a branch that kernels take."""

    loop: Record
    branch: Record


_KERNELS = "close_loop", "loop_motion"
_KEPT: weakref.WeakKeyDictionary[Branch, Records] = weakref.WeakKeyDictionary()


class LoopMotion(NamedTuple):
    """The motion of a loop in a batch of states.

    Positions errors e (B, m); a lower bound (B, 1) of the square of the smallest singular value of
    the dependents' Jacobian by its largest; the inverse (B, r, r) of that Jacobian; and G (B, NV,
    n), g (B, NV) of ``qd = G yd``, ``qdd = G ydd + g``.
    """

    e: np.ndarray
    bound: np.ndarray
    inverse: np.ndarray
    G: np.ndarray
    g: np.ndarray


def has_motion(branch: Branch, *arrays: np.ndarray) -> bool:
    """Test if a kernel computes the motion of a loop for these arrays."""
    known = branch.loop.constraints.is_plain and spaces(branch.loop.model) is not None
    return known and all(x.dtype == np.float64 for x in arrays) and has_kernels(*_KERNELS)


def _records(branch: Branch) -> Records:
    found = _KEPT.get(branch)
    if found is None:
        loop, one = branch.loop, np.ones(branch.loop.constraints.m)
        rows, u, d = (
            np.ascontiguousarray(x, dtype=np.int64) for x in (branch.rows, branch.u, branch.d)
        )
        scales = (np.ascontiguousarray(x, dtype=float) for x in (loop.row_scale, loop.column_scale))
        given = constraint_arrays(loop.model, loop.constraints, Gains(one, 0 * one))
        arrays = LoopArrays(given, rows, u, d, *scales)
        table = spaces(loop.model)
        assert table is not None
        of = BranchArrays(arrays, table, branch.independents, branch.guess, branch.sign)
        found = _KEPT[branch] = Records(Record(arrays), Record(of))
    return found


def close_by_kernel(
    branch: Branch, goal: np.ndarray, along: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return configurations (B, NQ), the part (B,) of each path that was followed, and lower bounds
    (B,) of the smallest singular value of the dependents' Jacobian by its largest.
    """
    shapes, record = [goal.shape[1:], (1,), (1,)], _records(branch).branch
    q, reached, bound = new_results("close_loop", record, [goal, along], shapes, False)
    return q, reached[:, 0], np.sqrt(bound[:, 0])


def motion_by_kernel(branch: Branch, q: np.ndarray, yd: np.ndarray) -> LoopMotion:
    """Return the motion of a loop at configurations q (..., NQ) and velocities yd (..., n)."""
    lead = np.broadcast_shapes(q.shape[:-1], yd.shape[:-1])
    flat = [flattened(x, lead, 1) for x in (q, yd)]
    m, r, NV = branch.loop.constraints.m, len(branch.d), branch.loop.model.NV
    shapes = [(m,), (1,), (r, r), (NV, len(branch.u)), (NV,)]
    found = new_results("loop_motion", _records(branch).loop, flat, shapes, bool(lead))
    return LoopMotion(*(x.reshape(*lead, *x.shape[1:]) for x in found))
