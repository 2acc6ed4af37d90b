"""Calls of functions for coupled models: from y to the tree, and its results pulled back."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, cast

from spatial_v2.arrays import Array, alike, as_array, namespace
from spatial_v2.calls.arguments import is_plain
from spatial_v2.calls.background import is_awaited, kernel_is_there
from spatial_v2.calls.loading import without_kernels
from spatial_v2.calls.not_finite import explain_singular, numbers_of, within
from spatial_v2.calls.options import count_workers
from spatial_v2.calls.outputs import Call, copy_into, targets_of
from spatial_v2.calls.prepare import prepare_coupled, prepare_in_y
from spatial_v2.calls.signature import Function
from spatial_v2.calls.spreads import spread_tensors
from spatial_v2.couplings.coupled_model import CoupledModel, refuse
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model.state import check_forces, common_lead
from spatial_v2.packed.tensor import PackedTensor

_IN_Y = (
    "FDcrb", "FD_SO_derivatives", "FD_derivatives", "dMinv_dq", "modFD", "modFD_derivatives",
    "modFD_second_derivatives",
)  # fmt: skip
"""Functions whose reference implementation calls others that take coupled models."""

_OF_THE_TREE = (
    "GlobalDynamics", "_body_motion", "body_motion_derivatives", "frame_motion",
    "ground_kinematics", "modID",
)  # fmt: skip
"""Functions that are pulled back from the tree, beside regressors and those that expand rotors."""


def answer(work: Function, model: CoupledModel | None = None) -> str:
    """Return how coupled models, or one, are treated: "own", "in y", "pulled back", "refuses"."""
    if work.coupled is not None:
        return "own"
    if work.name in _IN_Y:
        return "in y"
    if work.validate_constraints:
        return "in y"
    if model is not None and not model.is_linear:
        return "pulled back" if model.takes(work.name) else "refuses"
    axes = {*sum(work.results, ())}
    expanded = (work.rotors == "expand" or work.of_frame) and "j" not in axes
    of_tree = "p" in axes or work.name in _OF_THE_TREE
    return "pulled back" if expanded or of_tree else "refuses"


def check_answer(work: Function, model: CoupledModel) -> None:
    """Raise an error for a function that does not take this coupled model."""
    if answer(work, model) == "refuses":
        refuse("free joints", work.name)


def run_coupled(
    work: Function, model: CoupledModel, args: Any, kw: dict[str, Any], reference: bool = False
) -> Any:
    """Run a function for a coupled model."""
    check_answer(work, model)
    run = _run_linear if model.is_linear else _run_mechanism
    return run(work, model, args, dict(kw), reference)


def _run_linear(
    work: Function, model: CoupledModel, args: Any, kw: dict[str, Any], reference: bool
) -> Any:
    """Check the arguments of a function and run it: by its prepared call, or by steps."""
    out, pulled = kw.pop("out", None), answer(work, model) == "pulled back"
    if kw.pop("return_info", False):
        raise SpatialError(f"{work.name}: return_info=True is not possible for coupled models")
    packed, workers = kw.pop("packed", False), kw.pop("workers", None)
    arrays, rest = _read(work, model, args, kw)
    m = work.validate_constraints(model, rest) if work.validate_constraints else 0
    results = None
    if not reference:
        values = {"out": out, "packed": packed or None}
        options = rest | {name: x for name, x in values.items() if x is not None}
        results = _by_kernel(work, model, arrays, options, pulled, count_workers(workers))
    if results is not None:
        return results
    if not reference and _has_rows(work, model, arrays, rest):
        call, by_rows = Call(None, False, count_workers(workers)), cast("Any", work).compiled
        results, _ = by_rows(model, *arrays, call=call, m=m, **rest)
    elif pulled:
        results = _pulled_back(work, model, arrays, rest, workers, reference)
    else:
        with within(work):
            results = (work.coupled or work.implementation)(model, *arrays, **rest)
    parts = list(results) if isinstance(results, tuple) else [results]
    state = [x for x in arrays if x is not None]
    if work.singular and numbers_of([*parts, *state]):
        lead = state[0].shape[:-1]
        explain_singular(work.name, work.singular, model, state, parts, lead)
    return results if out is None and not packed else _stored(work, model, parts, out, packed)


def _has_rows(work: Function, model: CoupledModel, arrays: list[Any], rest: dict[str, Any]) -> bool:
    """Test if kernels compute the constraint rows of a call; check its external forces."""
    if not (work.composed and work.validate_constraints and all(map(is_plain, arrays))):
        return False
    if (force := rest.get("f_ext")) is not None:
        force = rest["f_ext"] = check_forces(free_tree(model), force)
    plain = force is None or is_plain(force)
    return bool(plain and rest["constraints"].is_plain and is_awaited(work))


def _stored(work: Function, model: CoupledModel, parts: list[Any], out: Any, packed: bool) -> Any:
    """Return dense results as the options ask for: packed, or in `out`."""
    shapes, patterns = [tuple(x.shape) for x in parts], None
    if work.runs and model.is_linear:
        geared = work.rotors == "expand" and model._tree.has_rotors
        patterns, _ = spread_tensors(model, work.runs, geared)
    elif work.runs:
        patterns = model.tensor_patterns(work.runs)
    if patterns and packed:
        pairs = zip(patterns, parts, strict=True)
        parts = [PackedTensor(pattern, pattern.pack(x)) for pattern, x in pairs]
    if out is None:
        return work.returned(parts)
    targets = targets_of(work.name, out, shapes, patterns, packed)
    copy_into(targets, parts)
    return work.returned([target.out for target in targets])


def _run_mechanism(
    work: Function, model: CoupledModel, args: Any, kw: dict[str, Any], reference: bool
) -> Any:
    """Run a function for a model whose matrix G depends on y."""
    if reference and not model.is_reference:
        with without_kernels():
            return _run_mechanism(work, model.reference(), args, kw, reference)
    reference = model.is_reference
    if kw.pop("return_info", False):
        raise SpatialError(
            f"{work.name}: return_info=True is not possible for joints that follow loops or "
            "functions"
        )
    packed = kw.pop("packed", False) if work.runs else False
    out, _ = kw.pop("out", None), kw.pop("workers", None)
    arrays, rest = _read(work, model, args, kw)
    if work.validate_constraints:
        work.validate_constraints(model, rest)
    made = None if reference else model.by_kernel(work.name, arrays, rest)
    if made is not None:
        results = work.returned(made)
        model.prepare(work)
    elif answer(work, model) == "pulled back":
        own = {k: x for k, x in zip(work.names, arrays, strict=True) if x is not None}
        results = work.returned(model.pulled_back(work, own, rest))
    else:  # loops are closed once for all functions that this one calls
        cores = zip(arrays, work.cores, strict=True)
        arrays = [model.position(x) if core == "q" else x for x, core in cores]
        steps = work.coupled or work.implementation
        results = steps(model.placed(), *arrays, **rest)
    if out is None and not packed:
        return results
    parts = list(results) if isinstance(results, tuple) else [results]
    return _stored(work, model, parts, out, packed)


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _read(
    work: Function, model: CoupledModel, args: Any, kw: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the checked arrays of a call, and its other arguments and options by name."""
    arguments = _signature(work.implementation).bind(model, *args, **kw).arguments
    options = {**arguments.pop("options", {})}
    arguments.pop(next(iter(arguments)))
    arrays = _arguments(work, model, arguments)
    return arrays, {name: x for name, x in arguments.items() if name not in work.names} | options


