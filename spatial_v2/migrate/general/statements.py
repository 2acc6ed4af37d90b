"""Translation of statements: a function for each type of node, in one table."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from spatial_v2.matlab.runtime.plots import QUIET
from spatial_v2.migrate.clearing import CLEARS, clearing, forgets_functions, removed
from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.expressions import (
    arguments,
    as_value,
    expression,
    of_a_base,
    plain,
    several,
    subscripts,
    truth,
)
from spatial_v2.migrate.general.scope import Variables, targets
from spatial_v2.migrate.general.trees import (
    NUMBER,
    VALUE,
    Step,
    Typed,
    called,
    constant,
    identifier,
    listed,
    literal_text,
    name,
    steps,
)
from spatial_v2.migrate.kinds import Undecided
from spatial_v2.migrate.parse import Script, in_loop, named, text
from spatial_v2.migrate.program import Todo

__all__ = ["STATEMENTS", "Writer"]

Node = Any
DROPPED = {
    "clc", "close", "hold", "format", "more", "warning", "addpath", "rmpath",
    "pkg", "drawnow", "rng", "box", "diary", "import", "profile", "keyboard", "grid", "axis", "clf",
    "colormap", "shading", "dbstop", "echo", "beep", "startup", "cla", "legend", "graphics_toolkit",
    "view", "figure", "set", "tic",
}  # fmt: skip
"""Commands with words that Python does not need."""
FRESH = {
    "zeros", "ones", "eye", "cell", "struct", "nan", "NaN", "rand", "randn", "true", "false",
    "linspace", "repmat", "inv", "reshape", "diag", "cross", "kron", "size", "find",
}  # fmt: skip
"""Functions whose results no other variable holds."""


class Writer:
    """Translation of the statements of a script or function, line by line."""

    def __init__(
        self,
        program: Any,
        script: Script,
        nodes: Any,
        inputs: tuple[str, ...] = (),
        outputs: tuple[str, ...] = (),
        is_function: bool = False,
        title: str = "",
        outer: Writer | None = None,
    ) -> None:
        self.program, self.file, self.script = program, script, script
        self.inputs, self.outputs, self.is_function = inputs, outputs, is_function
        self.title, self.outer = title, outer
        self.variables = Variables(nodes, inputs, outputs, program.scripts)
        self.out: list[str] = []
        self.depth = 0
        self.ends_used = False
        self.local_names: set[str] = set()
        self.hidden: list[set[str]] = []
        self.todos: list[Todo] = []
        self.notes: list[str] = []
        self.remarks: list[Todo] = []
        self.last_row = -1
        self.first: dict[str, int] = {}
        self.line = 0
        self.imports: set[str] = set()
        self.running: list[str] = []
        self.functions_used: set[str] = set()

    # -- names

    def is_variable(self, word: str) -> bool:
        """Test if a name is a variable here."""
        if word in self.local_names or word in self.variables.every:
            return True
        if self.outer is not None and self.outer.is_variable(word):
            return True
        return self.variables.loads and not self.program.has_function(word)

    def is_handle(self, word: str) -> bool:
        """Test if a variable may be the handle of a function, called for several results."""
        return True

    def variable(self, word: str) -> Typed:
        """Return a variable."""
        if word in self.local_names:
            if word == "varargin":
                return Typed(called("cell_of", name("varargin")))
            return Typed(name(identifier(word)))
        if word in self.variables.shared:
            return Typed(name(f"ml.shared.{identifier(word)}"))
        if word in self.variables.kept:
            return Typed(name(f"{self.title}_{word}"))
        return Typed(name(identifier(word)), NUMBER if word in self.variables.numbers else VALUE)

    @contextmanager
    def inside_handle(self, inputs: list[str]) -> Iterator[None]:
        """Inside a ``with`` block, names are those of a handle's arguments first."""
        before = self.local_names
        self.local_names = before | set(inputs)
        try:
            yield
        finally:
            self.local_names = before

    def users(self, word: str) -> ast.expr:
        """Return a function of the user's files."""
        self.functions_used.add(word)
        return name(identifier(word))

    def arguments(self, args: tuple[Node, ...]) -> list[ast.expr]:
        """Translate the arguments of a function."""
        return arguments(self, args)

    def missing(self, word: str) -> str:
        """Return the reason why a name is not translated."""
        if word in names.NOT_RUN:
            return f"{word}: {names.NOT_RUN[word]}"
        if word in self.program.unread:
            return f"`{word}`: {self.program.unread[word]}"
        return (
            f"`{word}` is neither a variable nor a known function; if it is a function of yours, "
            f"name the folder of {word}.m"
        )

    def unknown(self, node: Node, why: str) -> Typed:
        """Return an expression that raises an error with the reason when it is reached."""
        self.todos.append(Todo(self.script.path, node.start_point[0] + 1, f"not translated: {why}"))
        self.notes.append(f"TODO(migrate): not translated: {why}")
        where = f"{self.script.path.name}, line {node.start_point[0] + 1}: {why}"
        return Typed(called("unknown", constant(where)))

    # -- lines

    def write(self, line: str) -> None:
        """Write a line."""
        self.out.append("    " * self.depth + line if line else "")

    def put(self, tree: ast.stmt | ast.expr) -> None:
        """Write a statement or an expression."""
        for line in ast.unparse(ast.fix_missing_locations(tree)).split("\n"):
            self.write(line)

    def assign(self, target: ast.expr, tree: ast.expr) -> None:
        """Write an assignment."""
        self.put(ast.Assign([target], tree, lineno=0))

    def block(self, nodes: Any) -> None:
        """Translate the statements of a block, which may be empty."""
        self.depth += 1
        before = len(self.out)
        self.statements(nodes)
        if not any(x.strip() and not x.strip().startswith("#") for x in self.out[before:]):
            self.write("pass")
        self.depth -= 1

    def statements(self, nodes: Any) -> None:
        """Translate statements in order."""
        for node in nodes:
            if not node.is_named or node.type == "line_continuation":
                continue
            if node.type == "comment":
                self.comment(node)
                continue
            row = node.start_point[0]
            if row > self.last_row + 1 and self.last_row >= 0 and self.out and self.out[-1]:
                self.write("")
            at, self.line = len(self.out), row + 1
            self.last_row = row
            translate = STATEMENTS.get(node.type, shown)
            translate(self, node)
            if self.notes:
                self.remarks += [
                    Todo(self.script.path, row + 1, x)
                    for x in dict.fromkeys(self.notes)
                    if not x.startswith("TODO")
                ]
                marks = dict.fromkeys(self.notes)
                self.out[at:at] = ["    " * self.depth + f"# {' '.join(x.split())}" for x in marks]
                self.notes.clear()
            self.last_row = node.end_point[0] if node.end_point[1] else row

    def comment(self, node: Node) -> None:
        """Copy a comment."""
        row = node.start_point[0]
        lines = [x.strip() for x in text(node).split("\n")]
        trailing = row == self.last_row and self.out and len(lines) == 1
        if trailing and self.out[-1].strip() and "#" not in self.out[-1]:
            self.out[-1] += f"  # {lines[0].lstrip('%#').strip()}"
            return
        if row > self.last_row + 1 and self.last_row >= 0 and self.out and self.out[-1]:
            self.write("")
        for x in lines:
            if x in ("%{", "%}", "#{", "#}"):
                continue
            mark = "# %%" if x.startswith("%%") else "#"
            self.write(f"{mark} {(x[2:] if mark == '# %%' else x.lstrip('%#')).strip()}".rstrip())
        self.last_row = node.end_point[0]

    def header(self, node: Node, block: list[Node]) -> None:
        """Copy comments between the head of a block and the block."""
        self.last_row = node.start_point[0]
        for c in node.children:
            if c.type == "comment" and (not block or c.start_byte < block[0].start_byte):
                self.depth += c.start_point[0] != self.last_row
                inner = c.start_point[0] != node.start_point[0]
                self.comment(c)
                self.depth -= inner
        if block and block[0].start_point[0] > self.last_row:
            self.last_row = block[0].start_point[0] - 1

    def ends(self, node: Node) -> bool:
        """Test if a semicolon follows a statement, so that its value is not printed."""
        line = self.script.lines[node.end_point[0]]
        rest = line.encode()[node.end_point[1] :].decode(errors="replace").strip()
        return bool(rest.startswith(";"))

    def assigned(self, word: str) -> None:
        """Record the line of the first assignment of a variable."""
        self.first.setdefault(identifier(word), self.line)


