"""Comparison of the values of a translation with those of the script in Octave."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.value_types import Cell, Handle, Struct, Text, Value
from spatial_v2.migrate.expressions import attribute
from spatial_v2.migrate.kinds import Kind
from spatial_v2.model import Model

__all__ = ["TOLERANCE", "difference"]

TOLERANCE = 1e-9


def difference(ours: Any, theirs: Any, known: Kind) -> str:
    """Describe the difference of two values; the text is empty if they agree."""
    if isinstance(ours, Value):
        return _value(ours, theirs)
    if callable(ours) and not isinstance(ours, Model):
        return "" if str(np.ravel(theirs)[0]) == "function" else "a function in Python alone"
    if isinstance(ours, Model):
        return _model(ours, theirs)
    if isinstance(theirs, np.ndarray) and (theirs.dtype.names or _has_no_fields(theirs)):
        return _struct(ours, theirs)
    if isinstance(theirs, np.ndarray) and theirs.dtype == object:
        return _cell(ours, theirs, known)
    if isinstance(ours, str) or (isinstance(theirs, np.ndarray) and theirs.dtype.kind == "U"):
        said = ("\n" if known.form == "lines" else "").join(np.ravel(theirs))
        if known.form == "lines":
            ours, said = (re.sub(" +$", "", str(x), flags=re.M) for x in (ours, said))
        return "" if ours == said else f"{ours!r}; in Octave {said!r}"
    try:
        a = np.asarray(ours)
        if a.dtype.kind not in "biufc":
            raise TypeError
    except (TypeError, ValueError):
        return f"a {type(ours).__name__}; in Octave an array of shape {np.shape(theirs)}"
    return _numbers(a, np.asarray(theirs), known)


def _value(ours: Value, theirs: Any) -> str:
    """Compare a value of the runtime, whose shape is MATLAB's."""
    theirs = np.asarray(theirs)
    if isinstance(ours, Handle):
        return "" if str(np.ravel(theirs)[:1]) == "['function']" else "a function in Python alone"
    if isinstance(ours, Struct):
        return _structs(ours, theirs)
    if isinstance(ours, Cell):
        if theirs.dtype != object:
            return f"a cell; in Octave an array of shape {theirs.shape}"
        if ours.a.shape != theirs.shape and (ours.a.size or theirs.size):
            return f"a cell of size {ours.a.shape}; in Octave {theirs.shape}"
        for k, (a, b) in enumerate(zip(ours.a.ravel(), theirs.ravel(), strict=True)):
            if said := difference(a, b, Kind("other")):
                return f"entry {k + 1}: {said}"
        return ""
    if isinstance(ours, Text):
        lines = ["".join(chr(int(c)) for c in line) for line in ours.a]
        texts = [str(x) for x in np.ravel(theirs)]
        if lines == texts or not (any(lines) or any(texts)):
            return ""
        return f"{lines!r}; in Octave {texts!r}"
    if theirs.dtype.kind not in "biufc":
        return f"an array; in Octave a {'text' if theirs.dtype.kind == 'U' else 'cell or struct'}"
    if ours.a.dtype == object:
        return ""
    if ours.a.shape != theirs.shape and (ours.a.size or theirs.size):
        return f"shape {ours.a.shape}; in Octave {theirs.shape}"
    return _numbers(ours.a, theirs, Kind("matrix"))


def _structs(ours: Struct, theirs: np.ndarray) -> str:
    """Compare a struct of the runtime: of models the fields that both have."""
    if theirs.dtype.names is None and not _has_no_fields(theirs):
        return "a struct; in Octave none"
    if ours.a.shape != theirs.shape and (ours.a.size or theirs.size):
        return f"structs of size {ours.a.shape}; in Octave {theirs.shape}"
    names = theirs.dtype.names or ()
    model = {"parent", "jtype"} <= {*names} and ours.model is not None
    if not model and {*names} != {*ours.names}:
        one = min({*names} ^ {*ours.names})
        return f"field {one} {'in Octave' if one in names else 'in Python'} alone"
    for k in np.ndindex(theirs.shape):
        d = ours.a[k]
        error = {"message", "identifier"} <= {*names} and not str(d["identifier"])
        for name in names:
            if name == "stack" or (error and name in ("message", "identifier")):
                continue  # their texts are MATLAB's or Octave's own
            if model and (name in ("appearance", "camera", "jtype") or name not in ours.names):
                continue
            if said := difference(ours.a[k][name], theirs[name][k], Kind("other")):
                return f"field {name}: {said}"
    return ""


