"""Translation of branches and loops."""

from __future__ import annotations

import ast

from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import NUMBER, Typed, called, constant, name
from spatial_v2.migrate.general.values import as_value, expression, plain, truth
from spatial_v2.migrate.parse import Node, in_loop, named, text

__all__ = [
    "condition",
    "declared",
    "for_loop",
    "if_statement",
    "jump",
    "return_statement",
    "switch_statement",
    "try_statement",
    "while_loop",
]


def _block(node: Node) -> list[Node]:
    return next((list(c.children) for c in named(node) if c.type == "block"), [])


def if_statement(w: Lines, node: Node) -> None:
    """Translate ``if``."""
    w.write(f"if {_condition(w, node)}:")
    block = _block(node)
    w.header(node, block)
    w.block(block)
    for clause in named(node):
        if clause.type == "elseif_clause":
            w.write(f"elif {_condition(w, clause)}:")
        elif clause.type == "else_clause":
            w.write("else:")
        else:
            continue
        inner = _block(clause)
        w.header(clause, inner)
        w.block(inner)


def _condition(w: Lines, node: Node) -> str:
    return condition(w, node.child_by_field_name("condition") or named(node)[0])


def condition(w: Lines, node: Node) -> str:
    """Return the text of a condition."""
    return ast.unparse(ast.fix_missing_locations(truth(expression(w, node))))


def while_loop(w: Lines, node: Node) -> None:
    """Translate ``while``."""
    w.write(f"while {_condition(w, node)}:")
    block = _block(node)
    w.header(node, block)
    w.block(block)


def for_loop(w: Lines, node: Node) -> None:
    """Translate ``for``."""
    iterator = next(n for n in named(node) if n.type == "iterator")
    target, over = named(iterator)
    word = text(target)
    w.assigned(word)
    there = w.variable(word)
    if over.type == "range":
        parts = [plain(expression(w, n)) for n in named(over)]
        tree: ast.expr = called(
            "count", parts[0], parts[-1], *(parts[1:2] if len(parts) == 3 else [])
        )
    else:
        tree = called("loop", plain(expression(w, over)))
    w.write(f"for {ast.unparse(there.tree)} in {ast.unparse(ast.fix_missing_locations(tree))}:")
    block = _block(node)
    w.header(node, block)
    w.depth += 1
    before = len(w.out)
    if over.type == "range" and there.kind != NUMBER:
        w.assign(there.tree, called("value", there.tree))
    w.statements(block)
    if not any(x.strip() and not x.strip().startswith("#") for x in w.out[before:]):
        w.write("pass")
    w.depth -= 1


def switch_statement(w: Lines, node: Node) -> None:
    """Translate ``switch``."""
    asked = node.child_by_field_name("condition")
    x = expression(w, asked)
    if asked.type != "identifier":
        w.assign(name("choice"), as_value(x))
        x = Typed(name("choice"))
    word = "if"
    clauses = [c for c in named(node) if c.type in ("case_clause", "otherwise_clause")]
    for clause in clauses:
        block = _block(clause)
        if clause.type == "otherwise_clause":
            w.write("else:" if word == "elif" else "if True:")
        else:
            test = clause.child_by_field_name("condition") or named(clause)[0]
            choices = [n for r in named(test) for n in named(r)] if test.type == "cell" else [test]
            tree = called("case", x.tree, *(plain(expression(w, c)) for c in choices))
            w.write(f"{word} {ast.unparse(ast.fix_missing_locations(tree))}:")
            word = "elif"
        w.header(clause, block)
        w.block(block)


def try_statement(w: Lines, node: Node) -> None:
    """Translate ``try``."""
    w.write("try:")
    block = _block(node)
    w.header(node, block)
    w.block(block)
    clause = next((c for c in named(node) if c.type == "catch_clause"), None)
    w.write("except NotImplementedError:")
    w.write("    raise")
    w.write("except Exception as _error:")
    inner = _block(clause) if clause is not None else []
    first = named(clause)[:1] if clause is not None else []
    w.depth += 1
    before = len(w.out)
    if first and first[0].type == "identifier":
        w.assigned(text(first[0]))
        w.assign(w.variable(text(first[0])).tree, called("caught", name("_error")))
        w.last_row = inner[0].start_point[0] if inner else w.last_row
    w.statements(inner)
    if len(w.out) == before:
        w.write("pass")
    w.depth -= 1


def return_statement(w: Lines, node: Node) -> None:
    """Translate ``return``."""
    w.write(w.result() if w.is_function else "raise SystemExit")  # type: ignore[attr-defined]


def _result(w: Lines) -> str:
    found: list[ast.expr] = []
    for n in w.outputs:
        tree = w.variable(n).tree
        found.append(ast.Starred(ast.Subscript(tree, constant(":"))) if n == "varargout" else tree)
    if not found:
        return "return None"
    checked = w.unsure.intersection(w.outputs)  # the decorator looks for None in tuples alone
    if len(found) == 1 and not isinstance(found[0], ast.Starred) and not checked:
        return f"return {ast.unparse(found[0])}"
    if found and isinstance(found[-1], ast.Starred):
        found[-1] = ast.Starred(called("spreads", found[-1].value))
    return f"return {ast.unparse(ast.fix_missing_locations(ast.Tuple(found)))}"


Lines.result = _result  # type: ignore[attr-defined]


def jump(w: Lines, node: Node) -> None:
    """Translate ``break`` and ``continue``, which belong to a loop of the same file."""
    if in_loop(node):
        w.write(text(node).strip("; \n"))
    else:
        w.put(w.unknown(node, f"`{text(node)}` outside a loop").tree)


def declared(w: Lines, node: Node) -> None:
    """Translate ``global`` and ``persistent``, which are known of before."""
    if node.type == "global_operator":
        for n in named(node):
            if n.type == "identifier":
                w.assigned(text(n))
