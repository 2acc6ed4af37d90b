"""Lines by the runtime among lines by NumPy's functions, and what is converted between them."""

from __future__ import annotations

import ast
from collections.abc import Collection
from contextlib import suppress

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.clearing import clearing, removed, used_after
from spatial_v2.migrate.expressions import literal
from spatial_v2.migrate.general.border_lines import Lines, converted, hold
from spatial_v2.migrate.general.branches import condition
from spatial_v2.migrate.general.files import coded, file_by_runtime
from spatial_v2.migrate.general.functions import begins_by_part, written_function
from spatial_v2.migrate.general.program import Program
from spatial_v2.migrate.general.scope import Variables
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import called, identifier, name
from spatial_v2.migrate.general.values import expression, plain
from spatial_v2.migrate.kinds import Kind, Undecided, kind
from spatial_v2.migrate.levels import Place, words
from spatial_v2.migrate.objects import OBJECTS, ByRuntime
from spatial_v2.migrate.parse import Function, Node, Script, named, ran, text, walk
from spatial_v2.migrate.program import File, Translation

__all__ = ["RuntimeLines", "converted"]


RUNTIME = "import spatial_v2.matlab.runtime as ml"
COUNTING = {
    "nargin", "nargout", "varargin", "varargout", "exist", "narginchk", "isargout", "inputname",
}  # fmt: skip
"""Names that lines by the runtime read from the head of a function of its own."""
NAMED = {"syms", "clear", "clearvars", "exist"}
"""Functions that name variables."""


def _released(nodes: list[Node], variables: set[str]) -> set[str]:
    """Return the variables that statements remove before their names occur again."""
    found = set[str]()
    for n in nodes:
        if (words := clearing(n)) is not None:
            with suppress(Undecided):
                found |= used_after(n, removed(words, variables))
    return found


def _without_objects(body: Body, node: Node) -> None:
    """Raise an error for the classes of a line that the runtime writes: that of the method that it
    belongs to, those that it names, and those of its variables.
    """
    objects = body.program.objects
    if not objects:
        return
    names = words(node)
    numbers = {x.number for n, x in objects.items() if n in names}
    numbers |= {k.source for n, k in body.env.items() if n in names and k.form in OBJECTS}
    if body.instance:
        numbers.add(objects[body.name.split(".")[0]].number)
    if numbers:
        raise ByRuntime(numbers)


