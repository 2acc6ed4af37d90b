"""State of the translation of several files, which is repeated until no more kinds are learned."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from spatial_v2.migrate.kinds import ROW_OF_CELLS, Kind, Undecided, join, kind
from spatial_v2.migrate.levels import Levels
from spatial_v2.migrate.parse import Function, Script, text, walk

if TYPE_CHECKING:
    from spatial_v2.migrate.objects import Object

__all__ = ["Callable_", "File", "Program", "Todo", "Translation"]


Way = tuple[tuple[str, str], ...]
"""Forms of the arguments of a call, and the vectors that they may be."""


def way(given: list[Kind]) -> Way:
    """Return the way of a call with arguments of some kinds."""
    return tuple((k.form, k.along) for k in given)


class Todo(NamedTuple):
    """A statement that is not translated: its file, its line and the reason."""

    path: Path
    line: int
    why: str


class Callable_(NamedTuple):
    """A function of the user: its syntax tree, its file, and its key in the program."""

    function: Function
    path: Path
    key: int
    counts_results: bool


@dataclass
class File:
    """A file of the program, and what its translation needs: imports, a random generator, ..."""

    script: Script
    number: int
    imports: set[str] = field(default_factory=set)
    random: bool = False
    persistent: set[str] = field(default_factory=set)
    remarks: list[Todo] = field(default_factory=list)
    """Calls whose values may differ from MATLAB's."""
    matlab: set[str] = field(default_factory=set)
    """Library functions that the file imports from `spatial_v2.matlab`, not from `spatial_v2`."""
    by_runtime: int = 0
    kept: set[str] = field(default_factory=set)
    """Persistent variables of functions by the runtime."""
    late: set[str] = field(default_factory=set)
    """Imports at the end of the file: of files that use this one in turn."""

    @property
    def path(self) -> Path:
        """Path of the MATLAB file."""
        return self.script.path


@dataclass
class Translation:
    """Translation of a file."""

    path: Path
    python: str
    todos: list[Todo]
    shifts: dict[str, int]
    """Shifts of the variables of the script: value in MATLAB minus value in Python, 1 for indices
    that count from 0.
    """
    first: dict[str, int]
    """Line of the first assignment of each variable of the script."""
    kinds: dict[str, Kind]
    counters: set[str] = field(default_factory=set)
    """Loop variables, and variables of caught errors."""
    globals: frozenset[str] = frozenset()
    """Global variables of the script."""
    remarks: list[Todo] = field(default_factory=list)
    """Calls whose values may differ from MATLAB's."""
    undecided: list[Todo] | None = None
    """Lines that NumPy's functions do not decide; None if they decide all."""
    by_runtime: int = 0
    """Number of lines with code that call the runtime, or belong to a function of its."""
    lines: int = 0
    """Number of lines with code, before long ones are split."""

    def notebook(self) -> dict[str, Any]:
        """The translation as a notebook, with a cell for each section."""
        parts = re.split(r"(?m)^# %% ?(.*)$", self.python)
        cells: list[dict[str, Any]] = []
        for title, code in zip(["", *parts[1::2]], parts[::2], strict=True):
            if title.strip():
                cells.append({"cell_type": "markdown", "metadata": {}, "source": f"## {title}"})
            if code.strip():
                cells.append(
                    {
                        "cell_type": "code",
                        "metadata": {},
                        "execution_count": None,
                        "outputs": [],
                        "source": code.strip(),
                    }
                )
        for n, c in enumerate(cells):
            c["id"] = f"cell-{n}"
        return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


