"""Kinds of the results of the library's functions."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import cache

import spatial_v2.matlab
from spatial_v2.matlab.results import BY_SHAPE
from spatial_v2.migrate.kinds import Code, Kind, Undecided, described, kind
from spatial_v2.migrate.names import FIELDS, LIBRARY

__all__ = ["counts_results", "kind_of", "results"]


def kind_of(name: str, letter: str, z: bool) -> Kind:
    k = kind(letter)
    if letter == "S" and name in FIELDS:
        pairs = (f.split(":") for f in FIELDS[name].split())
        return replace(k, fields=tuple(sorted((n, kind(x)) for n, x in pairs)))
    return k.now(numbers="z") if z and k.is_array else k


@cache
def counts_results(name: str) -> bool:
    """Test if a function of `spatial_v2.matlab` has an argument for the number of results."""
    function = getattr(spatial_v2.matlab, name)
    kinds = inspect.signature(function, follow_wrapped=False).parameters.values()
    return any(p.name == "nargout" or p.kind is p.VAR_KEYWORD for p in kinds)


def _no_letters(name: str, form: str) -> tuple[str, ...]:
    raise Undecided(f"`{name}`: want a column, or a matrix of columns, got {described(form)}")


def results(name: str, given: list[Code]) -> tuple[str, ...]:
    """Return the letters (see `kinds.kind`) for the kinds of the results of a library function;
    some depend on the kinds of the arguments.
    """
    first = given[0].kind.form if given else "nothing"
    if name in BY_SHAPE:
        k = given[0].kind if given else kind("n")
        if k.plane or (first == "matrix" and k.wide):
            return ("a",)
        if first == "matrix":
            return ("c",)
        if k.is_vector or k.thin:
            return ("m",)
        if first == "nothing":
            return ("n",)
        raise Undecided(f"`{name}`: want a vector or a matrix, got {described(first)}")
    if name in ("plux", "plnr"):
        return ("m",) if len(given) == 2 else ("m", "c") if name == "plux" else ("s", "c")
    if name in ("crmM", "cmfM", "cmf_barM", "Bten") and given:
        pages = given[-1].kind.form
        if pages == "matrix" or pages == "column":
            return ("t" if pages == "matrix" else "m",)
        return ("n",) if pages == "nothing" else _no_letters(name, pages)
    if name in ("Tm", "mT", "rotT") and given:
        form = given[-1 if name == "mT" else 0].kind.form  # a single page is a matrix
        letter = {"tensor": "t", "matrix": "m", "nothing": "n"}.get(form)
        return (letter,) if letter else _no_letters(name, form)
    if name in ("inertiaVecToPinertia", "inertiaVecToMat", "getInertia") and first == "matrix":
        _no_letters(name, first)
    if name == "mcI":
        return ("m",) if len(given) == 3 else ("s", "c", "m")
    if name in ("mpyH", "mpyL", "mpyLt", "mpyLi", "mpyLit") and given[2].kind.form == "matrix":
        return ("m",)
    if name in ("Xpt", "Vpt", "Fpt") and len(given) == 2:
        found = given[1].kind
        if found.is_vector or found.form in ("matrix", "nothing"):
            return ("c" if found.is_vector else "n" if found.form == "nothing" else "m",)
        raise Undecided(
            f"`{name}`: want points as a vector or as columns of a matrix, got {found.described}"
        )
    if name == "fbkin" and all(g.kind.is_vector for g in given):
        return ("c", "c", "c")
    if name == "outputSelect":
        return ("u",)
    if name == "confVecToCell":
        return ("C",) * max(1, len(given) - 1)
    if name in LIBRARY:
        return LIBRARY[name]
    raise Undecided(f"`{name}`: the shapes of its results are not known here; call it in Python")
