"""Translation of values between brackets: numbers, joined rows, columns, blocks and texts."""

from __future__ import annotations

import re
from typing import Any

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import by_columns, own_vector, real_numbers
from spatial_v2.migrate.expressions import expression, listed, unshifted
from spatial_v2.migrate.functions import spread
from spatial_v2.migrate.joined_cells import cells, of_cell, texts
from spatial_v2.migrate.kinds import (
    COLUMN_OF_CELLS,
    NUMBERS,
    ROW_OF_CELLS,
    Code,
    Kind,
    Undecided,
    kind,
    numbers,
)
from spatial_v2.migrate.parse import named, text
from spatial_v2.migrate.symbolic import entries

__all__ = ["joined", "matrix", "of_cell"]


def matrix(body: Body, node: Any) -> Code:
    """Translate values between brackets, such as ``[1 2; 3 4]`` or ``[A b]``."""
    inner = [n for r in named(node) if r.type == "row" for n in named(r)]
    if len(inner) == 1 and (every := spread(body, inner[0])):
        return of_cell(every, text(node))
    rows = [
        [unshifted(listed(expression(body, n))) for n in named(r)]
        for r in named(node)
        if r.type == "row"
    ]
    return joined(rows, text(node), body)


def joined(rows: list[list[Code]], shown: str, body: Body) -> Code:
    """Return the code that joins values, given by rows; `shown` is their text in MATLAB."""
    rows = [[c for c in r if c.text != "np.zeros(0)"] for r in rows]
    rows = [r for r in rows if r]
    if not rows:
        return Code("np.zeros(0)", kind("e"))
    every = [c for r in rows for c in r]
    forms = {c.kind.form for c in every}
    if "nothing" in forms:
        return Code("...", kind("n"))
    if forms & {"symbol", "symbols"}:
        return every[0] if len(every) == 1 else entries(body, rows, shown)
    if "text" in forms:
        return texts(rows, every, shown)
    if ("cell" in forms and len(rows) == 1) or forms == {"cell"}:
        if len(rows) > 1 and any(
            c.kind.fields == ROW_OF_CELLS and c.kind.length > 1 for c in every
        ):
            raise Undecided(f"`{shown}`: rows of cells below one another are not translated")
        if (
            len(every) > 1
            and len(rows) == 1
            and any(c.kind.fields == COLUMN_OF_CELLS for c in every)
        ):
            raise Undecided(f"`{shown}`: columns of cells side by side are not translated")
        return cells(every, body)
    for c in every:
        if not c.kind.is_array:
            raise Undecided(
                f"`{shown}`: want numbers, text or cells between brackets, got {c.kind.described}"
            )
    if len(every) == 1:
        return every[0]
    if any(c.kind.numbers != "b" for c in every):
        rows = [[real_numbers(c) for c in r] for r in rows]
        every = [c for r in rows for c in r]
        found = max(numbers(c.kind for c in every), "f", key=NUMBERS.index)
    else:
        found = "b"
    if (row := _row_of_numbers(body, rows, found)) is not None:
        return row
    if len(forms) > 1 and "array" in forms and not _must_be_numbers(rows):
        rows = [[own_vector(c) for c in r] for r in rows]
        every = [c for r in rows for c in r]
        forms = {c.kind.form for c in every}
    if len(forms) > 1 and "array" in forms and _must_be_numbers(rows):
        forms = {"scalar"}
    elif len(every) > 1 and "array" in forms:
        rows = [[by_columns(body, c) for c in r] for r in rows]
        every = [c for r in rows for c in r]
        forms = {c.kind.form for c in every}
    if forms == {"scalar"}:
        return _numbers(rows, found, shown)
    return _joined(body, rows, every, forms, found, shown)


def _must_be_numbers(rows: list[list[Code]]) -> bool:
    """Test if all entries must be numbers: at least one row is known to have numbers only, and
    every row has at least one.
    """
    widths = {len(r) for r in rows}
    scalar = [[c.kind.form == "scalar" for c in r] for r in rows]
    known = {c.kind.form for r in rows for c in r} <= {"scalar", "array"}
    return known and len(widths) == 1 and any(map(all, scalar)) and all(map(any, scalar))


def _row_of_numbers(body: Body, rows: list[list[Code]], found: str) -> Code | None:
    """Join numbers, at least one of which is known to be one, and numbers or columns side by side:
    the result is a row. Return None for other values.
    """
    known = [c.kind.form == "scalar" or c.kind.along in ("column", "none") for c in rows[0]]
    if len(rows) > 1 or not all(known) or {c.kind.form for c in rows[0]} != {"scalar", "array"}:
        return None
    if all(c.kind.form == "scalar" or c.kind.thin for c in rows[0]):
        return Code(f"np.hstack([{', '.join(_float(rows[0], found))}])", Kind("row", found))
    shown = [by_columns(body, c).text for c in rows[0]]
    return Code(f"np.block([[{', '.join(shown)}]])[0]", Kind("row", found))


