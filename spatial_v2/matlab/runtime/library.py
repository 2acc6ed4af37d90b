"""Functions of the library, called with MATLAB's values.

A struct that describes a robot becomes a `Model` at its first use, and stays that model until a
part of the struct is assigned.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import spatial_v2.matlab as namespace
from spatial_v2.arrays.objects import elements
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.matlab.results import BY_SHAPE, FIELDS, LIBRARY
from spatial_v2.matlab.runtime.accepted import ACCEPTED
from spatial_v2.matlab.runtime.functions import outputs
from spatial_v2.matlab.runtime.mat_files import from_mat
from spatial_v2.matlab.runtime.random_numbers import generator
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    array,
    copy,
    empty,
    is_model,
    items,
    objects,
    value,
)
from spatial_v2.matlab.table import ROWS
from spatial_v2.model import Model
from spatial_v2.model.matlab_fields import NEEDED, ROTOR
from spatial_v2.model.matlab_writer import matlab_struct

__all__ = ["as_model", "library_function", "plain", "struct_of"]

PARTS = (*NEEDED, "gravity", *ROTOR, "has_rotor", "gc")
"""Fields of a struct that a `Model` is made of; others stay with the struct."""
DRAWN = ("appearance", "camera")
DERIVED = ("has_rotor", "nq", "nv", "qinds", "vinds", "ancestors", "ancestor_vinds",
           "subtree_vinds", "successor_vinds", "NV", "NQ", "NB_rot")  # fmt: skip
FORCES = ("f_ext", "fc", "f")
"""Parameters that are cells of forces; other cells are states, with an entry for each joint."""
ADDED = ("joint_names", "body_names", "name")


def as_model(s: Struct, drawn: bool = False) -> Model:
    """Return the model that a struct describes."""
    if s.model is not None and not drawn:
        known: Model = s.model
        return known
    d = s.a.item()
    n = int(float(d["NB"])) if "NB" in d else d["parent"].a.size
    given: dict[str, Any] = {}
    for name in PARTS + (DRAWN if drawn else ()):
        if name not in d or np.prod(d[name].shape) == 0:
            continue
        x = d[name]
        if name == "parent":
            given[name] = x.a.ravel()[:n][None, :]
        elif isinstance(x, Cell) and name not in DRAWN:
            cells = list(x.a.ravel(order="F"))[:n]
            given[name] = objects(plain(y) if np.prod(y.shape) else np.zeros((0, 0)) for y in cells)
        else:
            given[name] = plain(x)
    model = Model.from_matlab(given)
    if "gamma_q" in d:
        model.gamma_q = _constraint(d["gamma_q"], s)
    if not drawn:
        s.model = model
    return model


def _constraint(f: Any, s: Struct) -> Callable[..., Any]:
    def gamma(_: Model, q: Any, qd: Any) -> Any:
        found = f(s, _column(q), _column(qd), nargout=4)
        shapes = (None, None, 2, None)
        return tuple(x.a if k else x.a.ravel() for x, k in zip(found, shapes, strict=True))

    return gamma


def _column(x: Any) -> Array:
    return Array(np.asarray(x).reshape(-1, 1))


def struct_of(model: Model, derived: bool = False, like: Struct | None = None) -> Struct:
    """Return the struct of a model; fields of the user's are taken from the struct `like`."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = matlab_struct(model)
    for name in (*ADDED, *(() if derived else DERIVED)):
        found.pop(name, None)
    own = like.a.item() if like is not None else {}
    standard = np.array_equal(np.ravel(found["gravity"]), [0, 0, -9.81])
    if "gravity" not in own and (like is not None or standard):
        found.pop("gravity")
    if not model.n_rotor and not derived:
        for name in ROTOR:
            found.pop(name, None)
    if "has_rotor" in found:
        found["has_rotor"] = np.reshape(found["has_rotor"], (1, -1))
    made = from_mat(found)
    assert isinstance(made, Struct)
    if like is not None:
        d = made.a.item()
        for name, x in like.a.item().items():
            if (name not in d and name not in DERIVED) or name == "gravity":
                d[name] = copy(x)
        for name in DRAWN:
            if name in like.a.item() and name not in d:
                d[name] = copy(like.a.item()[name])
    made.model = model
    return made


