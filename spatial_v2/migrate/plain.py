"""Functions of MATLAB whose translation is a pattern."""

from __future__ import annotations

import keyword
import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind, numbers
from spatial_v2.migrate.names import CONJUGATED, PLAIN
from spatial_v2.migrate.parse import Args, text

__all__ = ["plain"]


KEEPING = ("fliplr", "flipud", "sort", "triu", "tril")
"""Functions that keep the type of numbers: a logical argument gives a logical result."""


OPEN = ("logm", "sqrtm")
"""Functions of a real matrix whose result may be complex."""


WANTED = {
    "m": "a matrix",
    "v": "a vector",
    "r": "a row",
    "x": "text",
    "c": "a column",
    "s": "a single number",
    "a": "an array",
    "S": "a struct",
    "i": "an integer",
}
"""Letter for the kind of an argument in `PLAIN` -> its name in messages."""


def plain(body: Body, name: str, args: Args) -> Code:
    want, template, result = PLAIN[name]
    codes = [value(body, a) for a in args]
    if len(codes) != len(want):
        raise Undecided(f"{name}: want {len(want)} arguments, got {len(codes)}")
    if any(c.kind.form == "nothing" for c in codes):
        return Code("...", kind("n"))
    for c, w in zip(codes, want, strict=True):
        k = c.kind
        if name == "strcmp" and k.form == "cell" and k.item is not None and k.item.form == "text":
            continue
        fits = {
            "m": k.form == "matrix",
            "v": k.is_vector,
            "r": k.form == "row",
            "x": k.form == "text",
            "c": k.form == "column",
            "s": k.form == "scalar",
            "a": k.is_array,
            "S": k.form == "struct",
            "i": k.numbers == "i" and k.form == "scalar",
        }[w]
        if not fits:
            raise Undecided(f"{name}: want {WANTED[w]}, got {k.described}")
    if name == "fieldnames":
        clashes = [n[:-1] for n, _ in codes[0].kind.fields if keyword.iskeyword(n[:-1])]
        if clashes:
            raise Undecided(
                f"fieldnames: `{text(args[0])}` has the fields {', '.join(clashes)}, which are "
                "keywords of Python; rename them in the script"
            )
    if name not in KEEPING:
        codes = [real_numbers(c) if c.kind.is_array else c for c in codes]
    cells = [c for c in codes if c.kind.form == "cell"]
    if cells:
        if len(cells) == 2:
            raise Undecided("strcmp: want a text and a cell of texts, got two cells")
        other = next(c for c in codes if c is not cells[0])
        form = next((n for n, _ in cells[0].kind.fields if n in ("row", "column")), "vector")
        return Code(f"np.array({cells[0].text}, dtype=str) == {other.at(11)}", Kind(form, "b"), 10)
    if name == "strcmp" and all(re.fullmatch(r'"[^"\\]*"', c.text) for c in codes):
        return Code(str(codes[0].text == codes[1].text), kind("b"))
    _imports(body, template)
    numbers_ = numbers(c.kind for c in codes if c.kind.is_array)
    if name in CONJUGATED and numbers_ in "?z":
        template = CONJUGATED[name]
    filled = re.sub(r"\{(\d)(?::(\d+))?\}", lambda m: codes[int(m[1])].at(int(m[2] or 0)), template)
    filled = re.sub(r"\bint\((\d+)\)", r"\1", filled)
    if result.startswith("="):
        k = codes[int(result[1:] or 0)].kind
        length = k.length - (name == "diff") if k.is_vector and k.length > 0 else -1
        if name in KEEPING:
            return Code(filled, k.now(length=length, shared=True))
        return Code(filled, k.now(numbers=numbers_, length=length, shared=True))
    rank = 16 if " @ " in template else 10 if " == " in template else 20
    return Code(
        filled,
        kind(result)
        if result in "xbiXL"
        else kind(result).now(numbers="z" if numbers_ == "z" else "?" if name in OPEN else "f"),
        rank,
    )


def _imports(body: Body, template: str) -> None:
    for name in ("expm", "logm", "sqrtm"):
        if template.startswith(name):
            body.need(f"from scipy.linalg import {name}")
    if template.startswith("math."):
        body.need("import math")
