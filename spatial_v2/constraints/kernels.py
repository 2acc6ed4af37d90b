"""Constraints as kernels read them, and the KKT equations of a batch from compiled parts."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kkt import INERTIA
from spatial_v2.constraints.options import Gains
from spatial_v2.constraints.rank import TOLERANCE
from spatial_v2.dynamics import HandC
from spatial_v2.engine.tree import lower
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = [
    "Solved",
    "forces_of",
    "row_derivatives",
    "rows",
    "size_of",
    "solve",
    "solve_first",
    "solve_state",
    "weighted_second_derivatives",
]


def _run(kernel: str, of: Any, given: Sequence[np.ndarray], out: Any, packs: bool) -> None:
    page = getattr(importlib.import_module(f"spatial_v2.engine.{kernel}"), kernel)
    drive = importlib.import_module("spatial_v2.engine.lanes.drive")
    drive.run(page, of, [np.ascontiguousarray(x) for x in given], out, packs)


def _held(model: Model, constraints: ConstraintSet, gains: Gains | None) -> Any:
    Held = importlib.import_module("spatial_v2.engine.held").Held
    zero = np.zeros(constraints.m)
    Kp, Kd = (zero, zero) if gains is None else map(np.ascontiguousarray, gains)
    if Kp.any():
        constraints.check_places()
    return Held(kernel_tree(model), *constraints.table, Kp, Kd)


def _equations(model: Model, damping: float) -> Any:
    kkt = importlib.import_module("spatial_v2.engine.kkt")
    return kkt.Equations(model.checked().keep("above", lambda: _above(model)), damping)


def _above(model: Model) -> np.ndarray:
    """The velocity variable before each one on its way to the base, or -1."""
    above = np.arange(-1, model.NV - 1)
    for i, p in enumerate(model.parent.tolist()):
        above[model.vinds[i].start] = model.vinds[p].stop - 1 if p >= 0 else -1
    return above


def size_of(model: Model, m: int, columns: int) -> int:
    """Numbers in the arrays of a state with so many right-hand sides."""
    n = model.NV
    return 2 * n * n + 2 * m * n + 2 * (n + m) * columns


def forces_of(model: Model, forces: Sequence[np.ndarray]) -> dict[str, Any]:
    """External forces, in the base and in the bodies, as options of functions."""
    for frame, f in zip(("base", "body"), forces, strict=True):
        if f.size:
            f = lower(f, ("b", "6")) if model.is_planar else f
            return {"f_ext": f, "frame": frame}
    return {}


class Solved(NamedTuple):
    """Forward dynamics of a batch."""

    H: np.ndarray
    qdd: np.ndarray
    lambda_: np.ndarray


def solve(
    model: Model, damping: float, H: np.ndarray, G: np.ndarray, top: np.ndarray,
    bottom: np.ndarray, packs: bool,
) -> tuple[np.ndarray, np.ndarray] | None:  # fmt: skip
    """x (B, NV, n) and y (B, m, n) of the KKT equations.

    None where rows depend on others, or H is singular.
    """
    x, y, left = allocate(top.shape), allocate(bottom.shape), _left(G)
    _run("kkt", _equations(model, damping), [H, G, top, bottom], [x, y, left], packs)
    return (x, y) if _good(left, G.shape[1], damping) else None


def _left(G: np.ndarray) -> np.ndarray:
    """Memory for what is left of each row, and of each diagonal entry of H."""
    return allocate((len(G), sum(G.shape[1:])))


def _good(left: np.ndarray, m: int, damping: float) -> bool:
    """Whether no row depends on others, and H is regular."""
    return bool((left[:, m:] > INERTIA).all() and (damping or (left[:, :m] > TOLERANCE).all()))


def solve_first(
    model: Model, damping: float, H: np.ndarray, rows: RowDerivatives, ID_q: np.ndarray,
    ID_qd: np.ndarray, packs: bool,
) -> list[np.ndarray] | None:  # fmt: skip
    """The fields of `KKTDerivatives` of a batch; None likewise."""
    (states, m, n), left = rows.G.shape, _left(rows.G)
    out = [allocate((states, k, n)) for k in (n, n, n, m, m, m)]
    given = [H, rows.G, ID_q, ID_qd, rows.G_q_lambda, rows.alpha_q, rows.alpha_qd]
    _run("kkt_first", _equations(model, damping), given, [*out, left], packs)
    return out if _good(left, m, damping) else None


def solve_state(
    model: Model, arrays: Sequence[np.ndarray], constraints: ConstraintSet, damping: float,
    baumgarte: Gains | None, packs: bool,
) -> Solved | None:  # fmt: skip
    """`KKT_FD` of a batch (B, ...) of q, qd, tau and forces; None where rows depend on others."""
    q, qd, tau, *forces = arrays
    states, n = qd.shape
    made = allocate((states, n, n)), allocate((states, n))
    H, C = HandC(model, q, qd, workers=1, out=made, **forces_of(model, forces))
    G, alpha = rows(model, q, qd, constraints, baumgarte, packs)
    found = solve(model, damping, H, G, (tau - C)[..., None], -alpha[..., None], packs)
    return found and Solved(H, *(x[..., 0] for x in found))


def rows(
    model: Model, q: np.ndarray, qd: np.ndarray, constraints: ConstraintSet,
    baumgarte: Gains | None, packs: bool,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """G (B, m, NV), and the rows' acceleration less the wanted one at ``qdd = 0`` (B, m)."""
    G = allocate((len(q), constraints.m, model.NV))
    alpha = allocate((len(q), constraints.m))
    held = _held(model, constraints, baumgarte)
    _run("constraint_rows", held, [q, qd, np.zeros_like(qd)], [G, alpha], packs)
    return G, alpha


class RowDerivatives(NamedTuple):
    """Rows of a batch, and their derivatives: G, those of alpha - a*, and of ``G^T lambda_``."""

    G: np.ndarray
    alpha_q: np.ndarray
    alpha_qd: np.ndarray
    G_q_lambda: np.ndarray


def row_derivatives(
    model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, lambda_: np.ndarray,
    constraints: ConstraintSet,
    baumgarte: Gains | None, packs: bool,
) -> RowDerivatives:  # fmt: skip
    """Derivatives of the rows of a batch, and of the joint forces of lambda."""
    states, m, n = len(q), constraints.m, model.NV
    out = [allocate((states, k, n)) for k in (m, m, m, n)]
    held = _held(model, constraints, baumgarte)
    _run("constraint_derivatives", held, [q, qd, qdd, lambda_], out, packs)
    return RowDerivatives(*out)


def weighted_second_derivatives(
    model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, weight: np.ndarray,
    constraints: ConstraintSet, baumgarte: Gains | None, packs: bool,
) -> list[np.ndarray]:  # fmt: skip
    """Second derivatives of ``weight . (alpha - a*)`` of a batch: along q, q and qd, qd."""
    out = [allocate((len(q), model.NV, model.NV)) for _ in range(3)]
    held = _held(model, constraints, baumgarte)
    _run("mod_constraints", held, [q, qd, qdd, weight], out, packs)
    return out
