"""Test of assignments: if all subscripts are known to lie inside the array, it does not grow."""

from __future__ import annotations

import re
from math import inf

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import literal
from spatial_v2.migrate.kinds import Kind
from spatial_v2.migrate.parse import Node, assigns, named, text, walk
from spatial_v2.migrate.stated import shown, stated_sizes

__all__ = ["least", "lies_inside", "target_of"]

MODELS = {
    r"(vinds|ancestor_vinds|subtree_vinds|successor_vinds)\{[^{}]*\}": "NV",
    r"qinds\{[^{}]*\}": "NQ",
    r"parent\(\w+\)": "NB",
}
"""Pattern of a derived field of a model -> the field of the model that its entries, which are
indices, do not exceed.
"""


def lies_inside(body: Body, left: Node, k: Kind, args: tuple[Node, ...]) -> bool:
    """Test if all subscripts of an assignment are known to be at most the lengths of the axes."""
    up = left.parent
    right = up.child_by_field_name("right") if up is not None and up.type == "assignment" else None
    if right is not None and any(shown(n) == shown(left) for n in walk(right)):
        return True  # the same entry is read before, so it exists
    target = target_of(left)
    sizes = stated_sizes(body, target, left)
    for n, arg in enumerate(args):
        if arg.type == "spread_operator" or (arg.type == "end_keyword"):
            continue
        axis = n if len(args) > 1 else -1
        most = _most(body, arg)
        known = [f"size({target},{axis + 1})"] if axis >= 0 else []
        if k.is_vector:
            known += [f"numel({target})", f"length({target})"]
            known += [str(k.length)] if k.length > 0 else []
            sizes_ = [s for s in sizes if s != "1"] or sizes
            known += sizes_[:1] if len(args) == 1 or literal(arg) != 1 else ["1"]
        elif axis >= 0 and axis < len(sizes):
            known.append(sizes[axis])
        if most is None or not any(_at_most(body, most, size) for size in known):
            return False
    return True


COUNTS = {"length", "size", "numel", "ndims", "nnz", "abs", "norm", "rows", "columns"}
"""Functions of MATLAB whose values are not negative."""
ROUNDING = {"round", "floor", "ceil", "fix", "double", "max", "min", "sum"}
"""Functions that are not negative if none of their arguments is."""


def least(body: Body, node: Node, assumed: frozenset[str] = frozenset()) -> float:
    """Return a number that an expression is known not to lie below, at most 0 unless it counts from
    1 or is a literal; minus infinity if there is none. Variables `assumed` are not negative.
    """
    while node.type == "parenthesis":
        node = named(node)[0]
    if (known := literal(node)) is not None:
        return known
    word = text(node)
    if node.type == "end_keyword" or (node.type == "number" and "i" not in word):
        return 0
    if node.type == "identifier":
        return _least_of_variable(body, word, assumed)
    if node.type == "field_expression":
        return 0 if re.search(r"\.(N[BVQ]|n[qv])$", word) else -inf
    if node.type == "function_call":
        name = text(node.child_by_field_name("name"))
        if name in COUNTS and name not in body.env:
            return 0
        args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
        none = not args or name not in ROUNDING or name in body.env
        return -inf if none else min(0, *(least(body, n, assumed) for n in args))
    if node.type == "binary_operator":
        return _least_of_two(body, node, assumed)
    return -inf


def _least_of_variable(body: Body, name: str, assumed: frozenset[str]) -> float:
    """Return what `least` does for a variable, from all its assignments."""
    rights = body.whole.get(name, [])
    if name in assumed:
        return 0
    if name in body.positive and not rights:
        return 1
    lefts = [n.parent.child_by_field_name("left").type for n in rights]
    outside = name in body.inputs or name in body.mutated or name in body.globals
    if outside or not rights or "multioutput_variable" in lefts:
        return -inf
    return min(least(body, n, assumed | {name}) for n in rights)


