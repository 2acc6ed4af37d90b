"""Functions that join, decompose or compare arrays and text."""

from __future__ import annotations

from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import literal, string_value, value
from spatial_v2.migrate.functions import spread
from spatial_v2.migrate.joined_cells import of_cell
from spatial_v2.migrate.kinds import ROW_OF_CELLS, Code, Kind, Undecided, described, kind
from spatial_v2.migrate.literals import joined
from spatial_v2.migrate.names import NOTED
from spatial_v2.migrate.parse import Args, text

__all__ = ["COMBINING"]


def _codes(body: Body, args: Args) -> list[Code]:
    return [value(body, a) for a in args]


def _open(codes: list[Code]) -> bool:
    return any(c.kind.form == "nothing" for c in codes)


def _concatenated(down: bool) -> Callable[[Body, Args], Code]:
    def made(body: Body, args: Args) -> Code:
        if len(args) == 1 and (every := spread(body, args[0])):
            return of_cell(every, text(args[0]), down)
        codes = _codes(body, args)
        return joined([[c] for c in codes] if down else [codes], "horzcat or vertcat", body)

    return made


def _cat(body: Body, args: Args) -> Code:
    if not args or literal(args[0]) not in (1, 2):
        raise Undecided("cat: want the axis 1 or 2, as a literal")
    return _concatenated(literal(args[0]) == 1)(body, args[1:])


def _blkdiag(body: Body, args: Args) -> Code:
    codes = [real_numbers(c) for c in _codes(body, args)]
    if _open(codes):
        return Code("...", kind("n"))
    if any(c.kind.form not in ("scalar", "row", "column", "matrix") for c in codes):
        raise Undecided("blkdiag: want numbers, rows, columns or matrices, each of known shape")
    body.need("from scipy.linalg import block_diag")
    shown = [f"{c.at(19)}[:, None]" if c.kind.form == "column" else c.text for c in codes]
    found = "z" if any(c.kind.numbers == "z" for c in codes) else "f"
    return Code(f"block_diag({', '.join(shown)})", Kind("matrix", found))


def _circshift(body: Body, args: Args) -> Code:
    codes = _codes(body, args)
    if _open(codes):
        return Code("...", kind("n"))
    if len(codes) != 2 or not codes[0].kind.is_vector or codes[1].kind.form != "scalar":
        raise Undecided("circshift: want a vector and a single number")
    by = codes[1].text if codes[1].kind.numbers == "i" else f"int({codes[1].text})"
    return Code(f"np.roll({codes[0].text}, {by})", codes[0].kind.now(shared=False))


def _sets(call: str) -> Callable[[Body, Args], Code]:
    """Return the translator of a function of sets, which are sorted vectors; `call` is its name in
    Python.
    """

    def made(body: Body, args: Args) -> Code:
        codes = _codes(body, args)
        if _open(codes):
            return Code("...", kind("n"))
        codes = [real_numbers(c) for c in codes if c.kind.is_array]
        forms = {c.kind.form for c in codes}
        if len(forms) != 1 or len(codes) != len(args) or not forms <= {"row", "column"}:
            raise Undecided(
                f"{call[3:].removesuffix('1d')}: want vectors that are all rows or all columns"
            )
        if any(c.kind.numbers not in "if" for c in codes):
            raise Undecided(
                f"{call[3:].removesuffix('1d')}: want real numbers, got numbers that may be "
                "logical or complex"
            )
        found = Kind(codes[0].kind.form, codes[0].kind.numbers)
        return Code(f"{call}({', '.join(c.text for c in codes)})", found)

    return made