class Program:
    """All files of a translation, and the kinds that are known of their variables."""

    def __init__(
        self,
        files: list[Script],
        levels: Levels | None = None,
        objects: dict[str, Object] | None = None,
        *,
        two_axes: bool = False,
    ) -> None:
        self.two_axes = two_axes
        """True if variables and results that are columns or matrices, or columns or rows, always
        have two axes.
        """
        self.levels = levels or Levels()
        self.files = [File(s, n) for n, s in enumerate(files)]
        self.functions: dict[str, Callable_] = {}
        self.objects = objects or {}
        self.properties: dict[tuple[str, str], Kind] = {}
        """Class and property -> the kind of all its values."""
        self.edited: set[str] = set()
        """Names of properties parts of which are assigned."""
        self.sites: dict[int, list[Kind]] = {}
        self.returns: dict[int, list[Kind]] = {}
        self.ways: dict[int, dict[Way, list[Kind]]] = {}
        """Key of a function -> the ways in which it is called, and the kinds of the arguments."""
        self.returns_of: dict[tuple[int, Way], list[Kind]] = {}
        """Kinds of the results of functions for which they depend on the way of the call."""
        self.loops: dict[int, dict[str, Kind]] = {}
        self.shifts: dict[tuple[str, str], set[int]] = {}
        self.persistent: dict[tuple[int, str], Kind] = {}
        self.globals: dict[str, Kind] = {}
        self.facts: dict[tuple[int, str], Any] = {}
        """Number of a file and name of a function -> facts about its text."""
        self.saved: dict[str, dict[str, Kind]] = {}
        """File that the program writes -> the kinds of its variables."""
        self.fewest: dict[int, int] = {}
        self.open = True
        self.uncalled = False
        """True inside of handles that no statement calls; calls in them say nothing of kinds."""
        for f in self.files:
            own = self.objects.get(f.path.stem)
            for function in (
                *f.script.functions.values(),
                *(own.functions() if own and own.script is f.script else ()),
            ):
                key = f.number * 10**8 + int(function.node.start_byte) + 1
                uses = any(text(n) == "nargout" for b in function.body for n in walk(b))
                main = function.name == f.path.stem or bool(f.script.body)
                if main or function.name not in self.functions:
                    found = Callable_(function, f.path, key, uses)
                    self.functions[function.name] = found

    def refuse_runtime(self, name: str) -> None:
        """Raise an error if a function is the runtime's."""
        found = self.functions[name]
        if (found.key // 10**8, found.function.name) in self.levels.scopes:
            raise Undecided(f"`{name}` is translated by the runtime")

    def site(self, key: int, given: list[Kind], count: int | None = None) -> None:
        """Record the kinds `given` of the arguments of one call of the function with this key; at
        least `count` of them are given, by default all.
        """
        if self.uncalled:
            return
        if all(k.form != "nothing" for k in given):
            known = self.ways.setdefault(key, {}).get(way(given))
            held = [k.now(shift=0, shared=True) for k in given]
            self.ways[key][way(given)] = held if known is None else list(map(join, known, held))
        known = self.sites.get(key, [])
        count = len(given) if count is None else count
        self.fewest[key] = min(self.fewest.get(key, count), count)
        more = max(len(known), len(given))
        pairs = [
            join(
                known[n] if n < len(known) else None,
                given[n].now(shift=0, shared=True) if n < len(given) else None,
            )
            for n in range(more)
        ]
        self.sites[key] = pairs

    def shares(self, name: str, found: Kind) -> Kind:
        """Record a kind of a global variable; return the kind joined from all its assignments."""
        held = found.now(shift=0, kept=False, unsure=False, shared=True, length=-1, items=())
        self.globals[name] = join(self.globals.get(name), held)
        return self.globals[name]

    def state(self) -> tuple[Any, ...]:
        """Return all inferred facts, to detect whether a further pass changes any."""
        return (
            {k: tuple(v) for k, v in self.sites.items()},
            {k: tuple(v) for k, v in self.returns.items()},
            {k: tuple(v) for k, v in self.returns_of.items()},
            {k: tuple(map(tuple, v.values())) for k, v in self.ways.items()},
            {k: tuple(sorted(v.items(), key=lambda x: x[0])) for k, v in self.loops.items()},
            {k: tuple(sorted(v)) for k, v in self.shifts.items()},
            dict(self.persistent),
            dict(self.globals),
            dict(self.properties),
            set(self.edited),
            {path: dict(k) for path, k in self.saved.items()},
            self.open,
            dict(self.fewest),
            [set(f.matlab) for f in self.files],
            self.levels.state(),
        )

    def further(self, key: int, count: int) -> Kind:
        """Infer the kind of ``varargin``, a cell, of a function with `count` arguments before."""
        known = self.sites.get(key, [])[count:]
        item: Kind | None = kind("n") if self.open or known else kind("u")
        for k in known:
            item = join(item, k)
        return Kind("cell", item=item, items=tuple(known), fields=ROW_OF_CELLS, shared=True)

    def results(self, key: int, given: list[Kind]) -> list[Kind] | None:
        """Return the kinds of the results of a function that is called with some arguments; None
        if nothing is known of them.
        """
        return self.returns_of.get((key, way(given)), self.returns.get(key))

    def parameter(self, key: int, n: int) -> Kind:
        """Infer the kind of argument number `n`, from 0, of a function from all of its calls."""
        known = self.sites.get(key, [])
        if n < len(known) and known[n].form != "nothing":
            return known[n]
        return kind("n") if self.open or known else kind("a").now(shared=True)
