"""Formats, what is printed, and errors."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import formats
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.tables import write_to
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    class_of,
    string,
    value,
)

__all__ = ["display", "escaped", "formatted", "shown"]


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
           "\\": "\\", '"': '"', "'": "'"}  # fmt: skip


def escaped(text: str) -> str:
    """Replace escape sequences, such as a backslash and n."""
    return re.sub(r"\\([ntrabfv\\\"'])", lambda m: ESCAPES[m[1]], text)


def formatted(form: Any, *args: Any) -> str:
    """Format values as ``sprintf`` does."""
    given: list[Any] = []
    for x in args:
        if isinstance(x, Text):
            given.append(string(x))
        elif isinstance(x, Cell):
            raise MatlabError("printf: wrong type argument 'cell array'")
        elif isinstance(x, (Struct, Handle)):
            raise MatlabError(f"printf: wrong type argument '{class_of(x)}'")
        else:
            given += list(np.real(x.a).astype(float).ravel(order="F"))
    form = re.sub(r"%([-+ 0#]*)\*", lambda m: f"%{m[1]}{int(given.pop(0))}", string(form))
    return _tolerant(escaped(form), given)


def _tolerant(form: str, given: list[Any]) -> str:
    """Format where a number may meet ``%s``, and text ``%d``, as MATLAB does."""
    marks = re.findall(formats.MARK, form)
    if not marks:
        return form.replace("%%", "%")
    parts = re.split(f"(%%|{formats.MARK})", form)
    made: list[str] = []
    rest = list(given)
    first = True
    while first or rest:
        had, first = bool(rest), False
        for part in parts:
            if part == "%%":
                made.append("%")
            elif not re.fullmatch(formats.MARK, part):
                made.append(part)
            elif rest:
                made.append(_one(part, rest))
            elif had:
                return "".join(made)
        if not given:
            break
    return "".join(made)


def _one(mark: str, rest: list[Any]) -> str:
    x = rest[0]
    if isinstance(x, str) and mark[-1] not in "sc":
        if len(x) == 1:
            rest[0] = float(ord(x))
        else:
            rest.pop(0)
            return x
    elif not isinstance(x, str) and mark[-1] in "sc":
        rest.pop(0)
        if x == int(x) and 31 < x < 0x110000 and np.isfinite(x) and mark[-1] == "c":
            return chr(int(x))
        return (
            formats.sprintf(re.sub(r"[sc]$", "g", re.sub(r"\.\d+", "", mark)), x)
            if (not np.isfinite(x) or x != int(x) or mark[-1] == "c")
            else chr(int(x))
            if (31 < x < 0x110000)
            else f"{x:g}"
        )
    return formats._converted(mark, rest)


@matlab()
def sprintf(form: Any, *args: Any) -> Any:
    return formatted(form, *args)


@matlab("fprintf", "printf")
def fprintf(form: Any, *args: Any, nargout: int = 0) -> Any:
    if not isinstance(form, Text) and args:
        if not isinstance(args[0], Text):
            print(formatted("%g ", form, *args), end="")
            return None
        number = form
        form, *args = args  # type: ignore[assignment]
        if float(number) > 2:
            write_to(number, formatted(form, *args))
            return None
    elif not isinstance(form, Text):
        return None
    print(formatted(form, *args), end="")
    return None


@matlab("fputs", "fdisplay")
def fputs(number: Any, text: Any) -> Any:
    write_to(number, string(text))
    return 0.0


@matlab()
def fdisp(_: Any, x: Any) -> Any:
    print(shown(x))


@matlab("disp")
def disp(x: Any, nargout: int = 0) -> Any:
    print(shown(x))
    return None


def shown(x: Any) -> str:
    """Return a value as it is printed."""
    x = value(x)
    if not isinstance(x, Array) or isinstance(x, Text):
        return str(x)
    rows: Any = x.a.reshape(len(x.a), -1) if x.a.size else []
    return "\n".join("   ".join(_entry(y) for y in row) for row in rows)


def _entry(x: Any) -> str:
    return f"{x:g}" if isinstance(x, (float, np.floating, bool, np.bool_)) else str(x)


def display(name: str, x: Any) -> None:
    """Print a variable, as a statement without semicolon does."""
    print(f"{name} = {shown(x)}")


@matlab("display")
def _display(x: Any) -> Any:
    print(shown(x))


def error_from(args: tuple[Any, ...]) -> MatlabError:
    """Return the error that ``error(...)`` raises."""
    if args and isinstance(args[0], Struct):
        d = args[0].a.item()
        return MatlabError(string(d.get("message", "")), string(d.get("identifier", "")))
    first = string(args[0])
    identifier = ""
    if len(args) > 1 and re.fullmatch(r"\w[\w-]*(:[\w-]+)+", first):
        identifier, args = first, args[1:]
    text = formatted(*args) if len(args) > 1 else formatted(args[0])
    return MatlabError(text, identifier)


@matlab("error")
def error(*args: Any, nargout: int = 0) -> Any:
    raise error_from(args)


@matlab("assert")
def assert_(test: Any, *args: Any, nargout: int = 0) -> Any:
    if not bool(test):
        raise error_from(args) if args else MatlabError("assert failed")
    return None


@matlab("warning")
def warning(*args: Any, nargout: int = 0) -> Any:
    import warnings

    if args and string(args[0]) in ("on", "off", "error", "query"):
        return None
    warnings.warn(str(error_from(args)), stacklevel=3)
    return None


@matlab()
def rethrow(x: Any) -> Any:
    raise error_from((x,)) if isinstance(x, Struct) else x