def plain(x: Any) -> Any:
    """Convert a value of MATLAB's to one of NumPy's: vectors have one axis."""
    if isinstance(x, Text):
        return str(x)
    if isinstance(x, Array):
        a = x.a.astype(float) if x.a.dtype.kind == "b" else x.a
        if a.size == 1:
            return a.item()
        return a.ravel() if a.ndim == 2 and 1 in a.shape else a
    if isinstance(x, Cell):
        return [plain(y) for y in x.a.ravel(order="F")]
    if is_model(x):
        return as_model(x)
    if isinstance(x, Struct):
        if x.a.size == 1:
            return {n: plain(y) for n, y in x.a.item().items()}
        return [{n: plain(y) for n, y in d.items()} for d in x.a.ravel(order="F")]
    if isinstance(x, Handle):
        return lambda *args: plain(x(*map(value, args)))
    return x


def _argument(x: Any, k: int, name: str, model: bool) -> Any:
    if hasattr(x, "_call"):
        if x.matlab_class == "casadi.DM":
            x = Array(x.a.full())
        else:
            entries = elements(x.a)
            return entries.reshape(1) if model and not entries.ndim else entries
    if isinstance(x, Array) and not isinstance(x, Text):
        if x.a.size == 1:
            one = x.a.item()
            if isinstance(one, (bool, np.bool_)):
                return bool(one)
            whole = isinstance(one, float) and one == np.trunc(one) and np.isfinite(one)
            if model:
                return np.array([one])
            return int(one) if whole else one
        if x.a.size == 0:
            return None if model and k > 1 else x.a if max(x.a.shape) > 1 else np.zeros(0)
    if isinstance(x, Cell):
        if not x.a.size:
            return None if model else []
        if model and name not in FORCES:
            # a state as a cell with an entry for each joint
            return np.concatenate([y.a.ravel() for y in x.a.ravel(order="F")])
        entries = list(x.a.ravel(order="F"))
        return [
            np.zeros(0)
            if not np.prod(y.shape)
            else (
                np.array([y.a.item()])
                if isinstance(y, Array) and not isinstance(y, Text) and y.a.size == 1
                else plain(y)
            )
            for y in entries
        ]
    return plain(x)


def _result(x: Any, name: str, like: Struct | None, letter: str = "") -> Any:
    if isinstance(x, Model):
        return struct_of(x, name == "postProcessModel", like)
    if letter in ("L", "T", "C", "I"):
        return Cell(
            objects(_result(np.asarray(y), name, like, "r" if letter == "I" else "") for y in x)
        )
    if isinstance(x, np.ndarray):
        if x.dtype == object and (made := _of_casadi(x)) is not None:
            return made.T if letter == "r" and x.ndim < 2 else made
        if x.ndim > 2 and (letter == "m" or name in BY_SHAPE):
            raise MatlabError(f"{name}: want a single vector or matrix, got {x.shape[0]} of them")
        return array(x, row=letter == "r")
    if isinstance(x, list):
        return Cell(objects(_result(y, name, like) for y in x))
    if hasattr(x, "_asdict"):
        letters = dict(f.split(":") for f in FIELDS.get(name, "").split())
        return Struct(
            objects(
                [{n: _field(y, name, like, letters.get(n, "")) for n, y in x._asdict().items()}]
            )
        )
    if (
        x is not None
        and hasattr(x, "__dict__")
        and not callable(x)
        and not hasattr(x, "free_symbols")
    ):
        letters = dict(f.split(":") for f in FIELDS.get(name, "").split())
        return Struct(
            objects(
                [
                    {
                        n: _field(y, name, like, letters.get(n, ""))
                        for n, y in vars(x).items()
                        if not n.startswith("_")
                    }
                ]
            )
        )
    return value(x)


