"""Random MATLAB programs with the constructs of users' scripts: structs, cells, handles, solvers.

They are the paragraphs of a file. ``#`` is a number of the construct's own, ``<s>``, ``<r>``,
``<c>``, ``<m>`` are a random scalar, row, column and matrix (three entries a side), ``<i>`` is an
index from 1 to 3, and ``<n>`` a number from 1 to 5. Lines below a line ``--`` are functions.
"""

import re
from pathlib import Path

import numpy as np

__all__ = ["CONSTRUCTS", "constructs"]

FILE = Path(__file__).parent / "migrate_scripts" / "constructs.txt"
CONSTRUCTS = FILE.read_text().rstrip("\n").split("\n\n")
"""Constructs, each by itself a valid program in MATLAB and Octave."""


def constructs(rng: np.random.Generator, count: int = 8, chosen: list[str] | None = None) -> str:
    """Return a program with some of the constructs, in random order and with random numbers."""
    picked = chosen or [CONSTRUCTS[k] for k in rng.permutation(len(CONSTRUCTS))[:count]]
    lines, tail = [], []
    for number, construct in enumerate(picked, 1):
        body, _, function = construct.partition("\n--\n")
        lines.append(_filled(rng, body, number))
        tail += [_filled(rng, function, number)] if function else []
    return "\n".join([*lines, *tail]) + "\n"


def _filled(rng: np.random.Generator, text: str, number: int) -> str:
    text = text.replace("#", str(number))
    return re.sub("<([srcmin])>", lambda found: _value(rng, found[1]), text)


def _value(rng: np.random.Generator, form: str) -> str:
    if form in "in":
        return str(int(rng.integers(1, 4 if form == "i" else 6)))
    numbers = [f"{x:.4g}" for x in rng.uniform(-3, 3, 9)]
    if form == "s":
        return numbers[0] if float(numbers[0]) > 0 else f"({numbers[0]})"
    if form == "m":
        return f"[{' '.join(numbers[:3])}; {' '.join(numbers[3:6])}; {' '.join(numbers[6:])}]"
    return f"[{(' ' if form == 'r' else '; ').join(numbers[:3])}]"
