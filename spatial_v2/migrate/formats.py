"""Translation of formatted text, and of ``cellfun`` and ``arrayfun``."""

from __future__ import annotations

import re
from typing import NamedTuple

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import expression, literal, quoted, unescaped, value
from spatial_v2.migrate.functions import called
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Args, text
from spatial_v2.migrate.text import MARK

__all__ = ["formatted", "mapped", "num2str", "printed"]


def _over(body: Body, args: Args) -> tuple[Code, Kind, str, bool]:
    f, over = expression(body, args[0]), value(body, args[1])
    listed = len(args) == 4 and text(args[3]) in ("false", "0")
    if len(args) != 2 and not listed:
        raise Undecided(
            "cellfun and arrayfun: want one cell or vector, and no option but 'UniformOutput'"
        )
    item = (
        over.kind.item or kind("u")
        if over.kind.form == "cell"
        else Kind("scalar", over.kind.numbers)
    )
    if not (over.kind.form == "cell" or over.kind.is_vector):
        raise Undecided(
            f"cellfun and arrayfun: want a cell or a vector as second argument, got a "
            f"{over.kind.form}, `{text(args[1])}`; write a loop over its entries"
        )
    result = called(body, f, [item])
    inner = re.fullmatch(r"lambda (\w+): (.*)", f.text)
    word, each = (inner[1], inner[2]) if inner else ("x", f"{f.at(19)}(x)")
    return over, result, f"[{each} for {word} in {over.text}]", listed


def mapped(body: Body, args: Args) -> Code:
    over, result, made, listed = _over(body, args)
    if listed:
        return Code(made, Kind("cell", item=result))
    if result.form not in ("scalar", "nothing"):
        raise Undecided(
            f"each result is a {result.form}: add the option 'UniformOutput', false for a cell"
        )
    form = over.kind.form if over.kind.is_vector else "row"
    typed = "" if result.numbers in "bz" else ", dtype=float"
    return Code(f"np.array({made}{typed})", Kind(form, result.numbers if typed == "" else "f"))


def num2str(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    k = code.kind
    if k.form == "nothing":
        return Code("...", kind("n"))
    if k.form == "text" and len(args) == 1:
        return code
    if not k.is_array or k.form in ("array", "vector", "tensor") or k.numbers == "z":
        raise Undecided(f"num2str: want text, or real numbers of known shape, got {k.described}")
    if len(args) == 2 and args[1].type == "string" and k.form in ("scalar", "row"):
        return printed(body, (args[1], args[0]))
    one = k.form == "scalar"
    if len(args) > 1 and (literal(args[1]) is None or not one):
        raise Undecided(
            "num2str: want a number of digits that is a literal, for a single number only"
        )
    code = real_numbers(code)
    if len(args) == 1 and one and code.kind.numbers == "i":
        return Code(f"str({code.text})", kind("x"))
    body.need("from spatial_v2.migrate.text import num2str")
    shown = f"{code.at(19)}[:, None]" if k.form == "column" else code.text
    digits = f", {literal(args[1])}" if len(args) > 1 else ""
    lines = k.form in ("column", "matrix")
    return Code(f"num2str({shown}{digits})", Kind("lines") if lines else kind("x"))


class Formatted(NamedTuple):
    """A format and the values for its conversions."""

    form: str
    texts: list[str]
    once: bool
    """True if each conversion has one value."""
    plain: bool
    """True if Python's operator % gives the same text."""

    def code(self, body: Body) -> Code:
        """Write an expression for the text."""
        if not self.texts:
            return Code(quoted(self.form.replace("%%", "%")), kind("x"))
        if self.plain:
            inner = ", ".join(self.texts) + ("," if len(self.texts) == 1 else "")
            return Code(f"{quoted(self.form)} % ({inner})", kind("x"), 16)
        body.need("from spatial_v2.migrate.text import sprintf")
        return Code(f"sprintf({', '.join([quoted(self.form), *self.texts])})", kind("x"))


def printed(body: Body, args: Args) -> Code:
    """Translate ``sprintf``."""
    found = formatted(body, args)
    return Code("...", kind("n")) if found is None else found.code(body)


def formatted(body: Body, args: Args) -> Formatted | None:
    """Translate a format and its values; None while the kind of a value is not known yet."""
    if not args or args[0].type != "string":
        raise Undecided("the format of a text: want a literal; computed ones are not translated")
    form = unescaped(args[0])
    codes = [value(body, a) for a in args[1:]]
    marks = re.findall(MARK, form.replace("%%", ""))
    if re.search(r"%(?!%|" + MARK[1:] + ")", form.replace("%%", "")):
        raise Undecided(
            f"`{text(args[0])}`: want conversions of the types d i u o x X f e E g G s c only"
        )
    if not marks:
        return Formatted(form, [], True, True)
    if not codes:
        raise Undecided(f"`{text(args[0])}`: want a value for each conversion, got none")
    if any(c.kind.form == "nothing" for c in codes):
        return None
    for c in codes:
        if c.kind.form != "text" and (not c.kind.is_array or c.kind.numbers == "z"):
            raise Undecided(
                f"`{text(args[0])}`: want text or real numbers as values, got {c.kind.described}"
            )
    single = all(c.kind.form in ("scalar", "text") for c in codes)
    turns = [marks[n % len(marks)] for n in range(len(codes))]
    if single:
        for mark, c in zip(turns, codes, strict=True):
            if (mark[-1] in "sc") != (c.kind.form == "text"):
                raise Undecided(
                    f"`{text(args[0])}`: want {'text' if mark[-1] in 'sc' else 'a number'} for "
                    f"{mark}, got {c.kind.described}"
                )
    once = single and len(marks) == len(codes)
    numbers_ = [real_numbers(c) for c in codes]
    plain = once and all(
        c.kind.numbers == "i" if m[-1] in "diu" else m[-1] == "s"
        for m, c in zip(turns, numbers_, strict=True)
    )
    return Formatted(form, [c.text for c in numbers_], once, plain)
