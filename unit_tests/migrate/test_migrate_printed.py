"""Text in translated programs: formats, and numbers as text, are MATLAB's."""

from pathlib import Path

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_laws import values_of
from test_migrate_text import python_of

from spatial_v2.migrate.text import num2str, sprintf

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")


@pytest.mark.parametrize(
    ("matlab", "said"),
    [
        ("'%d,', [1 2 3]", "1,2,3,"),
        ("'%d and %d|', 1, 2, 3", "1 and 2|3 and "),
        ("'a%db', []", "ab"),
        ("'%g %g|', [1 2; 3 4]", "1 3|2 4|"),
        ("'%d: %s|', 1, 'x', 2, 'y'", "1: x|2: y|"),
        ("'%5.2f|%-6g|%+g', NaN, Inf, -Inf", "  NaN|Inf   |-Inf"),
        ("'%08.3f', -Inf", "    -Inf"),
        ("'%d%%', 50", "50%"),
        ("'abc', 1, 2", "abc"),
        ("'%.3d', 5", "005"),
        ("'%d', 1e10", "10000000000"),
        ("'%d', 2 > 1", "1"),
        ("'%x', 255", "ff"),
        ("'%s-%c', 'ab', 'c'", "ab-c"),
        ("'a\\tb\\\\'", "a\tb\\"),
        ('"a\\tb"', "a\tb"),
        ("'%d', 2.5", "2.500000e+00"),
        ("'%d %d;', [1 2 3], 4", "1 2;3 4;"),
    ],
)
def test_formats_are_used_again_and_write_what_is_not_finite(
    matlab: str, said: str, tmp_path: Path
) -> None:
    assert values_of(f"x = sprintf({matlab});\n", tmp_path)["x"] == said


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ([1, 2, 3], "1  2  3"),
        ([1.5, 2, -3], "1.5           2          -3"),
        ([[1], [20]], " 1\n20"),
        ([[1.5, 2], [3, 4]], "1.5           2\n  3           4"),
        (123456789012345.5, "123456789012345.5"),
        ([0.001, 1000.5], "0.001         1000.5"),
        (1.23456789e-5, "1.2346e-05"),
        ([1, np.nan], "1  NaN"),
        ([1.5, np.inf], "1.5         Inf"),
        ([-1, 10, 100], "-1   10  100"),
        ([-1, -2], "-1 -2"),
        ([-np.inf, 1, 2], "-Inf    1    2"),
        ([1, np.nan, 1000], "1   NaN  1000"),
        (-0.5, "-0.5"),
        ([1e10, 1], "10000000000            1"),
        ([-99.5, 1e-3], "-99.5        0.001"),
        (0.0, "0"),
        (-np.inf, "-Inf"),
        ([True, False], "1  0"),
    ],
)
def test_numbers_as_text_are_those_of_octave(x: object, said: str) -> None:
    """Numbers converted to text agree with GNU Octave, which printed the texts here."""
    assert num2str(np.asarray(x, dtype=float)) == said


def test_digits_are_significant() -> None:
    assert (num2str(np.pi, 8), num2str(1e5 * np.pi, 3)) == ("3.1415927", "3.14e+05")


@pytest.mark.parametrize(
    ("form", "values", "what"),
    [("%s", (3.0,), "want text"), ("%d", ("a",), "want a number"), ("%g", (1j,), "give real")],
)
def test_values_that_do_not_fit_are_errors(
    form: str, values: tuple[object, ...], what: str
) -> None:
    with pytest.raises(TypeError, match=what):
        sprintf(form, *values)


@pytest.mark.parametrize(
    "matlab",
    [
        "x = sprintf('%s', 3);",
        "x = sprintf('%d', 'a');",
        "f = 'a'; x = sprintf(f, 3);",
        "x = sprintf('%*d', 5, 3);",
        "x = sprintf('%g', 1i);",
        "x = num2str([1 2], 3);",
        "x = sprintf('%d and %d');",
    ],
)
def test_formats_whose_text_is_open_are_left_to_a_person(matlab: str, tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text(f"{matlab}\n")
    assert len(translate(tmp_path / "a.m")[0].todos) == 1


def test_what_is_printed_is_one_line(tmp_path: Path) -> None:
    found = python_of(
        "fprintf('%d\\n', 3); fprintf('%g\\n', [1 2]); fprintf('%g', 1.5);\n", tmp_path
    )
    assert 'print("%d" % (3,))' in found and 'print(sprintf("%g\\n", np.array' in found
    assert 'print(sprintf("%g", 1.5), end="")' in found