def _block(node: Node) -> list[Node]:
    return next((list(c.children) for c in named(node) if c.type == "block"), [])


# -- assignments


def assignment(w: Writer, node: Node) -> None:
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


def _one(w: Writer, target: Node, right: Node) -> None:
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


def _step(w: Writer, step: Step) -> ast.expr:
    if step.sign == ".":
        return constant(step.name)
    if step.sign == ".(":
        return plain(expression(w, step.args[0]))
    given = subscripts(w, step.args)
    return ast.Tuple(given) if step.sign == "(" else listed(given)


def _may_be_held(w: Writer, word: str, right: Node) -> bool:
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


def _each(w: Writer, left: list[Node], right: Node) -> None:
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


def _several(w: Writer, left: list[Node], right: Node) -> None:
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


def shown(w: Writer, node: Node) -> None:
    """Translate an expression statement, whose value MATLAB prints."""
    if (of_base := of_a_base(w, node)) is not None and of_base[0]:
        w.assign(w.variable(of_base[0]).tree, of_base[1])
        return
    base, path = (
        steps(node)
        if node.type in ("identifier", "function_call", "field_expression")
        else (None, [])
    )
    word = text(base) if base is not None and base.type == "identifier" else ""
    if word and not w.is_variable(word) and _called(w, node, word, path):
        return
    x = expression(w, node)
    if node.type == "identifier" and not w.ends(node):
        w.put(called("display", constant(text(node)), x.tree))
        return
    tree = plain(x)
    if "ans" in w.variables.names and isinstance(tree, ast.Call):
        w.variables.every.add("ans")
        w.assign(name("ans"), tree)
        return
    if w.ends(node) or _is_quiet(w, base):
        w.put(tree)
    else:
        w.put(called("display", constant("ans"), tree))


