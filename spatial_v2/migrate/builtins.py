"""Translation of MATLAB's built-in functions to NumPy."""

from __future__ import annotations

import re
from collections.abc import Callable

from spatial_v2.migrate.asking import ASKING, FORMS, SEVERAL, is_form
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.combining import COMBINING
from spatial_v2.migrate.converting import CONVERTING
from spatial_v2.migrate.counts import check_count
from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.factors import SEVERAL_OF
from spatial_v2.migrate.kinds import Code, Kind, Undecided, entrywise, kind
from spatial_v2.migrate.loading import loaded
from spatial_v2.migrate.logic import condition
from spatial_v2.migrate.making import MAKING
from spatial_v2.migrate.names import ELEMENTWISE, PLAIN, PLOTS, REDUCTIONS
from spatial_v2.migrate.parse import Args, Node, named, text
from spatial_v2.migrate.plain import plain
from spatial_v2.migrate.plots import drawn
from spatial_v2.migrate.rearranging import REARRANGING
from spatial_v2.migrate.reductions import reduced
from spatial_v2.migrate.rounding import mod, norm, numbers_only, rem, rounded, vecnorm
from spatial_v2.migrate.solvers import RESULTS
from spatial_v2.migrate.solving import OPTIONS, options, solved
from spatial_v2.migrate.symbolic import SYMBOLIC, function, is_symbolic, made

__all__ = ["CONSTANTS", "SPECIAL", "builtin"]

CONSTANTS = {
    "pi": ("np.pi", "s"),
    "eps": ("np.finfo(float).eps", "s"),
    "inf": ("np.inf", "s"),
    "Inf": ("np.inf", "s"),
    "nan": ("np.nan", "s"),
    "NaN": ("np.nan", "s"),
    "true": ("True", "b"),
    "false": ("False", "b"),
    "realmax": ("np.finfo(float).max", "s"),
    "realmin": ("np.finfo(float).tiny", "s"),
}


def builtin(body: Body, name: str, args: Args, node: Node, nargout: int) -> Code | None:
    """Translate a built-in function or constant; None if it is not known."""
    check_count(name, len(args))
    if name in PLOTS and nargout == 1:
        return drawn(body, name, args) or Code("...", kind("n"))
    if name in RESULTS:
        return solved(body, name, args, nargout)
    if name in OPTIONS and nargout == 1:
        return options(body, name, args)
    if nargout > 1:
        found = SEVERAL.get(name) or SEVERAL_OF.get(name)
        return found(body, args, nargout) if found else None
    if name in CONSTANTS and not args:
        return Code(CONSTANTS[name][0], kind(CONSTANTS[name][1]))
    if name in ("i", "j", "1i", "1j") and not args:
        return Code("1j", Kind("scalar", "z"))
    if name == "sym":
        return made(body, args)
    if args and (name in SYMBOLIC or ELEMENTWISE.get(name)):
        codes = _symbolic(body, name, args)
        if codes:
            return codes
    if name in SPECIAL:
        return SPECIAL[name](body, args)
    if ELEMENTWISE.get(name) and len(args) == 1:
        return _each(body, name, args[0])
    if name in REDUCTIONS:
        return reduced(body, name, args)
    if name in PLAIN and PLAIN[name][1]:
        return plain(body, name, args)
    making = (
        MAKING.get(name) or REARRANGING.get(name) or COMBINING.get(name) or CONVERTING.get(name)
    )
    return making(body, args) if making else None


def _symbolic(body: Body, name: str, args: Args) -> Code | None:
    """Translate a function of expressions of symbols; None for other arguments."""
    try:
        first = value(body, args[0])
    except Undecided:
        return None
    if not is_symbolic(first):
        return None
    if name not in SYMBOLIC:
        return function(body, name, first)
    some = [value(body, a) for a in args] if name not in ("subs",) else [first]
    return SYMBOLIC[name](body, some, args)


