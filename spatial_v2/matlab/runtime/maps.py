"""``containers.Map``: a value that all its variables share."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    MatlabError,
    Text,
    objects,
    string,
    value,
)

__all__ = ["Map"]


def _entries(x: Any) -> list[Any]:
    """Return the entries of a cell or an array of numbers, or a text as a list of one."""
    if isinstance(x, Cell):
        return list(x.a.ravel(order="F"))
    return [x] if isinstance(x, Text) else [value(y) for y in x.a.ravel(order="F")]


class Map:
    """A table from texts or numbers to values."""

    matlab_class = "containers.Map"

    def __init__(self, *args: Any) -> None:
        self.table: dict[Any, Any] = {}
        self.numbers = False
        given = list(map(value, args))
        if (
            given
            and isinstance(given[0], Text)
            and string(given[0]) in ("KeyType", "ValueType", "UniformValues")
        ):
            options = {string(n): x for n, x in zip(given[::2], given[1::2], strict=False)}
            self.numbers = string(options.get("KeyType", Text("char"))) != "char"
        elif given:
            keys, values = _entries(given[0]), [given[1]]
            if isinstance(given[0], Cell) or len(keys) > 1:
                values = _entries(given[1])
            if len(keys) != len(values):
                raise MatlabError(f"containers.Map: {len(keys)} keys, {len(values)} values")
            for k, v in zip(keys, values, strict=True):
                self.table[self._key(k)] = v

    def _key(self, k: Any) -> Any:
        if isinstance(k, Text):
            return string(k)
        self.numbers = True
        return float(k)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of keys, and 1."""
        return (len(self.table), 1)

    def __call__(self, key: Any) -> Any:
        k = self._key(value(key))
        if k not in self.table:
            raise MatlabError(f"the given key is not present in the container: {k!r}")
        return self.table[k]

    def _put(self, new: Any, steps: tuple[Any, ...]) -> Map:
        from spatial_v2.matlab.runtime.assigning import put

        (key,), *rest = steps
        k = self._key(value(key))
        self.table[k] = put(self.table.get(k), new, *rest) if rest else new
        return self

    def _field(self, name: str) -> Any:
        if name in ("Count", "length"):
            return value(float(len(self.table)))
        if name == "keys":
            return keys(self)
        if name == "values":
            return values(self)
        if name == "isKey":
            return lambda k: isKey(self, k)
        if name == "remove":
            return lambda k: remove(self, k)
        raise MatlabError(f"a containers.Map has no property {name!r}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._field(name)


@matlab("containers.Map")
def _map(*args: Any) -> Any:
    return Map(*args)


@matlab()
def keys(m: Any) -> Any:
    return Cell(objects(value(k) for k in sorted(m.table)))


@matlab("values")
def values(m: Any, some: Any = None) -> Any:
    if some is not None:
        return Cell(objects(m(k) for k in some.a.ravel()))
    return Cell(objects(m.table[k] for k in sorted(m.table)))


@matlab()
def isKey(m: Any, k: Any) -> Any:
    if isinstance(k, Cell):
        return Array(np.array([m._key(x) in m.table for x in k.a.ravel()]).reshape(k.a.shape))
    return m._key(k) in m.table


@matlab()
def remove(m: Any, k: Any) -> Any:
    for x in k.a.ravel() if isinstance(k, Cell) else [k]:
        del m.table[m._key(x)]
    return m