class RuntimeLines:
    """Writer of lines by the runtime among lines by NumPy's functions."""

    def __init__(self, files: list[Script], unread: dict[str, str]) -> None:
        self.program = Program(files, unread)
        self.numbers = {f.path: n for n, f in enumerate(files)}
        self.variables: dict[Place, Variables] = {}
        self.whole: dict[Place, Writer] = {}

    def statement(self, body: Body, node: Node) -> None:
        """Write a statement; what it assigns, and what cannot be converted, is held by the runtime
        from the next pass on.
        """
        w, at = self._lines(body, node), len(body.out)
        w.statements([node])
        body.todos += w.todos
        body.file.remarks += w.remarks
        there = Variables([node], (), (), {})
        gone = set[str]()
        for cleared in filter(None, map(clearing, walk(node))):
            with suppress(Undecided):
                gone |= removed(cleared, body.ever)
        for word in there.every | there.parts | gone:
            if word not in body.held:
                body.env[word] = kind("n" if body.program.open else "u")
                hold(body, word)
        names = words(node)
        if there.loads or "ans" in body.names or there.kept or (body.name and names & COUNTING):
            body.program.levels.next.append((body.place, ""))
        if names & NAMED and any(body.spelled(n) != identifier(n) for n in body.ever):
            body.program.levels.next.append((body.place, ""))
        self._done(body, w)
        body.by_runtime += coded(body.out[at:])

    def condition(self, body: Body, node: Node) -> str:
        """Return the text of a condition."""
        w = self._lines(body, node)
        found = condition(w, node)
        if body.name and words(node) & COUNTING:
            body.program.levels.next.append((body.place, ""))
        self._done(body, w)
        body.by_runtime += 1
        return found

    def loop(self, body: Body, word: str, over: Node) -> tuple[str, Kind]:
        """Return what a loop goes through, and the kind of its variable."""
        w, parts = self._lines(body, over), named(over)
        held, unknown = word in body.held, kind("n" if body.program.open else "u")
        if over.type != "range":
            tree: ast.expr = called("loop", plain(expression(w, over)))
            found = unknown
            if not held:
                hold(body, word)
        else:
            ends = [plain(expression(w, n)) for n in parts]
            tree = called("count", ends[0], ends[-1], *(ends[1:2] if len(ends) == 3 else []))
            if held and word not in w.variables.numbers:
                tree = ast.Call(name("map"), [name("ml.value"), tree], [])
            whole = all(literal(n) is not None for n in parts[:-1])
            found = unknown if held else kind("i" if whole else "s")
        self._done(body, w)
        body.by_runtime += 1
        return ast.unparse(ast.fix_missing_locations(tree)), found

    def begun(self, body: Body) -> list[str]:
        """Return the variables that get a part before they get a whole value."""
        if not body.held:
            return []
        w = self._lines(body, body.nodes[0])
        parts = body.held & w.variables.parts - w.variables.shared - w.variables.kept
        return sorted(body.spelled(n) for n in parts if begins_by_part(w, body.nodes, n))

    def function(self, file: File, found: Function) -> Writer:
        """Translate a function as a whole."""
        place = (file.number, found.name)
        if place not in self.whole:
            self.whole[place] = written_function(self.program, file.script, found)
        w = self.whole[place]
        file.remarks += w.remarks
        file.imports.add(RUNTIME)
        file.kept |= {f"{found.name}_{n}" for n in w.variables.kept}
        for word in w.functions_used:
            self._import(file, word)
        return w

    def file(self, script: Script) -> Translation:
        """Translate a file as a whole."""
        return file_by_runtime(self.program, script)

    def whole_files(self, objects: Collection[str]) -> set[int]:
        """Return the numbers of the files that are the runtime's: classes, scripts that others run,
        and those that run them.
        """
        return {
            n
            for n, f in enumerate(self.program.files)
            if (f.defined is not None and f.path.stem not in objects)
            or f.path.stem in self.program.scripts
            or self._runs(f)
        }

    def _runs(self, f: Script) -> bool:
        """Test if a file runs a script: a name of one that is no variable, or ``run``."""
        for nodes in (f.body, *(found.body for found in f.functions.values())):
            there = Variables(nodes, (), (), {})
            every = [n for b in nodes for n in walk(b)]
            names = {text(n) for n in every if n.type in ("identifier", "command_name")}
            names -= (there.every | there.parts) - _released(every, there.every)
            if (names | {word for n in every for word in ran(n)}) & self.program.scripts.keys():
                return True
        return False

    def place(self, file: Script, word: str) -> Place | None:
        """Return the scope of a function of the user's, seen from a file."""
        if word in file.functions:
            return self.numbers[file.path], word
        if word in self.program.public:
            found, there = self.program.public[word]
            return self.numbers[there.path], found.name
        return None

    def needs(self, place: Place, files: list[Script]) -> tuple[set[Place], set[str], set[str]]:
        """Return the functions that a scope of the runtime's calls, its global variables, and all
        names in it.
        """
        file = files[place[0]]
        found = file.functions.get(place[1])
        nodes = file.body if found is None else found.body
        names = {
            text(n) for b in nodes for n in walk(b) if n.type in ("identifier", "command_name")
        }
        places = {self.place(file, n) for n in names}
        shared = Variables(nodes, (), (), {}).shared
        return {p for p in places if p is not None}, shared, names

    def _lines(self, body: Body, node: Node) -> Lines:
        _without_objects(body, node)
        w = Lines(
            self.program, body.file.script, body.nodes, body.inputs, body.outputs,
            bool(body.name), body.name, None, self.variables.get(body.place),
        )  # fmt: skip
        self.variables[body.place] = w.variables
        w.body, w.out, w.depth = body, body.out, body.depth
        w.line = node.start_point[0] + 1
        w.first.update(body.first)
        return w

    def _done(self, body: Body, w: Lines) -> None:
        """Record what lines need: imports, functions that are the runtime's."""
        body.need(RUNTIME)
        for word in w.functions_used:
            place = self.place(body.file.script, word)
            if place is not None:
                body.program.levels.next.append((place, ""))
            self._import(body.file, word)

    def _import(self, file: File, word: str) -> None:
        known = {**self.program.public, **self.program.classes}
        if word in file.script.functions or word not in known:
            return
        stem = known[word][1].path.stem
        if stem != file.path.stem:
            late = self.program.leads(stem, file.path.stem)
            (file.late if late else file.imports).add(f"from {stem} import {identifier(word)}")
