"""Values that keep two axes: columns that may be matrices, and rows that may be columns."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import by_columns
from spatial_v2.migrate.expressions import literal
from spatial_v2.migrate.filling import beyond
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import GROWS, Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Node, text

__all__ = ["End", "keep_two_axes", "with_columns", "with_entries"]

End = tuple[int, dict[str, Kind]]
"""Number of lines at the end of a block, and the kinds of variables there."""


def keep_two_axes(body: Body, ends: list[End]) -> None:
    """Give two axes to variables that are a row after one of several blocks, and a number or a
    column after another, by lines at the ends of the blocks.
    """
    if not body.program.two_axes or len(ends) < 2:
        return
    changed = dict[str, list[Code]]()
    for name in set.intersection(*(set(env) for _, env in ends)) - body.held - body.globals:
        kinds = [env[name] for _, env in ends]
        if {"row", "column"} <= {k.form for k in kinds} and any(k.form == "nothing" for k in kinds):
            body.env[name] = kind("n")
        joined = body.env[name]
        several = joined.form == "array" and joined.vector == "both" and joined.numbers in "if"
        if several and not joined.kept and not any(k.shift or k.unsure for k in kinds):
            found = [_with_two_axes(body, Code(body.spelled(name), k)) for k in kinds]
            if all(c.text for c in found):
                changed[name] = found
                held = Kind("array", joined.numbers, along="none", plane=True, wide=joined.wide)
                body.env[name] = held
    for n, (at, _) in reversed([*enumerate(ends)]):
        lines = [f"{body.spelled(x)} = {found[n].text}" for x, found in sorted(changed.items())]
        body.out[at:at] = ["    " * (body.depth + 1) + line for line in lines]


def _with_two_axes(body: Body, code: Code) -> Code:
    """Return a number, a row or a column with two axes; without text for other values."""
    k = code.kind
    shown = {
        "scalar": f"np.array([[{code.text}]])",
        "row": f"{code.at(19)}[None, :]",
        "column": f"{code.at(19)}[:, None]",
    }.get(k.form, "")
    thin = k.form == "array" and k.thin and k.along == "column"
    return by_columns(body, code) if thin else Code(shown, k)


def with_columns(body: Body, here: Code, args: tuple[Node, ...]) -> Code:
    """Make a matrix of an array that is a column or a matrix, or of a column whose second subscript
    may be more than 1.
    """
    k = here.kind
    if len(args) != 2 or k.numbers not in "if" or k.length == GROWS or k.unsure:
        return here
    one = literal(args[1]) == 1 or args[1].type in ("spread_operator", "end_keyword")
    if k.form == "column" and not one and k.length != 0 and not beyond(args[1]):
        k = k.now(form="array", along="column")
    whole = by_columns(body, Code(f"np.array({here.text}, float)", k.now(numbers="f", length=-1)))
    if whole.kind.form == k.form:
        return here
    body.write(f"{here.text} = {whole.text}")
    return Code(here.text, whole.kind.now(shared=False))


def with_entries(body: Body, here: Code, arg: Node, code: Code, left: Node) -> Kind:
    """Assign to entries of an array, in MATLAB's order, that has one axis or two."""
    at = index(body, arg, Code(here.text, Kind("matrix")), -1)
    if code.kind.numbers not in "if" or at.form not in ("one", "slice") or at.text.count(":") > 1:
        raise Undecided(f"`{text(left)}`: want real numbers, and a single subscript or a range")
    body.need("from spatial_v2.migrate.values import with_entries")
    places = at.text if at.form == "one" else f"slice({', '.join(_parts(at.text))})"
    body.write(f"{here.text} = with_entries({here.text}, {places}, {code.text})")
    return here.kind.now(numbers="f", length=-1, shared=False, thin=False)


def _parts(shown: str) -> list[str]:
    """Return the parts of a slice."""
    return [part or "None" for part in shown.split(":")]