def _arguments(
    work: Function, model: CoupledModel, arguments: dict[str, Any]
) -> list[Array | None]:
    """Check the arguments of y and broadcast them."""
    tree, converted = model._tree, dict[str, Array]()
    for name, core in zip(work.names, work.cores, strict=True):
        x = arguments[name]
        if x is None:
            continue
        n, of_tree = (model.NQ, tree.NQ) if core == "q" else (model.NV, tree.NV)
        x = as_array(x)
        whole = core == "q" and not model.is_linear and x.ndim and x.shape[-1] == of_tree
        if core in "qv" and not whole and (x.ndim == 0 or x.shape[-1] != n):
            hint = ""
            if x.ndim and x.shape[-1] == of_tree:
                hint = f"; that is the size of the tree's {name}, which is not independent"
            raise ArrayShapeError(
                f"{name}: want shape (..., {n}), the independent variables of the coupled model "
                f"({', '.join(model.joint_names)}); got {tuple(x.shape)}{hint}"
            )
        converted[name] = x
    arrays = dict(zip(converted, alike(*converted.values()), strict=True))
    lead = common_lead({name: tuple(x.shape[:-1]) for name, x in arrays.items()})
    for name, x in arrays.items():
        if tuple(x.shape[:-1]) != lead:
            arrays[name] = namespace(x).broadcast_to(x, (*lead, x.shape[-1]))
    return [arrays.get(name) for name in work.names]


def _pulled_back(
    work: Function, model: CoupledModel, arrays: list[Any], rest: Any, workers: Any, reference: bool
) -> Any:
    coupling = model.coupling
    convert: dict[str, Any] = {"q": coupling.configuration, "v": coupling.motion}
    moved = [convert.get(core, lambda x: x)(x) for core, x in zip(work.cores, arrays, strict=True)]
    function: Any = work.function.reference if reference else work.function  # type: ignore[attr-defined]
    out = function(model._tree, *moved, **rest, **({"workers": workers} if workers else {}))
    parts = out if len(work.results) > 1 else [out]
    pairs = zip(parts, work.results, strict=True)
    return work.returned([coupling.pull_back(x, dims) for x, dims in pairs])


def _by_kernel(
    work: Any, model: CoupledModel, arrays: list[Any], options: dict[str, Any], pulled: bool,
    workers: int,
) -> Any:  # fmt: skip
    """Return the results of the function's prepared call; None if there is none or it refuses."""
    values = tuple(x for x in arrays if x is not None)
    if not all(map(is_plain, values)):
        return None
    if pulled:
        prepared = prepare_coupled(work, model)
    else:
        form = getattr(work, "in_y", None)
        if form is None or not {*options} <= {"f_ext", "out"}:
            return None
        rest = {k: x for k, x in options.items() if k == "f_ext"}
        if not kernel_is_there(form, model, arrays, None, rest, False):
            return None
        prepared = prepare_in_y(work, form, model)
    if prepared and work.choose:
        prepared, values, options = prepared(values, options)
    return prepared and prepared.run_with(values, options, workers if pulled else 1)
