"""Declarations of global and persistent variables."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import attribute
from spatial_v2.migrate.kinds import Undecided, kind
from spatial_v2.migrate.parse import Node, text, walk

__all__ = ["global_names", "persistent_names"]


def global_names(body: Body, node: Node) -> None:
    """Translate ``global``: the names become fields, empty at first, of an object that all files
    share.
    """
    for name in [text(n) for n in walk(node) if n.type == "identifier"]:
        body.globals.add(name)
        if name in body.held:
            continue
        body.need("from spatial_v2.migrate.values import shared")
        known = body.program.globals.get(name, kind("n" if body.program.open else "e"))
        begun = {"struct": "SimpleNamespace()", "cell": "[]"}.get(known.form)
        if begun and name in body.mutated:
            if known.form == "struct":
                body.need("from types import SimpleNamespace")
            body.write(f'vars(shared).setdefault("{attribute(name)}", {begun})')
        body.env[name] = known.now(shared=True)


def persistent_names(body: Body, node: Node) -> None:
    """Translate ``persistent``: the names become variables of the module, initially None."""
    if not body.name or body.loops or body.depth > 1:
        raise Undecided(
            "persistent: want the declaration in a function, outside of its branches and loops"
        )
    for name in [text(n) for n in walk(node) if n.type == "identifier"]:
        body.persistent.add(name)
        body.file.persistent.add(body.spelled(name))
        body.write(f"global {body.spelled(name)}")
        if name in body.held:
            continue
        known = body.program.persistent.get((body.key(node), name), kind("n"))
        body.env[name] = known.now(kept=True, shared=True)
        body.kept_at[name] = (body.key(node), name)
