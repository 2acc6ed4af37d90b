"""The door of the pages on matrices with branch-induced sparsity, and the kernels behind them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, TypeVar, cast

import numpy as np

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.arrays.checks import as_matrix, as_numbers, as_vector
from spatial_v2.calls.kernels import contiguous, is_plain
from spatial_v2.calls.loading import has_compiler
from spatial_v2.calls.renamed import with_reference
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["ancestors", "as_parents", "branchwise", "matrix"]

F = TypeVar("F", bound=Callable[..., Any])
Entries = dict[tuple[int, int], Array]


def ancestors(lambda_: Sequence[int], i: int) -> list[int]:
    """The parent of variable i, its parent, and so on.

    Examples
    --------
    >>> ancestors([-1, 0, 0, 2], 3)
    [2, 0]
    """
    found = []
    while (i := lambda_[i]) >= 0:
        found.append(i)
    return found


def matrix(entries: Entries, n: int) -> Array:
    """The matrix (..., n, n) of entries (..., 1), the others zero."""
    first = next(iter(entries.values()))
    xp, zero = namespace(first), 0 * first
    rows = [xp.concat([entries.get((i, j), zero) for j in range(n)], axis=-1) for i in range(n)]
    return xp.stack(rows, axis=-2)


def as_parents(lambda_: Any, name: str) -> tuple[int, ...]:
    """Parents counted from 0, -1 for none, each before its children.

    Examples
    --------
    >>> as_parents([0, 1, 1], "LTL: lambda_")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: LTL: lambda_[0] must be from -1 to -1, got 0; ...
    """
    given = np.asarray(lambda_)
    whole = given.dtype.kind in "iu" or (given.dtype.kind == "f" and bool(np.all(given % 1 == 0)))
    if given.ndim != 1 or not whole:
        raise SpatialError(f"{name} must be whole numbers, one for each variable; got {lambda_!r}")
    parents = tuple(map(int, given.tolist()))
    wrong = _misplaced(parents)
    if wrong is not None:
        raise SpatialError(
            f"{name}[{wrong}] must be from -1 to {wrong - 1}, got {parents[wrong]}; variables "
            "count from 0 here and the base is -1: of MATLAB's array subtract one"
        )
    return parents


@functools.lru_cache(maxsize=64)
def _misplaced(parents: tuple[int, ...]) -> int | None:
    return next((i for i, parent in enumerate(parents) if not -1 <= parent < i), None)


def branchwise(kernel: str, *, positive: bool = False) -> Callable[[F], F]:
    """Decorate a page ``f(A, lambda_)`` or ``f(A, lambda_, x)``: checks, then kernel or page.

    The kernel of that name in `engine.algorithms` runs where all numbers are doubles of NumPy;
    ``f.reference`` is the page whatever the numbers. Where A has to be `positive` definite and is
    not, the result has NaN, and that is an error.
    """

    def decorate(page: F) -> F:
        name, signature = page.__name__, inspect.signature(page, eval_str=True)
        first = next(iter(signature.parameters))
        record = signature.return_annotation

        count, fields = len(signature.parameters), len(getattr(record, "_fields", (0,)))

        def checked(args: Any, kw: Any) -> tuple[Any, ...]:
            plain = len(args) == count and not kw
            A, lambda_, *x = args if plain else signature.bind(*args, **kw).args
            parents = as_parents(lambda_, f"{name}: lambda_")
            n = len(parents)
            A = as_matrix(as_numbers(A, f"{name}: {first}"), f"{name}: {first}", n)
            A, *x = alike(A, *(as_vector(y, f"{name}: x", n) for y in x))
            return (A, parents, *x)

        @functools.cache
        def load() -> Callable[..., None]:
            from spatial_v2.engine.algorithms import branches

            return cast("Callable[..., None]", getattr(branches, kernel))

        def compiled(A: np.ndarray, parents: tuple[int, ...], *x: np.ndarray) -> Any:
            n, arrays = len(parents), [(A, 2), *((y, 1) for y in x)]
            leads = [y.shape[: y.ndim - core] for y, core in arrays]
            lead = _lead(name, leads) if any(leads) else ()
            core = (n,) if x else (n, n)
            out = [np.zeros((*lead, *core)) for _ in range(fields)]
            given = (_flat(y, lead, core) for y, core in arrays)
            load()(np.array(parents), *given, *(y.reshape(-1, *core) for y in out))
            return record(*out) if len(out) > 1 else out[0]

        @functools.wraps(page)
        def reference(*args: Any, **kw: Any) -> Any:
            return page(*checked(args, kw))

        @functools.wraps(page)
        def call(*args: Any, **kw: Any) -> Any:
            A, parents, *x = checked(args, kw)
            if parents and has_compiler() and all(map(is_plain, (A, *x))):
                result = compiled(A, parents, *x)
            else:
                with np.errstate(invalid="ignore") if positive else nullcontext():
                    result = page(A, parents, *x)
            plain = positive and isinstance(result, np.ndarray) and result.dtype.kind == "f"
            if plain and np.isnan(result).any() and not np.isnan(A).any():
                raise ArrayShapeError(f"{name}: {first} must be positive definite")
            return result

        return with_reference(call, reference)  # type: ignore[no-any-return]

    return decorate


def _lead(name: str, leads: list[tuple[int, ...]]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*leads)
    except ValueError:
        raise ArrayShapeError(f"{name}: leading axes do not broadcast: {leads}") from None


def _flat(x: np.ndarray, lead: tuple[int, ...], core: int) -> np.ndarray:
    """One batch axis: of length one where the array has none."""
    own, sizes = x.shape[: x.ndim - core], x.shape[x.ndim - core :]
    shared = all(n == 1 for n in own)
    return contiguous(x if shared else np.broadcast_to(x, (*lead, *sizes))).reshape(-1, *sizes)
