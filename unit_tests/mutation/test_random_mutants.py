"""Mutants in files of results are found again in a tree that has changed since."""

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
import random_mutants
from in_place import Change, functions_by_file
from random_mutants import Mutant, lines_of, located, mutants
from verdicts import Judged, read, write

FILE = "spatial_v2/io/urdf_xml.py"


def rows_of(root: Path) -> list[tuple[Mutant, Judged]]:
    found = list(mutants(FILE, (root / FILE).read_bytes()))
    return [(m, Judged(m.file, m.line, *lines_of(m), "SURVIVED", "")) for m in found]


def test_a_mutant_is_found_again_by_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutant is found by its lines, also if lines were added above; of equal lines the nearest
    counts.
    """
    text, pairs = (random_mutants.ROOT / FILE).read_bytes(), rows_of(random_mutants.ROOT)
    assert len(pairs) > 100
    for m, row in pairs:
        assert located(row).put_into(text) == m.put_into(text)
    monkeypatch.setattr(random_mutants, "ROOT", tmp_path)
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_bytes(b"# one\n# two\n" + text)
    for m, row in pairs[::7]:
        moved = located(row)
        assert moved.put_into(b"# one\n# two\n" + text) == b"# one\n# two\n" + m.put_into(text)
        assert moved.line == m.line + 2
    (tmp_path / FILE).write_bytes(b"x = 1\n")
    with pytest.raises(LookupError, match=r"urdf_xml\.py: line \d+ has changed"):
        located(pairs[0][1])


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    rows = sorted(row for _, row in rows_of(random_mutants.ROOT))
    options = {"count": 3, "seed": 1, "only": "", "without": ["a"]}
    write(tmp_path / "x.json", rows, options)
    assert read(tmp_path / "x.json") == (options, rows)


def test_functions_are_changed_although_they_are_exempt_from_garbage_collection(
    tmp_path: Path,
) -> None:
    """A mutant acts in the process that has collected tests, although objects are exempt."""
    old, names = "def f(x):\n    return x + 1\n", dict[str, Callable[[int], int]]()
    file = str(tmp_path / "a.py")
    exec(compile(old, file, "exec"), names)
    gc.freeze()
    Change(file, old, old.replace("+", "-")).put_into(functions_by_file()[file])
    assert names["f"](1) == 0
