"""contract: sums of products of several arrays over repeated indices."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

from opt_einsum import contract_path

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.checks import check_leading
from tensor_sva.permuted import permuted

__all__ = ["contract"]


def contract(subscripts: str, *operands: Any) -> Array:
    """Sum of products over repeated indices, as `einsum`, for batches of any kind of array.

    Parameters
    ----------
    subscripts : str
        Indices of the last axes of every operand and of the result: ``"il,lmk,mj->ijk"``. An index
        that the result lacks is summed; it stands in two operands.
    *operands : array
        At least two. Leading axes without index broadcast.

    Returns
    -------
    array
        Leading axes, then the axes that the subscripts name.

    Raises
    ------
    ArrayShapeError
        If the operands do not fit the subscripts or each other.

    Notes
    -----
    opt_einsum says once for each set of sizes in which order to multiply; the products themselves
    are matrix products, faster than ``einsum`` on the sizes of spatial algebra, and right for
    complex, object and other arrays (``benchmarks/tensor_contractions.py``).

    Examples
    --------
    >>> import numpy as np
    >>> A, B, C = np.ones((2, 3)), np.ones((7, 3, 4)), np.ones((4, 5))
    >>> contract("ij,jk,kl->il", A, B, C).shape
    (7, 2, 5)
    """
    inputs, output = subscripts.replace(" ", "").split("->")
    terms, arrays = tuple(inputs.split(",")), list(alike(*operands))
    shapes = tuple(tuple(x.shape) for x in arrays)
    for a, b, left, right, out in _steps(terms, output, shapes):
        y, x = arrays.pop(b), arrays.pop(a)
        arrays.append(_product(left, right, out, x, y))
    return arrays[0]


@lru_cache(maxsize=1024)
def _steps(
    terms: tuple[str, ...], output: str, shapes: tuple[tuple[int, ...], ...]
) -> list[tuple[int, int, str, str, str]]:
    """The products in their order: positions a < b of the factors, their indices, the result's."""
    _check(terms, output, shapes)
    cores = [shape[len(shape) - len(t) :] for t, shape in zip(terms, shapes, strict=True)]
    subscripts = f"{','.join(terms)}->{output}"
    path, _ = contract_path(subscripts, *cores, shapes=True, optimize="optimal")
    steps, left = [], list(terms)
    for pair in path:
        a, b = sorted(pair)
        y, x = left.pop(b), left.pop(a)
        kept = "".join(left) + output
        out = "".join(i for i in dict.fromkeys(x + y) if i in kept) if left else output
        left.append(out)
        steps.append((a, b, x, y, out))
    return steps


def _check(terms: tuple[str, ...], output: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    said = f"contract {','.join(terms)}->{output}: "
    got = f"; shapes {', '.join(map(str, shapes))}"
    if len(terms) != len(shapes) or len(terms) < 2:
        raise ArrayShapeError(f"{said}{len(terms)} terms for {len(shapes)} operands{got}")
    sizes: dict[str, int] = {}
    for term, shape in zip(terms, shapes, strict=True):
        if len(shape) < len(term) or len(set(term)) < len(term):
            raise ArrayShapeError(f"{said}{term!r} does not name the last axes of its operand{got}")
        for i, n in zip(term, shape[len(shape) - len(term) :], strict=True):
            if sizes.setdefault(i, n) != n:
                raise ArrayShapeError(f"{said}index {i} has sizes {sizes[i]} and {n}{got}")
    for i in {*sizes, *output}:
        if i not in sizes or (i not in output and sum(i in t for t in terms) != 2):
            raise ArrayShapeError(f"{said}index {i} is neither in the result nor in a pair{got}")
    leads = (shape[: len(shape) - len(t)] for t, shape in zip(terms, shapes, strict=True))
    check_leading(said.rstrip(": "), *leads, shapes=got[2:])


def _product(left: str, right: str, out: str, x: Array, y: Array) -> Array:
    """One product of two arrays as a matrix product."""
    both = [i for i in left if i in right and i in out]
    inner = [i for i in left if i in right and i not in out]
    rows = [i for i in left if i not in right]
    columns = [i for i in right if i not in left]
    sizes = dict(zip(left + right, (*x.shape[-len(left) :], *y.shape[-len(right) :]), strict=True))

    def matrices(z: Array, names: str, first: list[str], second: list[str]) -> Array:
        z = permuted(z, *(names.index(i) for i in (*both, *first, *second)))
        shape = (*(sizes[i] for i in both), *(prod(sizes[i] for i in g) for g in (first, second)))
        return namespace(z).reshape(z, (*z.shape[: -len(names)], *shape))

    z = matrices(x, left, rows, inner) @ matrices(y, right, inner, columns)
    order = "".join((*both, *rows, *columns))
    z = namespace(z).reshape(z, (*z.shape[: -2 - len(both)], *(sizes[i] for i in order)))
    return permuted(z, *(order.index(i) for i in out))
