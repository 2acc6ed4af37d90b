"""Regular expressions of MATLAB by those of Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import (
    Cell,
    Struct,
    Text,
    objects,
    string,
    value,
)

__all__: list[str] = []


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
