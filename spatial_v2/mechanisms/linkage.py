"""The loops of a tree side by side, for kernels that compute all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.calls.records import new_results
from spatial_v2.calls.spreads import paths_of
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.constraints.kernels import constraint_arrays
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.loop import Branches, Linkage
from spatial_v2.engine.tree import Ints, Tree, fixed
from spatial_v2.mechanisms.entries import entries_of, gears_of
from spatial_v2.mechanisms.resting import errors_of
from spatial_v2.model import Model
from spatial_v2.model.rotors import expand

if TYPE_CHECKING:
    from spatial_v2.mechanisms.closed import Closed

__all__ = [
    "Records",
    "branches_of",
    "closed_by_kernel",
    "has_linkage",
    "open_by_kernel",
    "records_of",
]


class Records(NamedTuple):
    """The records of all loops of a coupling for kernels; None where there is no kernel."""

    loops: Record | None
    branches: Record | None


def records_of(coupling: Closed) -> Records:
    """Return the records of a coupling by itself."""
    if not has_linkage(coupling):
        return Records(None, None)
    of = branches_of(coupling, np.eye(len(coupling.v_of_y)))
    return Records(Record(of.of), Record(of) if of.own.size else None)


def branches_of(coupling: Closed, L: np.ndarray, model: Model | None = None) -> Branches:
    """Return the arrays of loops whose independent velocities are ``L yd``, with those of the tree
    of a model, if given.
    """
    link = _linkage(coupling, L, model)
    tables = [spaces(b.loop.model) for b in coupling.branches]
    most = max(len(b.d) for b in coupling.branches)
    if any(x is None or x[:, 0].any() for x in tables):
        return Branches(link, np.zeros(0, np.int64), coupling.guess.copy(), np.zeros((0, most)))
    inverse = np.zeros((len(link.d), most))
    for b, begin in zip(coupling.branches, link.begin[:, 0], strict=False):
        J = b.dependents(errors_of(b.loop, b.guess)[1])
        inverse[begin : begin + len(J), : len(J)] = np.linalg.inv(J)
    own = np.ascontiguousarray(coupling.q_of_y, dtype=np.int64)
    return Branches(link, own, coupling.guess.copy(), inverse)


def closed_by_kernel(coupling: Closed, y: np.ndarray) -> tuple[np.ndarray, ...] | None:
    """Return configurations (B, NQ) at independent positions y (B, ny), for each loop (B, L) if it
    is closed there, and lower bounds (B, L) of the smallest singular value of its Jacobian by the
    largest; None if there is no kernel.
    """
    record = coupling.records.branches
    if record is None or y.dtype != np.float64 or not has_kernels("close_loops"):
        return None
    loops, shape = len(coupling.branches), coupling.guess.shape
    q, gap, bound = new_results("close_loops", record, [y], [shape, (loops,), (loops,)], True)
    return q, gap == 0, np.sqrt(bound)


def open_by_kernel(coupling: Closed, q: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return position errors (..., L), in lengths of the loops, and lower bounds (..., L) as
    `closed_by_kernel`, of configurations q (..., NQ); None if there is no kernel.
    """
    record = coupling.records.loops
    if record is None or q.dtype != np.float64 or not has_kernels("open_loops"):
        return None
    sizes = [(len(coupling.branches),)] * 2
    states = [np.ascontiguousarray(q).reshape(-1, q.shape[-1])]
    gap, bound = new_results("open_loops", record, states, sizes, q.ndim > 1)
    shape = *q.shape[:-1], len(coupling.branches)
    return gap.reshape(shape), np.sqrt(bound).reshape(shape)


def has_linkage(coupling: Closed) -> bool:
    """Test if kernels compute the rows of all loops."""
    return all(b.loop.constraints.is_plain for b in coupling.branches)


def _linkage(coupling: Closed, L: np.ndarray, model: Model | None) -> Linkage:
    pairs = [*zip(coupling.branches, coupling.places, strict=True)]
    models = [b.loop.model for b in coupling.branches]
    parts = [constraint_arrays(b.loop.model, b.loop.constraints, None) for b in coupling.branches]
    rows = _joined(models, parts)
    row, variable = (np.cumsum(x) - x for x in ([len(x.T) for x in parts], [x.NV for x in models]))
    numbers = zip(coupling.branches, row, variable, strict=True)
    places = [(b.rows + i, b.d + k, b.u + k) for b, i, k in numbers]
    sizes = [(len(p[1]), len(p[2]), len(x.T)) for p, x in zip(places, parts, strict=True)]
    of_rows, of_columns = (
        np.concatenate([getattr(b.loop, x) for b, _ in pairs])
        for x in ("row_scale", "column_scale")
    )
    selected, d, u = (_whole(x) for x in zip(*places, strict=True))
    v = _whole([p.v for _, p in pairs])
    gears = gears_of(model, v[d])
    followers, products, pattern = entries_of(coupling, L, gears)
    tree, above = rows.tree, np.zeros(0, np.int64)
    if model is not None:
        tree = kernel_tree(expand(model) if model.has_rotors else model)
        above = paths_of(tree, pattern)
    return Linkage(
        tree, rows, _whole([p.q for _, p in pairs]), v, np.cumsum([(0, 0, 0), *sizes], axis=0),
        selected, d, u, of_rows, of_columns, followers, products, gears.of, above,
    )  # fmt: skip


def _whole(parts: Sequence[np.ndarray]) -> Ints:
    return np.ascontiguousarray(np.concatenate(parts), dtype=np.int64)


def _joined(models: Sequence[Model], parts: Sequence[ConstraintArrays]) -> ConstraintArrays:
    """Return the constraints of several trees as those of one, in which they are side by side."""
    body = q = v = row = 0
    parents, joints, ends = [], [], []
    for model, x in zip(models, parts, strict=True):
        parents.append(np.where(x.tree.parent < 0, -1, x.tree.parent + body))
        joints.append(x.tree.joint + np.array([0, 0, q, v, 0, 0]))
        moved = x.ends + np.array([0, 0, 0, row, 0])
        moved[:, :2] = np.where(x.ends[:, :2] < 0, -1, x.ends[:, :2] + body)
        ends.append(moved)
        body, row, q, v = body + model.NB, row + len(x.T), q + model.NQ, v + model.NV
    first, *_ = parts
    par, X, I = (np.concatenate([getattr(x.tree, k) for x in parts]) for k in ("par", "Xtree", "I"))
    whole = fixed(_whole(parents)), fixed(_whole(joints)), fixed(par), X, I
    tree = first.tree._replace(**dict(zip(Tree._fields[:5], whole, strict=True)))
    more: Any = {
        k: np.concatenate([getattr(x, k) for x in parts]) for k in ("E", "r", "T", "Kp", "Kd")
    }
    return first._replace(tree=tree, ends=_whole(ends), **more)
