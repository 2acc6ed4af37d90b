"""Functions of text, and printing."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import punctuation
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import formats
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.printing import escaped, formatted
from spatial_v2.matlab.runtime.value_types import (
    Array,
    Cell,
    MatlabError,
    Text,
    copy,
    objects,
    string,
)

__all__: list[str] = []


@matlab()
def num2str(x: Any, form: Any = None) -> Any:
    if isinstance(x, Text):
        return copy(x)
    if np.iscomplexobj(x.a):
        z = x.a.item()
        a, b = formats.num2str(z.real), formats.num2str(abs(z.imag))
        return f"{a}{'+' if z.imag >= 0 else '-'}{b}i"
    if isinstance(form, Text):
        return char(*(Text(formatted(form, Array(r[None, :]))) for r in x.a))
    a = x.a.item() if x.a.size == 1 else x.a
    lines = formats.num2str(a, None if form is None else whole(form)) if np.size(a) else ""
    return char(*map(Text, lines.split("\n"))) if "\n" in lines else lines


@matlab()
def int2str(x: Any) -> Any:
    return formats.num2str(np.round(x.a.item() if x.a.size == 1 else x.a))


@matlab()
def mat2str(x: Any, digits: Any = None) -> Any:
    n = 15 if digits is None else whole(digits)

    def one(y: Any) -> str:
        if isinstance(y, (bool, np.bool_)):
            return "true" if y else "false"
        if isinstance(y, complex):
            return f"{one(y.real)}{'+' if y.imag >= 0 else '-'}{one(abs(y.imag))}i"
        return formats.sprintf(f"%.{n}g", float(y))

    if isinstance(x, Text):
        return f'"{string(x)}"'
    rows = ";".join(" ".join(one(y) for y in row.tolist()) for row in x.a)
    if x.a.size == 0:
        return f"zeros({x.a.shape[0]},{x.a.shape[1]})"
    return rows if x.a.size == 1 else f"[{rows}]"


@matlab("str2num", "str2double")
def str2double(x: Any) -> Any:
    if isinstance(x, Cell):
        return Array(np.array([_number(string(y)) for y in x.a.ravel()]).reshape(x.a.shape))
    if not isinstance(x, Text):
        return float("nan")
    text = string(x).strip().strip("[]")
    parts = re.split(r"[\s,]+", text)
    if len(parts) > 1:
        return np.array([[_number(p) for p in parts if p]])
    return _number(text)


def _number(text: str) -> Any:
    try:
        return float(text.replace("Inf", "inf"))
    except ValueError:
        try:
            return complex(text.replace("i", "j"))
        except ValueError:
            return float("nan")


def _on_texts(name: str, f: Callable[..., Any]) -> None:
    @matlab(name)
    def call(x: Any, *args: Any) -> Any:
        given = [string(a) if isinstance(a, Text) else a for a in args]
        if isinstance(x, Cell):
            return Cell(
                objects((Text(f(string(y), *given)) for y in x.a.ravel(order="F")), x.a.shape)
            )
        if not isinstance(x, Text):
            return copy(x)
        return f(string(x), *given)


_on_texts("upper", str.upper)
_on_texts("lower", str.lower)
_on_texts("toupper", str.upper)
_on_texts("tolower", str.lower)
_on_texts("strtrim", lambda s: s.strip(" \t\n\v\f\r\0"))
_on_texts("deblank", lambda s: s.rstrip(" \t\n\v\f\r\0"))
_on_texts("strrep", formats.strrep)


def _compare(name: str, same: Callable[..., bool]) -> None:
    @matlab(name)
    def call(x: Any, y: Any, n: Any = None) -> Any:
        if isinstance(y, Cell) and not isinstance(x, Cell):
            x, y = y, x
        if isinstance(x, Cell):
            others = [y] * x.a.size if not isinstance(y, Cell) else list(y.a.ravel())
            others = others * x.a.size if len(others) == 1 else others
            found = [_same(same, a, b, n) for a, b in zip(x.a.ravel(), others, strict=True)]
            return Array(np.array(found, bool).reshape(x.a.shape))
        return _same(same, x, y, n)


def _same(same: Callable[..., bool], x: Any, y: Any, n: Any) -> bool:
    texts = [isinstance(z, Text) or (type(z) is Array and z.a.size == 0) for z in (x, y)]
    if not all(texts) or not any(isinstance(z, Text) for z in (x, y)):
        return False
    return bool(same(string(x), string(y), *(() if n is None else (whole(n),))))


_compare("strcmp", lambda a, b: a == b)
_compare("strcmpi", lambda a, b: a.lower() == b.lower())
_compare("strncmp", lambda a, b, n: len(a) >= n <= len(b) and a[:n] == b[:n])
_compare("strncmpi", lambda a, b, n: len(a) >= n <= len(b) and a[:n].lower() == b[:n].lower())


@matlab()
def strcat(*args: Any) -> Any:
    cells = [x for x in args if isinstance(x, Cell)]
    if cells:
        shape = max((c.a.shape for c in cells), key=lambda s: int(np.prod(s)))
        n = int(np.prod(shape))
        columns = [
            [string(y) for y in x.a.ravel(order="F")] if isinstance(x, Cell) else [string(x)]
            for x in args
        ]
        columns = [c * n if len(c) == 1 else c for c in columns]
        return Cell(objects((Text("".join(row)) for row in zip(*columns, strict=True)), shape))
    return "".join(string(x).rstrip(" \t\n") for x in args)


@matlab()
def strvcat(*args: Any) -> Any:
    return char(*args)


@matlab("char")
def char(*args: Any) -> Any:
    if len(args) == 1 and not isinstance(args[0], Cell):
        return Text(args[0].a.astype(float)) if isinstance(args[0], Array) else str(args[0])
    lines = [string(y) for x in args for y in (x.a.ravel() if isinstance(x, Cell) else [x])]
    width = max(map(len, lines), default=0)
    return Text(np.array([[float(ord(c)) for c in line.ljust(width)] for line in lines]))


@matlab("string")
def string_(x: Any) -> Any:
    return copy(x) if isinstance(x, (Text, Cell)) else num2str(x)


@matlab()
def blanks(n: Any) -> Any:
    return " " * whole(n)


@matlab()
def strsplit(x: Any, by: Any = None) -> Any:
    if isinstance(by, Cell):
        signs = sorted((escaped(string(y)) for y in by.a.ravel()), key=len, reverse=True)
        parts = re.split("|".join(map(re.escape, signs)), string(x))
    else:
        parts = formats.strsplit(string(x), " " if by is None else string(by))
    return Cell(objects(map(Text, parts)))


@matlab()
def ostrsplit(x: Any, by: Any) -> Any:
    return Cell(objects(map(Text, re.split(f"[{re.escape(string(by))}]", string(x)))))


@matlab()
def strjoin(c: Any, by: Any = None) -> Any:
    return escaped(" " if by is None else string(by)).join(string(x) for x in c.a.ravel(order="F"))


@matlab()
def strfind(x: Any, what: Any) -> Any:
    text, part = string(x), string(what)
    at = [k + 1.0 for k in range(len(text) - len(part) + 1) if text.startswith(part, k)]
    return np.array(at).reshape(1, -1) if at else np.zeros((1, 0))


@matlab()
def strtok(x: Any, by: Any = None, nargout: int = 1) -> Any:
    text, signs = string(x), " \t\n\v\f\r\0" if by is None else string(by)
    rest = text.lstrip(signs)
    n = next((k for k, c in enumerate(rest) if c in signs), len(rest))
    return rest[:n], rest[n:]


@matlab()
def contains(x: Any, what: Any, *_: Any) -> Any:
    parts = [string(y) for y in what.a.ravel()] if isinstance(what, Cell) else [string(what)]
    if isinstance(x, Cell):
        return Array(
            np.array([any(p in string(y) for p in parts) for y in x.a.ravel()]).reshape(x.a.shape)
        )
    return any(p in string(x) for p in parts)


@matlab()
def startsWith(x: Any, what: Any) -> Any:
    return string(x).startswith(string(what))


@matlab()
def endsWith(x: Any, what: Any) -> Any:
    return string(x).endswith(string(what))


@matlab()
def dec2bin(n: Any, width: Any = 0) -> Any:
    return f"{whole(n):b}".rjust(whole(width), "0")


@matlab()
def bin2dec(x: Any) -> Any:
    return float(int(string(x), 2))


@matlab()
def hex2dec(x: Any) -> Any:
    return float(int(string(x), 16))


@matlab()
def dec2hex(n: Any, width: Any = 0) -> Any:
    return f"{whole(n):X}".rjust(whole(width), "0")


@matlab()
def cellstr(x: Any) -> Any:
    if isinstance(x, Cell):
        return x
    rows = ["".join(chr(int(c)) for c in row).rstrip() for row in x.a]
    return Cell(objects(map(Text, rows), (len(rows), 1)))


@matlab()
def validatestring(x: Any, choices: Any, *_: Any) -> Any:
    given = [string(c) for c in choices.a.ravel()]
    found = [c for c in given if c.lower().startswith(string(x).lower())]
    exact = [c for c in found if c.lower() == string(x).lower()]
    if len(found) != 1 and not exact:
        raise MatlabError(f"validatestring: want one of {', '.join(given)}, got {string(x)!r}")
    return (exact or found)[0]


@matlab()
def isletter(x: Any) -> Any:
    return Array(np.array([[c.isalpha() for c in string(x)]]))


PROPERTIES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha, "alphanum": str.isalnum, "digit": str.isdigit, "lower": str.islower,
    "upper": str.isupper, "wspace": str.isspace, "punct": lambda c: c in punctuation,
}  # fmt: skip


@matlab()
def isstrprop(x: Any, name: Any) -> Any:
    test = PROPERTIES.get(string(name))
    if test is None:
        raise MatlabError(f"isstrprop: want one of {', '.join(PROPERTIES)}, got {string(name)!r}")
    return Array(np.array([[test(c) for c in string(x)]]))


@matlab()
def isdigit(x: Any) -> Any:
    return Array(np.array([[c.isdigit() for c in string(x)]]))


@matlab()
def datestr(*_: Any) -> Any:
    import datetime

    return datetime.datetime.now().strftime("%d-%b-%Y %H:%M:%S")


@matlab()
def inputname(*_: Any) -> Any:
    return ""


@matlab()
def evalc(*_: Any) -> Any:
    raise MatlabError("evalc: text with code is not run")


@matlab("eval")
def eval_(*_: Any) -> Any:
    raise MatlabError("eval: text with code is not run")