def _nnz(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if not code.kind.is_array:
        raise Undecided(f"nnz: want an array, got {code.kind.described}")
    return Code(f"int(np.count_nonzero({code.text}))", kind("i"))


def _is_direction(form: str) -> Callable[[Body, Args], Code]:
    """Return the translator of ``isrow`` (`form` "row") or ``iscolumn`` (`form` "column")."""

    def made(body: Body, args: Args) -> Code:
        code = value(body, args[0])
        found = code.kind.form
        if found == "nothing":
            return Code("...", kind("n"))
        if found in ("row", "column") and found != form and code.kind.length < 2:
            return Code(f"len({code.text}) == 1", kind("b"), 10)
        if found in ("row", "column", "scalar"):
            return Code(str(found in (form, "scalar")), kind("b"))
        raise Undecided(
            f"is{form}: want a number or a vector whose direction is known, got {described(found)}"
        )

    return made


def _logical(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "nothing" or code.kind.numbers == "b":
        return code
    if not code.kind.is_array or code.kind.numbers not in "if":
        raise Undecided(f"logical: want an array of real numbers, got {code.kind.described}")
    return Code(f"{code.at(11)} != 0", Kind(code.kind.form, "b", length=code.kind.length), 10)


def _eig(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "nothing":
        return code
    if code.kind.form != "matrix" or len(args) > 1:
        raise Undecided(f"eig: want one argument, a matrix, got {code.kind.described}")
    body.need("from spatial_v2.migrate.values import eig")
    return Code(f"eig({real_numbers(code).text})", Kind("column", "?"))


def _basis(name: str) -> Callable[[Body, Args], Code]:
    """Return the translator of ``null`` or ``orth``."""

    def made(body: Body, args: Args) -> Code:
        code = value(body, args[0])
        if code.kind.form == "nothing":
            return code
        if code.kind.form != "matrix" or len(args) > 1:
            raise Undecided(f"{name}: want one argument, a matrix, got {code.kind.described}")
        body.need(f"from spatial_v2.migrate.values import {name}")
        body.notes.append(f"{name}: {NOTED[name]}")
        found = "z" if code.kind.numbers in "?z" else "f"
        return Code(f"{name}({real_numbers(code).text})", Kind("matrix", found))

    return made


def _texts(body: Body, args: Args, name: str, count: int = 0) -> list[Code]:
    codes = _codes(body, args)
    fine = codes and all(c.kind.form in ("text", "nothing") for c in codes)
    if not fine or (count and len(codes) != count):
        raise Undecided(f"{name}: want arguments that are all text, and no options")
    return codes


def _strcat(body: Body, args: Args) -> Code:
    codes = _texts(body, args, "strcat")
    parts = [f"{c.at(19)}.rstrip()" if c.text[0] not in "\"'" else c.text for c in codes]
    if any(c.text[0] in "\"'" and c.text[-2:-1].isspace() for c in codes):
        raise Undecided("strcat: MATLAB removes blanks at the ends of the texts; write [a b]")
    return Code(" + ".join(parts), kind("x"), 15)


def _strsplit(body: Body, args: Args) -> Code:
    a, b = _texts(body, args, "strsplit", 2)
    body.need("from spatial_v2.migrate.text import strsplit")
    cell = Kind("cell", item=kind("x"), fields=ROW_OF_CELLS)
    return Code(f"strsplit({a.text}, {b.text})", cell)


def _strrep(body: Body, args: Args) -> Code:
    a, old, new = _texts(body, args, "strrep", 3)
    sought = string_value(args[1]) if args[1].type == "string" else ""
    if sought and not any(sought.endswith(sought[:k]) for k in range(1, len(sought))):
        return Code(f"{a.at(19)}.replace({old.text}, {new.text})", kind("x"))
    body.need("from spatial_v2.migrate.text import strrep")
    return Code(f"strrep({a.text}, {old.text}, {new.text})", kind("x"))


def _strjoin(body: Body, args: Args) -> Code:
    codes = _codes(body, args)
    if _open(codes):
        return Code("...", kind("n"))
    fine = len(codes) == 2 and codes[0].kind.form == "cell" and codes[1].kind.form == "text"
    if not fine or codes[0].kind.item is None or codes[0].kind.item.form != "text":
        raise Undecided("strjoin: want a cell of texts, and the text between them")
    return Code(f"{codes[1].at(19)}.join({codes[0].text})", kind("x"))


def _strcmpi(body: Body, args: Args) -> Code:
    a, b = _texts(body, args, "strcmpi", 2)
    return Code(f"{a.at(19)}.lower() == {b.at(19)}.lower()", kind("b"), 10)


COMBINING: dict[str, Callable[[Body, Args], Code]] = {
    "horzcat": _concatenated(False),
    "vertcat": _concatenated(True),
    "cat": _cat,
    "blkdiag": _blkdiag,
    "circshift": _circshift,
    "unique": _sets("np.unique"),
    "union": _sets("np.union1d"),
    "intersect": _sets("np.intersect1d"),
    "setdiff": _sets("np.setdiff1d"),
    "nnz": _nnz,
    "isrow": _is_direction("row"),
    "iscolumn": _is_direction("column"),
    "logical": _logical,
    "eig": _eig,
    "null": _basis("null"),
    "orth": _basis("orth"),
    "strcat": _strcat,
    "strsplit": _strsplit,
    "strrep": _strrep,
    "strjoin": _strjoin,
    "strcmpi": _strcmpi,
}
