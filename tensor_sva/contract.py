"""contract: sums of products of several arrays over repeated indices."""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from opt_einsum import contract_path

from spatial_v2.arrays import Array, alike, namespace
from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.checks import check_leading

__all__ = ["SMALL", "contract"]

SMALL = 4096
"""Largest number of multiplications for which plain ``numpy.einsum`` is fastest."""

_FORM = re.compile(r"[A-Za-z]*(,[A-Za-z]*)*->[A-Za-z]*")

Shape = tuple[int, ...]


def contract(subscripts: str, *operands: Any) -> Array:
    """Sum products over repeated indices, as ``einsum``, for batches and any kind of array.

    Parameters
    ----------
    subscripts : str
        Indices of the last axes of every operand and of the result: ``"il,lmk,mj->ijk"``. An index
        that is not in the result is summed and must be in exactly two operands.
    *operands : array
        At least two arrays. Leading axes that have no index broadcast.

    Returns
    -------
    array
        The result: leading axes, then those of the subscripts.

    Raises
    ------
    ArrayShapeError
        If the operands do not fit the subscripts or each other.

    Notes
    -----
    For each set of shapes, opt_einsum chooses once in which order pairs of operands are multiplied;
    each pair is one matrix product. Small products of NumPy arrays are computed by ``numpy.einsum``
    directly.

    Examples
    --------
    >>> import numpy as np
    >>> A, B, C = np.ones((2, 3)), np.ones((7, 3, 4)), np.ones((4, 5))
    >>> contract("ij,jk,kl->il", A, B, C)[0].round(3)
    array([[12., 12., 12., 12., 12.],
           [12., 12., 12., 12., 12.]])
    """
    text: Any = subscripts
    if not isinstance(text, str) or not _FORM.fullmatch(subscripts.replace(" ", "")):
        raise ArrayShapeError(
            "contract: subscripts: want letters for the axes of every operand and of the result, "
            f"as in 'ij,jk->ik', got {subscripts!r}"
        )
    try:
        arrays = list(alike(*operands))
    except ValueError as error:
        raise ArrayShapeError(
            f"contract: operands: want an array of numbers for each term of {subscripts!r}, got "
            f"one that is no array: {error}"
        ) from None
    plain, steps = _plan(subscripts, tuple(tuple(x.shape) for x in arrays))
    if plain and all(type(x) is np.ndarray and x.dtype.kind in "fc" for x in arrays):
        return np.einsum(plain, *arrays)
    xp = namespace(*arrays)
    for s in steps:
        y, x = arrays.pop(s.b), arrays.pop(s.a)
        x = _reshaped(xp, _permuted(xp, x, s.x_axes), s.x_shape)
        y = _reshaped(xp, _permuted(xp, y, s.y_axes), s.y_shape)
        arrays.append(_permuted(xp, _reshaped(xp, x @ y, s.z_shape), s.z_axes))
    return arrays[0]


def _permuted(xp: Any, x: Array, axes: Shape) -> Array:
    return x if axes == tuple(range(x.ndim)) else xp.permute_dims(x, axes)


def _reshaped(xp: Any, x: Array, shape: Shape) -> Array:
    return x if x.shape == shape else xp.reshape(x, shape)


class _Step(NamedTuple):
    """Product of the operands numbered a < b, as a product of permuted and reshaped matrices."""

    a: int
    b: int
    x_axes: Shape
    x_shape: Shape
    y_axes: Shape
    y_shape: Shape
    z_shape: Shape
    z_axes: Shape


@lru_cache(maxsize=1024)
def _plan(subscripts: str, shapes: tuple[Shape, ...]) -> tuple[str, list[_Step]]:
    """Return subscripts for one call of ``numpy.einsum``, empty if products of pairs of operands
    are faster, and the list of these products.
    """
    inputs, output = subscripts.replace(" ", "").split("->")
    terms = inputs.split(",")
    sizes = _sizes(terms, output, shapes, f"contract {subscripts}")
    leads = [shape[: len(shape) - len(t)] for t, shape in zip(terms, shapes, strict=True)]
    work = prod(np.broadcast_shapes(*leads)) * prod(sizes.values())
    plain = ",".join(f"...{t}" for t in terms) + f"->...{output}" if work <= SMALL else ""

    cores = [tuple(sizes[i] for i in t) for t in terms]
    path, _ = contract_path(f"{inputs}->{output}", *cores, shapes=True, optimize="optimal")
    steps = []
    for pair in path:
        a, b = sorted(pair)
        y, x, y_lead, x_lead = terms.pop(b), terms.pop(a), leads.pop(b), leads.pop(a)
        kept = "".join(terms) + output
        out = "".join(i for i in dict.fromkeys(x + y) if i in kept) if terms else output
        steps.append(_step(a, b, (x, x_lead), (y, y_lead), out, sizes))
        terms.append(out)
        leads.append(np.broadcast_shapes(x_lead, y_lead))
    return plain, steps


def _step(
    a: int, b: int, x: tuple[str, Shape], y: tuple[str, Shape], out: str, sizes: dict[str, int]
) -> _Step:
    both = [i for i in x[0] if i in y[0] and i in out]
    inner = [i for i in x[0] if i in y[0] and i not in out]
    rows = [i for i in x[0] if i not in y[0]]
    columns = [i for i in y[0] if i not in x[0]]

    def axes(names: str, lead: Shape, order: list[str] | str) -> Shape:
        return (*range(len(lead)), *(len(lead) + names.index(i) for i in order))

    def shape(lead: Shape, *groups: list[str]) -> Shape:
        return (*lead, *(sizes[i] for i in both), *(prod(sizes[i] for i in g) for g in groups))

    lead, order = np.broadcast_shapes(x[1], y[1]), "".join((*both, *rows, *columns))
    return _Step(
        a,
        b,
        axes(*x, [*both, *rows, *inner]),
        shape(x[1], rows, inner),
        axes(*y, [*both, *inner, *columns]),
        shape(y[1], inner, columns),
        (*lead, *(sizes[i] for i in order)),
        axes(order, lead, out),
    )


def _sizes(terms: list[str], output: str, shapes: tuple[Shape, ...], said: str) -> dict[str, int]:
    """Return the size of every index; raise an error if operands do not fit."""
    got = f"shapes {', '.join(map(str, shapes))}"
    if len(terms) != len(shapes) or len(terms) < 2:
        raise ArrayShapeError(
            f"{said}: want two or more operands, one for each of {len(terms)} terms; got {got}"
        )
    sizes: dict[str, int] = {}
    for t, shape in zip(terms, shapes, strict=True):
        if len(shape) < len(t) or len(set(t)) < len(t):
            raise ArrayShapeError(
                f"{said}: {t!r} does not name the last axes of its operand; {got}"
            )
        for i, n in zip(t, shape[len(shape) - len(t) :], strict=True):
            if sizes.setdefault(i, n) != n:
                raise ArrayShapeError(f"{said}: index {i} has sizes {sizes[i]} and {n}; {got}")
    if len(set(output)) < len(output):
        raise ArrayShapeError(f"{said}: the result {output!r} names an index twice; {got}")
    for i in {*sizes, *output}:
        if i not in sizes or (i not in output and sum(i in t for t in terms) != 2):
            raise ArrayShapeError(
                f"{said}: index {i} must be in the result or in two operands; {got}"
            )
    leads = (shape[: len(shape) - len(t)] for t, shape in zip(terms, shapes, strict=True))
    check_leading(said, *leads, shapes=got)
    return sizes
