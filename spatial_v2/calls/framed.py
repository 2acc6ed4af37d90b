"""The decorator that puts a kernel behind a page about a frame.

``@framed("FrameJacobian", "(q)->(6,v)")`` is as `accelerated` for a page whose arrays are followed
by a frame and by axes. Its kernel sees the path from the frame to the base as a chain of its own,
which is kept with the model. Rotors do not matter, and there is neither ``out=`` nor `bind`.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_type_hints

import numpy as np

from spatial_v2.arrays.checks import as_vector
from spatial_v2.calls.kernels import has_compiler, is_plain, load_kernel, run_batch
from spatial_v2.calls.options import count_workers
from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.calls.renamed import with_reference
from spatial_v2.engine.tree import Tree, View, lift_transforms, lower, raise_vectors
from spatial_v2.joints.table import REVOLUTE
from spatial_v2.model import Model
from spatial_v2.model.frame import AXES, Frame, check_axes, find_frame
from spatial_v2.model.rotations import check_quaternions
from spatial_v2.model.state import check_vector, common_lead
from spatial_v2.packed.memory import allocate

__all__ = ["Framed", "framed"]

F = TypeVar("F", bound=Callable[..., Any])
MANY = 64
"""Frames of a model that are remembered."""


class Framed(Generic[F]):
    """A page about a frame with a compiled kernel behind it: called as the page is."""

    __call__: F
    reference: F
    """The reference implementation, whatever the arrays."""


def framed(kernel: str, signature: str) -> Callable[[F], Framed[F]]:
    """Decorate a page; see the module's docstring.

    Parameters
    ----------
    kernel : str
        Name of the kernel's module and function in `spatial_v2.engine.algorithms`.
    signature : str
        Core dimensions of the arrays after `model`, and of the results; as of `accelerated`.

    Returns
    -------
    callable
        The decorator.
    """
    cores, results = (
        [tuple(dims.split(",")) for dims in re.findall(r"\(([^)]*)\)", side)]
        for side in signature.split("->")
    )

    def decorate(page: F) -> Any:
        names = list(inspect.signature(page).parameters)[1:]

        @functools.cache
        def record() -> Any:
            return get_type_hints(page)["return"]

        @functools.wraps(page)
        def call(model, *args, **kw):  # type: ignore[no-untyped-def]
            given = dict(zip(names, args, strict=False)) | kw
            right = len(given) == len(args) + len(kw) and given.keys() <= set(names)
            if not (right and set(names[:-1]) <= given.keys() and isinstance(model, Model)):
                return page(model, *args, **kw)
            arrays = _plain(model, given, dict(zip(names, cores, strict=False)))
            if arrays is None:
                return page(model, *args, **kw)
            axes, frame = given.get("axes", "body"), find_frame(model, given["frame"])
            check_axes(axes)
            if not is_plain(frame.X):
                return page(model, *args, **kw)
            parts = _run(kernel, View(_chain(model, frame), AXES[axes]), model, arrays, results)
            return record()(*parts) if len(parts) > 1 else parts[0]

        return with_reference(call, page)

    return decorate


def _plain(
    model: Model, given: dict[str, Any], cores: dict[str, tuple[str, ...]]
) -> list[np.ndarray] | None:
    """Checked arrays with common leading axes, as kernels take them; None where the page runs."""
    if not (model.checked().real and has_compiler()):
        return None
    arrays = {}
    for name, (core,) in cores.items():
        x, d = given[name], 3 if model.is_planar else 6
        n = {"q": model.NQ, "v": model.NV, "6": d}[core]
        x = as_vector(x, name, n) if core == "6" else check_vector(model, name, x, n, core)
        if not is_plain(x):
            return None
        arrays[name] = raise_vectors(x) if core == "6" and d == 3 else x
    lead = common_lead({name: x.shape[:-1] for name, x in arrays.items()})
    return [np.broadcast_to(x, (*lead, x.shape[-1])) for x in arrays.values()]


def _chain(model: Model, frame: Frame) -> Tree:
    """The bodies from the base to a frame, and the frame as the last, on a joint that is fixed.

    That is a revolute joint with the sign zero and no velocity variables; some position variable
    of the chain is its own.
    """

    def make() -> Tree:
        tree = kernel_tree(model)
        bodies = model.layout.ancestors[frame.body] if frame.body >= 0 else np.zeros(0, np.int64)
        n = len(bodies)
        q = tree.joint[bodies[-1], 2] if n else 0
        X = lift_transforms(frame.X[None]) if model.is_planar else frame.X[None]
        none = np.empty(0)
        return Tree(
            parent=np.arange(-1, n),
            joint=np.concatenate([tree.joint[bodies], [[REVOLUTE, 0, q, 0, 0, -1]]]),
            par=np.concatenate([tree.par[bodies], [[0.0, 0.0]]]),
            Xtree=np.concatenate([tree.Xtree[bodies], X]),
            I=np.zeros((n + 1, 6, 6)),
            gravity=tree.gravity.copy(),
            armature=none,
            damping=none,
            friction=none,
        )

    kept: dict[Any, Tree] = model.checked().keep("chains", dict)
    key = frame.body, frame.X.tobytes()
    if key not in kept:
        if len(kept) >= MANY:
            kept.clear()
        kept[key] = make()
    return kept[key]


def _run(
    kernel: str,
    view: View,
    model: Model,
    arrays: list[np.ndarray],
    results: list[tuple[str, ...]],
) -> list[np.ndarray]:
    drive: Any = importlib.import_module("spatial_v2.engine.numbers.batches")

    lead, size = arrays[0].shape[:-1], {"v": model.NV, "6": 6}
    flat = [np.require(x, requirements=["C", "W"]).reshape(-1, x.shape[-1]) for x in arrays]
    outs = [allocate((len(flat[0]), *(size[d] for d in dims))) for dims in results]
    fill = functools.partial(drive.run, load_kernel(kernel), view)
    finite = run_batch(fill, count_workers(None), flat, outs, not lead)
    if not finite and not np.isfinite(outs[0]).all():
        check_quaternions(model, arrays[0])
    if model.is_planar:
        outs = [lower(x, dims) for x, dims in zip(outs, results, strict=True)]
    return [x.reshape(*lead, *x.shape[1:]) for x in outs]
