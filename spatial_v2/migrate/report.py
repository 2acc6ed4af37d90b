"""Report of a run of the command `migrate`, as a page of Markdown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from spatial_v2.migrate.program import Todo, Translation

__all__ = ["report"]


def report(
    title: str,
    found: list[Translation],
    written: Mapping[Path, Path],
    unread: Mapping[Path, str],
    checked: Mapping[Path, str],
    page: Path,
) -> str:
    """Return a page that tells what was translated how, what stays, and where to look.

    Parameters
    ----------
    title : str
        The folder or script that was translated.
    found : list of Translation
        Translations of all files.
    written : mapping of Path to Path
        File of each MATLAB file.
    unread : mapping of Path to str
        Files that are not translated, with the reason.
    checked : mapping of Path to str
        Result of the comparison of a script with MATLAB's results.
    page : Path
        Place of the page, for links.

    Returns
    -------
    str
        The page.
    """
    by_runtime = [t for t in found if t.by_runtime]
    left = [t for each in found for t in each.todos]
    lines = [f"# {title} in Python", "", *_summary(found, by_runtime, left, unread, checked), ""]
    lines += ["| file | translated | lines | left | values may differ | compared |"]
    lines += ["|---|---|---|---|---|---|"]
    for each in found:
        way = _way(each)
        lines.append(
            f"| {_link(each.path, page)} → {_link(written[each.path], page)} | {way} "
            f"| {_lines(each)} | {len(each.todos)} | {len(each.remarks)} "
            f"| {_cell(checked.get(each.path, ''))} |"
        )
    lines += _section(
        "What stays",
        "The program stops at these lines if it gets there. Write them in Python, below "
        "`# TODO(migrate)`, and remove the line that raises the error.",
        left, page,
    )  # fmt: skip
    lines += _section(
        "Where to look",
        "Values of these calls may differ from MATLAB's.",
        [t for each in found for t in each.remarks], page,
    )  # fmt: skip
    lines += _section(
        "Why the runtime",
        "NumPy's functions do not decide these lines; the runtime also has the lines with "
        "variables that they assign.",
        [t for each in by_runtime for t in (each.undecided or [])], page,
    )  # fmt: skip
    if unread:
        lines += ["", "## Not translated", ""]
        lines += [f"- {_link(path, page)}: {_cell(why)}" for path, why in unread.items()]
    return "\n".join(lines) + "\n"


def _summary(
    found: list[Translation],
    by_runtime: list[Translation],
    left: list[Todo],
    unread: Mapping[Path, str],
    checked: Mapping[Path, str],
) -> list[str]:
    agree = sum("agree" in said for said in checked.values())
    rows = [
        ("files translated by NumPy's functions", len(found) - len(by_runtime)),
        ("files with lines by the runtime, `spatial_v2.matlab.runtime`", len(by_runtime)),
        ("files not translated", len(unread)),
        ("lines of Python", sum(map(_lines, found))),
        ("lines of them by the runtime", sum(t.by_runtime for t in found)),
        ("lines left", len(left)),
    ]
    if checked:
        rows.append((f"scripts that agree with MATLAB's results, of {len(checked)}", agree))
    return ["| | |", "|---|---|", *(f"| {what} | {count} |" for what, count in rows)]


def _way(each: Translation) -> str:
    """Return how a file is translated."""
    if not each.by_runtime:
        return "NumPy"
    part = round(100 * each.by_runtime / max(_lines(each), 1))
    return f"runtime, {part} %"


def _lines(each: Translation) -> int:
    """Return the number of lines with code."""
    return sum(bool(x.strip()) and x.strip()[0] != "#" for x in each.python.split("\n"))


def _section(title: str, text: str, places: list[Todo], page: Path) -> list[str]:
    if not places:
        return []
    lines = ["", f"## {title}", "", text, ""]
    shown: dict[tuple[Path, str], list[int]] = {}
    for t in places:
        shown.setdefault((t.path, t.why.removeprefix("not translated: ")), []).append(t.line)
    for (path, why), rows in shown.items():
        where = ", ".join(str(r) for r in dict.fromkeys(rows))
        lines.append(f"- {_link(path, page)}, line {where}: {_cell(why)}")
    return lines


def _link(path: Path, page: Path) -> str:
    target = Path(os.path.relpath(path.resolve(), page.resolve().parent)).as_posix()
    return f"[{path.name}](<{target}>)"


def _cell(text: str) -> str:
    """Return text for a cell of a table: on one line, without bars."""
    return " ".join(text.split()).replace("|", "\\|")
