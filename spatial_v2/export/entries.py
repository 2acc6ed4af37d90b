"""The entries of a library of kernels: forms of kernels with the types of their arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from spatial_v2.accelerated import KERNELS
from spatial_v2.calls.loading import load_function
from spatial_v2.engine.constrained import ALONE
from spatial_v2.engine.constrained import KERNELS as CONSTRAINED
from spatial_v2.engine.procedures import PROCEDURES
from spatial_v2.export.constrained import FORMS
from spatial_v2.export.records import arrays_of, record_type

__all__ = ["Entry", "drivers", "entries_of"]

Entry = tuple[str, Any, tuple[Any, ...]]
"""Name of an entry, its kernel, and the types of the kernel's arguments."""
_LETTERS = {"f": "float64", "i": "int64", "u": "uint64"}
_NUMBERS = {"x": "float64", "n": "int64", "t": "boolean"}


def entries_of(names: Sequence[str]) -> Iterable[Entry]:
    """Yield all entries of a library.

    Parameters
    ----------
    names : sequence of str
        Names of its kernels.

    Yields
    ------
    tuple
        Name, kernel, and types of arguments.
    """
    from spatial_v2.engine.compile.extend import types
    from spatial_v2.engine.tensors.dense import compose

    tables = *arrays_of([1], "uint32"), *arrays_of([2], "int64")
    flags = types.boolean, types.boolean
    yield from drivers()
    yield "compose_state", compose, (*arrays_of([2]), *tables, *flags, *arrays_of([2]))
    for name in names:
        if name in PROCEDURES:
            yield from _procedure(name)
        elif name in CONSTRAINED:
            form = FORMS[name]
            batch = name not in ALONE
            yield from _forms(name, record_type(form.record), form.arguments, form.results, batch)
        else:
            of = KERNELS[name]
            ins = [2] * len(of.cores) + [3] * (of.takes_force + of.takes_frame)
            outs = [2 if of.runs else len(dims) + 1 for dims in of.results]
            record = record_type("view" if of.of_frame else "tree")
            yield from _forms(name, record, ins, outs, True, not of.runs)


def drivers() -> list[Entry]:
    """Return the functions that run kernels for SIMD batches."""
    from spatial_v2.engine.numbers.batches import DRIVE, drive
    from spatial_v2.engine.parts.spread_batches import DRIVE_SPREAD, drive_spread

    return [("drive", drive, DRIVE), ("drive_spread", drive_spread, DRIVE_SPREAD)]


def _forms(
    name: str, first: Any, ins: Sequence[int], outs: Sequence[int], batch: bool, look: bool = True
) -> Iterable[Entry]:
    """Yield the forms of a kernel for one state and, with `batch`, for SIMD batches."""
    from spatial_v2.engine.numbers.batches import batch_types

    kernel = load_function(name)
    yield f"{name}_state", kernel, (first, *arrays_of([*ins, *outs]))
    if batch:
        yield f"{name}_batch", kernel, batch_types(first, ins, outs, look)


def _procedure(name: str) -> Iterable[Entry]:
    """Yield the forms of a kernel of `PROCEDURES`."""
    from spatial_v2.engine.compile.extend import types

    of = PROCEDURES[name]
    if len(of.first) > 1 and of.first.isalpha():
        first = record_type(of.first)
    else:
        first, *more = _types(of.first)
        first = types.BaseTuple.from_types((first, *more)) if more else first
    if of.results:
        ins, outs = ([int(x[1]) for x in part.split()] for part in (of.others, of.results))
        yield from _forms(name, first, ins, outs, True)
    else:
        yield f"{name}_state", load_function(name), (first, *_types(of.others))


def _types(text: str) -> list[Any]:
    """Return the types of arguments from their description; see `engine.procedures`."""
    from spatial_v2.engine.compile.extend import types

    return [
        getattr(types, _NUMBERS[x]) if x in _NUMBERS
        else arrays_of([int(x[1])], _LETTERS[x[0]])[0]
        for x in text.split()
    ]  # fmt: skip
