"""Translation of sums, extremes and other functions along an axis."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import elementwise, real_numbers
from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, entrywise, kind
from spatial_v2.migrate.names import REDUCTIONS
from spatial_v2.migrate.parse import Args, Node, named, text
from spatial_v2.migrate.sizes import of_size, same_size

__all__ = ["reduced"]


def _again(name: str, node: Node) -> Node | None:
    """Return x if the argument `node` of the function `name` is a call of the same function, as in
    ``sum(sum(x))``, the sum of all entries; otherwise None.
    """
    same = name in ("sum", "prod", "max", "min", "any", "all") and node.type == "function_call"
    if not same or text(node.child_by_field_name("name")) != name:
        return None
    args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
    return args[0] if len(args) == 1 else None


def reduced(body: Body, name: str, args: Args) -> Code:
    sized = of_size(body, args[0]) if name == "all" and len(args) == 1 else None
    if sized and (asked := same_size(*sized)):
        return asked
    if len(args) == 1 and (inner := _again(name, args[0])) is not None:
        code = value(body, inner)
        if code.kind.form == "matrix" and code.kind.numbers not in "bm":
            found = "b" if name in ("any", "all") else code.kind.numbers
            if not (name in ("max", "min") and found not in "if"):
                return Code(f"{REDUCTIONS[name]}({code.text})", Kind("scalar", found))
    code = value(body, args[0])
    k, call = code.kind, REDUCTIONS[name]
    if k.form == "nothing":
        return code
    if name in ("max", "min") and len(args) == 2:
        other = value(body, args[1])
        if k.numbers == other.kind.numbers == "i" and k.form == other.kind.form == "scalar":
            return Code(f"{name}({code.text}, {other.text})", kind("i"))
        code, other = real_numbers(code), real_numbers(other)
        both = elementwise("+", code, other, f"{name}(...)")
        if both.kind.form in ("matrix", "array") and {k.form, other.kind.form} & {"row", "column"}:
            raise Undecided(
                f"{name}: want two arrays of the same shape, or an array and a number; got "
                f"{k.described} and {other.kind.described}"
            )
        both_of = {"max": "np.fmax", "min": "np.fmin"}[name]
        return Code(f"{both_of}({code.text}, {other.text})", both.kind.now(shared=False))
    if not k.is_array or k.form in ("array", "tensor"):
        raise Undecided(f"{name}: want a number, a vector or a matrix, got {k.described}")
    if name not in ("any", "all"):
        code = real_numbers(code)
    found = "b" if name in ("any", "all") else code.kind.numbers
    if name in ("max", "min") and k.numbers in "bm":
        found = "m"  # of logical values: the result is logical in Octave, a number in MATLAB
    if name in ("max", "min") and found == "z":
        raise Undecided(f"{name}: want real numbers, got numbers that may be complex")
    dim = (
        args[2] if name in ("max", "min") and len(args) == 3 else args[1] if len(args) > 1 else None
    )
    axis = None if dim is None else literal(dim)
    if dim is not None and axis not in (1, 2):
        raise Undecided(f"{name}: want the axis 1 or 2, as a literal, got `{text(dim)}`")
    whole_ = name.startswith("cum")
    if k.form == "scalar":
        if name in ("any", "all"):
            return Code(f"{code.at(11)} != 0", kind("b"), 10) if k.numbers != "b" else code
        return code
    if k.form == "matrix":
        form = k.form if whole_ else "column" if axis == 2 else "row"
        return Code(f"{call}({code.text}, axis={(axis or 1) - 1})", Kind(form, found))
    across = (axis == 1 and k.form == "row") or (axis == 2 and k.form == "column")
    if across or (axis and k.form == "vector"):
        raise Undecided(
            f"{name}: want the axis along the vector, or none; got axis {axis} of {k.described}"
        )
    return Code(f"{call}({code.text})", entrywise(k.form if whole_ else "scalar", found, k))
