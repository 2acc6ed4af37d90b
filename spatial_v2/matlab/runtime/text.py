"""Functions of text, and printing."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import punctuation
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime import printf
from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.tables import write_to
from spatial_v2.matlab.runtime.values import (
    Array,
    Cell,
    Handle,
    MatlabError,
    Struct,
    Text,
    class_of,
    copy,
    objects,
    string,
    value,
)

__all__ = ["display", "formatted", "shown"]

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
    marks = re.findall(printf.MARK, form)
    if not marks:
        return form.replace("%%", "%")
    parts = re.split(f"(%%|{printf.MARK})", form)
    made: list[str] = []
    rest = list(given)
    first = True
    while first or rest:
        had, first = bool(rest), False
        for part in parts:
            if part == "%%":
                made.append("%")
            elif not re.fullmatch(printf.MARK, part):
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
            printf.sprintf(re.sub(r"[sc]$", "g", re.sub(r"\.\d+", "", mark)), x)
            if (not np.isfinite(x) or x != int(x) or mark[-1] == "c")
            else chr(int(x))
            if (31 < x < 0x110000)
            else f"{x:g}"
        )
    return printf._converted(mark, rest)


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


@matlab()
def num2str(x: Any, form: Any = None) -> Any:
    if isinstance(x, Text):
        return copy(x)
    if np.iscomplexobj(x.a):
        z = x.a.item()
        a, b = printf.num2str(z.real), printf.num2str(abs(z.imag))
        return f"{a}{'+' if z.imag >= 0 else '-'}{b}i"
    if isinstance(form, Text):
        return char(*(Text(formatted(form, Array(r[None, :]))) for r in x.a))
    a = x.a.item() if x.a.size == 1 else x.a
    lines = printf.num2str(a, None if form is None else whole(form)) if np.size(a) else ""
    return char(*map(Text, lines.split("\n"))) if "\n" in lines else lines


@matlab()
def int2str(x: Any) -> Any:
    return printf.num2str(np.round(x.a.item() if x.a.size == 1 else x.a))


@matlab()
def mat2str(x: Any, digits: Any = None) -> Any:
    n = 15 if digits is None else whole(digits)

    def one(y: Any) -> str:
        if isinstance(y, (bool, np.bool_)):
            return "true" if y else "false"
        if isinstance(y, complex):
            return f"{one(y.real)}{'+' if y.imag >= 0 else '-'}{one(abs(y.imag))}i"
        return printf.sprintf(f"%.{n}g", float(y))

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
_on_texts("strrep", printf.strrep)


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
        parts = printf.strsplit(string(x), " " if by is None else string(by))
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


def _pattern(p: str) -> str:
    return re.sub(r"\(\?<(\w+)>", r"(?P<\1>", p)


@matlab()
def regexprep(x: Any, pattern: Any, new: Any, *_: Any) -> Any:
    by = re.sub(r"\$(\d)", r"\\\1", string(new))
    if isinstance(x, Cell):
        return Cell(
            objects(
                (
                    Text(re.sub(_pattern(string(pattern)), by, string(y)))
                    for y in x.a.ravel(order="F")
                ),
                x.a.shape,
            )
        )
    return re.sub(_pattern(string(pattern)), by, string(x))


@matlab()
def regexp(x: Any, pattern: Any, *options: Any, nargout: int = 1) -> Any:
    text, words = string(x), [string(o) for o in options]
    once = "once" in words
    found = list(re.finditer(_pattern(string(pattern)), text))
    if once:
        found = found[:1]

    def tokens(m: Any) -> Any:
        groups = [g if g is not None else "" for g in m.groups()] or [m[0]]
        return Cell(objects(map(Text, groups)))

    def several(values: list[Any]) -> Any:
        if once:
            return values[0] if values else Text("")
        return Cell(objects(map(value, values)))

    def places(values: list[int]) -> Any:
        return np.array(values, float).reshape(1, -1)

    split, end = [], 0
    for m in found:
        split.append(text[end : m.start()])
        end = m.end()
    made = {
        "start": places([m.start() + 1 for m in found]), "end": places([m.end() for m in found]),
        "tokenExtents": Cell(objects([])), "match": several([m[0] for m in found]),
        "tokens": several([tokens(m) for m in found]),
        "names": Struct(**(found[0].groupdict() if found else {})),
        "split": several([*split, text[end:]]) if not once else Cell(
            objects(map(Text, [*split, text[end:]]))),
    }  # fmt: skip
    order = [w for w in words if w in made]
    return tuple(made[n] for n in [*order, *(n for n in made if n not in order)])


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
