"""Prepared calls of a function for a model, and the trees that kernels take."""

import copy
import functools
import math
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.background import is_awaited
from spatial_v2.calls.compilation import PREPARED, get_compilation
from spatial_v2.calls.declaration import Chosen
from spatial_v2.calls.not_finite import explain
from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.signature import Function
from spatial_v2.calls.spreads import coupled_record, spread_of, spread_tensors
from spatial_v2.calls.steps import Results
from spatial_v2.calls.tensors import packed_results, prepare_tensors
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.kernel import KernelCall
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.tree import NO_TERMS, Floats, Tree, View, gear, lift, lower
from spatial_v2.model import Model
from spatial_v2.model.checks import double
from spatial_v2.model.fields import JOINT_TERMS
from spatial_v2.model.model import with_state
from spatial_v2.model.rotors import expand
from spatial_v2.packed.compute import width


def _lowered(of: Function, outs: Sequence[Floats]) -> Any:
    """Return the planar components of a kernel's spatial results, for a planar model."""
    return of.returned([lower(x, dims) for x, dims in zip(outs, of.results, strict=True)])


def joint_arrays(model: Model) -> tuple[Floats, ...]:
    """Return copies (NV,) of armature, damping, friction, stiffness and rest.

    They are empty if the model has none of them; those of springs are empty without stiffness. If
    it has some, the others are zeros.
    """
    if not model.has_joint_terms:
        return NO_TERMS
    terms, none = model._joint_terms(), np.zeros(model.NV)
    arrays = {name: double(np.array(terms.get(name, none))) for name in JOINT_TERMS}
    if model.stiffness is None:
        arrays.update(stiffness=np.empty(0), rest=np.empty(0))
    return tuple(arrays.values())


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


def prepare(of: Function, model: Model) -> Any:
    """Prepare a function for a model, cached with its state.

    Return the prepared call; for a function whose options choose among several, the function that
    chooses, see `Function.choose`; None if there cannot be any.
    """
    model = copy.copy(model)
    if model.layout.matrices or (model.has_joint_terms and not of.joint_terms):
        return None  # rotation matrices in q must be checked in every call
    state = model.checked()
    calls = state.calls
    if of not in calls and state.real:
        prepared: Any = _with_numbers_of(of, model)
        if prepared is None:
            prepared = _made(of, model)
        if prepared is None:
            return None
        PREPARED.add(state)
        calls[of] = prepared
    return calls.get(of)


def prepared_call(
    of: Function, model: Model, args: tuple[Any, ...], options: dict[str, Any]
) -> Chosen:
    """Return the prepared call for the options of a call, its arguments and its other options."""
    prepared = prepare(of, model)
    return prepared(args, options) if prepared and of.choose else (prepared, args, options)


def _made(of: Function, model: Model) -> Any:
    if of.choose:  # with this model, whose state cannot change under the calls that it keeps
        return functools.partial(of.choose, of, model, {})
    return of.make_prepared(of, model) if of.make_prepared else prepare_kernel(of, model)


def prepare_coupled(of: Function, model: CoupledModel) -> Any:
    """Prepare a function that is pulled back from the tree of a coupled model; None if there cannot
    be such a call.

    The function is prepared for the tree, too, which tells if its kernel can compute that. Where
    calls do not wait for kernels, those of the tree bring it.
    """
    calls, own = model._state.calls, free_tree(model)
    if of not in calls and (of in own.checked().calls or (is_awaited(of) and prepare(of, own))):
        calls[of] = _made(of, model) if of.of_frame else prepare_kernel(of, model)
    return calls.get(of)


def prepare_in_y(of: Function, form: Function, model: CoupledModel) -> Prepared | None:
    """Prepare a function by its kernel for coupled models, that of `form`; None if impossible."""
    calls, own = model._state.calls, free_tree(model)
    if of not in calls and own.checked().real and not own.layout.matrices:
        calls[of] = prepare_kernel(form, model)
    return calls.get(of)


