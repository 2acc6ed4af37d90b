"""Translation of a class: properties, constants, methods, and calls of those of its bases."""

from __future__ import annotations

import ast

from spatial_v2.migrate.general.expressions import HANDLES
from spatial_v2.migrate.general.functions import written_function
from spatial_v2.migrate.general.program import Program
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import called, identifier, name
from spatial_v2.migrate.general.values import expression, plain
from spatial_v2.migrate.parse import Class, Method, Node, Property, Script, text, walk
from spatial_v2.migrate.program import Todo

__all__ = ["written_class"]


def written_class(program: Program, script: Script, defined: Class) -> Writer:
    """Translate a class."""
    w = Writer(program, script, ())
    shared = any(_is_handle(program, b) for b in defined.bases)
    bases = [identifier(b) for b in defined.bases if b in program.classes]
    root = "ml.HandleInstance" if shared else "ml.Instance"
    w.functions_used |= set(bases)
    w.write(f"class {identifier(defined.name)}({', '.join(bases) or root}):")
    w.depth = 1
    _documentation(w, defined.node)
    for block in defined.refused:
        why = f"{block.type}: want constants or functions in its place"
        w.todos.append(Todo(script.path, block.start_point[0] + 1, f"not translated: {why}"))
        w.write(f"# TODO(migrate): not translated: {why}")
    for b in defined.bases:
        if b not in program.classes and b not in HANDLES:
            why = f"the base class {b} is not among the files"
            w.todos.append(Todo(script.path, defined.node.start_point[0] + 1, why))
            w.write(f"# TODO(migrate): {why}")
    plain_ = [p for p in defined.properties if not p.attributes & {"constant", "dependent"}]
    _table(w, "_properties", plain_)
    _table(w, "_constants", [p for p in defined.properties if "constant" in p.attributes])
    private = sorted(p.name for p in defined.properties if "private" in p.attributes)
    if private:
        w.write(f"_private = {tuple(private)!r}")
    for m in defined.methods:
        w.write("")
        _method(program, script, defined, m, w)
    if not (defined.properties or defined.methods):
        w.write("pass")
    return w


def _is_handle(program: Program, word: str) -> bool:
    if word in HANDLES:
        return True
    found = program.classes.get(word)
    return found is not None and any(_is_handle(program, b) for b in found[0].bases)


def _documentation(w: Writer, node: Node) -> None:
    before = node.prev_sibling
    while before is not None and before.type not in ("comment",) and not before.is_named:
        before = before.prev_sibling
    heads = ("attributes", "identifier", "superclasses")
    first = next((n for n in node.named_children if n.type not in heads), None)
    inner = first if first is not None and first.type == "comment" else before
    if inner is not None and inner.type == "comment":
        for line in text(inner).split("\n"):
            w.write(f"# {line.strip().lstrip('%').strip()}".rstrip())


def _table(w: Writer, title: str, properties: list[Property]) -> None:
    if not properties:
        return
    w.write(f"{title} = {{")
    for p in properties:
        tree: ast.expr = called("empty") if p.default is None else plain(expression(w, p.default))
        for note in dict.fromkeys(w.notes):
            w.write(f"    # {note}")
        w.notes.clear()
        shown = ast.unparse(ast.fix_missing_locations(tree))
        w.write(f"    {p.name!r}: lambda: {shown},")
    w.write("}")


def _method(program: Program, script: Script, defined: Class, m: Method, into: Writer) -> None:
    found, instance, decorator = m.function, "", "ml.method"
    if found.name == defined.name:
        instance = found.outputs[0]
        found = found._replace(name="constructor")
    elif "static" in m.attributes:
        decorator = "ml.static"
    if "abstract" in m.attributes:
        return
    w = written_function(program, script, found, None, decorator, instance)
    if instance:
        said = {text(n) for b in found.body for n in walk(b) if n.type == "superclass"}
        missing = [b for b in defined.bases if b in program.classes and b not in said]
        head = next(k for k, line in enumerate(w.out) if line.startswith("def ")) + 1
        obj = name(identifier(instance))
        for b in missing:
            call = ast.Call(ast.Attribute(name(identifier(b)), "construct"), [obj], [])
            shown = ast.unparse(ast.fix_missing_locations(ast.Assign([obj], call, lineno=0)))
            w.out.insert(head, f"    {shown}")
    for line in w.out:
        into.write(line)
    into.todos += w.todos
    into.remarks += w.remarks
    into.functions_used |= w.functions_used
    into.variables.kept |= {f"{w.title}_{n}" for n in w.variables.kept}
