"""Prepared calls of a function for a model, and the trees that kernels take."""

from __future__ import annotations

import copy
import functools
import math
import weakref
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from spatial_v2.calls.compilation import PREPARED, get_compilation
from spatial_v2.calls.direct import runner
from spatial_v2.calls.joints import joint_arrays
from spatial_v2.calls.not_finite import explain
from spatial_v2.calls.plan import KernelPlan
from spatial_v2.calls.signature import Function
from spatial_v2.calls.tensor_plan import TensorPlan, packed_results
from spatial_v2.engine.kernel import KernelCall
from spatial_v2.engine.tree import Floats, Tree, View, gear, lift, lower
from spatial_v2.joints.table import FLOATING, SPHERICAL
from spatial_v2.model import Model
from spatial_v2.model.model import with_state
from spatial_v2.model.rotors import expand
from spatial_v2.packed.compute import width
from spatial_v2.packed.pattern import patterns

__all__ = [
    "geared_tree",
    "kernel_plan",
    "kernel_tree",
    "prepare",
    "prepare_again",
]


def _lowered(of: Function, outs: Sequence[Floats]) -> Any:
    """Return the planar components of a kernel's spatial results, for a planar model."""
    return of.returned([lower(x, dims) for x, dims in zip(outs, of.results, strict=True)])


def kernel_tree(model: Model) -> Tree:
    """Return the arrays of a valid model for kernels; a planar model is embedded in a spatial one.

    Kernels are compiled for arrays that are writeable, so those of numbers are copies.
    """

    def make() -> Tree:
        layout, numbers = model.layout, (model.Xtree, model.I, model.gravity)
        own = layout.parent, layout.joint, layout.par, *(x.copy() for x in numbers)
        tree = Tree(*own, *joint_arrays(model))
        return lift(tree) if model.is_planar else tree

    return model.checked().keep("tree", make)


def geared_tree(model: Model) -> Tree:
    """Return the arrays of a valid model for kernels, with rotors, if any, as further bodies."""
    if not model.has_rotors:
        return kernel_tree(model)

    def make() -> Tree:
        has = np.flatnonzero(model.has_rotor)
        return gear(kernel_tree(expand(model)), has, model.gr[has])

    return model.checked().keep("geared", make)


def prepare(of: Function, model: Model) -> KernelPlan | TensorPlan | None:
    """Create and cache the plan of a function for a model; return None if there cannot be one."""
    model = copy.copy(model)
    if model.layout.matrices or (model.has_joint_terms and not of.joint_terms):
        return None  # rotation matrices in q must be checked in every call
    state = model.checked()
    calls = state.calls
    if of not in calls and state.real:
        plan: Any = _plan_with_numbers_of(of, model)
        if plan is None:
            plan = of.make_plan(of, model) if of.make_plan else kernel_plan(of, model)
        if plan is None:
            return None
        PREPARED.add(state)
        calls[of] = plan
    return cast("KernelPlan | TensorPlan | None", calls.get(of))


def prepare_again(of: Function, model: Any) -> KernelPlan | TensorPlan | None:
    """Prepare a function that was prepared for the state before the last assignment of numbers.

    Return None if it was not, or if kernels do not always run.
    """
    state = getattr(model, "_state", None) if isinstance(model, Model) else None
    if state is None or of not in state.former or get_compilation() != "wait":
        return None
    return prepare(of, model)


def _plan_with_numbers_of(of: Function, model: Model) -> KernelPlan | None:
    """Return the plan of a function for a state that differs from an earlier one in numbers alone;
    None if there was no plan that can be used again.
    """
    plan = model.checked().former.get(of)
    simple = isinstance(plan, KernelPlan) and of.kernel and of.load() and not model.has_rotors
    if not (simple and isinstance(plan, KernelPlan)):
        return None
    return plan.on(kernel_tree(model), _explainer(of, model))


def _explainer(of: Function, model: Model) -> Callable[..., None]:
    """Return `explain` for a function and a model, whose state is not kept alive by its calls."""
    seen = weakref.ref(model.checked())

    def tell(args: Sequence[np.ndarray], outs: Sequence[np.ndarray], lead: tuple[int, ...]) -> None:
        state = seen()
        if state is not None:
            explain(of, with_state(state), args, outs, lead)

    return tell


def kernel_plan(
    of: Function, model: Model, view: View | None = None
) -> KernelPlan | TensorPlan | None:
    """Create the plan of a function with a kernel, on the model's tree or, with a view, a frame."""
    kernel = of.load()
    most = max(map(len, of.results))
    if kernel is None or not kernel.has_entry:
        return None
    if (most > 3 and view is None) or (of.runs and model.has_rotors):
        return None
    geared = of.rotors == "expand" and model.has_rotors
    rotors: np.ndarray = np.flatnonzero(model.has_rotor) if geared else np.zeros(0, dtype=np.int64)
    whole_forces = not (geared or model.is_planar)
    sizes = {"q": model.NQ, "v": model.NV, "6": 6}
    lengths = [sizes[core] for core in of.cores]
    shape = (model.NB, 6) if whole_forces else ()
    takes = lengths, shape if of.takes_force else None
    tree: Any = view
    if view is None:
        own = of.rotors == "own"
        tree = geared_tree(model) if own else kernel_tree(expand(model) if geared else model)
    bind = functools.partial(runner, kernel, model, tree, rotors)
    forces = [model.NB if whole_forces else -1] * (of.takes_force + of.takes_frame)
    call = KernelCall(list(zip(of.cores, lengths, strict=True)), forces, ())
    if of.runs:
        found = patterns(model.layout, of.runs)
        counts, wide = [pattern.nnz for pattern in found], None
        if kernel.in_simd_batches(0):
            rows = [(("n",), (width(n),)) for n in counts]
            wide = bind(call._replace(results=rows, look=False, values=counts))
        packed = functools.partial(packed_results, found, of.finish)
        values = [(("n",), (n,)) for n in counts]
        single = bind(call._replace(results=values, look=False, finish=packed))
        at_once = kernel.function is not None
        return single and TensorPlan(single, wide, takes, found, of.finish, at_once)
    shapes = [shape[1:] for shape in of.sizes(model)]
    batched = kernel.in_simd_batches(sum(map(math.prod, shapes)))
    results = list(zip(of.results, shapes, strict=True))
    whole = not (model.is_planar and {"6", "3"} & {d for dims in of.results for d in dims})
    finish: Any = of.finish if whole else functools.partial(_lowered, of)
    last = None if whole and len(results) == 1 else finish
    single = bind(call._replace(results=results, finish=last))
    reason = None if geared or view is not None else _explainer(of, model)
    turning = [
        slice(qs.start, qs.start + 4)
        for joint, qs in zip(model.layout.joints, model.layout.qinds, strict=True)
        if joint.kind in (SPHERICAL, FLOATING)
    ]
    return single and KernelPlan(
        single, takes, finish, whole, batched and not geared, reason, turning
    )
