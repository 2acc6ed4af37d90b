"""Long lines of translations are split without a change of meaning; files have any encoding."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from migrate_programs import program

from spatial_v2.migrate import translate
from spatial_v2.migrate.layout import WIDTH, laid_out

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
LONG = [
    "x = f([[" + ", ".join(f"a{k} * b{k}" for k in range(9)) + "], [" + "'#, [' + c, " * 9 + "1]])",
    "y = [" + ", ".join(map(str, range(60))) + "]  # a remark",
    "def f(x):",
    '    """A text, ' + "which is long, " * 9,
    '    and ends (here"""',
    "    return g(lambda u, v: u + v, *x, key=" + "x[1, 2] + " * 20 + "1)[0].T",
    "z = " + " + ".join(f"t[{k}]" for k in range(40)),
    "w = h(" + "{'a': (1, \"b)\"), 'c': 2}, " * 6 + "k=3) + 1",
    "v = x[" + "very_long_name_of_a_variable + " * 4 + "1]",
]


def test_split_lines_mean_the_same() -> None:
    text = laid_out(LONG)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse("\n".join(LONG)))
    assert "# a remark\ny = [\n    0, 1, 2" in text
    assert "x = f([\n    [a0 * b0, a1" in text


@pytest.mark.parametrize("level", ["either", "runtime"])
def test_lines_of_translations_are_short(level: str, tmp_path: Path) -> None:
    """Lines with brackets to split are not longer than the limit."""
    script = tmp_path / "script.m"
    script.write_text(program(np.random.default_rng(7)) + f"A = [{'1.25*pi + x0; ' * 20}2];\n")
    script.write_text(f"x0 = 3;\n{script.read_text()}")
    lines = translate(script, level=level)[0].python.split("\n")
    assert max(len(x) for x in lines if x.strip()[:1] not in ("#", "")) <= WIDTH


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "latin-1"])
def test_comments_are_read_in_their_encoding(encoding: str, tmp_path: Path) -> None:
    said = "Größe für Tests é" if encoding == "latin-1" else "空间力矢量，绝对坐标系"
    script = tmp_path / "script.m"
    script.write_bytes(f"% {said}\nx = 1;\n".encode(encoding))
    assert f"# {said}" in translate(script)[0].python
