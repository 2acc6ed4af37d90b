"""Formatted text, and functions applied to each entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import expression, quoted, string_value, value
from spatial_v2.migrate.functions import called
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import text

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["mapped", "num2str", "printed"]

Node = Any
Args = tuple[Node, ...]
MARK = r"%[-+ 0#]*\d*(?:\.\d+)?[diufgeEGsxc]"
"""Regular expression for one conversion in a format, such as ``%5.2f``."""


def _over(body: Body, args: Args) -> tuple[Code, Kind, str, bool]:
    f, over = expression(body, args[0]), value(body, args[1])
    listed = len(args) == 4 and text(args[3]) in ("false", "0")
    if len(args) != 2 and not listed:
        raise Undecided("several arrays at once")
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
    if len(args) == 2 and args[1].type == "string" and k.form == "scalar":
        return Code(f"{quoted(string_value(args[1]))} % {code.at(17)}", kind("x"), 16)
    if k.form == "text":
        return code
    if len(args) != 1 or k.form != "scalar" or k.numbers in "bz":
        raise Undecided(f"num2str of a {k.form}")
    if k.numbers == "i":
        return Code(f"str({code.text})", kind("x"))
    body.need("from spatial_v2.migrate.values import as_text")
    return Code(f"as_text({code.text})", kind("x"))


def printed(body: Body, args: Args) -> Code:
    """Translate ``sprintf``."""
    if not args or args[0].type != "string":
        raise Undecided("a format that is not a literal")
    form = string_value(args[0]).replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
    codes = [value(body, a) for a in args[1:]]
    marks = re.findall(MARK, form.replace("%%", ""))
    if not codes and not marks:
        return Code(quoted(form.replace("%%", "%")), kind("x"))
    if len(marks) != len(codes) or any(c.kind.form not in ("scalar", "text") for c in codes):
        raise Undecided("a format that is used again for more values")
    fitted = [_fitted(body, m, c) for m, c in zip(marks, codes, strict=True)]
    turn = iter(fitted)
    form = re.sub(f"%%|{MARK}", lambda m: m[0] if m[0] == "%%" else next(turn)[0], form)
    texts = [t for _, t in fitted]
    inner = texts[0] if len(texts) == 1 else ", ".join(texts)
    return Code(f"{quoted(form)} % ({inner}{',' if len(texts) == 1 else ''})", kind("x"), 16)


def _fitted(body: Body, mark: str, code: Code) -> tuple[str, str]:
    """Return a conversion such as ``%d`` and the value to print, adapted so that Python prints as
    MATLAB does.
    """
    if (mark[-1] == "s") != (code.kind.form == "text"):
        raise Undecided(f"{mark} of a {code.kind.form}")
    if mark[-1] in "diu" and code.kind.numbers not in "ib":
        if not re.fullmatch(r"%-?\d*[diu]", mark) or mark[1:2] == "0":
            raise Undecided(f"{mark} of a number that may not be an integer")
        body.need("from spatial_v2.migrate.values import as_integer")
        return f"{mark[:-1]}s", f"as_integer({code.text})"
    return mark, real_numbers(code).text