def _of_casadi(x: np.ndarray) -> Any:
    from spatial_v2.matlab.runtime.casadi_objects import of_entries

    return of_entries(x)


def _field(x: Any, name: str, like: Struct | None, letter: str) -> Any:
    return empty() if x is None else _result(x, name, like, letter)


def _floating(s: Struct) -> Struct:
    """Return the struct that ``floatbase`` makes of a struct; it keeps fields of rotors and the
    user's own, and replaces the first joint, which may have any type.
    """
    d = dict(s.a.item())
    rotors = {n: d.pop(n) for n in ("has_rotor", *ROTOR) if n in d}
    if "jtype" in d and d["jtype"].a.size:
        joints = d["jtype"].a.copy()
        joints.flat[0] = value("R")
        d["jtype"] = Cell(joints)
    kept = Struct(objects([d]))
    made = struct_of(namespace.floatbase(as_model(kept, drawn=True)), False, kept)
    made.a.item().update({n: copy(x) for n, x in rotors.items()})
    if rotors:
        made.model = None
    return made


BASED = {"FDfb": 6, "IDfb": 6}
"""Functions whose states leave out the joints of a floating base."""


def _cut(given: list[Any], parameters: tuple[str, ...], fewer: int) -> list[Any] | None:
    """Return arguments whose states end with the last joint, as MATLAB reads no further; None if
    none of them is longer.
    """
    model = given[0] if given else None
    if not isinstance(model, Model):
        return None
    lengths = {"q": model.NQ - fewer, **dict.fromkeys(("qd", "qdd", "tau"), model.NV - fewer)}
    found = [
        x[: lengths[name]]
        if name in lengths and isinstance(x, np.ndarray) and x.ndim == 1 and x.size > lengths[name]
        else x
        for x, name in zip(given, (*parameters, *[""] * len(given)), strict=False)
    ]
    return found if any(x is not y for x, y in zip(found, given, strict=True)) else None


@cache
def _parameters(name: str) -> tuple[str, ...]:
    """Return the names of the parameters of a function of the library."""
    return tuple(inspect.signature(getattr(namespace, name)).parameters)


def library_function(name: str) -> Callable[..., Any]:
    """Return a function of MATLAB's library that takes and gives MATLAB's values."""
    row = ROWS[name]
    most = max(1, len(row.outputs))

    def call(*args: Any, nargout: int = 1) -> Any:
        given = items(args)
        first = given[0] if given and isinstance(given[0], Struct) else None
        if name == "floatbase" and first is not None:
            return _floating(first)
        if nargout > most:
            raise MatlabError(f"{name}: called with {nargout} results; it has {most}")
        parameters = _parameters(name)
        ours = [
            _argument(
                x,
                k,
                parameters[k] if k < len(parameters) else "",
                first is not None and is_model(first),
            )
            for k, x in enumerate(given)
        ]
        while ours and ours[-1] is None:
            ours.pop()
        if name in ACCEPTED and len(ours) > 1:
            ours = ACCEPTED[name](*ours)
        options: dict[str, Any] = {"nargout": nargout} if row.outputs and nargout >= 1 else {}
        if name.startswith("random") and "rng" not in options:
            options["rng"] = generator()
        f = getattr(namespace, name)
        try:
            found = f(*ours, **options)
        except ArrayShapeError:
            fewer = _cut(ours, parameters, BASED.get(name, 0))
            if fewer is None:
                raise
            found = f(*fewer, **options)
        like = first if first is not None and is_model(first) else None
        letters = LIBRARY.get(name, ())
        if isinstance(found, tuple) and (row.outputs or not hasattr(found, "_asdict")):
            kinds = (*letters, *[""] * len(found))
            results = (_result(x, name, like, k) for x, k in zip(found, kinds, strict=False))
            return outputs(tuple(results), nargout, name)
        return _result(found, name, like, letters[0] if letters else "")

    call.__name__ = name
    return call