def prepare_again(of: Function, model: Any) -> Any:
    """Prepare a function that was prepared for the state before the last assignment of numbers.

    Return None if it was not, or if kernels do not always run.
    """
    if not isinstance(model, Model) or isinstance(model, CoupledModel):
        return None
    state = model._state
    if of not in state.former or get_compilation() != "wait":
        return None
    return prepare(of, model)


def _with_numbers_of(of: Function, model: Model) -> Prepared | None:
    """Return the prepared call of an earlier state with the numbers of this one; None if there was
    none that can be used again.
    """
    prepared: Prepared | None = model.checked().former.get(of)
    if of.choose or of.runs or not (prepared and of.kernel and of.load()) or model.has_rotors:
        return None
    return prepared.on(kernel_tree(model), _explainer(of, model))


def _explainer(of: Function, model: Model) -> Callable[..., None]:
    """Return `explain` for a function and a model, whose state is not kept alive by its calls."""
    seen = weakref.ref(model.checked())

    def tell(args: Sequence[np.ndarray], outs: Sequence[np.ndarray], lead: tuple[int, ...]) -> None:
        state = seen()
        if state is not None:
            explain(of, with_state(state), args, outs, lead)

    return tell


def prepare_kernel(of: Function, model: Model, view: View | None = None) -> Prepared | None:
    """Prepare a function with a kernel, on the model's tree or, with a view, on that of a frame."""
    kernel, most = of.load(), max(map(len, of.results))
    if kernel is None or not kernel.has_entry or (most > 3 and view is None):
        return None
    own, coupled = free_tree(model), isinstance(model, CoupledModel)
    geared = of.rotors == "expand" and own.has_rotors
    geared |= of.solves_for_y and own.has_rotors
    spread = None if of.solves_for_y else spread_of(model, geared)
    whole_forces = not (geared or own.is_planar)
    sizes = {"q": model.NQ, "v": model.NV, "6": 6}
    lengths = [sizes[core] for core in of.cores]
    quaternions = quaternions_of(model)
    tree: Any = view
    if view is None:
        if of.rotors == "own" and not geared:
            tree = geared_tree(own)
        else:
            tree = kernel_tree(expand(own) if geared else own)
        if of.solves_for_y:
            tree = coupled_record(model, tree, geared)
    forces = [own.NB if whole_forces else -1] * (of.takes_force + of.takes_frame)
    call = KernelCall(list(zip(of.cores, lengths, strict=True)), forces, ())
    if of.runs:
        tensors, sums = spread_tensors(model, of.runs, geared)
        call = call._replace(
            results=[(("n",), (pattern.nnz,)) for pattern in tensors],
            look=False,
            rows=[width(pattern.nnz) for pattern in tensors],
            finish=functools.partial(packed_results, tensors, of.finish),
        )
        runner = Runner(kernel, tree, call, quaternions, spread and spread._replace(sums=sums))
        if not runner.runs:
            return None
        return prepare_tensors(runner, of.finish, kernel.in_simd_batches(0), tensors)
    shapes = [shape[1:] for shape in of.sizes(model)]
    batched = kernel.in_simd_batches(sum(map(math.prod, shapes)))
    results = list(zip(of.results, shapes, strict=True))
    whole = not (own.is_planar and {"6", "3"} & {d for dims in of.results for d in dims})
    finish: Any = of.finish if whole else functools.partial(_lowered, of)
    last = None if whole and len(results) == 1 else finish
    call = call._replace(results=results, finish=last)
    runner = Runner(kernel, tree, call, quaternions, spread)
    reason = None if geared or coupled or view is not None else _explainer(of, model)
    how = None if whole else Results(returned=of.finish)
    return Prepared(runner, finish, batched, how, reason) if runner.runs else None


def quaternions_of(model: Model) -> list[int]:
    """Return the places of the quaternions in q."""
    joints, q = model.layout.joints, model.layout.qinds
    return [x.start for joint, x in zip(joints, q, strict=True) if joint.has_quaternion]