def _numbers(a: np.ndarray, b: np.ndarray, known: Kind) -> str:
    if a.size == 0 and b.size == 0:
        return ""
    shapes = {
        0: ((1, 1),),
        1: {"row": ((1, a.size),), "column": ((a.size, 1),)}.get(
            known.along or known.form, ((1, a.size), (a.size, 1))
        ),
    }.get(a.ndim, (_trimmed(a.shape),))
    if b.shape not in shapes:
        return f"shape {a.shape}; in Octave {b.shape}"
    a = a.reshape(b.shape)
    if a.dtype == bool:
        a = a.astype(float)
    with np.errstate(invalid="ignore"):
        b = b.astype(complex if np.iscomplexobj(b) else float)
        finite = np.abs(b[np.isfinite(b)])
        scale = max(1.0, finite.max(initial=0.0))
        close = (np.abs(a - b) <= TOLERANCE * scale) | (a == b) | (np.isnan(a) & np.isnan(b))
    if np.all(close):
        return ""
    at = tuple(int(i) for i in np.argwhere(~close)[0])
    where = ", ".join(str(i + 1) for i in at)
    return f"entry ({where}) is {a[at]:.17g}; in Octave {b[at]:.17g}"


def _trimmed(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Remove trailing axes of length 1, which MATLAB drops after the second."""
    while len(shape) > 2 and shape[-1] == 1:
        shape = shape[:-1]
    return shape


def _cell(ours: Any, theirs: np.ndarray, known: Kind) -> str:
    items = list(theirs.ravel(order="F"))
    try:
        own = list(ours)
        if known.form == "grid":
            if (len(own), len(own[0])) != theirs.shape:
                return f"{len(own)} rows of {len(own[0])} entries; in Octave {theirs.shape}"
            own = [x for column in zip(*own, strict=True) for x in column]
    except TypeError:
        return f"a {type(ours).__name__}; in Octave a cell"
    if len(own) != len(items):
        return f"{len(own)} entries; in Octave {len(items)}"
    for k, (a, b) in enumerate(zip(own, items, strict=True)):
        if said := difference(a, b, known.item or Kind("other")):
            return f"entry {k + 1}: {said}"
    return ""


def _has_no_fields(theirs: np.ndarray) -> bool:
    """Test if a value is a struct without fields: SciPy reads one as None."""
    return theirs.dtype == object and theirs.size == 1 and theirs.flat[0] is None


def _struct(ours: Any, theirs: np.ndarray) -> str:
    if theirs.size != 1:
        return "an array of structs in Octave"
    names = theirs.dtype.names or ()
    strict = isinstance(ours, SimpleNamespace)
    more = vars(ours).keys() - set(map(attribute, names)) if strict else set()
    if more:
        return f"field {min(more)} in Python alone"
    common = int(strict)
    for name in names:
        own = attribute(name)
        if not hasattr(ours, own):
            if strict:
                return f"no field {name}"
            continue
        common += 1
        if said := difference(getattr(ours, own), theirs[name][0, 0], Kind("other")):
            return f"field {name}: {said}"
    return "" if common else f"a {type(ours).__name__}; in Octave a struct"


def _model(ours: Model, theirs: Any) -> str:
    if not (isinstance(theirs, np.ndarray) and theirs.dtype.names):
        return "a model; in Octave none"
    parent = np.ravel(theirs["parent"][0, 0])
    if not np.array_equal(np.asarray(ours.parent) + 1, parent):
        return f"parents {ours.parent + 1}; in Octave {parent}"
    for name in ("Xtree", "I"):
        if name in (theirs.dtype.names or ()):
            for k, b in enumerate(theirs[name][0, 0].ravel()):
                if said := difference(getattr(ours, name)[k], b, Kind("matrix")):
                    return f"{name}{{{k + 1}}}: {said}"
    for name in {*ours.user} & {*theirs.dtype.names}:
        if said := difference(ours.user[name], theirs[name][0, 0], Kind("other")):
            return f"{name}: {said}"
    return ""
