"""Calls of functions: of the library, of MATLAB, of the user's files, and of function handles."""

from __future__ import annotations

import inspect
from functools import partial

import spatial_v2.matlab
from spatial_v2.matlab.results import BY_SHAPE
from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate import builtins
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.counts import check_count
from spatial_v2.migrate.expressions import as_list, expression, literal, string_value
from spatial_v2.migrate.functions import apply, arguments, called, handle
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.library_results import counts_results, kind_of, results
from spatial_v2.migrate.names import LIBRARY, NOTED, RANDOM, SAME
from spatial_v2.migrate.parse import Node, text
from spatial_v2.migrate.struct_models import as_model, complete, floating, in_handle
from spatial_v2.migrate.users_calls import made, numbered, of_object, users

__all__ = ["call"]

JOINT_VECTORS = ("q", "qd", "qdd", "tau", "qd_r", "lam")
"""Parameters of functions with an entry for each joint variable."""

CUT = {
    **dict.fromkeys(("FDfb", "IDfb"), (2, ("NQ - 6", "NV - 6", "NV - 6"))),
    "HD": (1, ("NB",)),
    "plnr": (1, ("",)),
}
"""Functions of vectors that may have more entries than MATLAB reads -> the place of the first, and
their lengths as fields of the model; "" in the plane, where vectors have two entries.
"""
BATCHED = {"modID_derivatives_simple": 3}
"""Function -> position of the argument whose columns are a batch of states in MATLAB, and whose
rows are in Python; so are the columns of its only result.
"""


def call(body: Body, name: str, args: tuple[Node, ...], node: Node, nargout: int = 1) -> Code:
    """Translate a call of a named function for `nargout` results; several results are a tuple."""
    if body.program.objects:
        if name in body.program.objects:
            return made(body, name, arguments(body, args))
        if (found := of_object(body, name, args, nargout)) is not None:
            return found
    if name in body.program.functions:
        return users(body, name, args, nargout)
    if name in ROWS:
        return _library(body, name, args, nargout)
    if name == "feval" and args and nargout == 1:
        if args[0].type == "string":
            return call(body, string_value(args[0]), args[1:], args[0])
        return apply(body, expression(body, args[0]), args[1:])
    if found_ := builtins.builtin(body, name, args, node, nargout):
        return found_
    raise Undecided(
        f"`{name}` is neither a variable that has a value here nor a known function; if it is a "
        f"function of yours, name the folder of {name}.m"
    )


def _of_one_joint(name: str, given: list[Code]) -> list[Code]:
    """Convert numbers that stand for the vectors of a model with one joint variable."""
    if not given or given[0].kind.form not in ("model", "struct"):
        return given
    parameters = list(inspect.signature(getattr(spatial_v2.matlab, name)).parameters)
    return [
        Code(f"[{g.text}]", kind("c"))
        if g.kind.form == "scalar" and k < len(parameters) and parameters[k] in JOINT_VECTORS
        else g
        for k, g in enumerate(given)
    ]


def _cut(body: Body, name: str, given: list[Code], model: Code | None) -> list[Code]:
    """Cut vectors to what MATLAB reads: those of known length, which need not be that of the model,
    and those of the plane, which may have a third entry.
    """
    first, lengths = CUT.get(name, (0, ()))
    found = list(given)
    for k, length in enumerate(lengths, first):
        if k >= len(given):
            continue
        if not given[k].kind.is_vector:
            if not length and body.program.levels.border is not None:
                raise Undecided(f"`{name}`: the vector may have more entries than are taken")
            continue
        known = given[k].kind.length
        if length and known > 0:
            of = model if model and model.kind.field(length) else given[0]
            shown = f"{given[k].at(19)}[: {of.at(19)}.{length}]"
            found[k] = Code(shown, given[k].kind.now(length=-1))
        elif not length and (known > 2 or (known < 0 and body.program.levels.border is not None)):
            found[k] = Code(f"{given[k].at(19)}[:2]", given[k].kind.now(length=2))
    return found


ANGLES = {"rx", "ry", "rz", "rotx", "roty", "rotz", "plnr"}
"""Functions whose first argument is a number."""


def _not_a_batch(name: str, n: int, code: Code) -> Code:
    """Remove axes of length 1 from argument number n, if it may be a number or a row with two axes,
    which would be a batch for the library.
    """
    if not (code.kind.form == "array" and code.kind.plane):
        return code
    if name in ANGLES and n == 0:
        return Code(f"np.asarray({code.text}).item()", Kind("scalar", code.kind.numbers))
    if name in BY_SHAPE:
        return Code(f"np.squeeze({code.text})", code.kind)
    return Code(f'np.ravel({code.text}, order="F")', Kind("vector", code.kind.numbers))


def _joined(code: Code) -> Code:
    """Translate a cell made by ``confVecToCell`` to the vector that was split; return other values
    unchanged.
    """
    if code.kind.form == "cell" and code.kind.field("of joints"):
        return Code(f"np.concatenate({code.text})", kind("c"))
    return code


