"""Replacement of functions in a running process by the functions of a changed source text."""

import gc
import inspect
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any


def inner(code: CodeType) -> list[CodeType]:
    """Return the code of all functions and classes defined in a function, class or module."""
    return [x for x in code.co_consts if isinstance(x, CodeType)]


def _own(code: CodeType) -> tuple[Any, ...]:
    """Return the instructions and constants of a function, without line numbers and inner
    functions.
    """
    consts = [None if isinstance(x, CodeType) else (type(x), repr(x)) for x in code.co_consts]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_qualname, code.co_code, code.co_exceptiontable, *names, *consts)


def does(code: CodeType) -> tuple[Any, ...]:
    r"""Return the instructions of a function and of its inner functions, by which two functions can
    be compared.

    Examples
    --------
    >>> does(compile("x = 1", "", "exec")) == does(compile("x = (1\n)", "", "exec"))
    True
    >>> does(compile("x = 1", "", "exec")) == does(compile("x = 1.0", "", "exec"))
    False
    """
    return (*_own(code), *map(does, inner(code)))


def differing(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield pairs of differing code before and after, from the module down to the innermost
    function.
    """
    if does(old) == does(new):
        return
    yield old, new
    if len(inner(old)) == len(inner(new)):
        for pair in zip(inner(old), inner(new), strict=True):
            yield from differing(*pair)


class Change:
    r"""Difference between two texts of a file.

    Attributes
    ----------
    at_import : bool
        True if the changed code runs when the file is imported, as constants and defaults do.
    place : tuple
        The innermost function that differs: file, first line and name.

    Examples
    --------
    >>> old = "A = 1\ndef f():\n    return [A + x for x in (1, 2)]"
    >>> Change("a.py", old, old.replace("A + x", "A - x")).place
    ('a.py', 3, 'f.<locals>.<listcomp>')
    >>> [Change("a.py", old, old.replace("A = 1", A)).at_import for A in ("A = 2", "A = (1)")]
    [True, False]
    """

    def __init__(self, file: str, old: str, new: str) -> None:
        pairs = list(differing(*(compile(x, file, "exec", dont_inherit=True) for x in (old, new))))
        self.file = file
        self.functions = [x for x in pairs if x[0].co_flags & inspect.CO_OPTIMIZED]
        self.at_import = any(_own(a) != _own(b) for a, b in pairs if (a, b) not in self.functions)
        self.place = place(pairs[-1][0]) if pairs else None

    def put_into(self, functions: list[FunctionType]) -> None:
        """Replace the code of those given functions that the change affects."""
        for f in functions:
            for old, new in self.functions:
                if place(f.__code__) == place(old) and does(f.__code__) == does(old):
                    f.__code__ = new


def place(code: CodeType) -> tuple[str, int, str]:
    """Return the file of a function, its first line, and its name."""
    return code.co_filename, code.co_firstlineno, code.co_qualname


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Return all functions of this process by the files that they come from.

    Objects that were exempt from garbage collection, and so are not listed, are so no longer.
    """
    gc.unfreeze()
    found = defaultdict(list)
    for x in gc.get_objects():
        if type(x) is FunctionType:  # isinstance may run code of other objects, such as PyTorch's
            found[x.__code__.co_filename].append(x)
    return found
