"""Functions of a tree with closed loops by one kernel each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.records import new_results
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.tree import NO_FORCE, lift_forces
from spatial_v2.mechanisms.closed import Closed
from spatial_v2.mechanisms.formula import Formula
from spatial_v2.mechanisms.joined import Joined
from spatial_v2.mechanisms.linkage import branches_of, has_linkage
from spatial_v2.mechanisms.resting import has_frames
from spatial_v2.mechanisms.states import NEARLY, ON
from spatial_v2.model import Model
from spatial_v2.model.rotors import expand_vector
from spatial_v2.model.state import check_forces

__all__ = ["KERNELS", "Way", "are_closed", "by_kernel", "way_of"]


class Whole(NamedTuple):
    """A kernel that computes a function, the axes of its results, and what the function returns, if
    that is not the same.
    """

    name: str
    axes: tuple[int, ...]
    finish: Callable[..., list[np.ndarray]] | None = None


def _weighted(given: Sequence[np.ndarray], found: list[np.ndarray]) -> list[np.ndarray]:
    return [np.einsum("...i,...ij->...j", given[3], x) for x in found]


KERNELS = {
    "ID": Whole("ID_closed", (1,)),
    "modID": Whole("ID_closed", (1,), lambda x, found: [(x[3] * found[0]).sum(axis=-1)]),
    "HandC": Whole("HandC_closed", (2, 1)),
    "CRBA": Whole("HandC_closed", (2, 1), lambda x, found: found[:1]),
    "FDab": Whole("FDab_closed", (1,)),
    "ID_derivatives": Whole("ID_derivatives_closed", (2, 2)),
    "modID_derivatives": Whole("ID_derivatives_closed", (2, 2), _weighted),
    "FD_derivatives": Whole("FD_derivatives_closed", (2, 2, 2)),
    "modID_second_derivatives": Whole("modID_second_derivatives_closed", (1, 1, 2, 2, 2, 2, 2)),
    "modFD_second_derivatives": Whole("modFD_second_derivatives_closed", (2,) * 7),
}
_WEIGHTED = "modID_second_derivatives_closed", "modFD_second_derivatives_closed"


class Way(NamedTuple):
    """The record of a mechanism for kernels, and the couplings it was made from.

    Attributes
    ----------
    record : Record
    closed : Closed
        The coupling by loops.
    joined : Joined, optional
        The coupling by which its variables follow others.
    closes : bool
        True if the kernels close the loops themselves, or tell that they are closed.
    """

    record: Record
    closed: Closed
    joined: Joined | None
    closes: bool


def by_kernel(
    model: Model, coupling: Any, kept: dict[str, Any], name: str, arrays: Sequence[Any],
    options: dict[str, Any], position: Callable[[np.ndarray], np.ndarray],
) -> list[np.ndarray] | None:  # fmt: skip
    """Return the results of a function at independent positions or configurations of the tree, the
    first of its arrays, of which `position` makes closed ones; None if no kernel computes it.
    Records are cached in `kept`.
    """
    whole = KERNELS.get(name)
    if whole is None or not options.keys() <= {"f_ext", "frame"}:
        return None
    if not all(isinstance(x, np.ndarray) and x.dtype == np.float64 for x in arrays):
        return None
    lead = arrays[0].shape[:-1]
    forces = _forces(model, lead, **options)
    if forces is None or not has_kernels(whole.name):
        return None
    way = way_of(model, coupling, kept)
    if way is None:
        return None
    q, *rest = arrays
    if not rest:
        rest = [np.zeros((*lead, coupling.space.NV))]
    given = rest if whole.name in _WEIGHTED else rest[:2]
    if whole.name == "HandC_closed":
        given = rest[:1]
    given, n = [x.reshape(-1, x.shape[-1]) for x in given], rest[0].shape[-1]
    loops = len(way.closed.branches)
    shapes = [*((n,) * axes for axes in whole.axes), (loops,), (loops,)]

    def run(x: np.ndarray) -> list[np.ndarray]:
        x = x.reshape(-1, x.shape[-1])
        return new_results(whole.name, way.record, [x, *given, *forces], shapes, bool(lead))

    found = _at_once(way, q, run)
    if found is None:
        found = run(position(q))
    shaped = [x.reshape(*lead, *x.shape[1:]) for x in found[:-2]]
    return whole.finish(arrays, shaped) if whole.finish else shaped


def _at_once(way: Way, q: np.ndarray, run: Callable[..., list[np.ndarray]]) -> Any:
    """Return the results at q if the kernel finds all states closed and regular, else None."""
    if not way.closes or q.size == 0:
        return None
    if way.joined is not None:
        if q.shape[-1] != way.joined.space.NQ:
            return None
        q = way.joined.inner.configuration(q)
    if q.shape[-1] != len(way.closed.guess) and not way.record.of.own.size:
        return None
    found = run(q)
    return found if are_closed(*found[-2:]) else None


def are_closed(gap: np.ndarray, bound: np.ndarray) -> bool:
    """Test if a kernel finds all loops closed, and far from singular positions."""
    return bool(gap.max() <= ON and bound.min() >= NEARLY**2)


def way_of(model: Model, coupling: Any, kept: dict[str, Any]) -> Way | None:
    """Return how kernels compute functions, cached in `kept`; None if they do not."""
    if "way" not in kept:
        kept["way"] = _way(model, coupling)
    way: Way | None = kept["way"]
    return way


def _way(model: Model, coupling: Any) -> Way | None:
    """Return how kernels compute functions; None for other couplings and rows without kernels."""
    joined = coupling if isinstance(coupling, Joined) else None
    closed = coupling.outer if joined else coupling
    known = isinstance(closed, Closed) and has_linkage(closed)
    inner = joined.inner if joined else None
    if not known or model.layout.matrices or isinstance(inner, Formula):
        return None
    L = inner.matrix if inner else np.eye(len(closed.v_of_y))
    closes = not any(has_frames(b.loop) for b in closed.branches)
    return Way(Record(branches_of(closed, L, model)), closed, joined, closes)


def _forces(
    model: Model, lead: tuple[int, ...], f_ext: Any = None, frame: str = "base"
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return external forces constant in the base and in the bodies, each (B, NB, 6) or empty; None
    if they have to be checked elsewhere.
    """
    if f_ext is None:
        return (NO_FORCE, NO_FORCE) if frame in ("base", "body") else None
    f = check_forces(model, f_ext)
    if frame not in ("base", "body") or not isinstance(f, np.ndarray) or f.dtype != np.float64:
        return None
    if f.shape[:-2] != lead[len(lead) - f.ndim + 2 :]:
        return None
    if model.has_rotors:
        f = expand_vector(model, f, "body")
    lifted = lift_forces(f, lead)
    return (lifted, NO_FORCE) if frame == "base" else (NO_FORCE, lifted)
