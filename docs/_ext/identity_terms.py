"""Both sides of identities as expression trees, which ``tensors.js`` evaluates in the page.

The trees are made from the source code of the identities. A tree is a number, a name,
``[function, arguments...]``, ``[".", body, attribute]``, ``["each", name, matrix, tree]`` or
``["along", variable, tree]``.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from spatial_v2 import Model
from spatial_v2.course.hands_on_model import model_as_data

Tree = float | str | list[Any]

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
}
OPPOSITE = {"add": "sub", "sub": "add"}
COLUMNS = 2
"""Number of columns of the matrices that matrix letters stand for, as in the proofs."""


def tree(node: ast.expr) -> Tree:
    """Return the expression tree of a node of Python's syntax tree.

    Examples
    --------
    >>> tree(ast.parse("-mT(i.I, crm_t(j.S))", mode="eval").body)
    ['neg', ['mT', ['.', 'i', 'I'], ['crm_t', ['.', 'j', 'S']]]]
    """
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr="T"):
            return ["T", tree(value)]
        case ast.Attribute(value=value, attr=field):
            return [".", tree(value), field]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["neg", tree(operand)]
        case ast.BinOp(left=left, op=op, right=right):
            return [OPERATORS[type(op)], tree(left), tree(right)]
        case ast.Call(func=ast.Name(id="by_q" | "by_qd" as name), args=[ast.Lambda(body=body)]):
            return ["along", name.removeprefix("by_"), tree(body)]
        case ast.Call(func=ast.Attribute(attr="stack"), args=[ast.ListComp() as each]):
            (loop,) = each.generators
            columns = loop.iter
            assert isinstance(loop.target, ast.Name) and isinstance(columns, ast.Attribute)
            return ["each", loop.target.id, tree(columns.value), tree(each.elt)]
        case ast.Call(func=ast.Name(id=name), args=args):
            return [name, *map(tree, args)]
    raise ValueError(f"no expression tree for {ast.unparse(node)!r}")


def broken(right: Tree) -> Tree:
    """Return a right side that is made wrong on purpose: its last term has the opposite sign."""
    assert isinstance(right, list)
    head, *rest = right
    if head in OPPOSITE:
        return [OPPOSITE[head], *rest]
    return rest[0] if head == "neg" else ["neg", right]


def terms(identity: Any) -> dict[str, Any]:
    """Return the letters of an identity, its left side, its right sides by case, and wrong right
    sides.
    """
    from tensor_sva.identities.card import sides

    code = sides(identity)
    assert code is not None

    def parsed(text: str) -> Tree | None:
        node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.Constant) and node.value is None:
            return None
        return tree(node.body if isinstance(node, ast.Lambda) else node)

    found = {case: parsed(text) for case, text in code.right.items()}
    if identity.about_joints:
        found = {case: found.get(case, found[""] if case in ("j < i", "j = i") else None)
                 for case in identity.right_sides}  # fmt: skip
    else:
        found = {case or "all": right for case, right in found.items()}
    first = next(right for right in found.values() if right is not None)
    wrong = {case: first if right is None else broken(right) for case, right in found.items()}
    return {
        "letters": identity.letters.split(),
        "left": parsed(code.left),
        "right": found,
        "broken": wrong,
    }


def drawn() -> tuple[dict[str, Any], Model, np.ndarray]:
    """Return two values of each letter, a model, and two values of q, qd and qdd."""
    from tensor_sva.identities import example_model
    from tensor_sva.identities.draw import draw_inertia
    from tensor_sva.identities.letters import KINDS

    rng = np.random.default_rng(5)
    shapes = {"plain matrix": (COLUMNS, COLUMNS), "plain tensor": (COLUMNS,) * 3, "scalar": ()}
    values = {}
    for letter, kind in KINDS.items():
        if "body" in kind:
            continue
        shape = shapes.get(kind, (6, 1 if kind.endswith("vector") else COLUMNS))
        pair = draw_inertia(rng, (2,)) if kind == "inertia" else rng.normal(size=(2, *shape))
        values[letter] = {"kind": kind, "values": np.asarray(pair).tolist()}
    model = example_model(rng)
    return values, model, rng.normal(size=(3, 2, model.NV))


def all_terms() -> dict[str, Any]:
    """Return the data of the figure: identities, two values of each letter, a model and states."""
    from tensor_sva.identities import IDENTITIES

    values, model, motion = drawn()
    return {
        "identities": {name: terms(identity) for name, identity in IDENTITIES.items()},
        "letters": values,
        "model": model_as_data(model),
        "motion": motion.tolist(),
    }
