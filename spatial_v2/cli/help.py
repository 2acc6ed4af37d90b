"""``spatial-v2 help``: what a function does, as MATLAB's ``help`` says it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spatial_v2.suggestions import suggest

if TYPE_CHECKING:
    from spatial_v2.matlab.table import Row

__all__ = ["help_on", "text_of"]

ARGUMENTS = "Parameters"
SHOWN = ("Returns", "Raises", "Warns", "Notes", "Examples")
"""Sections of a docstring after the arguments, in this order."""


def help_on(
    name: Annotated[
        str | None, typer.Argument(help="A function or class; without one all names are listed.")
    ] = None,
) -> None:
    """Say what a function does: its calls in Python and MATLAB, arguments, results, an example.

    Names of MATLAB's functions say what to use in their place. The lines are those of Python's
    ``help``, without its markup.
    """
    if name is None:
        for line in _contents():
            typer.echo(line)
        return
    lines = text_of(name)
    if not lines:
        hint = suggest(name, _names()) or "; spatial-v2 help lists all names"
        typer.echo(f"help: no function {name!r}{hint}", err=True)
        raise typer.Exit(1)
    for line in lines:
        typer.echo(line)


def text_of(name: str) -> list[str]:
    """Return the lines of the help on a name; none if there is no such name.

    Examples
    --------
    >>> text_of("crf")[2:4]
    ['   from spatial_v2 import crf', '   crf(v)']
    """
    from spatial_v2.matlab.table import ROWS, VERSION_1

    if name in VERSION_1:
        return _instead(VERSION_1[name])
    row = ROWS.get(name)
    entry = _found(name, row)
    if entry is None:
        return _instead(row) if row is not None else []
    place, thing = entry
    summary, sections = _parts(inspect.getdoc(thing) or "A type of arguments of functions.")
    lines = [f" {name}  {_plain(summary)}", ""]
    if callable(thing):
        lines += [f"   from {place} import {name}", f"   {_call(name, thing)}"]
    matlab, text = _without_matlab(sections.get("", []))
    if matlab:
        lines += ["", f"   in MATLAB: {_plain(matlab)}"]
    lines += ["", *(f"   {_plain(x)}".rstrip() for x in text)] if text else []
    for title in (ARGUMENTS, *SHOWN):
        if title in sections:
            head = "Arguments" if title == ARGUMENTS else title
            text = sections[title]
            plain = text if title == "Examples" else map(_plain, text)
            lines += ["", f"   {head}:", *(f"     {x}".rstrip() for x in plain)]
    if row is not None and (row.differs or row.better):
        lines += ["", "   Differences from MATLAB:", f"     {_plain(row.differs or row.better)}"]
    also = _see_also(sections)
    lines += ["", _plain(f"   See also {', '.join(also)}.")] if also else []
    return lines


def _found(name: str, row: Row | None) -> tuple[str, Any] | None:
    """Return the package that a name is imported from, and what it names."""
    import derivatives
    import spatial_v2
    import tensor_sva
    from spatial_v2 import control, matlab, plots

    packages = (spatial_v2, derivatives, tensor_sva, control, matlab, plots)
    others = row.python if row is not None else ()
    for word in (name, *(dotted.rpartition(".")[2] for dotted in others)):
        for package in packages:
            if not word.startswith("_") and word in (*package.__all__, *dir(package)):
                return package.__name__, getattr(package, word)
    return None


def _instead(row: Row) -> list[str]:
    text = row.instead or ", ".join(row.python)
    return [f" {row.name}  A function of MATLAB's library; in Python: {_plain(text)}"]


def _call(name: str, thing: Any) -> str:
    """Return a call with all arguments, without their types."""
    try:
        signature = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return f"{name}(...)"
    shown = [_without_address(p) for p in signature if p.name != "self"]
    return f"{name}{inspect.Signature(shown)}"


def _without_address(p: inspect.Parameter) -> inspect.Parameter:
    """Return an argument without its type, whose default has a name if it is a function."""
    default = _Name(p.default.__name__) if inspect.isfunction(p.default) else p.default
    return p.replace(annotation=inspect.Parameter.empty, default=default)


class _Name(str):
    """A name that is printed without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _parts(doc: str) -> tuple[str, dict[str, list[str]]]:
    """Return the first paragraph of a docstring on one line, and its sections by their titles."""
    lines = doc.split("\n")
    end = next((k for k, x in enumerate(lines) if not x), len(lines))
    title, sections = "", {"": list[str]()}
    rest = lines[end:]
    for k, line in enumerate(rest):
        under = rest[k + 1] if k + 1 < len(rest) else ""
        if line and re.fullmatch("-{3,}", under):
            title = line
            sections[title] = []
        elif not (re.fullmatch("-{3,}", line) and sections[title] == []):
            sections[title].append(line)
    return " ".join(lines[:end]), {t: _trimmed(x) for t, x in sections.items()}


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[0]:
        lines = lines[1:]
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def _without_matlab(lines: list[str]) -> tuple[str, list[str]]:
    """Return MATLAB's call, which a paragraph of its own names, and the other lines."""
    first = next((k for k, x in enumerate(lines) if x.startswith("MATLAB: ")), None)
    if first is None:
        return "", lines
    end = next((k for k in range(first, len(lines)) if not lines[k]), len(lines))
    said = " ".join(lines[first:end]).removeprefix("MATLAB: ")
    return said.rstrip("."), _trimmed([*lines[:first], *lines[end + 1 :]])


def _see_also(sections: dict[str, list[str]]) -> list[str]:
    lines = sections.get("See Also", [])
    return [x.split(":")[0].strip() for x in lines if x and not x.startswith(" ")]


def _plain(line: str) -> str:
    """Return a line without the marks of reStructuredText."""
    line = re.sub(r":\w+:`~?([^`]*)`", r"\1", line)
    return line.replace("``", "").replace("`", "")


def _names() -> list[str]:
    from spatial_v2.matlab.table import ROWS
    from spatial_v2.public_names import homes

    return sorted({*homes(), *ROWS})


def _contents() -> Iterator[str]:
    """Yield all names by package, each with the first sentence of its help."""
    import spatial_v2
    from spatial_v2.public_names import homes

    packages: dict[str, list[str]] = {}
    for name, package in homes().items():
        packages.setdefault(package, []).append(name)
    for package, names in packages.items():
        if package == "exceptions":
            continue
        yield f"{package}:"
        for name in sorted(names, key=str.lower):
            doc = inspect.getdoc(getattr(spatial_v2, name)) or ""
            yield f"  {name:28} {_plain(doc.split(chr(10))[0])}"
        yield ""
