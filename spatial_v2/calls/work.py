"""What happens at a call of an accelerated page."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.calls.frame import validate_frame
from spatial_v2.calls.kernels import FLOAT, Composed, KernelPage, has_compiler, is_plain
from spatial_v2.calls.options import count_workers
from spatial_v2.calls.outputs import Call, Target, copy_into, targets_of
from spatial_v2.calls.prepared import Rotors, prepare
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.not_finite import explain_nan
from spatial_v2.model.rotations import check_quaternions
from spatial_v2.model.rotors import contract, expand, expand_vector
from spatial_v2.model.snapshot import Snapshot
from spatial_v2.model.state import check_forces, check_frame, check_vector
from spatial_v2.packed.gears import contract_tensors, patterns_of
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["Info", "Work"]

Info = tuple[str, str, type[Any]]
"""Kernel for `return_info=True`, core dimensions of what it gives more, and the record for that."""


def _seen(model: Model) -> Snapshot:
    """What the model was when its arguments were checked, a moment ago."""
    snapshot = model._snapshot
    assert snapshot is not None
    return snapshot


class Work(KernelPage):
    """A page behind its entry: arguments are checked, and the page or the kernel runs."""

    def __init__(
        self,
        page: Callable[..., Any],
        kernel: str | None,
        signature: str,
        rotors: Rotors,
        runs: Runs | None = None,
        info: Info | None = None,
    ) -> None:
        super().__init__(page, kernel, signature, rotors, runs)
        self.signature = signature
        self.accepts: Callable[[str, Model], None] | None = None
        self.more = info and with_info(self, signature, info)
        self.other: Work | None = None
        self.either = "", ""

    def offer(self, name: str, instead: str, composed: Composed) -> None:
        """Let calls give another argument, by keyword, in place of one of the signature."""
        page, k = self.page, self.names.index(name)
        whole = inspect.signature(page, eval_str=True)
        parameters = [p for p in whole.parameters.values() if p.name != instead]
        parameters[k + 1] = parameters[k + 1].replace(name=instead)

        @functools.wraps(page)
        def other(model: Model, *args: Any, **kw: Any) -> Any:
            return page(model, *args[:k], None, *args[k + 1 :], **{instead: args[k]}, **kw)

        vars(other)["__signature__"] = whole.replace(parameters=parameters)
        self.either, self.other = (name, instead), Work(other, None, self.signature, self.rotors)
        self.other.composed, self.other.joint_terms = composed, self.joint_terms
        self.other.accepts, self.other.review = self.accepts, self.review

    def chosen(self, args: tuple[Any, ...], kw: dict[str, Any]) -> tuple[Work, tuple[Any, ...]]:
        """The form of the function for the argument that is given, and arguments for it."""
        if self.other is None:
            return self, args
        (name, instead), k = self.either, self.names.index(self.either[0])
        value, other = kw.get(name), kw.get(instead)
        value = args[k] if len(args) > k else value
        if (value is None) == (other is None):
            raise SpatialError(f"{self.page.__name__}: give either {name} or {instead}=...")
        if other is None:
            kw.pop(instead, None)
            return self, args
        kw.pop(name, None)
        if len(args) > k:
            args = (*args[:k], kw.pop(instead), *args[k + 1 :])
        return self.other, args

    def arguments(
        self, model: Model, args: tuple[Any, ...], kw: dict[str, Any]
    ) -> tuple[list[Array], Array | None]:
        """The checked arrays and external forces; `kw` keeps what belongs to the page alone."""
        if not isinstance(model, Model):
            raise TypeError(f"model: want a spatial_v2.Model, got {type(model).__name__}")
        foreign = model.checked().foreign
        if self.accepts:
            self.accepts(self.page.__name__, model)
        if model.has_joint_terms and not self.joint_terms:
            raise ModelError(
                f"{self.page.__name__}: {', '.join(model._joint_terms())} of the model cannot be "
                "taken account of here; model.replace(armature=None, damping=None, friction=None) "
                "is the model without"
            )
        n = len(self.cores)
        given = list(args[:n])
        given += [kw.pop(name) for name in self.names[len(args) :] if name in kw]
        for name, value in zip(self.options, args[n:], strict=False):
            if name in kw:
                raise TypeError(f"{self.page.__name__}: got {name!r} by position and by keyword")
            kw[name] = value
        missing = len(given) < n or (self.of_frame and "frame" not in kw)
        if missing or len(args) > n + len(self.options):
            raise TypeError(
                f"{self.page.__name__}: got {len(args) + 1} arguments, want "
                f"{self.page.__name__}{inspect.signature(self.page)}"
            )
        for name in kw:
            if name not in self.defaults:
                raise TypeError(
                    f"{self.page.__name__}: got an unexpected keyword argument {name!r}"
                )
        rows = self.validate_constraints(model, kw) if self.validate_constraints else 0
        sizes = {"q": model.layout.NQ, "v": model.layout.NV, "m": rows}
        arrays = [
            as_vector(x, name, 3 if model.is_planar else 6)
            if core == "6"
            else check_vector(model, name, x, sizes[core], core)
            for name, x, core in zip(self.names, given, self.cores, strict=True)
        ]
        force = kw.pop("f_ext", None) if self.takes_force else None
        if self.takes_frame:
            check_frame(kw.get("frame", "base"))
        if self.of_frame:
            validate_frame(model, kw)
        if self.validate_constraints:
            kw["m"] = rows
        else:
            for name in [name for name in kw if self.is_default(name, kw[name])]:
                del kw[name]
        force = None if force is None else check_forces(model, force)
        if foreign is not None:
            _, *arrays = alike(foreign, *arrays)
            force = None if force is None else alike(foreign, force)[1]
        return arrays, force

    def is_default(self, name: str, value: Any) -> bool:
        """Whether an option has its default value."""
        default = self.defaults.get(name, inspect.Parameter.empty)
        return value is default or (isinstance(value, int | str) and bool(value == default))

    def reference(self, model: Model, *args: Any, **kw: Any) -> Any:
        """Run the reference implementation, whatever the arrays."""
        chosen, args = self.chosen(args, kw)
        if chosen is not self:
            return chosen.reference(model, *args, **kw)
        call = self.call(kw)
        arrays, force = self.arguments(model, args, kw)
        return self.dispatch(self.paged, model, arrays, force, kw, call)

    def run(self, model: Model, *args: Any, **kw: Any) -> Any:
        """Check the arguments; run the kernel if it can, else the reference implementation."""
        chosen, args = self.chosen(args, kw)
        if chosen is not self:
            return chosen.run(model, *args, **kw)
        call = self.call(kw)
        arrays, force = self.arguments(model, args, kw)
        real = all(map(is_plain, arrays)) and (force is None or is_plain(force))
        form = self.compiled
        made = self.kernel or self.composed
        real = real and (not self.validate_constraints or kw["constraints"].is_plain)
        real = real and (not self.of_frame or is_plain(kw["frame"].X))
        if not (real and _seen(model).real and made and has_compiler()):
            form = self.paged
        elif kw.keys() - self.known:
            form = self.more.compiled if self.more and kw == {"return_info": True} else self.paged
        elif (self.kernel or self.make_plan) and (self.of_frame or not kw) and call.out is None:
            plan = prepare(self, model) if call.workers == 1 else None
            given = tuple(arrays if force is None else [*arrays, force])
            if plan:
                out = plan.called(given, kw) if kw else plan.results(given, call.packed)
            else:
                out = None
            if out is not None:
                return out
        return self.dispatch(form, model, arrays, force, kw, call)

    def call(self, kw: dict[str, Any]) -> Call:
        """The options of all functions, taken out of `kw`."""
        packed = kw.pop("packed", False) if self.runs else False
        if not isinstance(packed, bool):
            raise SpatialError(f"packed: want True or False, got {packed!r}")
        return Call(kw.pop("out", None), packed, count_workers(kw.pop("workers", None)))

    def check_result(self, model: Model, q: np.ndarray, out: Any, constraint_rows: int) -> None:
        """Refuse states at which a quaternion is no rotation, or a joint moves no inertia.

        What they make infinite is looked for in vectors and matrices; tensors are many times as
        large as q, so there q is looked at. With held > 0 rows of constraints, bodies without
        inertia are no fault, and none to functions of a frame.
        """
        parts = out if isinstance(out, tuple) else (out,)
        if max(map(len, self.results)) > 2:
            check_quaternions(model, q)
        elif not all(np.isfinite(x).all() for x in parts):
            reason = explain_nan(model, q, out, inertia=not (constraint_rows or self.of_frame))
            if reason:
                raise SpatialError(f"{self.page.__name__}: {reason}")

    def dispatch(
        self,
        form: Callable[..., Any],
        model: Model,
        arrays: list[Array],
        force: Array | None,
        kw: dict[str, Any],
        call: Call,
    ) -> Any:
        """Run the page or the kernel, and see that what comes out of finite numbers is finite."""
        if self.takes_force:
            kw = {**kw, "f_ext": force}
        targets = [] if call.out is None else self.targets(model, arrays, force, call, kw)
        if targets and kw.get("return_info"):
            raise SpatialError("out: not together with return_info=True")
        direct, read = targets and form == self.compiled, list(arrays)
        read += [] if force is None else [force]
        for target in targets if direct else ():
            target.check_dtype(FLOAT)
        direct = direct and not (self.rotors == "expand" and model.has_rotors)
        direct = direct and not (model.is_planar and {"6", "3"} & {*sum(self.results, ())})
        if direct and all(target.direct(read) for target in targets):
            call = call._replace(targets=targets)
        out, finite = self.compute(form, model, arrays, kw, call)
        finite = finite and max(map(len, self.results)) <= 2
        if not finite and _seen(model).real and all(is_plain(x) for x in arrays):
            main = out[0] if kw.get("return_info") else out
            self.check_result(model, arrays[0], main, kw.get("m", 0))
        if targets and call.targets is None:
            copy_into(targets, out if isinstance(out, tuple) else [out])
        if targets:
            return self.returned([target.given for target in targets])
        return out

    def targets(
        self,
        model: Model,
        arrays: list[Array],
        force: Array | None,
        call: Call,
        kw: dict[str, Any],
    ) -> list[Target]:
        """The checked parts of `out`."""
        lead, sizes = self.lead(arrays, force), self.sizes(model, model.is_planar, kw.get("m", 0))
        shapes = [lead + shape[1:] for shape in sizes]
        patterns = patterns_of(model, self.runs) if self.runs else None
        own = model.fields()
        return targets_of(self.page.__name__, call.out, shapes, patterns, call.packed, own)

    def compute(
        self,
        form: Callable[..., tuple[Any, bool]],
        model: Model,
        arrays: list[Array],
        kw: dict[str, Any],
        call: Call,
    ) -> tuple[Any, bool]:
        """Run the page or the kernel, on the expanded tree if the model has rotors.

        Returns the results, and whether they are known to be finite.
        """
        if form != self.paged:
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

    def paged(self, model: Model, *arrays: Array, **kw: Any) -> tuple[Any, bool]:
        """The page, whose results may be anything, and False.

        Results get the leading axes of arguments that they do not depend on, too.
        """
        lead = self.lead(arrays, kw.get("f_ext") if self.takes_force else None)
        kw.pop("m", None)
        out = self.page(model, *arrays, **kw)
        main, *info = out if kw.get("return_info") else (out,)
        parts = main if isinstance(main, tuple) else (main,)
        shapes = [
            (*lead, *x.shape[x.ndim - len(dims) :])
            for x, dims in zip(parts, self.results, strict=True)
        ]
        if any(tuple(x.shape) != shape for x, shape in zip(parts, shapes, strict=True)):
            wide = [namespace(x).broadcast_to(x, s) for x, s in zip(parts, shapes, strict=True)]
            main = wide[0] if main is parts[0] else self.named(*wide)
        return ((main, *info) if info else main), False


def with_info(work: Work, signature: str, info: Info) -> Work:
    """The same with `return_info`: the kernel gives the results, then the fields of the record."""
    kernel, dims, record = info
    more = Work(work.page, kernel, f"{signature},{dims}", work.rotors)
    n = len(work.results)
    more.named = lambda *xs: (work.named(*xs[:n]) if n > 1 else xs[0], record(*xs[n:]))
    return more