def _least_of_two(body: Body, node: Node, assumed: frozenset[str]) -> float:
    left, right = named(node)[0], named(node)[-1]
    op = next(text(c) for c in node.children if not c.is_named and text(c).strip())
    a, b = least(body, left, assumed), least(body, right, assumed)
    if op == "+":
        return a + b
    if op == "-":
        return a - (literal(right) or 0) if literal(right) is not None else -inf
    return a * b if op in ("*", ".*") and min(a, b) >= 0 else -inf


def target_of(left: Node) -> str:
    """Return the text of the array of which `left` is an entry, without blanks."""
    return re.sub(r"\([^()]*(\([^()]*\)[^()]*)*\)$", "", shown(left))


def _most(body: Body, node: Node) -> str | None:
    """Return the largest value of a subscript as text: a literal, or the last value of a loop."""
    while node.type == "parenthesis":
        node = named(node)[0]
    if literal(node) is not None:
        return str(literal(node))
    if node.type == "range":
        return _most(body, named(node)[-1])
    if node.type == "binary_operator" and re.search(r"-\s*\d+$", text(node)):
        return _most(body, named(node)[0])
    if node.type == "binary_operator" and (more := re.search(r"\+\s*(\d+)$", text(node))):
        most = _most(body, named(node)[0])
        return None if most is None else _plus(most, int(more[1]))
    if node.type != "identifier":
        return _of_model(shown(node))
    return _end_of_loop(body, node)


def _end_of_loop(body: Body, node: Node) -> str:
    """Return the last value of a loop variable as text; for other variables, the largest index
    that they hold if known, otherwise their own name.
    """
    name, up = text(node), node.parent
    if name in body.whole:
        every = {_of_model(shown(right)) for right in body.whole[name]}
        found = every.pop()
        return found if not every and found.endswith((".NV", ".NQ", ".NB")) else name
    while up is not None:
        if up.type == "for_statement":
            iterator = next(n for n in named(up) if n.type == "iterator")
            over = named(iterator)[1]
            if text(named(iterator)[0]) == name:
                if any(assigns(x, name) for x in named(up) if x.type == "block"):
                    return name
                parts = named(over) if over.type == "range" else []
                step = literal(parts[1]) if len(parts) == 3 else 1
                return shown(parts[-1 if step > 0 else 0]) if parts and step else name
        up = up.parent
    return name


def _of_model(word: str) -> str:
    """Return the largest index in a derived field of a model, ``model.NV`` for ``model.vinds{i}``;
    other texts unchanged.
    """
    for pattern, size in MODELS.items():
        if match := re.fullmatch(rf"(\w+)\.{pattern}", word):
            return f"{match[1]}.{size}"
    return word


def _plus(size: str, more: int) -> str:
    base, constant = _split(size)
    return f"{base}{constant + more:+d}" if base else str(constant + more)


def _split(size: str) -> tuple[str, int]:
    """Split a size such as ``n+2`` into its variable part, ``n``, and its constant, 2."""
    if re.fullmatch(r"-?\d+", size):
        return "", int(size)
    match = re.fullmatch(r"(.*[\w)}])([+-]\d+)", size)
    return (match[1], int(match[2])) if match else (size, 0)


def _resolved(body: Body, size: str) -> tuple[str, int]:
    """Split a size, as `_split`; a variable that is assigned only once is replaced by its value."""
    base, constant = _split(size)
    rights = body.whole.get(base, [])
    if len(rights) != 1 or base in body.assigned_twice or base in body.inputs:
        return base, constant
    left, right = rights[0].parent.child_by_field_name("left"), shown(rights[0])
    if left.type == "multioutput_variable":
        match = re.fullmatch(r"size\(([\w.]+)\)", right)
        axis = [shown(n) for n in named(left)].index(base) + 1
        return (f"size({match[1]},{axis})", constant) if match else (base, constant)
    if not re.fullmatch(r"\d+|[\w.]+|(size|numel|length)\([\w.,]+\)", right):
        return base, constant
    inner, more = _split(right)
    return inner, more + constant


def _at_most(body: Body, a: str, b: str) -> bool:
    first, second = _resolved(body, a), _resolved(body, b)
    bodies = first[0].endswith(".NB") and second[0] in (first[0][:-2] + "NV", first[0][:-2] + "NQ")
    return (first[0] == second[0] or bodies) and first[1] <= second[1]