def _is_quiet(w: Writer, base: Any) -> bool:
    word = text(base) if base is not None else ""
    return word in ("disp", "fprintf", "printf", "error", "warning", "tic", "assert") or (
        word in QUIET
    )


def _called(w: Writer, node: Node, word: str, path: list[Step]) -> bool:
    """Translate a call whose value is not used; return False for other expressions."""
    args = path[0].args if len(path) == 1 and path[0].sign == "(" else ()
    if word in w.program.scripts and not path and word not in w.running:
        run_script(w, word)
        return True
    if w.program.own(word, w.file):
        if len(path) == 0 or (len(path) == 1 and path[0].sign == "("):
            outputs = w.program.outputs_of(word)
            tree = called(w.users(word), *w.arguments(args), nargout=constant(0))
            if "ans" in w.variables.names and outputs:
                w.variables.every.add("ans")
                w.assign(name("ans"), called(w.users(word), *w.arguments(args)))
            elif outputs and not w.ends(node):
                w.put(called("display", constant("ans"), called(w.users(word), *w.arguments(args))))
            else:
                w.put(tree)
            return True
        return False
    if word == "run" and len(args) == 1 and args[0].type == "string":
        _run_file(w, node, literal_text(args[0]))
        return True
    if word in ("exit", "quit"):
        w.write("raise SystemExit")
        return True
    if word == "syms":
        _syms(w, [literal_text(a) for a in args])
        return True
    if word in CLEARS:
        clear(w, node)
        return True
    if word in (
        "clc",
        "close",
        "addpath",
        "rmpath",
        "format",
        "more",
        "pause",
        "drawnow",
        "keyboard",
        "import",
        "startup",
        "rng",
    ):
        return True
    if word == "load" and not w.is_function:
        w.put(called(name("globals().update"), called("loaded", *w.arguments(args))))
        return True
    if word == "save" and args:
        _save(w, [literal_text(a) for a in args if a.type == "string"])
        return True
    return False


def _save(w: Writer, words: list[str]) -> None:
    chosen = [x for x in words[1:] if not x.startswith("-") and w.is_variable(x)]
    chosen = chosen or sorted(w.first)
    options = {identifier(n): w.variable(n).tree for n in chosen}
    w.put(called("saved", constant(words[0]), **options))


def _syms(w: Writer, words: list[str]) -> None:
    marks = [x for x in words if x in ("real", "positive", "integer", "clear")]
    for word in words:
        if word in marks or not word.isidentifier():
            continue
        w.assigned(word)
        w.variables.every.add(word)
        w.assign(name(identifier(word)), called("symbol", constant(word), *map(constant, marks)))


def clear(w: Writer, node: Node) -> None:
    """Translate ``clear``: a variable that is removed holds None."""
    words = clearing(node) or []
    there = {n for n in w.variables.every if identifier(n) in w.first or n in w.inputs}
    try:
        gone = removed(words, w.variables.every if in_loop(node) else there)
    except Undecided as why:
        w.put(w.unknown(node, str(why)).tree)
        return
    if w.first and forgets_functions(words, w.program.with_persistent):
        w.put(w.unknown(node, "clear: functions keep their persistent variables").tree)
    elif gone & (w.variables.shared | w.variables.kept):
        w.put(w.unknown(node, "clear: a variable is global or persistent").tree)
    elif gone:
        w.put(ast.Assign([name(identifier(n)) for n in sorted(gone)], constant(None), lineno=0))


def _run_file(w: Writer, node: Node, path: str) -> None:
    word = path.replace("\\", "/").split("/")[-1].removesuffix(".m")
    if word in w.program.scripts and word not in w.running:
        run_script(w, word)
    else:
        w.put(w.unknown(node, f"run: {word}.m is not among the files").tree)


