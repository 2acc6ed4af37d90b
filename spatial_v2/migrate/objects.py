"""Classes of the user's whose methods are written by NumPy's functions.

A class is written so if its lines, those of its bases, and those that use its objects are decided;
otherwise the runtime writes it. A property has the kinds of its default and of all that methods and
scripts assign to it. An object of a handle class is a reference, others are values, as structs are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate.calling import fulfilled
from spatial_v2.migrate.expressions import attribute, value
from spatial_v2.migrate.kinds import GROWS, Code, Kind, Undecided, join, kind
from spatial_v2.migrate.parse import Class, Function, Method, Node, Script, named, text, walk
from spatial_v2.migrate.program import Todo
from spatial_v2.migrate.scope import TAKEN

if TYPE_CHECKING:
    from spatial_v2.migrate.program import Program
    from spatial_v2.migrate.statements import Body

__all__ = [
    "OBJECTS", "ByRuntime", "Object", "assigned", "begun", "candidates", "group", "has_method",
    "instance_of", "methods_called", "property_code", "record",
]  # fmt: skip

OBJECTS = ("object", "reference")
"""Forms of objects: values, and those of handle classes."""
SPECIAL = {
    "plus", "minus", "times", "mtimes", "rdivide", "mrdivide", "ldivide", "mldivide", "power",
    "mpower", "uminus", "uplus", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "colon",
    "horzcat", "vertcat", "subsref", "subsasgn", "subsindex", "numel", "size", "length", "end",
    "ndims", "isempty", "disp", "display", "delete", "saveobj", "loadobj", "transpose",
    "ctranspose", "double", "char", "copy", "properties", "isprop", "addlistener", "notify",
}  # fmt: skip
"""Methods that MATLAB calls for operators, subscripts and built-in functions."""


class ByRuntime(Exception):
    """Error for classes, given by their numbers, that the runtime has to write."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = frozenset(numbers)


class Object(NamedTuple):
    """A class, its file, its number from 1, and its bases among the files, the nearest first."""

    defined: Class
    script: Script
    number: int
    bases: tuple[str, ...]
    shared: bool

    @property
    def kind(self) -> Kind:
        """Kind of an object."""
        return Kind("reference" if self.shared else "object", source=self.number)

    def functions(self) -> Iterator[Function]:
        """Yield the methods, by names such as ``Class.method``."""
        for m in self.defined.methods:
            yield m.function._replace(name=f"{self.defined.name}.{m.function.name}")


def candidates(files: list[Script]) -> dict[str, Object]:
    """Return the classes that may be written by NumPy's functions."""
    plain = {f.path.stem: (f.defined, f) for f in files if f.defined and _is_plain(f.defined, f)}
    changed = True
    while changed:
        kept = {
            n: x
            for n, x in plain.items()
            if all(b == "handle" or b in plain for b in x[0].bases) and len(x[0].bases) < 2
        }
        changed, plain = len(kept) < len(plain), kept
    found: dict[str, Object] = {}
    for number, (name, (defined, script)) in enumerate(plain.items(), 1):
        bases, here = [], defined
        while here.bases and here.bases[0] in plain:
            bases.append(here.bases[0])
            here = plain[here.bases[0]][0]
        found[name] = Object(defined, script, number, tuple(bases), "handle" in here.bases)
    return found


def _is_plain(defined: Class, script: Script) -> bool:
    names = [m.function.name for m in defined.methods]
    fine = not defined.refused and defined.name == script.path.stem
    fine = fine and not any(p.attributes & {"constant", "dependent"} for p in defined.properties)
    fine = fine and len(set(names)) == len(names) and not {*names} & SPECIAL
    fine = fine and not {defined.name} & {*ROWS, *TAKEN}
    types = {n.type for n in walk(defined.node)}
    fine = fine and not types & {"persistent_operator", "arguments_statement", "global_operator"}
    return fine and all(_is_plain_method(m, defined.name) for m in defined.methods)


def _is_plain_method(m: Method, title: str) -> bool:
    f = m.function
    if f.name.startswith(("_get_", "_set_")) or m.attributes & {"static", "abstract"}:
        return False
    if f.name == title:
        return len(f.outputs) == 1 and f.outputs[0] not in f.inputs
    first = f.inputs[0] if f.inputs else "varargin"
    others = {text(n) for n in walk(f.node) if n.type == "identifier"} - {first}
    inner = any(n.type == "function_definition" for b in f.body for n in walk(b))
    return first != "varargin" and "self" not in others and not inner


def group(objects: dict[str, Object], numbers: Iterable[int]) -> set[str]:
    """Return the classes with the given numbers, their bases, and those that inherit from them."""
    found = {n for n, x in objects.items() if x.number in set(numbers)}
    while True:
        more = {n for n, x in objects.items() if n in found or found & {*x.bases}}
        more |= {b for n in more for b in objects[n].bases}
        if more == found:
            return found
        found = more