def _not_negative(body: Body, node: Node) -> bool:
    """Test if a number is known not to be negative."""
    while node.type == "parenthesis":
        node = named(node)[0]
    shown = text(node)
    if re.fullmatch(r"[\d.]+(e[-+]?\d+)?|eps|pi", shown):
        return True
    if node.type == "function_call":
        name = text(node.child_by_field_name("name"))
        return (
            name in ("abs", "norm", "sum", "numel", "length")
            and name not in body.env
            and (name != "sum" or ".^2" in shown.replace(" ", ""))
        )
    if node.type == "binary_operator":
        a, b = named(node)
        op = next(text(c) for c in node.children if not c.is_named)
        if op in ("^", ".^"):
            return literal(b) is not None and (literal(b) or 1) % 2 == 0
        if op == "*" and text(a) in (f"{text(b)}'", f"{text(b)}.'"):
            return True
        return op in ("+", "*", "/", ".*", "./") and all(_not_negative(body, x) for x in (a, b))
    return False


def _each(body: Body, name: str, node: Node) -> Code:
    code = numbers_only(value(body, node), name)
    call, k = ELEMENTWISE[name], code.kind
    found = {"abs": "f", "real": "f", "imag": "f", "angle": "f"}.get(
        name, "z" if k.numbers == "z" else "f"
    )
    if name in ("real", "conj") and k.numbers in "bif":
        return code
    if name in ("floor", "ceil", "fix") and k.numbers == "i":
        return code
    if name in ("sign", "abs") and k.numbers == "i" and k.form != "scalar":
        return Code(f"{call}({code.text})", k.now(shared=False))
    if call.startswith("np.emath."):
        safe = name == "sqrt" or name.startswith("log")
        call = call.replace("emath.", "") if safe and _not_negative(body, node) else call
        found = "z" if k.numbers == "z" else "?" if "emath" in call else "f"
    if call in ("acos", "asin"):
        body.need(f"from spatial_v2.migrate.values import {call}")
        found = "z" if k.numbers == "z" else "?"
    if name.startswith("is"):
        found = "b"
    if name in ("abs", "sign") and k.form == "scalar":
        call = "abs" if name == "abs" and k.numbers == "i" else call
        found = "i" if k.numbers == "i" else "f" if name == "abs" else found
    whole = entrywise(k.form, found, k)
    return Code(f"{call}({code.text})", whole.now(shared=name in ("real", "imag")))


def _double(body: Body, args: Args) -> Code:
    code = value(body, args[0])
    if code.kind.form == "text":
        raise Undecided("double: want numbers, got text; codes of characters are not translated")
    return numbers_only(code, "double")


def _xor(body: Body, args: Args) -> Code:
    a, b = condition(body, args[0]), condition(body, args[1])
    if any(value(body, x).kind.form not in ("scalar", "nothing") for x in args):
        raise Undecided(
            "xor: want two single logical values, got an array; write a loop over its entries"
        )
    return Code(f"({a.text}) != ({b.text})", kind("b"), 10)


def _sort(body: Body, args: Args) -> Code | None:
    down = len(args) == 2 and args[1].type == "string" and "descend" in text(args[1])
    code = value(body, args[0])
    if not down and len(args) == 1 and code.kind.is_vector and code.kind.numbers in "?z":
        body.need("from spatial_v2.migrate.values import ascending")
        return Code(f"ascending({code.text})", code.kind.now(shared=False))
    if not down or not code.kind.is_vector or code.kind.numbers not in "if":
        return plain(body, "sort", args)
    body.need("from spatial_v2.migrate.values import descending")
    return Code(f"descending({code.text})[0]", code.kind.now(shared=False))


SPECIAL: dict[str, Callable[[Body, Args], Code | None]] = {
    **{n: is_form(n) for n in (*FORMS, "isnumeric")},
    "norm": norm,
    "vecnorm": vecnorm,
    "mod": mod,
    "rem": rem,
    "round": rounded,
    "double": _double,
    "xor": _xor,
    "sort": _sort,
    "load": loaded,
    **ASKING,
}
