"""Translation of symbolic expressions, with symbols from ``syms`` or ``sym``, to SymPy."""

from __future__ import annotations

import re
from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import literal, quoted, string_value, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Args, Node, named

__all__ = ["SYMBOLIC", "binary", "declare", "entries", "function", "is_symbolic", "made", "part"]

SCALAR, MATRIX = Kind("symbol"), Kind("symbols")
ASSUMPTIONS = ("real", "positive", "integer", "rational")
FUNCTIONS = {
    **{n: f"sp.{n}" for n in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")},
    "exp": "sp.exp",
    "log": "sp.log",
    "sqrt": "sp.sqrt",
    "abs": "sp.Abs",
}
RANKS = {"+": 15, "-": 15, "*": 16, "/": 16, "^": 18}


def is_symbolic(*codes: Code) -> bool:
    """Test if one of the values is an expression, or a matrix, of symbols."""
    return any(c.kind.form in ("symbol", "symbols") for c in codes)


def declare(body: Body, words: list[str], line: int) -> None:
    """Translate ``syms``."""
    names = [w for w in words if w not in ASSUMPTIONS]
    if not all(re.fullmatch(r"[A-Za-z]\w*", n) for n in names) or not names:
        raise Undecided(
            "syms: want names of single symbols; symbolic functions and arrays are not translated"
        )
    body.need("import sympy as sp")
    for n in names:
        body.assigned_to(n, SCALAR, line)
    given = "".join(f", {w}=True" for w in words if w in ASSUMPTIONS)
    left = ", ".join(body.spelled(n) for n in names)
    body.write(f"{left} = sp.symbols({quoted(' '.join(names))}{given})")


def _exact(body: Body, code: Code) -> Code:
    """Convert a number to an exact one, as MATLAB does where it meets symbols."""
    k, shown = code.kind, code.text
    if is_symbolic(code) or (k.form == "scalar" and k.numbers == "i"):
        return code
    body.need("import sympy as sp")
    if shown in ("np.pi", "-np.pi"):
        return Code(shown.replace("np", "sp"), SCALAR, code.rank)
    if re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", shown):
        return Code(f'sp.Rational("{shown}")', SCALAR)
    if k.form == "scalar" and k.numbers == "f":
        return Code(f"sp.nsimplify({shown}, rational=True)", SCALAR)
    if k.form in ("column", "matrix") and k.numbers == "f":
        return Code(f"sp.nsimplify(sp.Matrix({shown}), rational=True)", MATRIX)
    if k.form == "row" and k.numbers == "f":
        return Code(f"sp.nsimplify(sp.Matrix([{shown}]), rational=True)", MATRIX)
    raise Undecided(f"`{shown}`: want numbers together with symbols, got {k.described}")


def binary(body: Body, op: str, a: Code, b: Code, shown: str) -> Code:
    """Translate an operator with symbols."""
    a, b = _exact(body, a), _exact(body, b)
    matrices = [c.kind.form == "symbols" for c in (a, b)]
    sign = op.removeprefix(".") if not any(matrices) else op
    fits = sign in ("+", "-") and matrices[0] == matrices[1]
    fits = fits or sign == "*" or (sign == "/" and not matrices[1])
    if not (fits or (sign == "^" and not any(matrices))):
        raise Undecided(
            f"`{shown}`: this operator is not translated for symbols; write it with SymPy"
        )
    rank = RANKS[sign]
    left = a.at(rank + (sign == "^"))
    right = b.at(rank + (sign in "-/"))
    word = "**" if sign == "^" else f" {sign} "
    return Code(f"{left}{word}{right}", MATRIX if any(matrices) else SCALAR, rank)


def function(body: Body, name: str, code: Code) -> Code:
    """Translate a function that is applied to each entry."""
    if name not in FUNCTIONS:
        raise Undecided(f"{name} is not translated for a symbolic argument; write it with SymPy")
    call = FUNCTIONS[name]
    if code.kind.form == "symbols":
        return Code(f"{code.at(19)}.applyfunc({call})", MATRIX)
    return Code(f"{call}({code.text})", SCALAR)


def entries(body: Body, rows: list[list[Code]], shown: str) -> Code:
    """Translate a matrix in brackets."""
    if any(c.kind.form not in ("symbol", "scalar") for r in rows for c in r):
        raise Undecided(f"`{shown}`: want single numbers and symbolic expressions between brackets")
    lines = [f"[{', '.join(_exact(body, c).text for c in r)}]" for r in rows]
    if len({len(r) for r in rows}) > 1:
        raise Undecided(f"`{shown}`: want rows of the same length")
    body.need("import sympy as sp")
    return Code(f"sp.Matrix([{', '.join(lines)}])", MATRIX)


def part(code: Code, at: list[int | None], shown: str) -> Code:
    """Translate an entry of a symbolic matrix; `at` has one or two subscripts from 1, and a single
    subscript counts down the columns.
    """
    if code.kind.form != "symbols" or len(at) not in (1, 2) or not all(at):
        raise Undecided(
            f"`{shown}`: want a single entry of a symbolic matrix, with literals as subscripts"
        )
    inner = ", ".join(str((k or 1) - 1) for k in at)
    return Code(f"{code.at(19)}{'.T' if len(at) == 1 else ''}[{inner}]", SCALAR)


def _diff(body: Body, codes: list[Code], args: Args) -> Code:
    f, *rest = codes
    if not rest or rest[0].kind.form != "symbol" or len(rest) > 2:
        raise Undecided("diff of an expression: want the variable too, diff(f, x) or diff(f, x, n)")
    given = ", ".join(c.text for c in rest)
    if f.kind.form == "symbols":
        return Code(f"{f.at(19)}.diff({given})", MATRIX)
    return Code(f"sp.diff({f.text}, {given})", SCALAR)


def _integral(body: Body, codes: list[Code], args: Args) -> Code:
    if len(codes) not in (2, 4) or any(c.kind.form != "symbol" for c in codes[:2]):
        raise Undecided("int of an expression: want the variable too, int(f, x) or int(f, x, a, b)")
    f, x, *ends = [_exact(body, c).text for c in codes]
    over = f"({', '.join([x, *ends])})" if ends else x
    return Code(f"sp.integrate({f}, {over})", SCALAR)


def _listed(node: Node) -> Args | None:
    """Return the entries of a vector or cell between brackets or braces; of other nodes, the node
    itself.
    """
    if node.type not in ("matrix", "cell"):
        return (node,)
    rows = [named(r) for r in named(node) if r.type == "row"]
    return tuple(n for r in rows for n in r)


def _subs(body: Body, codes: list[Code], args: Args) -> Code:
    if len(args) != 3:
        raise Undecided(f"subs: want subs(f, old, new), got {len(args)} arguments")
    old, new = _listed(args[1]) or (), _listed(args[2]) or ()
    pairs = [(value(body, a), value(body, b)) for a, b in zip(old, new, strict=False)]
    fits = len(old) == len(new) and all(
        a.kind.form == "symbol" and b.kind.form in ("symbol", "scalar") for a, b in pairs
    )
    if not fits:
        raise Undecided("subs: want symbols, and as many single values for them")
    exact = [(a.text, _exact(body, b).text) for a, b in pairs]
    if len(exact) == 1:
        return Code(f"{codes[0].at(19)}.subs({exact[0][0]}, {exact[0][1]})", codes[0].kind)
    inner = ", ".join(f"{a}: {b}" for a, b in exact)
    given = f"{{{inner}}}, simultaneous=True"
    return Code(f"{codes[0].at(19)}.subs({given})", codes[0].kind)


def _jacobian(body: Body, codes: list[Code], args: Args) -> Code:
    f, x = codes[:2]
    both = [c.text if c.kind.form == "symbols" else f"sp.Matrix([{c.text}])" for c in (f, x)]
    body.need("import sympy as sp")
    return Code(f"{both[0]}.jacobian({both[1]})", MATRIX)


def _double(body: Body, codes: list[Code], args: Args) -> Code:
    if codes[0].kind.form != "symbol":
        raise Undecided("double: want a single expression, got a symbolic matrix")
    return Code(f"float({codes[0].text})", kind("s"))


def _method(name: str, result: Kind) -> Callable[[Body, list[Code], Args], Code]:
    def called(body: Body, codes: list[Code], args: Args) -> Code:
        if len(codes) != 1 or codes[0].kind.form != "symbols":
            raise Undecided(f"{name} of symbols: want one argument, a symbolic matrix")
        return Code(f"{codes[0].at(19)}.{name}()", result)

    return called


def _simplified(name: str) -> Callable[[Body, list[Code], Args], Code]:
    def called(body: Body, codes: list[Code], args: Args) -> Code:
        if len(codes) != 1:
            raise Undecided(
                f"{name} of an expression: want one argument, got {len(codes)}; options are not "
                "translated"
            )
        return Code(f"sp.{name}({codes[0].text})", codes[0].kind)

    return called


SYMBOLIC: dict[str, Callable[[Body, list[Code], Args], Code]] = {
    "diff": _diff,
    "int": _integral,
    "subs": _subs,
    "jacobian": _jacobian,
    "double": _double,
    "det": _method("det", SCALAR),
    "inv": _method("inv", MATRIX),
    "trace": _method("trace", SCALAR),
    "simplify": _simplified("simplify"),
    "expand": _simplified("expand"),
}
"""Translators of functions of symbolic expressions."""


def made(body: Body, args: Args) -> Code:
    """Translate ``sym``."""
    body.need("import sympy as sp")
    if args and args[0].type == "string" and re.fullmatch(r"[A-Za-z]\w*", string_value(args[0])):
        words = [string_value(a) for a in args[1:] if a.type == "string"]
        if len(words) != len(args) - 1 or set(words) - set(ASSUMPTIONS):
            raise Undecided(
                "sym: want a name and assumptions such as 'real'; symbolic arrays are not "
                "translated"
            )
        given = "".join(f", {w}=True" for w in words)
        return Code(f"sp.Symbol({quoted(string_value(args[0]))}{given})", SCALAR)
    if len(args) == 1 and literal(args[0]) is not None:
        return Code(f"sp.Integer({literal(args[0])})", SCALAR)
    if len(args) == 1 and args[0].type != "string":
        return _exact(body, value(body, args[0]))
    raise Undecided("sym: want a name or a number; expressions in text are not translated")