def instance_of(program: Program, name: str, found: Function) -> str:
    """Return the name that the object has in a method; "" for other functions."""
    title, _, method = name.partition(".")
    if not method or title not in program.objects:
        return ""
    return found.outputs[0] if method == title else found.inputs[0]


def _chain(program: Program, k: Kind) -> tuple[str, ...]:
    for x in program.objects.values():
        if x.number == k.source:
            return (x.defined.name, *x.bases)
    raise Undecided("it is unknown which class an object has")


def has_method(program: Program, k: Kind, name: str) -> bool:
    """Test if an object has a method."""
    return k.form in OBJECTS and any(
        f"{c}.{name}" in program.functions and c != name for c in _chain(program, k)
    )


def methods_called(program: Program, k: Kind, name: str) -> list[str]:
    """Return the functions that a call of a method may run: that of the object's class, and those
    of classes that inherit from it.
    """
    chain = _chain(program, k)
    first = next(f"{c}.{name}" for c in chain if f"{c}.{name}" in program.functions)
    below = [n for n, x in program.objects.items() if chain[0] in x.bases]
    return [first, *(f"{n}.{name}" for n in below if f"{n}.{name}" in program.functions)]


def _owner(program: Program, k: Kind, name: str) -> str:
    """Return the class that has a property."""
    for c in _chain(program, k):
        if any(attribute(p.name) == name for p in program.objects[c].defined.properties):
            return c
    raise Undecided(f"the class {_chain(program, k)[0]} has no property {name}")


def property_code(body: Body, code: Code, name: str) -> Code:
    """Translate a property of an object."""
    place = (_owner(body.program, code.kind, name), name)
    found = body.program.properties.get(place, kind("n"))
    return Code(f"{code.at(19)}.{name}", found.now(shared=True))


def record(body: Body, of: Kind, name: str, found: Kind) -> None:
    """Record the kind of a value that a property gets."""
    place = (_owner(body.program, of, name), name)
    held = found.now(shift=0, kept=False, unsure=False, shared=True, length=-1, items=())
    if held.form == "cell" and found.length in (0, GROWS):
        held = held.now(item=found.item)
    body.program.properties[place] = join(body.program.properties.get(place), held)


def assigned(body: Body, here: Code, name: str, code: Code) -> Kind:
    """Write the assignment of a whole property; return the kind of the object."""
    record(body, here.kind, name, code.kind)
    body.write(f"{here.text}.{name} = {code.text}")
    return here.kind


def begun(body: Body, title: str) -> None:
    """Write the defaults of the properties of a new object, and what makes it one of its base."""
    x = body.program.objects[title]
    constructor = next((m for m in x.defined.methods if m.function.name == title), None)
    nodes = () if constructor is None else constructor.function.body
    always = _always(body, nodes)
    for p in x.defined.properties:
        empty = p.default is None or (p.default.type == "matrix" and not named(p.default))
        if empty and p.name in always:
            continue
        code = Code("np.zeros(0)", kind("e")) if p.default is None else _default(body, p.default, x)
        assigned(body, Code("self", x.kind), attribute(p.name), code)
    said = {text(n) for b in nodes for n in walk(b) if n.type == "superclass"}
    if x.bases and x.bases[0] not in said:
        body.write("super().__init__()")


def _default(body: Body, node: Node, x: Object) -> Code:
    """Translate the default of a property; if it is not decided, the runtime writes the class."""
    try:
        code = value(body, node)
        random = any(text(n).startswith("rand") for n in walk(node))
        if random or code.kind.form == "reference":
            raise Undecided("a default that all objects share")
    except Undecided as why:
        if body.program.levels.border is not None:
            raise ByRuntime({x.number}) from None
        body.todos.append(Todo(x.script.path, node.start_point[0] + 1, str(why)))
        return Code("...", kind("n"))
    return code


def _always(body: Body, nodes: Iterable[Node]) -> set[str]:
    """Return the properties that statements assign on all paths, for all calls of a constructor."""
    found = set[str]()
    for n in nodes:
        if n.type == "assignment":
            left = "".join(text(n.child_by_field_name("left")).split())
            name, _, field = left.partition(".")
            if name == body.instance and field.isidentifier():
                found.add(field)
        elif n.type == "if_statement" and fulfilled(body, named(n)[0]) is True:
            block: list[Node] = next((p.children for p in named(n) if p.type == "block"), [])
            found |= _always(body, block)
    return found


def base_of(node: Node) -> tuple[str, str, list[Node]] | None:
    """Return the name, the base and the arguments of ``f@Base(...)``; None for other nodes."""
    over = next((c for c in node.children if c.type == "superclass"), None)
    if over is None:
        return None
    args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
    return text(node.children[0]), text(over), args
