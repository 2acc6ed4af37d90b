"""Examples of public functions can be pasted: they import what they use."""

import ast
import builtins
import doctest
import inspect
from collections.abc import Iterator
from typing import Any

import derivatives
import spatial_v2
import tensor_sva
from spatial_v2 import control, plots

PACKAGES = spatial_v2, derivatives, tensor_sva, control, plots


def examples() -> Iterator[tuple[str, Any, str]]:
    """Yield the name of each public function or class with an example, and the code of it."""
    for package in PACKAGES:
        for name in package.__all__:
            thing = getattr(package, name)
            lines = doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")
            if callable(thing) and lines:
                yield f"{package.__name__}.{name}", thing, "".join(x.source for x in lines)


def undefined(code: str, known: set[str]) -> set[str]:
    """Return the names that code uses and neither defines nor imports."""
    used, bound = set[str](), known | {"np", "__name__", *dir(builtins)}
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(ctx=ast.Load()):
                used.add(node.id)
            case ast.Name():
                bound.add(node.id)
            case ast.Import() | ast.ImportFrom():
                bound |= {(x.asname or x.name).partition(".")[0] for x in node.names}
            case ast.FunctionDef() | ast.ClassDef():
                bound.add(node.name)
            case ast.arg():
                bound.add(node.arg)
    return used - bound


def test_examples_import_what_they_use() -> None:
    """Beside NumPy and the function itself, which `spatial-v2 help` imports above the example."""
    all_examples = list(examples())
    assert len(all_examples) > 300
    missing = {
        name: names
        for name, thing, code in all_examples
        if (names := undefined(code, {name.rpartition(".")[2], thing.__name__}))
    }
    assert not missing


def test_a_missing_import_is_found() -> None:
    code = "from spatial_v2 import planar\narm = planar(2)\ntau = ID(arm, [x for x in q], qd)"
    assert undefined(code, set()) == {"ID", "q", "qd"}
