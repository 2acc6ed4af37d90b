"""Functions of a tree with closed loops by one kernel each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.prepared import geared_tree
from spatial_v2.calls.records import new_results
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.mechanisms.closed import Closed
from spatial_v2.mechanisms.linkage import has_linkage, linkage_of
from spatial_v2.model import Model

__all__ = ["by_kernel"]


class Whole(NamedTuple):
    """A kernel that computes a function from a closed configuration, and its results' axes."""

    name: str
    axes: tuple[int, ...]


_KERNELS = {
    "FDab": Whole("FDab_closed", (1,)),
    "FD_derivatives": Whole("FD_derivatives_closed", (2, 2, 2)),
    "modFD_second_derivatives": Whole("modFD_second_derivatives_closed", (2,) * 7),
}


def by_kernel(
    model: Model, coupling: Any, kept: dict[str, Any], name: str, arrays: Sequence[Any],
    options: dict[str, Any],
) -> list[np.ndarray] | None:  # fmt: skip
    """Return the results of a function at closed configurations of the tree, the first of its
    arrays; None if no kernel computes it. Records are cached in `kept`.
    """
    whole = _KERNELS.get(name)
    plain = all(isinstance(x, np.ndarray) and x.dtype == np.float64 for x in arrays)
    if whole is None or not plain or options or not has_kernels(whole.name):
        return None
    if "linkage" not in kept:
        kept["linkage"] = _record(model, coupling)
    record = kept["linkage"]
    if record is None:
        return None
    lead, n = arrays[0].shape[:-1], arrays[1].shape[-1]
    own = [np.ascontiguousarray(x).reshape(-1, x.shape[-1]) for x in arrays]
    shapes = [(n,) * axes for axes in whole.axes]
    found = new_results(whole.name, record, [*own, NO_FORCE, NO_FORCE], shapes, bool(lead))
    return [x.reshape(*lead, *x.shape[1:]) for x in found]


def _record(model: Model, coupling: Any) -> Record | None:
    """Return the record of kernels; None for other couplings, trees with rotors, and rows without
    kernels.
    """
    known = isinstance(coupling, Closed) and has_linkage(coupling)
    if not known or model.has_rotors or model.layout.matrices:
        return None
    return Record(linkage_of(coupling, geared_tree(model)))
