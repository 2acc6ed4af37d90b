"""Names that are no variables: functions of the user, of MATLAB, of the library; constants."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable
from functools import cache

from spatial_v2.matlab import runtime
from spatial_v2.matlab.table import ROWS
from spatial_v2.migrate.expressions import string_value
from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import NUMBER, Step, Typed, called, constant, identifier, name
from spatial_v2.migrate.names import NOTED
from spatial_v2.migrate.parse import Node

__all__ = ["SPECIAL", "call", "function", "known"]

CONSTANTS = {
    "pi": "np.pi", "Inf": "np.inf", "inf": "np.inf", "NaN": "np.nan", "nan": "np.nan",
    "true": "True", "false": "False",
}  # fmt: skip
STATEMENTS = {"save", "load", "syms", "clear", "clc", "close", "exit", "quit", "import"}
"""Names that statements are made of, and that are no functions."""
NOT_RUN = {
    "eval": "text with code is not run; write the code",
    "evalin": "variables of another function cannot be reached; give them as arguments",
    "assignin": "variables of another function cannot be reached; give them as results",
    "evalc": "text with code is not run; write the code",
    "sim": "Simulink has no counterpart",
    "set_param": "Simulink has no counterpart",
}
"""Functions that are refused -> the reason."""


@cache
def known() -> frozenset[str]:
    """Return the names of the functions of the runtime, the library's among them."""
    there = {n for n, row in ROWS.items() if row.python or not row.instead}
    return frozenset(runtime.names() | there)


@cache
def _taken() -> frozenset[str]:
    """Return the names that mean something else in the module of the runtime."""
    return frozenset(
        {
            *runtime.MODULES,
            *runtime.HELPERS,
            *runtime.__all__,
            "library",
            "names",
            "arithmetic",
            "subscripts",
            "assigning",
            "functions",
            "printf",
            "branches",
            "importlib",
            "SimpleNamespace",
            "Any",
            "annotations",
            "values",
        }
    )


def _runtime(word: str) -> ast.expr:
    taken = word in _taken() and word not in ("colon", "mldivide", "nargin")
    return name(f"ml.{word}_" if keyword.iskeyword(word) or taken else f"ml.{word}")


def function(w: Lines, word: str) -> ast.expr | None:
    """Return a function by its name in MATLAB; None if there is none."""
    if word in NOT_RUN:
        return None
    if w.program.own(word, w.file):
        return w.users(word)
    if word in known():
        return _runtime(word)
    return None


def call(
    w: Lines,
    node: Node,
    word: str,
    path: list[Step],
    nargout: int,
    accessed: Callable[..., ast.expr],
) -> Typed:
    """Translate a name that is no variable, with what follows it."""
    if word in SPECIAL and not w.program.own(word, w.file):
        found = SPECIAL[word](w, path)
        if found is not None:
            return found
    if word in CONSTANTS and not path:
        return Typed(name(CONSTANTS[word]), NUMBER)
    if word == "containers" and path[:1] and path[0].name == "Map":
        word, path = "containers.Map", path[1:]
        args = w.arguments(path[0].args) if path and path[0].sign == "(" else []
        return Typed(called(ast.Call(name("getattr"), [name("ml"), constant(word)], []), *args))
    while word in w.program.packages and path[:1] and path[0].sign == ".":
        word, path = path[0].name, path[1:]
    if word in w.program.methods and path[:1] and path[0].sign == "(":
        there = function(w, word)
        of_class = called("method_of", constant(word), *([] if there is None else [there]))
        options = {"nargout": constant(nargout)} if nargout != 1 and len(path) == 1 else {}
        tree: ast.expr = called(of_class, *w.arguments(path[0].args), **options)
        return Typed(accessed(w, tree, path[1:], nargout) if path[1:] else tree)
    if word in w.program.classes and path[:1] and path[0].sign == ".":
        return Typed(accessed(w, w.users(word), path, nargout))
    if w.program.uses_casadi and (of := _casadi(w, word, path)) is not None:
        return Typed(accessed(w, *of, nargout))
    found_ = function(w, word)
    if found_ is None:
        return w.unknown(node, w.missing(word))
    if word in NOTED and not w.program.own(word, w.file):
        w.notes.append(f"{word}: {NOTED[word] or ROWS[word].better}")
    args = w.arguments(path[0].args) if path and path[0].sign == "(" else []
    rest = path[1:] if path and path[0].sign == "(" else path
    options = {"nargout": constant(nargout)} if nargout != 1 and not rest else {}
    tree = called(found_, *args, **options)
    return Typed(accessed(w, tree, rest, nargout) if rest else tree)


CASADI = {
    "SX", "MX", "DM", "Function", "Opti", "OptiSol", "Sparsity", "Slice", "Importer",
    "CodeGenerator", "GenericType", "nlpsol", "qpsol", "conic", "integrator", "rootfinder",
    "interpolant", "external", "if_else", "conditional", "jtimes", "substitute",
    "sumsqr", "sum1", "sum2", "vertsplit", "horzsplit", "mtimes", "norm_2", "norm_1", "norm_inf",
    "fmin", "fmax", "mmin", "mmax", "logic_and", "logic_or", "logic_not", "densify", "evalf",
    "which_depends", "depends_on", "symvar", "cse", "linearize", "blockcat", "diagcat",
    "collocation_points", "collocation_coeff", "simpleRK", "simpleIRK", "is_equal", "veccat",
}  # fmt: skip
"""Names of CasADi's that ``import casadi.*`` makes known; others are also MATLAB's."""


def _casadi(w: Lines, word: str, path: list[Step]) -> tuple[ast.expr, list[Step]] | None:
    """Return a name of the package ``casadi``, and the accesses that follow."""
    if word == "casadi" and path[:1] and path[0].sign == ".":
        return name(f"ml.casadi.{path[0].name}"), path[1:]
    if word in CASADI and not w.program.own(word, w.file):
        return name(f"ml.casadi.{word}"), path
    return None


def _nargin(w: Lines, path: list[Step]) -> Typed | None:
    return Typed(name("nargin"), NUMBER) if not path and w.is_function else None


def _nargout(w: Lines, path: list[Step]) -> Typed | None:
    return Typed(name("nargout"), NUMBER) if not path and w.is_function else None


def _exist(w: Lines, path: list[Step]) -> Typed | None:
    args = path[0].args if path else ()
    if not args or args[0].type != "string":
        return None
    word = string_value(args[0])
    if len(args) > 1 and string_value(args[1]) not in ("var",):
        return None
    there: ast.expr | None = None
    if word in w.inputs:
        there = name(identifier(word))
    elif w.is_variable(word) and word not in w.variables.shared | w.variables.kept:
        there = called(name("locals().get"), constant(identifier(word)))
    if there is not None:
        return Typed(ast.Compare(there, [ast.IsNot()], [constant(None)]), NUMBER)
    return Typed(constant(False), NUMBER) if len(args) > 1 else None


def _isargout(w: Lines, path: list[Step]) -> Typed | None:
    return Typed(constant(True), NUMBER)


def _imaginary(w: Lines, path: list[Step]) -> Typed | None:
    return Typed(called("value", constant(1j))) if not path else None


SPECIAL: dict[str, Callable[[Lines, list[Step]], Typed | None]] = {
    "nargin": _nargin,
    "nargout": _nargout,
    "exist": _exist,
    "isargout": _isargout,
    **dict.fromkeys(("i", "j", "1i"), _imaginary),
}
"""Names that are translated by a function of their own."""