def run_script(w: Writer, word: str) -> None:
    """Translate another script in place, as MATLAB runs it with the same variables."""
    other = w.program.scripts[word]
    before, w.script = w.script, other
    w.running.append(word)
    row, w.last_row = w.last_row, -1
    w.write(f"# {other.path.name}")
    w.statements(other.body)
    w.write("")
    w.last_row = row
    w.running.pop()
    w.script = before


def command(w: Writer, node: Node) -> None:
    """Translate a command with words, such as ``hold on``."""
    words = [x for n in named(node) if (x := text(n).strip().rstrip(";,").strip("'\""))]
    word = words[0] if words else ""
    if not word:
        w.put(w.unknown(node, f"`{text(node).strip()[:40]}` has no translation").tree)
    elif word == "run" and len(words) == 2:
        _run_file(w, node, words[1])
    elif len(words) == 1 and w.is_variable(word):
        w.put(called("display", constant(word), w.variable(word).tree))
    elif word in w.program.scripts and word not in w.running:
        run_script(w, word)
    elif word == "syms":
        _syms(w, words[1:])
    elif word in CLEARS:
        clear(w, node)
    elif word == "load":
        if w.is_function:
            w.put(w.unknown(node, "load: want a result, S = load(...), in a function").tree)
        else:
            w.put(called(name("globals().update"), called("loaded", *map(constant, words[1:]))))
    elif word == "save":
        _save(w, words[1:])
    elif word in ("exit", "quit"):
        w.write("raise SystemExit")
    elif w.program.own(word, w.file):
        w.put(called(w.users(word), *map(constant, words[1:]), nargout=constant(0)))
    elif word in DROPPED:
        return
    else:
        found = names.function(w, word)
        if found is None:
            w.put(w.unknown(node, w.missing(word)).tree)
        else:
            w.put(called(found, *map(constant, words[1:])))


# -- branches and loops


def if_statement(w: Writer, node: Node) -> None:
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


def _condition(w: Writer, node: Node) -> str:
    test = node.child_by_field_name("condition") or named(node)[0]
    return ast.unparse(ast.fix_missing_locations(truth(expression(w, test))))


def while_loop(w: Writer, node: Node) -> None:
    """Translate ``while``."""
    w.write(f"while {_condition(w, node)}:")
    block = _block(node)
    w.header(node, block)
    w.block(block)


def for_loop(w: Writer, node: Node) -> None:
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


def switch_statement(w: Writer, node: Node) -> None:
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


def try_statement(w: Writer, node: Node) -> None:
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
    w.statements(inner)
    if len(w.out) == before:
        w.write("pass")
    w.depth -= 1


def return_statement(w: Writer, node: Node) -> None:
    """Translate ``return``."""
    w.write(w.result() if w.is_function else "raise SystemExit")  # type: ignore[attr-defined]


def _result(w: Writer) -> str:
    found: list[ast.expr] = []
    for n in w.outputs:
        tree = w.variable(n).tree
        found.append(ast.Starred(ast.Subscript(tree, constant(":"))) if n == "varargout" else tree)
    if not found:
        return "return None"
    if len(found) == 1 and not isinstance(found[0], ast.Starred):
        return f"return {ast.unparse(found[0])}"
    if found and isinstance(found[-1], ast.Starred):
        found[-1] = ast.Starred(called("spreads", found[-1].value))
    return f"return {ast.unparse(ast.fix_missing_locations(ast.Tuple(found)))}"


Writer.result = _result  # type: ignore[attr-defined]


def jump(w: Writer, node: Node) -> None:
    """Translate ``break`` and ``continue``, which belong to a loop of the same file."""
    if in_loop(node):
        w.write(text(node).strip("; \n"))
    else:
        w.put(w.unknown(node, f"`{text(node)}` outside a loop").tree)


def declared(w: Writer, node: Node) -> None:
    """Translate ``global`` and ``persistent``, which are known of before."""
    if node.type == "global_operator":
        for n in named(node):
            if n.type == "identifier":
                w.assigned(text(n))


STATEMENTS: dict[str, Callable[[Writer, Node], None]] = {
    "assignment": assignment,
    "for_statement": for_loop,
    "while_statement": while_loop,
    "if_statement": if_statement,
    "switch_statement": switch_statement,
    "try_statement": try_statement,
    "return_statement": return_statement,
    "break_statement": jump,
    "continue_statement": jump,
    "command": command,
    "global_operator": declared,
    "persistent_operator": declared,
    "function_definition": lambda w, node: None,
}
"""Type of node -> function that translates it; all others are expressions."""
