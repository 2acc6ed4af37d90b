"""Translation of norms, remainders and rounding."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import elementwise, real_numbers
from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.parse import Args, text

__all__ = ["mod", "norm", "rem", "rounded", "vecnorm"]


def numbers_only(code: Code, name: str) -> Code:
    if code.kind.form == "nothing" or code.kind.is_array:
        return real_numbers(code)
    raise Undecided(f"{name}: want numbers, got {code.kind.described}")


def norm(body: Body, args: Args) -> Code:
    code = numbers_only(value(body, args[0]), "norm")
    form = code.kind.form
    order = text(args[1]).strip("'\"").lower() if len(args) == 2 else "2"
    given = {"2": "", "1": ", 1", "inf": ", np.inf", "fro": ""}.get(order)
    if form == "nothing":
        return Code("...", kind("s"))
    if form == "array" and order == "2":
        return Code(f"np.linalg.norm(np.atleast_1d({code.text}), 2)", kind("s"))
    if given is None or form in ("array", "tensor", "empty"):
        raise Undecided(
            "norm: want a number, a vector or a matrix, and the order 1, 2, inf or 'fro'; got "
            f"{code.kind.described} and {order}"
        )
    if form == "scalar":
        return Code(f"np.abs({code.text})", kind("s"))
    if form == "matrix" and order == "2":
        given = ", 2"
    return Code(f"np.linalg.norm({code.text}{given})", kind("s"))


def vecnorm(body: Body, args: Args) -> Code:
    code = numbers_only(value(body, args[0]), "vecnorm")
    if len(args) == 1 and code.kind.form in ("scalar", "row", "column", "nothing"):
        return norm(body, args)
    axis = literal(args[2]) if len(args) == 3 else 1
    if code.kind.form != "matrix" or axis not in (1, 2) or (args[1:] and literal(args[1]) != 2):
        raise Undecided(
            f"vecnorm: want a vector or a matrix, and the order 2; got {code.kind.described}"
        )
    form = "row" if axis == 1 else "column"
    return Code(f"np.linalg.norm({code.text}, axis={axis - 1})", Kind(form))


def mod(body: Body, args: Args) -> Code:
    a, b = real_numbers(value(body, args[0])), real_numbers(value(body, args[1]))
    integers = a.kind.numbers == b.kind.numbers == "i" and a.kind.form == b.kind.form == "scalar"
    if integers and literal(args[1]):
        return Code(f"{a.at(16)} % {b.at(17)}", kind("i"), 16)
    return _remainder(body, "mod", a, b, args)


def rem(body: Body, args: Args) -> Code:
    a, b = real_numbers(value(body, args[0])), real_numbers(value(body, args[1]))
    return _remainder(body, "rem", a, b, args)


def _remainder(body: Body, name: str, a: Code, b: Code, args: Args) -> Code:
    """Translate a remainder: to NumPy's if the divisor is an integer literal, otherwise to that of
    `values`, which rounds the quotient as MATLAB does.
    """
    both = elementwise("+", a, b, name)
    if literal(args[1]):
        call = {"mod": "np.mod", "rem": "np.fmod"}[name]
    else:
        if both.kind.form == "matrix" and "matrix" not in (a.kind.form, b.kind.form):
            raise Undecided(f"{name}: want two arrays of the same shape, got a row and a column")
        body.need(f"from spatial_v2.migrate.values import {name}")
        call = name
    return Code(f"{call}({a.text}, {b.text})", both.kind.now(numbers="f", shared=False))


def rounded(body: Body, args: Args) -> Code:
    code = numbers_only(value(body, args[0]), "round")
    if code.kind.numbers == "i":
        return code
    if code.kind.numbers == "z":
        raise Undecided("round: want real numbers, got numbers that may be complex")
    x = code.text
    return Code(f"np.sign({x}) * np.floor(np.abs({x}) + 0.5)", code.kind.now(shared=False), 16)