def _float(codes: list[Code], found: str) -> list[str]:
    """Return the texts of the entries of a matrix of numbers, at least one of them a float, so that
    the array has floats.
    """
    texts = [c.text for c in codes]
    if found == "b" or any(c.kind.numbers in "fz" for c in codes):
        return texts
    for k, t in enumerate(texts):
        if re.fullmatch(r"-?\d+", t):
            return [*texts[:k], f"{t}.0", *texts[k + 1 :]]
    return [f"1.0 * {codes[0].at(17)}", *texts[1:]]


def _numbers(rows: list[list[Code]], found: str, shown: str) -> Code:
    if len({len(r) for r in rows}) > 1:
        raise Undecided(f"`{shown}`: want rows of the same length")
    flat = _float([c for r in rows for c in r], found)
    width = len(rows[0])
    if len(rows) == 1 or width == 1:
        form = "row" if len(rows) == 1 else "column"
        return Code(f"np.array([{', '.join(flat)}])", Kind(form, found, length=len(flat)))
    lines = [f"[{', '.join(flat[k : k + width])}]" for k in range(0, len(flat), width)]
    return Code(f"np.array([{', '.join(lines)}])", Kind("matrix", found))


def _joined(
    body: Body, rows: list[list[Code]], every: list[Code], forms: set[str], found: str, shown: str
) -> Code:
    if len(rows) == 2 and len(rows[0]) == 1 < len(rows[1]) and _may_be_empty(rows[0][0]):
        below = {c.kind.form for c in rows[1]}
        last = (
            _numbers([rows[1]], found, shown)
            if below == {"scalar"}
            else _joined(body, [rows[1]], rows[1], below, found, shown)
        )
        rows, every = [rows[0], [last]], [rows[0][0], last]
        forms = {c.kind.form for c in every}
    single = len(rows) == 1
    stacked = all(len(r) == 1 for r in rows)
    along = {"row"} if single else {"column"}
    if (single or stacked) and forms <= {"scalar", "empty"} | along:
        parts = _float(every, found) if forms == {"scalar"} else [c.text for c in every]
        lengths = [1 if c.kind.form == "scalar" else c.kind.length for c in every]
        return Code(
            f"np.hstack([{', '.join(parts)}])",
            Kind(
                "row" if single else "column", found, length=-1 if -1 in lengths else sum(lengths)
            ),
        )
    grows = (single or stacked) and len(every) == 2 and _may_be_empty(every[0])
    if grows and every[1].kind.form in ("row", "column", "matrix"):
        return _grown(body, every[0], every[1], "columns" if single else "rows", found)
    if single and forms <= {"column", "matrix"}:
        return Code(f"np.column_stack([{', '.join(c.text for c in every)}])", Kind("matrix", found))
    if stacked and forms <= {"row", "matrix"}:
        return Code(f"np.vstack([{', '.join(c.text for c in every)}])", Kind("matrix", found))
    if not forms <= {"scalar", "row", "column", "matrix"}:
        raise Undecided(
            f"`{shown}`: want entries that are known to be numbers, rows, columns or matrices"
        )
    if _ragged(rows):
        lines = [
            _joined(body, [r], r, {c.kind.form for c in r}, found, shown) if len(r) > 1 else r[0]
            for r in rows
        ]
        return _joined(
            body, [[c] for c in lines], lines, {c.kind.form for c in lines}, found, shown
        )
    blocks = []
    for r in rows:
        line = [f"{c.at(19)}[:, None]" if c.kind.form == "column" else c.text for c in r]
        blocks.append(f"[{', '.join(line)}]")
    often = bool(body.loops or body.name)
    if often:
        body.need("from spatial_v2.migrate.blocks import block")
    return Code(f"{'' if often else 'np.'}block([{', '.join(blocks)}])", Kind("matrix", found))


def _grown(body: Body, old: Code, more: Code, what: str, found: str) -> Code:
    """Join a matrix that may be empty with more rows or columns, as `what` says."""
    if old.text.isidentifier() and old.text not in body.mutated:
        body.need(f"from spatial_v2.migrate.blocks import with_{what}")
        return Code(f"with_{what}({old.text}, {more.text})", Kind("matrix", found))
    stack = "column_stack" if what == "columns" else "vstack"
    axes = {"matrix": "", "column": "[:, None]", "row": "[None, :]"}[more.kind.form]
    first = f"{more.at(19)}{axes}" if axes else more.text
    joined = f"np.{stack}([{old.text}, {more.text}]) if {old.text}.size else {first}"
    return Code(joined, Kind("matrix", found, shared=True), 1)


def _may_be_empty(code: Code) -> bool:
    return code.kind.form == "empty" or (code.kind.form == "matrix" and code.kind.length == 0)


def _ragged(rows: list[list[Code]]) -> bool:
    """Test if a matrix has several rows of different forms: each is a single block, or numbers and
    row vectors side by side.
    """
    return (
        all(len(r) == 1 or {c.kind.form for c in r} <= {"scalar", "row"} for r in rows)
        and len(rows) > 1
        and any(len(r) > 1 for r in rows)
    )
