"""Calls of public functions: checks of arguments, kernel or reference implementation, results."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from typing import Any, cast

from spatial_v2.arrays.namespaces import Array, as_array, copied, namespace
from spatial_v2.calls.arguments import is_plain
from spatial_v2.calls.background import kernel_is_there, use_reference
from spatial_v2.calls.checks import check_arguments
from spatial_v2.calls.coupled import run_coupled
from spatial_v2.calls.declaration import Composed
from spatial_v2.calls.kernels import KernelFunction
from spatial_v2.calls.not_finite import explain_call, numbers_of, within
from spatial_v2.calls.options import count_workers
from spatial_v2.calls.outputs import Call, Target, copy_into, in_place, targets_of
from spatial_v2.calls.prepare import prepared_call
from spatial_v2.couplings import CoupledModel
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.rotors import contract, expand, expand_vector
from spatial_v2.packed.gears import contract_tensors, patterns_of
from spatial_v2.packed.tensor import PackedTensor


class Work(KernelFunction):
    """A function that checks its arguments, then runs its kernel or reference implementation."""

    def __init__(
        self,
        implementation: Callable[..., Any],
        kernel: str | None,
        signature: str,
        **declared: Any,
    ) -> None:
        super().__init__(implementation, kernel, signature, **declared)
        self.more = self.info and with_info(self, signature, self.info)
        self.other, self.in_y = cast("tuple[Work | None, Work | None]", (None, None))
        if self.coupled_kernel:
            self.in_y = Work(implementation, self.coupled_kernel, signature, rotors=self.rotors)
            self.in_y.solves_for_y = True
        if self.either:
            self.other = self._instead(*self.either)

    def _instead(self, name: str, instead: str, composed: Composed) -> Work:
        """Return the form that takes the keyword argument `instead` in place of `name`."""
        implementation, k = self.implementation, self.names.index(name)
        whole = inspect.signature(implementation, eval_str=True)
        parameters = [p for p in whole.parameters.values() if p.name != instead]
        parameters[k + 1] = parameters[k + 1].replace(name=instead)

        @functools.wraps(implementation)
        def other(model: Model, *args: Any, **kw: Any) -> Any:
            positional = *args[:k], None, *args[k + 1 :]
            return implementation(model, *positional, **{instead: args[k]}, **kw)

        vars(other)["__signature__"] = whole.replace(parameters=parameters)
        names = "accepts", "joint_terms", "review", "rotors", "singular", "uses"
        shared = {x: vars(self)[x] for x in names}
        return Work(other, None, self.signature, **shared, composed=composed)

    def chosen(self, args: tuple[Any, ...], kw: dict[str, Any]) -> tuple[Work, tuple[Any, ...]]:
        """Return the form of the function for the given arguments, and its positional arguments."""
        if self.other is None or self.either is None:
            return self, args
        name, instead, _ = self.either
        k = self.names.index(name)
        value, other = kw.get(name), kw.get(instead)
        value = args[k] if len(args) > k else value
        if (value is None) == (other is None):
            raise SpatialError(f"{self.name}: give either {name} or {instead}=...")
        if other is None:
            kw.pop(instead, None)
            return self, args
        kw.pop(name, None)
        if len(args) > k:
            args = (*args[:k], kw.pop(instead), *args[k + 1 :])
        return self.other, args

    def reference(self, model: Model, *args: Any, **kw: Any) -> Any:
        """Run the reference implementation, for arrays of any kind."""
        chosen, args = self.chosen(args, kw)
        if chosen is not self:
            return chosen.reference(model, *args, **kw)
        if isinstance(model, CoupledModel):
            return run_coupled(self, model, args, kw, reference=True)
        call, model = self.call(kw), copy.copy(model)
        arrays, force = check_arguments(self, model, args, kw)
        return self.dispatch(self.run_reference, model, arrays, force, kw, call)

    def run(self, model: Model, *args: Any, **kw: Any) -> Any:
        """Check the arguments; run the kernel if possible, else the reference implementation."""
        chosen, args = self.chosen(args, kw)
        if chosen is not self:
            return chosen.run(model, *args, **kw)
        if isinstance(model, CoupledModel):
            return run_coupled(self, model, args, kw)
        call, model = self.call(kw), copy.copy(model)
        arrays, force = check_arguments(self, model, args, kw)
        real = all(map(is_plain, arrays)) and (force is None or is_plain(force))
        made, ready = self.kernel or self.composed, self.kernel or self.make_prepared or self.choose
        real = real and (not self.validate_constraints or kw["constraints"].is_plain)
        real = real and (not self.of_frame or is_plain(kw["frame"].X))
        real = real and model.checked().real and bool(made)
        if real and not kernel_is_there(self, model, arrays, force, kw, call.packed):
            with use_reference():
                return self.dispatch(self.run_reference, model, arrays, force, kw, call)
        form = self.compiled if real else self.run_reference
        if real and kw.keys() - self.known:
            more = self.more if kw == {"return_info": True} else None
            form = more.compiled if more else self.run_reference
        elif real and ready and call.out is None:
            options = {**kw, "packed": True} if call.packed else dict(kw)
            if force is not None:
                options["f_ext"] = force
            prepared, args, options = prepared_call(self, model, tuple(arrays), options)
            out = prepared and prepared.run_with(args, options, call.workers)
            if out is not None:
                return out
        return self.dispatch(form, model, arrays, force, kw, call)

    def call(self, kw: dict[str, Any]) -> Call:
        """Remove the options `out`, `packed` and `workers` from `kw` and return them."""
        packed = kw.pop("packed", False) if self.runs else False
        if not isinstance(packed, bool):
            raise SpatialError(f"packed: want True or False, got {packed!r}")
        return Call(kw.pop("out", None), packed, count_workers(kw.pop("workers", None)))

    def dispatch(
        self,
        form: Callable[..., Any],
        model: Model,
        arrays: list[Array],
        force: Array | None,
        kw: dict[str, Any],
        call: Call,
    ) -> Any:
        """Run the reference implementation or the kernel, and check that the results are finite."""
        if self.takes_force:
            kw = {**kw, "f_ext": force}
        targets = [] if call.out is None else self.targets(model, arrays, force, call, kw)
        if targets and kw.get("return_info"):
            raise SpatialError("out: cannot be combined with return_info=True; omit one of them")
        read = [x for x in (*arrays, force) if x is not None]
        if form == self.compiled and in_place(targets, read):
            expanded = self.rotors == "expand" and model.has_rotors
            lowered = model.is_planar and {"6", "3"} & {*sum(self.results, ())}
            if not (expanded or lowered):
                call = call._replace(targets=targets)
        out, finite = self.compute(form, model, arrays, kw, call)
        finite = finite and max(map(len, self.results)) <= 2
        if not finite and model.checked().foreign is None and numbers_of(read):
            main = out[0] if kw.get("return_info") else out
            explain_call(self, model, arrays, force, main, form == self.compiled)
        if targets and call.targets is None:
            copy_into(targets, out if isinstance(out, tuple) else [out])
        if targets:
            return self.returned([target.out for target in targets])
        return out

    def targets(
        self,
        model: Model,
        arrays: list[Array],
        force: Array | None,
        call: Call,
        kw: dict[str, Any],
    ) -> list[Target]:
        """Check `out` and return its parts."""
        lead, sizes = self.lead(arrays, force), self.sizes(model, model.is_planar, kw.get("m", 0))
        shapes = [lead + shape[1:] for shape in sizes]
        patterns = patterns_of(model, self.runs) if self.runs else None
        return targets_of(self.name, call.out, shapes, patterns, call.packed)

    def compute(
        self,
        form: Callable[..., tuple[Any, bool]],
        model: Model,
        arrays: list[Array],
        kw: dict[str, Any],
        call: Call,
    ) -> tuple[Any, bool]:
        """Run reference implementation or kernel, on the expanded tree if the model has rotors.

        Returns the results, and True if they are known to be finite.
        """
        if form != self.run_reference:
            form, kw = functools.partial(form, call=call), dict(kw)
        elif call.packed:
            dense, finite = self.compute(form, model, arrays, kw, call._replace(packed=False))
            parts = dense if isinstance(dense, tuple) else [dense]
            kinds = zip(patterns_of(model, cast("Runs", self.runs)), parts, strict=True)
            packed = [PackedTensor(pattern, pattern.pack(x)) for pattern, x in kinds]
            return self.returned(packed), finite
        if not (self.rotors == "expand" and model.has_rotors):
            return form(model, *arrays, **kw)
        arrays = [expand_vector(model, x, c) for x, c in zip(arrays, self.cores, strict=True)]
        if kw.get("f_ext") is not None:
            kw["f_ext"] = expand_vector(model, kw["f_ext"], "body")
        out, finite = form(expand(model), *arrays, **kw)
        if call.packed:
            parts = contract_tensors(
                model, out if isinstance(out, tuple) else (out,), cast("Runs", self.runs)
            )
            return self.returned(parts), finite
        if not kw.get("return_info"):
            return contract(model, out, self.results), finite
        out, info = out
        return (contract(model, out, self.results), info.first(model.NB)), finite

    def run_reference(self, model: Model, *arrays: Array, **kw: Any) -> tuple[Any, bool]:
        """Return the results of the reference implementation, and False: they may not be finite.

        Results are broadcast to the leading axes of all arguments.
        """
        lead = self.lead(arrays, kw.get("f_ext") if self.takes_force else None)
        kw.pop("m", None)
        with within(self):
            out = self.implementation(model, *arrays, **kw)
        main, *info = out if kw.get("return_info") else (out,)
        returned = main if isinstance(main, tuple) else (main,)
        # NumPy gives a sum of object arrays without axes as the object itself
        parts = [x if hasattr(x, "ndim") else as_array(x) for x in returned]
        pairs = zip(parts, self.results, strict=True)
        shapes = [(*lead, *x.shape[x.ndim - len(dims) :]) for x, dims in pairs]
        for k, (x, shape) in enumerate(zip(parts, shapes, strict=True)):
            if tuple(x.shape) != shape:
                parts[k] = copied(namespace(x).broadcast_to(x, shape))
        if any(x is not y for x, y in zip(parts, returned, strict=True)):
            main = self.named(*parts) if isinstance(main, tuple) else parts[0]
        return ((main, *info) if info else main), False


def with_info(work: Work, signature: str, info: tuple[str, str, type[Any]]) -> Work:
    """Create the form for `return_info=True`, whose kernel also returns further fields."""
    kernel, dims, record = info
    more = Work(work.implementation, kernel, f"{signature},{dims}", rotors=work.rotors)
    n = len(work.results)
    more.named = lambda *xs: (work.named(*xs[:n]) if n > 1 else xs[0], record(*xs[n:]))
    return more