def _library(body: Body, name: str, args: tuple[Node, ...], nargout: int) -> Code:
    row = ROWS[name]
    check_count(name, len(args))
    given = arguments(body, args)
    if name == "outputSelect" and len(args) > 1 and args[1].type == "handle_operator":
        given[1] = handle(body, text(args[1]).lstrip("@ "), whole=True)
    if any(g.kind.form == "spread" for g in given):
        raise Undecided(
            f"`{name}`: all entries of a cell, c{{:}}, can be arguments only of functions in the "
            f"script; write c{{1}}, c{{2}}, ..."
        )
    if name == "postProcessModel":
        return complete(body, given[0])
    if not row.python and name not in LIBRARY:
        raise Undecided(
            f"`{name}` is {row.instead}" if row.instead else f"`{name}` is not supported"
        )
    if name == "floatbase" and given and (found := floating(body, given[0])):
        return found
    handled = bool(args) and in_handle(args[0])
    first = complete if "o" in LIBRARY.get(name, ()) else partial(as_model, inside_handle=handled)
    model = given[0] if given else None
    given = [first(body, g) if n == 0 else _joined(g) for n, g in enumerate(given)]
    given = [_not_a_batch(name, n, g) for n, g in enumerate(given)]
    given = _cut(body, name, _of_one_joint(name, given), model)
    if name == "mcI" and len(given) > 2:
        c, inertia = given[1].kind, given[2].kind
        if c.length == 3 and inertia.form == "scalar":
            given[2] = Code(f"np.full((3, 3), {given[2].text})", kind("m"))
        elif c.length != 2 and inertia.form == "scalar":
            raise Undecided("`mcI`: a number as inertia is one of a body in the plane, with c of 2")
    letters = results(name, given)
    columns = BATCHED.get(name, len(given))
    batch = columns < len(given) and given[columns].kind.form == "matrix"
    if batch:
        given[columns] = Code(f"{given[columns].at(19)}.T", given[columns].kind)
    if name in ("complexStepJacobian", "finiteDiffJacobian", "finiteDiff") and len(given) > 1:
        at = given[1].kind
        called(body, given[0], [at.now(numbers="z") if at.is_array else at])
    if name == "outputSelect" and len(given) > 1:
        if text(args[0]) == "1":
            return _selected(body, given, called(body, given[1], [g.kind for g in given[2:]]))
        of, number = given[1].kind, literal(args[0]) or 0
        known = LIBRARY.get(of.fields[0][0], ()) if of.source == -1 and of.fields else ()
        if not 0 < number <= len(known):
            raise Undecided(
                "outputSelect: want the index of a result, as a literal number, and a handle of a "
                "library function that has at least that many results"
            )
        some = any(g.kind.numbers == "z" for g in given[2:])
        return _selected(body, given, kind_of(of.fields[0][0], known[number - 1], some))
    if nargout > len(letters):
        raise Undecided(
            f"`{name}` has {len(letters)} results in Python, but {nargout} are assigned"
        )
    usual = max(1, len(letters) if not row.outputs else row.usual)
    own = (
        bool(row.python)
        and (not row.differs or name in SAME)
        and nargout <= usual
        and name not in (*RANDOM, "fbkin")
    )
    own = own and all(g.kind.form != "cell" for g in given) and row.python[0].count(".") == 1
    own = own and name not in body.file.matlab
    texts = [g.text for g in given]
    if own:
        package, function = row.python[0].split(".")
        body.need(f"from {package} import {function}")
        several = len(row.outputs) > 1 and len(letters) > 1
        texts = [*map(as_list, texts)]
        tail = "" if not several or nargout == usual else "[0]" if nargout == 1 else f"[:{nargout}]"
        result = f"{function}({', '.join(texts)}){tail}"
    else:
        body.file.matlab.add(name)
        body.need(f"from spatial_v2.matlab import {name}")
        if name in RANDOM:
            body.need_rng()
            texts.append("rng=rng")
        tail = ""
        if counts_results(name):
            if nargout != row.usual or len(row.outputs) > 1:
                texts.append(f"nargout={nargout}")
        elif len(letters) > 1 and nargout < len(letters):
            tail = "[0]" if nargout == 1 else f"[:{nargout}]"
        result = f"{name}({', '.join(texts)}){tail}"
    if said := (NOTED[name] or row.better) if name in NOTED else "":
        body.notes.append(f"{name}: {said}")
    z = any(g.kind.numbers == "z" for g in given)
    kinds = [kind_of(name, letter, z) for letter in letters]
    if given and given[0].kind.form == "model":
        kinds = [k.now(fields=given[0].kind.fields) if k.form == "model" else k for k in kinds]
    if name == "jcalc" and len(given) > 1 and given[1].kind.form == "scalar":
        kinds[1] = kinds[1].with_field("single column", kind("c"))
    if name == "confVecToCell":
        kinds = [k.with_field("of joints", kind("c")) for k in kinds]
        result = f"{result}[0]" if nargout == 1 else result
    if batch:
        return Code(f"{result}.T", kind("m"))
    if nargout == 1:
        return Code(result, kinds[0])
    return Code(result, Kind("tuple", fields=numbered(kinds[:nargout])))


def _selected(body: Body, given: list[Code], result: Kind) -> Code:
    body.need("from spatial_v2.matlab import outputSelect")
    return Code(f"outputSelect({', '.join(g.text for g in given)})", result)
