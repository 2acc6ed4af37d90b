"""Verdicts on mutants: the log of a run that may be interrupted, and files of results."""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from faults import ROOT

RESULTS = Path(__file__).with_name("results")
"""The folder with the files of results."""
DECIDED = ("killed", "equivalent")
"""Verdicts that are not tried again."""


class Judged(NamedTuple):
    """A mutant and its verdict.

    Attributes
    ----------
    file, line, before, after : str, int, str, str
        File and line of the mutant, and its lines without and with the change.
    verdict : str
        ``"killed"``, ``"SURVIVED"``, ``"equivalent"``, or why it is undecided.
    test : str
        The test that found it, as pytest names it; empty if there is none.
    """

    file: str
    line: int
    before: str
    after: str
    verdict: str
    test: str

    def is_open(self, only: str = "") -> bool:
        """Test if there is no verdict yet that stays; of files and lines that begin with `only`.

        Examples
        --------
        >>> row = Judged("a/b.py", 12, "x", "y", "not decided", "")
        >>> [row.is_open(only) for only in ("", "a/", "a/b.py:12", "a/b.py:13")]
        [True, True, True, False]
        """
        return self.verdict not in DECIDED and f"{self.file}:{self.line}".startswith(only)


def read_log(path: Path | None) -> dict[tuple[Any, ...], tuple[str, str]]:
    """Read a log; return verdict and test of each of its mutants."""
    lines = path.read_text().splitlines() if path and path.exists() else []
    return {tuple(mutant): (why, test) for mutant, why, test in map(json.loads, lines)}


def add_to_log(path: Path, mutant: Iterable[Any], why: str, test: str) -> None:
    """Append one verdict."""
    with path.open("a") as file:
        file.write(json.dumps([list(mutant), why, test]) + "\n")


def summary(verdicts: Iterable[str]) -> str:
    """Compute the share of killed mutants among those that are not equivalent; return it in a
    sentence.

    Undecided mutants count as not killed.

    Examples
    --------
    >>> summary(["killed", "killed", "SURVIVED", "equivalent", "not decided"])
    'killed 2 of 4 (50%); 1 equivalent, 2 killed, 1 not decided, 1 SURVIVED'
    """
    count = Counter(verdicts)
    judged = count.total() - count["equivalent"]
    each = ", ".join(f"{count[x]} {x}" for x in sorted(count, key=str.lower))
    return f"killed {count['killed']} of {judged} ({count['killed'] / max(judged, 1):.0%}); {each}"


def write(path: Path, judged: list[Judged], options: dict[str, Any]) -> None:
    """Write a file of results: the options of the run, the commit, and one line per mutant."""
    git = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    commit = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    head = {
        "options": options, "commit": commit.strip(), "python": sys.version.split()[0],
        "summary": summary(x.verdict for x in judged),
    }  # fmt: skip
    rows = ",\n".join(f"  {json.dumps(x._asdict(), ensure_ascii=False)}" for x in sorted(judged))
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'{json.dumps(head, indent=1)[:-2]},\n "rows": [\n{rows}\n ]\n}}\n', "utf-8")


def read(path: Path) -> tuple[dict[str, Any], list[Judged]]:
    """Read the options and the rows of a file of results."""
    head = json.loads(path.read_text("utf-8"))
    return head["options"], [Judged(**row) for row in head["rows"]]


def relative(test: str) -> str:
    """Return the name of a test by its file alone, or relative to the folder of the tests.

    Examples
    --------
    >>> relative("unit_tests/io/test_x.py::test_y[a/b]"), relative("spatial_v2/x.py::x.f")
    ('test_x.py::test_y[a/b]', '../spatial_v2/x.py::x.f')
    """
    file, mark, rest = test.partition("::")
    path = Path(file)
    name = path.name if path.parts[0] == "unit_tests" else f"../{file}"
    return name + mark + rest


def found_before() -> dict[str, tuple[str, ...]]:
    """Return the tests that have killed mutants of a file, relative to the folder of the tests."""
    found = defaultdict[str, dict[str, None]](dict)
    for path in sorted(RESULTS.glob("*.json")):
        for row in read(path)[1]:
            if row.test:
                found[row.file][relative(row.test)] = None
    return {file: tuple(tests) for file, tests in found.items()}
