"""The decorator that puts a compiled kernel behind a textbook page.

``@accelerated("rnea", "(q),(v),(v)->(v)")`` names the kernel ``spatial_v2.engine.rnea.rnea`` and
states, in the notation of NumPy's gufuncs, the core dimensions of the page's leading arguments
and of its results. At a call the decorator

1. checks the model, where it has changed since it was checked last, and every array against its
   core dimension;
2. replaces a model with geared rotors by the expanded tree, where a rotor is a body of its own;
3. runs the kernel if all arrays, the model's included, are real float64 NumPy arrays, and the page
   (the textbook form) otherwise; an option of the page that is not at its default means the page;
4. sums each result along its velocity axes back onto the joints that drive the rotors;
5. puts results where ``out=`` says, and lets as many threads share a batch as ``workers=`` says.

Where a model's own arrays are of another kind (JAX, PyTorch), the other arguments follow it.

``f.textbook(...)`` always runs the page. Without numba every call does. ``@page(signature)`` does
the same for a page without a kernel of its own, which is fast by calling those that have one.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.engine.runs import Runs
from spatial_v2.engine.tree import lift_forces, lower
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model
from spatial_v2.model.not_finite import check_quaternions, explain_nan
from spatial_v2.model.rotors import contract, expand, expand_vector
from spatial_v2.model.state import check_forces, check_vector, common_lead
from spatial_v2.options import count_workers
from spatial_v2.outputs import Call, Target, copy_into, targets_of
from spatial_v2.packed.compute import fill_dense, fill_values, room, rows_of
from spatial_v2.packed.gears import fold, patterns_of
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.tensor import PackedTensor
from spatial_v2.prepared import PACKED, Bound, Rotors, geared_tree, kernel_tree, prepare

__all__ = ["Accelerated", "accelerated", "has_compiler", "page"]

F = TypeVar("F", bound=Callable[..., Any])
_FLOAT = np.dtype(np.float64)

Info = tuple[str, str, type[Any]]


class Accelerated(Generic[F]):
    """An algorithm page with a compiled kernel behind it: called as the page is."""

    __call__: F
    textbook: F
    """The page itself, whatever the arrays."""
    signature: str
    """Core dimensions, as given to the decorator."""

    def bind(self, model: Model) -> Bound:
        """The function of one model, ready for control loops: without the model, with `out=`.

        The model is checked and the kernel loaded here. Results are new arrays, or `out`. Edits of
        the model are seen.

        Parameters
        ----------
        model : Model
            The model, by reference.

        Returns
        -------
        Bound
            Called with one state in arrays of doubles it goes straight to the kernel.

        Examples
        --------
        >>> from spatial_v2 import ID, autoTree
        >>> torques = ID.bind(autoTree(3))
        >>> tau = np.empty(3)
        >>> torques(np.zeros(3), np.zeros(3), np.ones(3), out=tau) is tau
        True
        """
        raise NotImplementedError


@functools.cache
def has_compiler() -> bool:
    """Whether numba can be imported, so that kernels run.

    Of something by that name that cannot be used, another folder perhaps, a warning tells.
    """
    try:
        importlib.import_module("numba").njit  # noqa: B018
    except ModuleNotFoundError:
        return False
    except (ImportError, AttributeError) as error:
        text = f"numba cannot be used; textbook forms run instead, more slowly: {error}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
        return False
    return True


@functools.cache
def _load(kernel: str) -> Callable[..., Any]:
    return cast(
        "Callable[..., Any]",
        getattr(importlib.import_module(f"spatial_v2.engine.{kernel}"), kernel),
    )


def _run_batch(
    fill: Callable[..., None], workers: int, arrays: list[Array], results: list[Array]
) -> None:
    """Call fill(arrays, results, packs) for slices of a batch, one for each worker."""
    share = importlib.import_module("spatial_v2.engine.share")
    states = len(arrays[0])
    packs = states >= share.LANES > 1

    def task(part: slice) -> None:
        given = [x[part] if len(x) == states else x for x in arrays]
        fill(given, [x[part] for x in results], packs)

    share.share(workers, states, task)


def _is_plain(x: Array) -> bool:
    """Whether kernels can read an array."""
    return type(x) is np.ndarray and x.dtype == _FLOAT


def _contiguous(x: np.ndarray) -> np.ndarray:
    return np.require(x, requirements=["C", "A"])


class _Work:
    """What happens at a call of an accelerated page."""

    def __init__(
        self,
        page: Callable[..., Any],
        kernel: str | None,
        signature: str,
        rotors: Rotors,
        runs: Runs | None = None,
        info: Info | None = None,
    ) -> None:
        left, right = (re.findall(r"\(([^)]*)\)", side) for side in signature.split("->"))
        parameters = inspect.signature(page).parameters
        self.page = self.function = page
        self.kernel, self.rotors, self.runs = kernel, rotors, runs
        self.cores = tuple(left)
        self.results = tuple(tuple(dims.split(",")) if dims else () for dims in right)
        self.names = tuple(parameters)[1 : 1 + len(left)]
        options = list(parameters.values())[1 + len(left) :]
        self.options = [p.name for p in options if p.kind is p.POSITIONAL_OR_KEYWORD]
        self.defaults = {p.name: p.default for p in options}
        self.takes_force = "f_ext" in parameters
        self.more = info and _with_info(self, signature, info)

    def arguments(
        self, model: Model, args: tuple[Any, ...], kw: dict[str, Any]
    ) -> tuple[list[Array], Array | None]:
        """The checked arrays and external forces; `kw` keeps what belongs to the page alone."""
        if not isinstance(model, Model):
            raise TypeError(f"model: want a spatial_v2.Model, got {type(model).__name__}")
        foreign = model.checked().foreign
        n = len(self.cores)
        given = list(args[:n])
        given += [kw.pop(name) for name in self.names[len(args) :] if name in kw]
        kw.update(zip(self.options, args[n:], strict=False))
        if len(given) < n or len(args) > n + len(self.options):
            raise TypeError(
                f"{self.page.__name__}: got {len(args) + 1} arguments, want "
                f"{self.page.__name__}{inspect.signature(self.page)}"
            )
        layout = model.layout
        arrays = [
            check_vector(model, name, x, layout.NQ if core == "q" else layout.NV, core)
            for name, x, core in zip(self.names, given, self.cores, strict=True)
        ]
        force = kw.pop("f_ext", None) if self.takes_force else None
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

    def textbook(self, model: Model, *args: Any, **kw: Any) -> Any:
        call = self.call(kw)
        arrays, force = self.arguments(model, args, kw)
        return self.dispatch(self.paged, model, arrays, force, kw, call)

    def run(self, model: Model, *args: Any, **kw: Any) -> Any:
        call = self.call(kw)
        arrays, force = self.arguments(model, args, kw)
        real = all(map(_is_plain, arrays)) and (force is None or _is_plain(force))
        form = self.compiled
        if not (real and model.checked().real and self.kernel and has_compiler()):
            form = self.paged
        elif kw:
            form = self.more.compiled if self.more and kw == {"return_info": True} else self.paged
        elif all(x.ndim == 1 for x in arrays):
            prepared: Any = prepare(self, model) if call.out is None else None
            every = arrays if force is None else [*arrays, force]
            many = prepared and (prepared.packed if call.packed else prepared.several)
            out = many and many(tuple(map(_contiguous, every)))
            if out is not None:
                return out
        return self.dispatch(form, model, arrays, force, kw, call)

    def call(self, kw: dict[str, Any]) -> Call:
        """The options of all functions, taken out of `kw`."""
        packed = kw.pop("packed", False) if self.runs else False
        if not isinstance(packed, bool):
            raise SpatialError(f"packed: want True or False, got {packed!r}")
        return Call(kw.pop("out", None), packed, count_workers(kw.pop("workers", None)))

    def check_result(self, model: Model, q: np.ndarray, out: Any) -> None:
        """Refuse states at which a quaternion is no rotation, or a joint moves no inertia.

        What they make infinite is looked for in vectors and matrices; tensors are many times as
        large as q, so there q is looked at.
        """
        parts = out if isinstance(out, tuple) else (out,)
        if max(map(len, self.results)) > 2:
            check_quaternions(model, q)
        elif not all(np.isfinite(x).all() for x in parts):
            reason = explain_nan(model, q, out)
            if reason:
                raise SpatialError(f"{self.page.__name__}: {reason}")

    def load(self) -> Any:
        """The kernel for `prepare`; None where it is not compiled."""
        known = self.kernel and has_compiler()
        kernel = _load(cast("str", self.kernel)) if known else None
        return kernel if hasattr(kernel, "overloads") else None

    @functools.cache  # noqa: B019
    def shapes(self, NQ: int, NV: int, NB: int) -> list[tuple[int, ...]]:
        """Shapes of the results of one state, with a batch axis of length one."""
        size = {"q": NQ, "v": NV, "b": NB, "6": 6, "3": 3}
        return [(1, *(size[d] for d in dims)) for dims in self.results]

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
        targets = [] if call.out is None else self.targets(model, arrays, force, call)
        if targets and kw.get("return_info"):
            raise SpatialError("out: not together with return_info=True")
        direct = targets and form == self.compiled
        for target in targets if direct else ():
            target.check_dtype(_FLOAT)
        direct = direct and not (self.rotors == "expand" and model.has_rotors)
        direct = direct and not (model.is_planar and {"6", "3"} & {*sum(self.results, ())})
        if direct and all(target.direct(arrays) for target in targets):
            call = call._replace(targets=targets)
        out = self.compute(form, model, arrays, kw, call)
        if model.checked().real and all(_is_plain(x) for x in arrays):
            self.check_result(model, arrays[0], out[0] if kw.get("return_info") else out)
        if targets and call.targets is None:
            copy_into(targets, out if isinstance(out, tuple) else [out])
        if targets:
            given = [target.given for target in targets]
            return given[0] if len(given) == 1 else self.named(*given)
        return out

    def targets(
        self, model: Model, arrays: list[Array], force: Array | None, call: Call
    ) -> list[Target]:
        """The checked parts of `out`."""
        lead, layout = self.lead(arrays, force), model.layout
        shapes = [lead + shape[1:] for shape in self.shapes(layout.NQ, layout.NV, model.NB)]
        if model.is_planar:
            plane = {"6": 3, "3": 2}
            size = {"q": layout.NQ, "v": layout.NV, "b": model.NB, **plane}
            shapes = [(*lead, *(size[d] for d in dims)) for dims in self.results]
        patterns = patterns_of(model, self.runs) if self.runs else None
        return targets_of(self.page.__name__, call.out, shapes, patterns, call.packed)

    def compute(
        self,
        form: Callable[..., Any],
        model: Model,
        arrays: list[Array],
        kw: dict[str, Any],
        call: Call,
    ) -> Any:
        """Run the page or the kernel, on the expanded tree if the model has rotors."""
        if form != self.paged:
            form, kw = functools.partial(form, call=call), dict(kw)
        elif call.packed:
            dense = self.compute(form, model, arrays, kw, call._replace(packed=False))
            parts = dense if isinstance(dense, tuple) else [dense]
            kinds = zip(patterns_of(model, cast("Runs", self.runs)), parts, strict=True)
            packed = [PackedTensor(pattern, pattern.pack(x)) for pattern, x in kinds]
            return packed[0] if len(packed) == 1 else self.named(*packed)
        if not (self.rotors == "expand" and model.has_rotors):
            return form(model, *arrays, **kw)
        arrays = [expand_vector(model, x, c) for x, c in zip(arrays, self.cores, strict=True)]
        if kw.get("f_ext") is not None:
            kw["f_ext"] = expand_vector(model, kw["f_ext"], "body")
        out = form(expand(model), *arrays, **kw)
        if call.packed:
            parts = fold(model, out if isinstance(out, tuple) else (out,), cast("Runs", self.runs))
            return parts[0] if len(parts) == 1 else self.named(*parts)
        if not kw.get("return_info"):
            return contract(model, out, self.results)
        out, info = out
        return contract(model, out, self.results), info.first(model.NB)

    def lead(self, arrays: Sequence[Array], force: Array | None) -> tuple[int, ...]:
        """The leading axes of all arguments together."""
        leads = [tuple(x.shape[:-1]) for x in arrays]
        if force is not None:
            leads.append(tuple(force.shape[:-2]))
        if all(lead == leads[0] for lead in leads):
            return leads[0]
        return common_lead(dict(zip([*self.names, "f_ext"], leads, strict=False)))

    def paged(self, model: Model, *arrays: Array, **kw: Any) -> Any:
        """The page; results get the leading axes of arguments that they do not depend on, too."""
        lead = self.lead(arrays, kw.get("f_ext") if self.takes_force else None)
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
        return (main, *info) if info else main

    def compiled(self, model: Model, *arrays: np.ndarray, call: Call, **kw: Any) -> Any:
        """The kernel on flat batches; it fills results that start as zeros."""
        force = kw.get("f_ext")
        lead = self.lead(arrays, force)
        if any(x.shape[:-1] != lead for x in arrays):
            arrays = tuple(np.broadcast_to(x, (*lead, x.shape[-1])) for x in arrays)
        flat = [np.require(x, requirements=["C", "W"]).reshape(-1, x.shape[-1]) for x in arrays]
        if self.takes_force:
            flat.append(lift_forces(force, lead))
        if self.runs:
            return self.tensors(model, flat, lead, call)
        shapes = [lead + shape[1:] for shape in self.shapes(model.NQ, model.NV, model.NB)]
        outs: Any = [target.array for target in call.targets or ()]
        for x in outs:
            x[...] = 0.0
        if not outs and len(set(shapes)) == 1:
            outs = np.zeros((len(shapes), *shapes[0]))
        elif not outs:
            outs = [np.zeros(shape) for shape in shapes]
        states = flat[0].shape[0]
        views = [x.reshape(states, *x.shape[len(lead) :]) for x in outs]
        drive = importlib.import_module("spatial_v2.engine.lanes.drive")
        geared = self.rotors == "own" and model.has_rotors
        tree = geared_tree(model) if geared else kernel_tree(model)
        kernel = _load(cast("str", self.kernel))
        _run_batch(functools.partial(drive.run, kernel, tree), call.workers, flat, views)
        if model.is_planar:
            outs = [lower(x, dims) for x, dims in zip(outs, self.results, strict=True)]
        return outs[0] if len(shapes) == 1 else self.named(*outs)

    def tensors(
        self, model: Model, flat: list[np.ndarray], lead: tuple[int, ...], call: Call
    ) -> Any:
        """Tensors from a kernel that pours their values: packed, or put to their places."""
        patterns = patterns_of(model, cast("Runs", self.runs))
        kernel, tree, states = _load(cast("str", self.kernel)), kernel_tree(model), len(flat[0])
        outs: list[Any] = [target.array for target in call.targets or ()]
        if call.packed:
            outs = outs or [room(lead, pattern.nnz) for pattern in patterns]
            views = [cast("np.ndarray", rows_of(x)) for x in outs]
            fill = functools.partial(fill_values, kernel, tree)
            outs = [PackedTensor(pattern, x) for pattern, x in zip(patterns, outs, strict=True)]
        else:
            zero = [target.zero for target in call.targets or ()] or [False] * len(patterns)
            outs = outs or [allocate(lead + pattern.shape) for pattern in patterns]
            views = [x.reshape(states, *x.shape[len(lead) :]) for x in outs]
            fill = functools.partial(fill_dense, kernel, tree, patterns, zero)
        _run_batch(fill, call.workers, flat, views)
        return outs[0] if len(outs) == 1 else self.named(*outs)

    @functools.cached_property
    def named(self) -> Callable[..., Any]:
        """The NamedTuple that the page is annotated to return, else a plain tuple."""
        annotation = inspect.signature(self.page, eval_str=True).return_annotation
        return annotation if hasattr(annotation, "_fields") else lambda *xs: xs


def _with_info(work: _Work, signature: str, info: Info) -> _Work:
    """The same with `return_info`: the kernel gives the results, then the fields of the record."""
    kernel, dims, record = info
    more = _Work(work.page, kernel, f"{signature},{dims}", work.rotors)
    n = len(work.results)
    more.named = lambda *xs: (work.named(*xs[:n]) if n > 1 else xs[0], record(*xs[n:]))
    return more


def accelerated(
    kernel: str | None,
    signature: str,
    *,
    rotors: Rotors = "expand",
    runs: Runs | None = None,
    info: Info | None = None,
) -> Callable[[F], Accelerated[F]]:
    """Decorate an algorithm page; see the module's docstring.

    Parameters
    ----------
    kernel : str or None
        Name of the kernel's module and function in `spatial_v2.engine`.
    signature : str
        Core dimensions of the page's array arguments after `model` (``q``: NQ, ``v``: NV) and of
        its results, which may also have ``b``: NB, and ``6`` and ``3``, in planar models 3 and 2.
        Results per body are those of the bodies that are no rotors.
    rotors : {"expand", "own", "ignore"}
        ``"own"`` for a page that treats rotors itself; its kernel gets a tree with rotors in it.
        ``"ignore"`` for one that rotors do not concern.
    runs : Runs, optional
        For a kernel that writes the values of tensors: in what order. The page then has an option
        ``packed``.
    info : tuple of str, str, type, optional
        Of a page with the option `return_info` the kernel for that, the core dimensions of what
        it gives more, and the named tuple that takes it.

    Returns
    -------
    callable
        The decorator. The function it makes has the attributes of `Accelerated`.
    """

    def decorate(page: F) -> Any:
        work, zeros = _Work(page, kernel, signature, rotors, runs, info), np.zeros

        @functools.wraps(page)
        def call(model, *args, **kw):  # type: ignore[no-untyped-def]
            if not kw:
                try:
                    prepared = model._snapshot.kept[work]
                except (AttributeError, KeyError):
                    return work.run(model, *args)
                if prepared.shape is None:
                    out = prepared.several(args)
                    if out is not None:
                        return out
                else:
                    out = zeros(prepared.shape)
                    if not prepared.run(args, (out,)):
                        return out
            elif kw == PACKED and runs:
                snapshot = getattr(model, "_snapshot", None)
                prepared = snapshot and snapshot.kept.get(work)
                out = prepared and prepared.packed(args)
                if out:
                    return out
            return work.run(model, *args, **kw)

        @functools.wraps(page)
        def textbook(model, *args, **kw):  # type: ignore[no-untyped-def]
            return work.textbook(model, *args, **kw)

        def bind(model: Model) -> Bound:
            return Bound(work, model)

        bind.__doc__ = Accelerated.bind.__doc__
        call.textbook = textbook  # type: ignore[attr-defined]
        call.signature = signature  # type: ignore[attr-defined]
        call.bind = bind  # type: ignore[attr-defined]
        work.function = call
        return call

    return decorate


def page(signature: str, *, rotors: Rotors = "expand") -> Callable[[F], Accelerated[F]]:
    """Decorate an algorithm page that has no kernel of its own; see `accelerated`."""
    return accelerated(None, signature, rotors=rotors)
