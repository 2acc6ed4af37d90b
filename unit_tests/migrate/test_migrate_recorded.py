"""Translations agree with a recorded file, so that none changes unnoticed: of functions, operators
and assignments for values of every kind, of short programs, of the scripts, of random programs.

``python unit_tests/migrate/test_migrate_recorded.py`` records them again after an intended change,
with ``PYTHONPATH=unit_tests/support``.
"""

import json
import re
import tempfile
import zlib
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
from migrate_cases import PROGRAMS, program
from migrate_programs import program as random_program
from numpy_level import translate

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
HERE = Path(__file__).parents[1] / "support"
FILE = HERE / "migrate_recorded.json"
SCRIPTS = [HERE / "migrate_snippets.m", *sorted((HERE / "migrate_scripts").glob("*.m"))]
NAMES = (*PROGRAMS, *(p.stem for p in SCRIPTS), "random")


def lines_of(name: str) -> list[str]:
    """Return the lines of a translation, with one line for each that is left to a person."""
    with tempfile.TemporaryDirectory() as folder:
        given = {p.stem: p for p in SCRIPTS}.get(name, Path(folder) / "script.m")
        if name == "random":
            texts = [random_program(np.random.default_rng(seed)) for seed in range(6)]
        else:
            texts = [program(name) if name in PROGRAMS else given.read_text()]
        found = list[str]()
        for text in texts:
            if given.parent == Path(folder):
                given.write_text(text)
            for each in translate(given):
                lines = each.python.splitlines()
                found += [x for x in lines if not re.match(r" *(#     |raise NotImpl)", x)]
                found += [f"{k}: {getattr(each, k)}" for k in ("shifts", "first", "counters")]
        return [re.sub(r"\{'.*'\}", lambda x: str(sorted(eval(x[0]))), line) for line in found]


def digests(lines: list[str]) -> list[str]:
    return [f"{zlib.crc32(x.encode()) & 0xFFFF:04x}" for x in lines]


@pytest.mark.parametrize("name", NAMES)
def test_translations_are_as_recorded(name: str) -> None:
    """The lines that differ are shown as they are now."""
    lines = lines_of(name)
    recorded = re.findall("....", "".join(json.loads(FILE.read_text())[name]))
    found = digests(lines)
    if found != recorded:
        same = SequenceMatcher(None, recorded, found, autojunk=False).get_opcodes()
        parts = [(lines[c:d] or ["(missing)"]) for t, _, _, c, d in same if t != "equal"]
        pytest.fail("\n".join(x for part in parts for x in part))


def record() -> None:
    """Record the translations in the file."""
    every = {n: re.findall(".{1,96}", "".join(digests(lines_of(n)))) for n in NAMES}
    FILE.write_text(json.dumps(every, indent=0) + "\n")


if __name__ == "__main__":
    record()
