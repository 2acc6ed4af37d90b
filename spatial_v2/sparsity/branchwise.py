"""Decorator for functions of branch-sparse matrices: it checks arguments and calls the kernel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, Generic, TypeVar, Unpack

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import as_matrix, as_numbers, as_vector
from spatial_v2.calls.arguments import contiguous, is_plain
from spatial_v2.calls.kernels import as_doubles, run_batch
from spatial_v2.calls.loading import has_kernels, load_kernel
from spatial_v2.calls.options import Options, count_workers
from spatial_v2.calls.outputs import Target, copy_into, in_place, targets_of
from spatial_v2.calls.records import fill_results
from spatial_v2.calls.shown import show_options
from spatial_v2.engine.kernel import Kernel, Record
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Branchwise", "ancestors", "as_parents", "branchwise", "matrix"]

F = TypeVar("F", bound=Callable[..., Any])
Entries = dict[tuple[int, int], Array]


def ancestors(lambda_: Sequence[int], i: int) -> list[int]:
    """List the ancestors of variable i, beginning with the parent.

    Examples
    --------
    >>> ancestors([-1, 0, 0, 2], 3)
    [2, 0]
    """
    columns = []
    while (i := lambda_[i]) >= 0:
        columns.append(i)
    return columns


def matrix(entries: Entries, n: int) -> Array:
    """Assemble a matrix (..., n, n) from entries (..., 1); missing entries are zero."""
    first = next(iter(entries.values()))
    xp, zero = namespace(first), 0 * first
    rows = [xp.concat([entries.get((i, j), zero) for j in range(n)], axis=-1) for i in range(n)]
    return xp.stack(rows, axis=-2)


def as_parents(lambda_: Any, name: str) -> tuple[int, ...]:
    """Check an array of parents, counted from 0, -1 for none; parents precede children.

    Examples
    --------
    >>> as_parents([0, 1, 1], "LTL: lambda_")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: LTL: lambda_[0] must be from -1 to -1, got 0. ...
    """
    if type(lambda_) in (list, tuple) and all(type(parent) is int for parent in lambda_):
        parents = tuple(lambda_)
    else:
        parents = _whole_numbers(lambda_, name)
    wrong = _misplaced(parents)
    if wrong is not None:
        raise SpatialError(
            f"{name}[{wrong}] must be from -1 to {wrong - 1}, got {parents[wrong]}. Variables "
            "count from 0 here and the base is -1: subtract one from each entry of MATLAB's array"
        )
    return parents


def _whole_numbers(lambda_: Any, name: str) -> tuple[int, ...]:
    try:
        parents = np.asarray(lambda_)
        number = parents.dtype.kind in "iuf" and bool(np.all(parents % 1 == 0))
    except ValueError:
        number = False
    if not number or parents.ndim != 1:
        raise SpatialError(f"{name} must be whole numbers, one for each variable; got {lambda_!r}")
    return tuple(map(int, parents.tolist()))


@functools.lru_cache(maxsize=64)
def _misplaced(parents: tuple[int, ...]) -> int | None:
    return next((i for i, parent in enumerate(parents) if not -1 <= parent < i), None)


class Branchwise(Generic[F]):
    """A function of branch-sparse matrices that has a compiled kernel."""

    __call__: F
    reference: F
    """The reference implementation, for arrays of any kind."""

    def bind(self, lambda_: Any, **options: Unpack[Options]) -> Callable[..., Any]:
        """Return the function with the array of parents fixed in advance.

        Parameters
        ----------
        lambda_ : sequence of int
            The array of parents, which is checked and copied here.
        out : array or tuple of array, optional
            Preallocated arrays for the results, which are returned.
        workers : int, optional
            Number of threads that share a batch; -1 stands for all processors.

        Returns
        -------
        callable
            Function of the matrix, or of the matrix and a vector.

        Examples
        --------
        >>> from spatial_v2 import mpyL
        >>> mpyL.bind([-1, 0])([[1.0, 0], [2, 3]], [1, 1])
        array([1., 5.])
        """
        raise NotImplementedError


def branchwise(kernel: str, *, positive: bool = False) -> Callable[[F], Branchwise[F]]:
    """Decorate a reference implementation ``f(A, lambda_)`` or ``f(A, lambda_, x)``.

    The function `kernel` of `engine.algorithms.branches` runs if all arrays are NumPy arrays of
    doubles; ``f.reference`` always runs the reference implementation. If `positive` is True, A must
    be positive definite, and a result with NaN for a matrix without NaN raises an error.
    """

    def decorate(page: F) -> Any:
        name, whole = page.__name__, inspect.signature(page, eval_str=True)
        signature = whole.replace(parameters=list(whole.parameters.values())[:-1])
        first, count = next(iter(signature.parameters)), len(signature.parameters)
        record = signature.return_annotation
        fields = len(getattr(record, "_fields", (0,)))

        def checked(args: Any, kw: Any) -> tuple[Any, ...]:
            plain = len(args) == count and not kw
            A, lambda_, *x = args if plain else signature.bind(*args, **kw).args
            parents = as_parents(lambda_, f"{name}: lambda_")
            n = len(parents)
            A = as_matrix(as_numbers(A, f"{name}: {first}"), f"{name}: {first}", n)
            A, *x = alike(A, *(as_vector(y, f"{name}: x", n) for y in x))
            return (A, parents, *x)

        @functools.lru_cache(maxsize=64)
        def prepared(parents: tuple[int, ...]) -> tuple[Kernel, Record]:
            return load_kernel(kernel), Record(np.array(parents))

        def targets(out: Any, A: Array, parents: tuple[int, ...], *x: Array) -> list[Target]:
            if out is None:
                return []
            shape = (*_lead(name, A, *x), *((len(parents),) * (1 if x else 2)))
            return targets_of(name, out, [shape] * fields, None, False)

        def compiled(
            outs: list[np.ndarray], workers: int, A: np.ndarray, parents: tuple[int, ...], *x: Any
        ) -> list[np.ndarray]:
            """Run the kernel, which writes into `outs`, or into new arrays if there are none."""
            lead, core = _lead(name, A, *x), (len(parents),) * (1 if x else 2)
            outs = outs or [np.empty((*lead, *core)) for _ in range(fields)]
            (compiled, record), arrays = prepared(parents), [y.reshape(-1, *core) for y in outs]
            arrays += [_flat(A, lead, 2), *(_flat(y, lead, 1) for y in x)]

            def fill(part: list[np.ndarray], _: Any, __: bool) -> None:
                for y in part[:fields]:
                    y.fill(0.0)
                fill_results(compiled, record, part[:fields], part[fields:], False)

            run_batch(fill, workers, arrays, [], not lead)
            return outs

        def run(form: str, args: Any, kw: Any) -> Any:
            out, workers = kw.pop("out", None), count_workers(kw.pop("workers", None))
            A, parents, *x = checked(args, kw)
            places = targets(out, A, parents, *x)
            if form == "kernel" and parents and has_kernels(kernel) and all(map(is_plain, (A, *x))):
                written = in_place(places, [A, *x])
                outs = [place.array for place in places] if written else []
                parts: list[Any] = compiled(outs, workers, A, parents, *x)
            else:
                with np.errstate(invalid="ignore") if positive else nullcontext():
                    result = page(A, parents, *x)
                parts = list(result) if fields > 1 else [result]
            plain = positive and isinstance(parts[0], np.ndarray) and parts[0].dtype.kind == "f"
            if plain and np.isnan(parts[0]).any() and not np.isnan(A).any():
                raise ArrayShapeError(f"{name}: {first} must be positive definite")
            if places and parts[0] is not places[0].array:
                copy_into(places, parts)
            if places:
                parts = [place.out for place in places]
            return record(*parts) if fields > 1 else parts[0]

        @functools.wraps(page)
        def reference(*args: Any, **kw: Any) -> Any:
            return run("reference", args, kw)

        @functools.wraps(page)
        def call(*args: Any, **kw: Any) -> Any:
            return run("kernel", args, kw)

        def bind(lambda_: Any, **options: Unpack[Options]) -> Callable[..., Any]:
            parents = as_parents(lambda_, f"{name}: lambda_")

            def bound(A: Any, *x: Any, **kw: Any) -> Any:
                return call(A, parents, *x, **{**options, **kw})

            return bound

        show_options(page, call, reference)
        show_options(bind, bind)
        bind.__doc__ = Branchwise.bind.__doc__
        vars(call).update(bind=bind, reference=reference)
        return call

    return decorate


def _lead(name: str, A: Array, *x: Array) -> tuple[int, ...]:
    """Return the common leading axes of matrices and vectors."""
    leads = [tuple(A.shape[:-2]), *(tuple(y.shape[:-1]) for y in x)]
    if len(leads) == 1 or not any(leads):
        return leads[0]
    try:
        return np.broadcast_shapes(*leads)
    except ValueError:
        raise ArrayShapeError(f"{name}: leading axes do not broadcast: {leads}") from None


def _flat(x: np.ndarray, lead: tuple[int, ...], core: int) -> np.ndarray:
    """Reshape the leading axes of x to one batch axis, which has length one if all states share one
    array; the last `core` axes stay.
    """
    own, sizes = x.shape[: x.ndim - core], x.shape[x.ndim - core :]
    shared = all(n == 1 for n in own)
    x = contiguous(x if shared else np.broadcast_to(x, (*lead, *sizes)))
    return as_doubles(x).reshape(-1, *sizes)
