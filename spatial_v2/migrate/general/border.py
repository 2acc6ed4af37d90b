"""Lines by the runtime among lines by NumPy's functions, and what is converted between them."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.branches import result
from spatial_v2.migrate.clearing import clearing, removed, used_after
from spatial_v2.migrate.expressions import attribute, literal, unshifted
from spatial_v2.migrate.general.branches import condition
from spatial_v2.migrate.general.expressions import expression, plain
from spatial_v2.migrate.general.files import coded, file_by_runtime
from spatial_v2.migrate.general.functions import begins_by_part, written_function
from spatial_v2.migrate.general.program import Program
from spatial_v2.migrate.general.scope import Variables
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import (
    NUMBER,
    TEXT,
    VALUE,
    Step,
    Typed,
    called,
    identifier,
    name,
)
from spatial_v2.migrate.kinds import COLUMN_OF_CELLS, ROW_OF_CELLS, Code, Kind, Undecided, kind
from spatial_v2.migrate.levels import Place, words
from spatial_v2.migrate.objects import OBJECTS, ByRuntime
from spatial_v2.migrate.parse import Function, Script, named, ran, text, walk
from spatial_v2.migrate.program import File, Translation

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["RuntimeLines", "converted"]

Node = Any


RUNTIME = "import spatial_v2.matlab.runtime as ml"
COUNTING = {
    "nargin", "nargout", "varargin", "varargout", "exist", "narginchk", "isargout", "inputname",
}  # fmt: skip
"""Names that lines by the runtime read from the head of a function of its own."""
NAMED = {"syms", "clear", "clearvars", "exist"}
"""Functions that name variables."""


def converted(code: Code) -> Typed:
    """Convert a value of known kind to one of the runtime's."""
    k = code.kind
    if k.form == "scalar":
        code = unshifted(code)
        tree = ast.parse(code.text, mode="eval").body
        return Typed(tree, NUMBER) if k.numbers in "bif" else Typed(called("value", tree))
    tree = ast.parse(code.text, mode="eval").body
    if k.form == "text":
        return Typed(tree, TEXT)
    if k.form == "empty":
        return Typed(called("empty"))
    if k.form == "cell" and k.fields == COLUMN_OF_CELLS:
        across = converted(Code(code.text, k.now(fields=ROW_OF_CELLS)))
        return Typed(ast.Attribute(across.tree, "T"))
    rows, others = set[str](), set[str]()
    _axes(code, k, "", rows, others)
    if rows & others or k.shift:
        raise Undecided(f"`{code.text}`: it has rows and columns in one cell")
    if not rows:
        return Typed(called("from_numpy", tree))
    shown: ast.expr = ast.Constant(True)
    if rows != {""}:
        shown = ast.Tuple([ast.Constant(x) for x in sorted(rows)])
    return Typed(called("from_numpy", tree, rows=shown))


def _axes(code: Code, k: Kind, path: str, rows: set[str], others: set[str]) -> None:
    """Collect the paths of rows, and of other arrays of one axis."""
    if k.form in ("row", "column"):
        (rows if k.form == "row" else others).add(path)
    elif k.form == "cell" and k.fields not in ((), COLUMN_OF_CELLS) and k.shift == 0:
        inner = k.items or ((k.item,) if k.item is not None else ())
        for item in inner:
            _axes(code, item, path, rows, others)
    elif k.form == "struct":
        for n, item in k.fields:
            if n.endswith("_") and keyword.iskeyword(n[:-1]):
                raise Undecided(f"`{code.text}.{n}`: its name differs")
            _axes(code, item, f"{path}.{n}".lstrip("."), rows, others)
    elif k.form in ("matrix", "tensor"):
        if k.length == 0:
            raise Undecided(f"`{code.text}`: it may have no second axis")
    elif k.form in OBJECTS:
        raise ByRuntime({k.source})
    elif k.form not in ("scalar", "text", "empty", "model"):
        raise Undecided(f"`{code.text}`: {k.described} is not converted")
    if k.shift:
        raise Undecided(f"`{code.text}`: it counts from 0")


class Lines(Writer):
    """Lines by the runtime of a scope whose other lines are NumPy's."""

    body: Body
    handles = 0

    @contextmanager
    def inside_handle(self, inputs: list[str]) -> Iterator[None]:
        """Inside a ``with`` block, names are those of a handle's arguments first, then those of the
        values that it holds.
        """
        self.handles += 1
        try:
            with super().inside_handle(inputs):
                yield
        finally:
            self.handles -= 1

    def result(self) -> str:
        """Return the text of a return statement."""
        return result(self.body)

    def variable(self, word: str) -> Typed:
        """Return a variable, converted if it is none of the runtime's."""
        body = self.body
        if word in self.local_names:
            return super().variable(word)
        if word in body.held or word not in body.env:
            shown = identifier(word) if self.handles else body.spelled(word)
            if word in self.variables.shared | self.variables.kept:
                shown = body.spelled(word)
            numbers = word in self.variables.numbers
            return Typed(name(shown), NUMBER if numbers else VALUE)
        try:
            found = converted(Code(body.spelled(word), body.env[word]))
        except Undecided:
            hold(body, word)
            return Typed(name(body.spelled(word)))
        if self.handles and word not in self.variables.shared | self.variables.kept:
            return Typed(name(identifier(word)), found.kind)
        return found

    def reached(self, word: str, path: list[Step]) -> tuple[Typed, list[Step]]:
        """Return a variable, or a field of NumPy's structs, and the accesses that are left."""
        body = self.body
        if self.handles or word in body.held or word not in body.env:
            return self.variable(word), path
        code, k = Code(body.spelled(word), body.env[word]), 0
        while k < len(path) and code.kind.form == "struct" and path[k].sign == ".":
            field = code.kind.field(attribute(path[k].name))
            if field is None:
                break
            code, k = Code(f"{code.text}.{attribute(path[k].name)}", field), k + 1
        if not k:
            return self.variable(word), path
        try:
            return converted(code), path[k:]
        except Undecided:
            return self.variable(word), path

    def assigned(self, word: str) -> None:
        """Record the line of the first assignment of a variable."""
        super().assigned(word)
        self.body.first.setdefault(word, self.line)


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


def hold(body: Body, word: str) -> None:
    """Let a variable be the runtime's from the next pass on."""
    levels = body.program.levels
    if word in body.globals:
        levels.next.append(((-1, ""), word))
    elif word in body.inputs or word in body.outputs:
        levels.next.append((body.place, ""))
    else:
        levels.next.append((body.place, word))


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
