"""Blocks of a page as a reader pastes them, one after another, and the output below each."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import spatial_v2

BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.M | re.S)
"""A block of code; a block of text that follows at once is its output."""
END = "-- end of a block --"


class Block(NamedTuple):
    """A block of code of a page, and the output that the page shows below it."""

    code: str
    output: str


def blocks(page: Path) -> list[Block]:
    """Return the blocks of code of a page that are not prompts with their answers."""
    matches = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(*x) for x in matches if not x[0].startswith(">>>")]


def outputs(given: list[Block], folder: Path) -> list[str]:
    """Run blocks one after another in a new process, and return what each prints.

    It imports the packages that are tested, whose kernels are compiled, also where others are
    installed.
    """
    code = "".join(f"{block.code}\nprint({END!r})\n" for block in given)
    command = [sys.executable, "-W", "ignore", "-c", code]
    tested = os.environ | {"PYTHONPATH": str(Path(spatial_v2.__file__).parents[1])}
    ended = subprocess.run(
        command, cwd=folder, env=tested, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return [text.removeprefix("\n") for text in ended.stdout.split(f"{END}\n")[:-1]]
