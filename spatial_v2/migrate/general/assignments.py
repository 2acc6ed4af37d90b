"""Translation of assignments: variables, entries and fields, several results."""

from __future__ import annotations

import ast

from spatial_v2.migrate.general.expressions import several, subscripts
from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.scope import targets
from spatial_v2.migrate.general.trees import (
    NUMBER,
    VALUE,
    Step,
    called,
    constant,
    listed,
    name,
    steps,
)
from spatial_v2.migrate.general.values import as_value, expression, plain
from spatial_v2.migrate.parse import Node, named, text

__all__ = ["assignment"]

FRESH = {
    "zeros", "ones", "eye", "cell", "struct", "nan", "NaN", "rand", "randn", "true", "false",
    "linspace", "repmat", "inv", "reshape", "diag", "cross", "kron", "size", "find",
}  # fmt: skip
"""Functions whose results no other variable holds."""


def assignment(w: Lines, node: Node) -> None:
    """Translate an assignment."""
    left, right = targets(node), node.child_by_field_name("right")
    if node.child_by_field_name("left").type == "multioutput_variable" and any(map(_many, left)):
        _each(w, left, right)
    elif len(left) == 1:
        _one(w, left[0], right)
    else:
        _several(w, left, right)
    if not w.ends(node):
        for t in left:
            if t.type == "identifier":
                w.put(called("display", constant(text(t)), w.variable(text(t)).tree))


def _one(w: Lines, target: Node, right: Node) -> None:
    if target.type == "ignored_argument":
        w.put(expression(w, right).tree)
        return
    if target.type == "identifier":
        word = text(target)
        x = expression(w, right)
        w.assigned(word)
        there = w.variable(word)
        tree = plain(x) if there.kind == NUMBER else as_value(x)
        if there.kind != NUMBER and x.kind == VALUE and _may_be_held(w, word, right):
            tree = called("copy", tree)
        w.assign(there.tree, tree)
        return
    base, path = steps(target)
    if base is None or base.type != "identifier":
        w.put(w.unknown(target, f"`{text(target)[:40]}` cannot be assigned").tree)
        return
    word = text(base)
    w.assigned(word)
    there = w.variable(word)
    given = [_step(w, s) for s in path]
    if path[-1].sign == "(" and right.type == "matrix" and not named(right):
        w.assign(there.tree, called("delete", there.tree, *given))
        return
    new = plain(expression(w, right))
    w.assign(there.tree, called("put", there.tree, new, *given))


def _step(w: Lines, step: Step) -> ast.expr:
    if step.sign == ".":
        return constant(step.name)
    if step.sign == ".(":
        return plain(expression(w, step.args[0]))
    given = subscripts(w, step.args)
    return ast.Tuple(given) if step.sign == "(" else listed(given)


def _may_be_held(w: Lines, word: str, right: Node) -> bool:
    """Test if another variable may hold the value that a variable gets."""
    while right.type == "parenthesis":
        right = named(right)[0]
    if right.type == "identifier":
        return w.is_variable(text(right))
    if right.type not in ("function_call", "field_expression"):
        return False
    base, _ = steps(right)
    if base is not None and base.type == "identifier":
        first = text(base)
        if first in FRESH and not w.is_variable(first):
            return False
    return word in w.variables.parts


def _many(target: Node) -> bool:
    """Test if a target may stand for several: entries of a cell, a field of several structs."""
    base, path = steps(target)
    if base is None or not path or path[-1].sign == "(":
        return False
    if path[-1].sign != "{":
        return True
    return any(
        n.type in ("spread_operator", "range", "matrix") or text(n) == ":" for n in path[-1].args
    )


def _each(w: Lines, left: list[Node], right: Node) -> None:
    """Translate ``[c{:}] = f(x)``, where the number of results is the number of places."""
    base, path = steps(left[0])
    if len(left) > 1 or right.type not in ("function_call", "identifier"):
        if any(s.sign == "{" for t in left for s in steps(t)[1] if _many(t)):
            w.put(w.unknown(left[0], "several places beside other results on the left").tree)
        else:
            _several(w, left, right) if len(left) > 1 else _one(w, left[0], right)
        return
    w.assigned(text(base))
    there = w.variable(text(base)).tree
    call = several(w, right, 2).tree
    if isinstance(call, ast.Call) and any(k.arg == "nargout" for k in call.keywords):
        call.keywords = [k for k in call.keywords if k.arg != "nargout"]
        call.keywords.append(ast.keyword("nargout", name("n_")))
    counted = ast.Lambda(ast.arguments([], [ast.arg("n_")], None, [], [], None, []), call)
    w.assign(there, called("put_each", there, counted, *(_step(w, s) for s in path)))


def _several(w: Lines, left: list[Node], right: Node) -> None:
    while right.type == "parenthesis":
        right = named(right)[0]
    x = (
        several(w, right, len(left))
        if right.type in ("function_call", "identifier", "field_expression")
        else expression(w, right)
    )
    after: list[tuple[Node, str]] = []
    made: list[ast.expr] = []
    for k, t in enumerate(left):
        if t.type == "ignored_argument" or text(t) == "~":
            made.append(name("_"))
        elif t.type == "identifier":
            w.assigned(text(t))
            made.append(w.variable(text(t)).tree)
        else:
            after.append((t, f"result_{k + 1}"))
            made.append(name(f"result_{k + 1}"))
    w.assign(ast.Tuple(made), x.tree)
    for t, word in after:
        base, path = steps(t)
        w.assigned(text(base))
        there = w.variable(text(base)).tree
        w.assign(there, called("put", there, name(word), *(_step(w, s) for s in path)))
    for t in left:
        if t.type == "identifier" and text(t) in w.variables.parts:
            there = w.variable(text(t)).tree
            w.assign(there, called("copy", there))


# -- expressions as statements
