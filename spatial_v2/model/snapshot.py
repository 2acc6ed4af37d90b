"""Snapshots of a model at its last check, to detect edits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.model.layout import Layout

__all__ = ["Mark", "Snapshot", "keep_in", "mark"]

T = TypeVar("T")
Mark = Any
"""Contents of an array, in a form that compares by value."""


class _Identity:
    """An immutable array, of JAX for instance, which compares by identity."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.x is other.x

    __hash__ = None  # type: ignore[assignment]


def mark(x: Any) -> Mark:
    """Return the present contents of a NumPy array, or a wrapper of an array of another library.

    Examples
    --------
    >>> x = np.zeros(3)
    >>> before = mark(x)
    >>> x[1] = 2.0
    >>> mark(x) == before
    False
    """
    return (x.shape, x.dtype, x.tobytes()) if type(x) is np.ndarray else _Identity(x)


class Snapshot:
    """The fields of a model at its last check, and a cache of objects derived from them.

    Parameters
    ----------
    layout : Layout
        Quantities derived from the tree and the joint types.
    marks : dict
        Contents of each numerical field; see `mark`.
    digest : tuple or None
        All contents in a form that compares quickly, or None if an array is not NumPy's.
    arrays : tuple of arrays
        Arrays of the fields on which the dynamics depend.
    """

    __slots__ = ("digest", "foreign", "kept", "layout", "marks", "real")

    def __init__(
        self,
        layout: Layout,
        marks: dict[str, Mark],
        digest: tuple[Any, ...] | None,
        arrays: tuple[Array, ...],
    ) -> None:
        self.layout, self.marks, self.digest = layout, marks, digest
        self.foreign = next(filter(is_foreign, arrays), None)
        """One of the arrays that is not NumPy's, if there is any."""
        self.real = all(type(x) is np.ndarray and x.dtype == np.float64 for x in arrays)
        """True if all are real float64 NumPy arrays, as kernels need them."""
        self.kept: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as None: a copied or unpickled model is checked again when it is first used."""
        return type(None), ()

    def renewed(self) -> Snapshot:
        """Return a snapshot of the same contents, without cached objects."""
        new = object.__new__(Snapshot)
        for name in self.__slots__:
            setattr(new, name, getattr(self, name))
        new.kept = {}
        return new

    def keep(self, name: str, make: Callable[[], T]) -> T:
        """Return the result of `make`, computed once and kept under `name`.

        It may share arrays with the model: another array in one of its fields, or other contents,
        is another snapshot.
        """
        if name not in self.kept:
            self.kept[name] = make()
        value: T = self.kept[name]
        return value


def keep_in(kept: dict[Any, T], key: Any, make: Callable[[], T], most: int) -> T:
    """Return the value of a key in a cache; the result of `make`, which is added, if there is none.

    A cache with `most` entries is cleared first.

    Examples
    --------
    >>> kept = {}
    >>> keep_in(kept, "a", lambda: 1, 8), keep_in(kept, "a", lambda: 2, 8)
    (1, 1)
    """
    found = kept.get(key)
    if found is None:
        found = make()
        if len(kept) >= most:
            kept.clear()
        kept[key] = found
    return found
