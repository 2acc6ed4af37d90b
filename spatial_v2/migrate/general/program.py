"""The files of a translation by the runtime: their functions, classes, packages and scripts."""

from __future__ import annotations

from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.expressions import METHODS
from spatial_v2.migrate.general.trees import steps
from spatial_v2.migrate.parse import Class, Function, Node, Script, text, walk

__all__ = ["Program"]


class Program:
    """The files of a translation: their functions, and the scripts among them."""

    def __init__(self, files: list[Script], unread: dict[str, str]) -> None:
        self.files, self.unread = files, unread
        self.public: dict[str, tuple[Function, Script]] = {}
        self.scripts: dict[str, Script] = {}
        self.classes: dict[str, tuple[Class, Script]] = {
            f.path.stem: (f.defined, f) for f in files if f.defined is not None
        }
        self.methods = {
            m.function.name
            for found, _ in self.classes.values()
            for m in found.methods
            if m.function.name != found.name and not m.function.name.startswith(("_get_", "_set_"))
        }
        self.packages = {
            p.name[1:] for f in files for p in f.path.parents if p.name.startswith("+")
        }
        for k, f in enumerate(files):
            if f.defined is not None:
                continue
            if f.functions and not any(n.type != "comment" for n in f.body):
                first = next(iter(f.functions.values()))
                self.public[f.path.stem] = (first, f)
            elif k:
                self.scripts[f.path.stem] = f
        self.given = self._given()
        names_ = {*self.public, *self.classes}
        self._uses = {
            f.path.stem: {text(n) for b in f.nodes() for n in walk(b)} & names_ - {f.path.stem}
            for f in files
        }
        self.uses_casadi = any("casadi" in line.split("%")[0] for f in files for line in f.lines)
        if self.uses_casadi:
            self.methods |= METHODS
        self.with_persistent = {
            found.name
            for f in files
            for found in f.functions.values()
            if any(n.type == "persistent_operator" for n in walk(found.node))
        }

    def own(self, word: str, here: Script) -> bool:
        """Test if a name is a function of the user's files, seen from a file."""
        return (
            word in here.functions
            or word in self.public
            or word in self.classes
            or any(word in s.functions for s in self.scripts.values())
        )

    def has_function(self, word: str) -> bool:
        """Test if a name is any function."""
        return (
            word in self.public
            or word in self.scripts
            or any(word in f.functions for f in self.files)
            or word in names.known()
            or word in names.STATEMENTS
        )

    def leads(self, one: str, to: str) -> bool:
        """Test if a file uses another, or files that use it."""
        open_, seen = [one], set()
        while open_:
            here = open_.pop()
            if here == to:
                return True
            if here in seen:
                continue
            seen.add(here)
            open_ += self._uses.get(here, set())
        return False

    def outputs_of(self, word: str) -> tuple[str, ...]:
        """Return the results of a function of the user's."""
        for f in self.files:
            if word in f.functions:
                return f.functions[word].outputs
        return self.public[word][0].outputs if word in self.public else ()

    def _given(self) -> dict[str, int]:
        """Return the least number of arguments that calls give to each function."""
        least: dict[str, int] = {}
        for f in self.files:
            for node in (n for b in f.nodes() for n in walk(b)):
                if node.type == "handle_operator":
                    continue
                if node.type not in ("function_call", "identifier"):
                    continue
                base, path = steps(node)
                if base is None or base.type != "identifier":
                    continue
                word = text(base)
                if not self.own(word, f) or (node.type == "identifier" and _is_part(node)):
                    continue
                args = path[0].args if path and path[0].sign == "(" else ()
                count = len(args) if not any("{" in text(a) for a in args) else 0
                least[word] = min(least.get(word, 99), count)
        return least


def _is_part(node: Node) -> bool:
    """Test if an identifier is no call by itself: the name in a call, a definition, a field."""
    up = node.parent
    return up is None or up.type not in ("block", "source_file")
