"""Translation of solvers, their options, interpolation and quadrature, by NumPy's arrays."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import expression, quoted, string_value, value
from spatial_v2.migrate.functions import called, handle
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.names import NOTED
from spatial_v2.migrate.parse import Node, named, text
from spatial_v2.migrate.solvers import RESULTS

__all__ = ["OPTIONS", "options", "solved"]

OPTIONS = {"odeset": 0, "optimset": 0, "optimoptions": 1}
"""Function that makes options -> the number of its arguments before their names."""
MATRICES = {"fmincon": (2, 4), "quadprog": (0, 2, 4), "linprog": (1, 3)}
"""Places of arguments whose rows are constraints."""
CONSTRAINTS = 8
"""Place of the function of constraints of fmincon."""
EVENTS = "Events"
PIECES = ("spline", "pchip")


def options(body: Body, name: str, args: tuple[Node, ...]) -> Code:
    """Translate options of a solver to a dict."""
    rest = args[OPTIONS[name] :]
    if len(rest) % 2 or any(n.type != "string" for n in rest[::2]):
        raise Undecided(f"{name}: want names and values of options")
    shown, kinds = [], []
    for n, x in zip(rest[::2], rest[1::2], strict=True):
        code = _function(body, x, whole=True)
        if code.kind.form == "function" and string_value(n) != EVENTS:
            raise Undecided(f"{name}: the option {text(n)} has a function")
        if code.kind.form not in ("function", "text") and not code.kind.is_array:
            raise Undecided(f"{name}: the option {text(n)} is {code.kind.described}")
        shown.append(f"{quoted(string_value(n))}: {code.text}")
        kinds.append((string_value(n), code.kind))
    return Code(f"{{{', '.join(shown)}}}", Kind("options", fields=tuple(sorted(kinds))))


def solved(body: Body, name: str, args: tuple[Node, ...], nargout: int) -> Code:
    """Translate a call of a solver."""
    results, letters, place = RESULTS[name]
    given = [_argument(body, name, n, k) for k, n in enumerate(args)]
    if any(g.kind.form == "nothing" for g in given):
        return Code("...", kind("n"))
    if len(given) <= place and name not in PIECES:
        raise Undecided(f"{name}: want at least {place + 1} arguments")
    if nargout > len(results):
        raise Undecided(f"{name} has {len(results)} results here, but {nargout} are assigned")
    start = given[place].kind if place < len(given) else kind("e")
    at = start.now(numbers="f", shift=0, shared=False, unsure=False, items=())
    if "1" in letters and not (at.form in ("scalar", "matrix") or at.is_vector):
        raise Undecided(f"{name}: want a start of known shape, got {start.described}")
    found = kind("n")
    if letters:
        states = [at if k == "1" else kind("s") for k in letters]
        found = called(body, given[0], states)
        _further(body, name, given, states)
    if name.startswith("ode"):
        if len(given) > 4:
            raise Undecided(f"{name}: arguments of the function follow its options")
        if nargout < 2:
            raise Undecided(f"{name}: one result is a struct")
    kinds = {"s": kind("s"), "c": kind("c"), "m": kind("m"), "1": at, "f": found}
    some = [kinds[k] for k in results]
    if not letters:
        some = _values(name, given, some)
    body.need(f"from spatial_v2.migrate.solvers import {name}")
    if name in NOTED:
        body.notes.append(f"{name}: {NOTED[name]}")
    texts = [g.text for g in given]
    if nargout == 1:
        return Code(f"{name}({', '.join(texts)})", some[0])
    pairs = tuple((str(n), k) for n, k in enumerate(some[:nargout]))
    if nargout > 2 or not name.startswith("ode"):
        texts.append(f"nargout={nargout}")
    return Code(f"{name}({', '.join(texts)})", Kind("tuple", fields=pairs))


def _function(body: Body, node: Node, *, whole: bool = False) -> Code:
    """Translate a value; of a function, all results are kept if `whole`."""
    if node.type == "handle_operator":
        return handle(body, text(node).lstrip("@ "), whole=whole)
    return value(body, node)


def _argument(body: Body, name: str, node: Node, k: int) -> Code:
    if node.type == "matrix" and not named(node):
        return Code("None", kind("e"))
    whole = name == "fmincon" and k == CONSTRAINTS
    code = _function(body, node, whole=whole) if k in (0, CONSTRAINTS) else expression(body, node)
    form = code.kind.form
    if k in MATRICES.get(name, ()) and form == "row":
        return Code(f"np.atleast_2d({code.text})", kind("m"))
    if k in MATRICES.get(name, ()) and form not in ("matrix", "scalar", "column", "nothing"):
        raise Undecided(f"{name}: want a matrix, got {code.kind.described}")
    known = code.kind.is_array and form not in ("array", "tensor")
    if not known and form not in ("function", "options", "text", "nothing", "empty"):
        raise Undecided(f"{name}: want arrays of known shape, got {code.kind.described}")
    return code


def _further(body: Body, name: str, given: list[Code], states: list[Kind]) -> None:
    """Let the functions of events and constraints know the kinds of their arguments."""
    for k, code in enumerate(given[1:], 1):
        events = code.kind.field(EVENTS) if code.kind.form == "options" else None
        if name.startswith("ode") and events is not None:
            called(body, Code(EVENTS, events), states)
        if code.kind.form == "function" and k == CONSTRAINTS and name == "fmincon":
            called(body, code, states)
        elif code.kind.form == "function":
            raise Undecided(f"{name}: argument {k + 1} is a function")


def _values(name: str, given: list[Code], kinds: list[Kind]) -> list[Kind]:
    """Return the kinds of the results of interpolation."""
    if name == "ppval":
        if given[0].kind.form != "options":
            raise Undecided("ppval: want a piecewise polynomial")
        return kinds
    if name not in ("interp1", *PIECES):
        return kinds
    if len(given) < 2 or not given[1].kind.is_vector or not given[0].kind.is_vector:
        raise Undecided(f"{name}: want vectors")
    if len(given) == 2 and name in PIECES:
        return [Kind("options")]
    if len(given) < 3 or not (given[2].kind.is_vector or given[2].kind.form == "scalar"):
        raise Undecided(f"{name}: want places as a number or a vector")
    return kinds
