"""Translation of brackets around the entries of a cell, cells, and texts."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.kinds import NUMBERS, Code, Kind, Undecided, join, kind, numbers

__all__ = ["cells", "of_cell", "texts"]


def of_cell(code: Code, shown: str, down: bool = False) -> Code:
    """Join all entries of a cell, side by side or one below the other."""
    item = code.kind.item or kind("n")
    cell, form = code.text.removeprefix("*"), item.form
    if form == "nothing":
        return Code("...", kind("n"))
    if form == "text" and not down:
        return Code(f'"".join({cell})', kind("x"))
    across, along = ("column", "row") if not down else ("row", "column")
    how = {
        "scalar": ("hstack", along),
        along: ("hstack", along),
        across: ("vstack" if down else "column_stack", "matrix"),
        "matrix": ("vstack" if down else "hstack", "matrix"),
    }.get(form)
    if how is None or item.shift:
        raise Undecided(
            f"`{shown}`: want entries that are numbers, vectors or matrices, got {item.described}"
        )
    found = max(numbers([item]), "f", key=NUMBERS.index)
    return Code(f"np.{how[0]}({cell})", Kind(how[1], found))


def texts(rows: list[list[Code]], every: list[Code], shown: str) -> Code:
    if len(rows) > 1 or any(c.kind.form != "text" for c in every):
        raise Undecided(
            f"`{shown}`: want text only, and a single row of it; convert numbers by num2str"
        )
    return Code(" + ".join(c.at(15) for c in every), kind("x"), 15 if len(every) > 1 else 20)


def cells(every: list[Code], body: Body) -> Code:
    """Join cells; the entries of one that occurs again are copied, so that each can be edited."""
    item: Kind | None = None
    parts = list[str]()
    for c in every:
        if c.kind.form == "cell":
            again = f"*{c.at(14)}" in parts
            if again:
                body.need("import copy")
            parts.append(f"*copy.deepcopy({c.text})" if again else f"*{c.at(14)}")
            item = join(item, c.kind.item)
        else:
            raise Undecided(
                f"joined with a cell: want cells only, got {c.kind.described}; write it between "
                "braces"
            )
    return Code(f"[{', '.join(parts)}]", Kind("cell", item=item, shared=True))
