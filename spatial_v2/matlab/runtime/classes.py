"""Classes of MATLAB's: value and handle classes with properties, methods, constants, operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import function, matlab
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    CommaList,
    MatlabError,
    Struct,
    Value,
    copy,
    items,
    objects,
    own,
    string,
    value,
)

__all__ = ["HandleInstance", "Instance", "method", "method_of", "static"]

OPERATORS = {
    "plus": "add", "minus": "sub", "times": "mul", "mtimes": "matmul", "rdivide": "truediv",
    "power": "pow", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
    "and": "and", "or": "or", "uminus": "neg", "not": "invert",
}  # fmt: skip
"""Method that MATLAB calls for an operator -> the operator of Python."""


class Class(type):
    """A class: called with the arguments of its constructor; constants are attributes."""

    def __new__(cls, name: str, bases: tuple[type, ...], names: dict[str, Any]) -> Any:
        for theirs, ours in OPERATORS.items():
            f = names.get(theirs)
            if f is not None:
                names[f"__{ours}__"] = f
                if ours in ("add", "sub", "mul", "matmul", "truediv", "pow"):
                    names[f"__r{ours}__"] = lambda x, y, f=f: f(y, x)
        made = super().__new__(cls, name, bases, {**names, "matlab_class": name})
        made.matlab_classes = tuple(  # type: ignore[attr-defined]
            c.__name__ for c in made.__mro__ if isinstance(c, Class) and c.__name__ not in ROOTS
        ) + (("handle",) if any(c.__name__ == "HandleInstance" for c in made.__mro__) else ())
        return made

    def __call__(cls, *args: Any, nargout: int = 1) -> Any:
        """Make an object; an array of objects is made from an array of their properties."""
        if len(args) == 1 and isinstance(args[0], np.ndarray):
            return super().__call__(args[0])
        given: dict[str, Any] = {}
        for c in reversed(cls.__mro__):
            for name, default in c.__dict__.get("_properties", {}).items():
                given[name] = copy(default())
        return cls.construct(super().__call__(objects([given])), *args)

    def construct(cls, obj: Any, *args: Any) -> Any:
        """Run the constructor on an object that has its defaults."""
        own_ = cls.__dict__.get("constructor")
        if own_ is not None:
            return own_(obj, *args)
        for base in cls.__bases__:
            if isinstance(base, Class) and base.__name__ not in ROOTS:
                obj = base.construct(obj, *args)
        return obj

    def __getattr__(cls, name: str) -> Any:
        for c in cls.__mro__:
            if name in c.__dict__.get("_constants", {}):
                return value(c.__dict__["_constants"][name]())
        raise AttributeError(name)


ROOTS = ("Instance", "HandleInstance")
_inside: list[tuple[type, str]] = []
"""Properties whose ``get`` or ``set`` method runs, which read and assign them as they are."""


class Instance(Struct, metaclass=Class):
    """An object of a class whose objects are values: a variable's object is its own."""

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._field(name)

    def _field(self, name: str) -> Any:
        kind = type(self)
        getter = getattr(kind, f"_get_{name}", None)
        if getter is not None and (kind, name) not in _inside:
            _inside.append((kind, name))
            try:
                return getter(self)
            finally:
                _inside.pop()
        d = self.a.flat[0]
        if name in d:
            if self.a.size == 1:
                return copy(d[name])
            return CommaList(copy(x[name]) for x in self.a.ravel(order="F"))
        if hasattr(kind, name):
            # methods are bound as Python does, constants belong to the class
            constant = not any(name in c.__dict__ for c in kind.__mro__)
            return getattr(kind, name) if constant else object.__getattribute__(self, name)
        raise MatlabError(f"a {kind.__name__} has no property or method {name!r}")

    def _put(self, new: Any, steps: tuple[Any, ...]) -> Any:
        from spatial_v2.matlab.runtime.assigning import _parentheses, put

        step, *rest = steps
        if isinstance(step, tuple):
            if rest and all(float(value(k)) == 1 for k in step):
                return self._put(new, tuple(rest))
            return _parentheses(self, new, step, tuple(rest))
        name = str(step)
        kind = type(self)
        obj = (
            self if isinstance(self, HandleInstance) or not self.twice else kind(own(self.a.copy()))
        )
        if rest:
            new = put(self._field(name), new, *rest)
        setter = getattr(kind, f"_set_{name}", None)
        if setter is not None and (kind, name) not in _inside:
            _inside.append((kind, name))
            try:
                found = setter(obj, new)
            finally:
                _inside.pop()
            return obj if found is None else found
        if name not in obj.a.flat[0]:
            raise MatlabError(f"a {kind.__name__} has no property {name!r}")
        obj.a.flat[0][name] = copy(value(new))
        return obj

    def __call__(self, *subscripts: Any) -> Any:
        """Return objects of an array."""
        given = items(subscripts)
        if self.a.size == 1 and all(isinstance(s, Array) and np.all(s.a == 1) for s in given):
            return self
        return super().__call__(*subscripts)

    def _call(self, name: str, given: list[Any], nargout: int) -> Any:
        """Return the class's own function of this name; NotImplemented if it has none."""
        f = getattr(type(self), name, None) if name not in ("copy", "names", "shape") else None
        if f is None or name.startswith("_"):
            return NotImplemented
        return f(*given, nargout=nargout)

    def __eq__(self, other: Any) -> Any:
        return Array(np.array([[self is other]]))

    def __ne__(self, other: Any) -> Any:
        return Array(np.array([[self is not other]]))

    def __repr__(self) -> str:
        return f"{type(self).__name__} with properties {', '.join(self.names)}"


class HandleInstance(Instance):
    """An object of a handle class: all variables that hold it share its properties."""


def method(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a method of a class."""
    return function(f)


def static(f: Callable[..., Any]) -> Any:
    """Decorate a static method of a class."""
    return staticmethod(function(f))


def method_of(name: str, other: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Return what ``name(obj, ...)`` calls: the method of the first object among the arguments,
    or the function `other`.
    """

    def call(*args: Any, nargout: int = 1) -> Any:
        given = items(args)
        for x in given:
            f = getattr(type(x), name, None) if isinstance(x, Instance) else None
            if f is not None:
                return f(*given, nargout=nargout)
        if other is None:
            kinds = ", ".join(sorted({type(x).__name__ for x in given}))
            raise MatlabError(f"no class of the arguments ({kinds}) has a method {name!r}")
        return other(*args, nargout=nargout)

    return call


def _public(kind: type) -> list[str]:
    """Return the names of the properties that are not private, those of the class first."""
    found: dict[str, None] = {}
    for c in kind.__mro__:
        names = (*c.__dict__.get("_properties", ()), *c.__dict__.get("_constants", ()))
        names += tuple(n.removeprefix("_get_") for n in c.__dict__ if n.startswith("_get_"))
        found |= dict.fromkeys(n for n in names if n not in c.__dict__.get("_private", ()))
    return list(found)


@matlab("properties")
def properties(x: Any) -> Any:
    names = _public(type(x))
    return Cell(objects(map(value, names), (len(names), 1)))


@matlab()
def isprop(x: Any, name: Any) -> Any:
    return isinstance(x, Instance) and string(name) in _public(type(x))


@matlab()
def ismethod(x: Any, name: Any) -> Any:
    return isinstance(x, Instance) and callable(getattr(type(x), string(name), None))


@matlab()
def isvalid(x: Any) -> Any:
    return isinstance(x, Value)
