"""Numbers, sizes and names in translated programs are MATLAB's, in any context."""

import operator
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_text import python_of

from spatial_v2.migrate import MigrateError
from spatial_v2.migrate.check import Stream, _recorded, python

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")


def values_of(text: str, folder: Path) -> dict[str, Any]:
    """Translate MATLAB code, run the translation, and return its variables at the end."""
    names: dict[str, Any] = {}
    exec(python_of(text, folder), names)
    return names


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = arrayfun(@(k) k, [1 2 3]); x(1) = 0.5;", [0.5, 2, 3]),
        ("x = arrayfun(@(k) 2 * k, [1 2 3]) / 4;", [0.5, 1, 1.5]),
        ("x = []; for i = 1:3, x(end+1) = i; end; x(2) = 7;", [1, 7, 3]),
        ("x = []; for i = 1:3, x(end+1) = i; end; x(end+1) = 9;", [1, 2, 3, 9]),
        ("A = [1 2; 3 4]; b = [5; 6]; x = [A, b];", [[1, 2, 5], [3, 4, 6]]),
        ("A = [1 2; 3 4]; b = [5 6]; x = [A; b];", [[1, 2], [3, 4], [5, 6]]),
        ("A = [1 2; 3 4]; x = A(:, 1);", [1, 3]),
        ("A = [1 2; 3 4]; x = A(1, :);", [1, 2]),
        ("A = [1 2; 3 4]; x = A(:);", [1, 3, 2, 4]),
        ("A = [1 2; 3 4]; x = A(3);", 2),
        ("A = [1 2 3; 4 5 6]; x = A(1:2, 2:3);", [[2, 3], [5, 6]]),
        ("b = [1 2 3 4 5]; x = b(1:2:5);", [1, 3, 5]),
        ("b = [1 2 3 4 5]; x = b(2:3);", [2, 3]),
        ("b = [1 2 3 4 5]; x = b(5:-2:1);", [5, 3, 1]),
        ("b = [1 2 3]; x = b(:)';", [1, 2, 3]),
        ("b = [1; 2; 3]; x = b(2, 1);", 2),
        ("b = [1 2 3]; x = b(1, 2);", 2),
        ("x = repmat(2, 2, 2);", [[2, 2], [2, 2]]),
        ("x = zeros(2, 0); x = size(x, 2);", 0),
        ("np = 3; x = np + 1;", 4),
        ("x = numel(3);", 1),
        ("x = numel([1 2; 3 4]);", 4),
        ("x = 0; for i = 1:3 % each\n x = x + i; end", 6),
        ("x = 0; k = 0; while k < 3, k = k + 1; x = x + k; end", 6),
        ("x = -[];", []),
        ("x = []; x(1) = 4; x(2) = 5;", [4, 5]),
        ("s.a = [1 2]; b = s.a; b(1) = 5; x = s.a;", [1, 2]),
        ("s.a = [1 2]; b = s.a; s.a(1) = 5; x = b;", [1, 2]),
        ("s.a.b = [1 2]; t = s.a; t.b(1) = 5; x = s.a.b;", [1, 2]),
        ("s.a = []; for i = 1:3, s.a(i) = i; end; x = s.a;", [1, 2, 3]),
        ("for i = 1:3, x(i) = 2 * i; end", [2, 4, 6]),
        ("x = [5 6 7]; for i = 1:2, x(i) = i; end", [1, 2, 7]),
        ("x = []; for i = 1:2, if i > 0, x = [x, i]; end, end", [1, 2]),
        ("x = cell2mat({[1 2], [3 4]});", [1, 2, 3, 4]),
        ("x = cell2mat({[1; 2], [3; 4]});", [[1, 3], [2, 4]]),
        ("x = cell2mat({[1 2; 3 4], [5; 6] * [1 1]});", [[1, 2, 5, 5], [3, 4, 6, 6]]),
        ("y = 3; x = y(1) + y(1, 1) + y(end) + y(:);", 12),
        ("A = ones(2, 3, 4); x = sum(A(:));", 24),
        ("c = {1, 2}; c{3} = 5; x = numel(c);", 3),
        ("y = [1 2 3]; x = y(arrayfun(@(v) v > 1, y));", [2, 3]),
        ("y = arrayfun(@(v) v*1i, [1 2]); y(1) = 3; x = y;", [3, 2j]),
        ("m = autoTree(2); g = m.gravity; g(3) = 0; x = m.gravity(3);", -9.81),
        ("m = autoTree(2); X = m.Xtree{2}; X(1, 1) = 9; x = m.Xtree{2}(1, 1);", 1),
        ("m = autoTree(2); s.g = m.gravity; s.g(3) = 0; x = m.gravity(3);", -9.81),
        ("t = 'abc'; x = double(strcmp(t(2), 'b')) + 2*strcmp(t(2:3), 'bc');", 3),
        ("A = [1 2; 3 4]; c = [5; 6]; x = c + A;", [[6, 7], [9, 10]]),
        ("x = cell2mat(repmat({[1; 2]}, 1, 2));", [[1, 1], [2, 2]]),
        ("x = []; for i = 1:2, x = [x; i 2*i]; end", [[1, 2], [2, 4]]),
        ("x = cross([1 0; 0 1; 0 0], [0 0; 1 0; 0 1], 1);", [[0, 1], [0, 0], [1, 0]]),
        ("b = 3; x = 1.5^b^2;", 1.5**6),
        ("x = sprintf('%d', 5 / 2);", "2.500000e+00"),
        ("[X, S] = jcalc('Rz', 0.3); x = S + 0;", [0, 0, 1, 0, 0, 0]),
        ("X = rx(0.5); x = max(X(1, :));", 1),
        ("x = sum(find([1 0; 1 1]) .* [1; 10; 100]);", 421),
        ("A = [1 2; 3 4]; x = A(end);", 4),
        ("z = [5 6]; x = z(any([0 1; 0 1]));", [6]),
        ("A = [1 2; 3 4]; x = A(min(end, 9));", 4),
        ("A = [1 2; 3 4]; x = A(min(end, 9), 1);", 3),
        ("x = [1 2 3]; x(4:5) = [7 8];", [1, 2, 3, 7, 8]),
        ("x = [1; 2; 3]; x(min(end, 5)) = [];", [1, 2]),
        ("x = double(strcmp(sprintf('100%%'), '100%'));", 1),
        ("z = 1i*1i; x = double(isreal(z)) + 2*double(isreal(1i));", 1),
        ("x = double(strcmp(num2str(NaN), 'NaN')) + 2*double(strcmp(num2str(-Inf), '-Inf'));", 3),
        ("x = double(strcmp(num2str(-12.34567), '-12.3457'));", 1),
    ],
)
def test_values_are_right(matlab: str, x: Any, tmp_path: Path) -> None:
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)


@pytest.mark.parametrize("operator", ["-", "+", "~"])
@pytest.mark.parametrize("thing", ["s", "c", "m", "f"])
def test_operators_on_what_is_no_number_are_left_to_a_person(
    operator: str, thing: str, tmp_path: Path
) -> None:
    """An operator on a struct, a cell, a model or a function, which MATLAB does not have, is
    reported.
    """
    given = "s.a = 1; c = {1, 'a'}; m = autoTree(2); f = @(x) x;\n"
    (tmp_path / "a.m").write_text(f"{given}x = {operator}{thing};\n")
    assert [t.line for t in translate(tmp_path / "a.m")[0].todos] == [2]


@pytest.mark.parametrize(
    "called", ["repmat(c, 1, 3)", "repmat({1}, 2, 2)", "repmat(s, 2, 2)", "diag(c)", "squeeze(s)"]
)
def test_arrays_made_of_what_is_no_array_are_left_to_a_person(called: str, tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text(f"s.a = 1; c = {{1, 'a'}};\nx = {called};\n")
    assert [t.line for t in translate(tmp_path / "a.m")[0].todos] == [2]


@pytest.mark.parametrize("head", ["for i = 1:3", "while x < 3", "if x > 1"])
def test_remarks_stay_beside_their_lines(head: str, tmp_path: Path) -> None:
    """Comments stay beside their lines, at the head of a block, in it and after it."""
    found = python_of(
        f"x = 2;\n{head} % head\n  x = 4; % inside\nend % end\nx = 5; % after\n", tmp_path
    )
    lines = found.splitlines()
    for word, beside in (("head", head.split()[0]), ("inside", "x = 4"), ("after", "x = 5")):
        (line,) = [x for x in lines if f"# {word}" in x]
        assert beside in line


@pytest.mark.parametrize("head", ["for i = 1:3", "while x < 3", "if x > 1"])
def test_blocks_begin_without_empty_lines(head: str, tmp_path: Path) -> None:
    """Blocks begin without empty lines, anywhere in the file; several other empty lines
    become one.
    """
    before = "x = 2;\n" + "% on\n" * 20
    (tmp_path / "f.m").write_text(f"{before}{head}\n\n\n        x = 4;\n\n\n  x = 5;\nend\n")
    lines = translate(tmp_path / "f.m")[0].python.splitlines()
    first, second = (lines.index(f"    x = {k}") for k in (4, 5))
    assert lines[first - 1].endswith(":") and lines[first + 1 : second] == [""]


@pytest.mark.parametrize(
    "text",
    ["x = nobody(1);", "function f(x)\n  eval(x);\nend", "y = 3; x = y(2); x = nobody(1);"],
)
def test_what_is_left_to_a_person_stands_there_once(text: str, tmp_path: Path) -> None:
    """A line that is not translated is reported once, with the reason, and the program
    stops there.
    """
    (tmp_path / "f.m").write_text(f"{text}\n")
    (found,) = translate(tmp_path / "f.m")
    for word in ("# TODO(migrate): ", "raise NotImplementedError("):
        assert found.python.count(word) == len(found.todos) > 0
    lines = [x.strip() for x in found.python.splitlines() if x.strip().startswith("#     ")]
    assert len(lines) == len(set(lines))


def test_the_library_is_not_translated_but_own_functions_of_its_names_are(tmp_path: Path) -> None:
    """MATLAB's library is imported, not translated; a function of the same name beside the script
    is translated.
    """
    library, own = tmp_path / "library", tmp_path / "own"
    for folder in (library, own):
        folder.mkdir()
        (folder / "rx.m").write_text("function E = rx(t)\nE = t;\nend\n")
    for folder, files, imported in ((tmp_path, 1, "spatial_v2"), (own, 2, "rx")):
        (folder / "main.m").write_text("E = rx(0.5);\n")
        found = translate(folder / "main.m", [library])
        assert len(found) == files and f"from {imported}" in found[0].python


def test_a_value_that_is_always_there_is_not_compared_with_none(tmp_path: Path) -> None:
    for given in ("x = 3;", "x = [1 2 3];", "x = [1 2; 3 4];", "x = 'abc';"):
        assert "None" not in python_of(f"{given}\nn = numel(x);\n", tmp_path)


@pytest.mark.parametrize(
    ("matlab", "line"),
    [
        ("A = ones(2, 3, 4); x = A(5);", 1), ("A = ones(2, 3, 4); x = A(1, 1, :);", 1),
        ("y = 3; x = y(2);", 1), ("x = ones(2, 3, 4)(1, 2);", 1),
        ("A = [1 2; 3 4]; n = 3; A(1, 1:n) = 7;", 1), ("x = [1 2 3]; c = {x}; c(1:1) = 4;", 1),
        ("x = sprintf('%d');", 1), ("y = [1 2 3 4 5]; k = 2; x = y(1:k:5);", 1),
    ],
)  # fmt: skip
def test_entries_whose_place_is_open_are_left_to_a_person(
    matlab: str, line: int, tmp_path: Path
) -> None:
    (tmp_path / "a.m").write_text(f"{matlab}\n")
    try:
        assert [t.line for t in translate(tmp_path / "a.m")[0].todos] == [line]
    except MigrateError as error:
        assert f"a.m:{line}" in str(error) or "a.m" in str(error)


@pytest.mark.parametrize(
    ("condition", "first", "second"),
    [
        ("nargin < 2", 10, 3), ("nargin == 1", 10, 3), ("nargin <= 1", 10, 3),
        ("nargin == 2", 3, 10), ("nargin > 1", 3, 10), ("nargin >= 2", 3, 10),
        ("nargin ~= 2", 10, 3), ("~exist('b', 'var')", 10, 3),
    ],
)  # fmt: skip
def test_number_of_inputs_is_that_of_the_call(
    condition: str, first: float, second: float, tmp_path: Path
) -> None:
    """Conditions on ``nargin`` depend on the call, also in a function that nothing in the file
    calls.
    """
    (tmp_path / "f.m").write_text(
        f"function y = f(a, b)\nif {condition}, y = 10; else, y = 3; end\nend\n"
    )
    (found,) = translate(tmp_path / "f.m")
    if not found.todos:
        names: dict[str, Any] = {}
        exec(found.python, names)
        assert (names["f"](1), names["f"](1, 2)) == (first, second)


def test_all_inputs_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "f.m").write_text("function y = f(x)\nif nargin < 1, x = 2; end\ny = x;\nend\n")
    names: dict[str, Any] = {}
    exec(translate(tmp_path / "f.m")[0].python, names)
    assert (names["f"](), names["f"](5)) == (2, 5)


@pytest.mark.parametrize("leaves", ["break", "continue"])
def test_shapes_at_the_end_of_a_loop_include_those_where_it_is_left(
    leaves: str, tmp_path: Path
) -> None:
    """A variable that becomes a matrix before ``break`` or ``continue`` is multiplied as a matrix
    afterwards.

    This holds for the next iteration and after the loop.
    """
    text = f"""x = 2;
for i = 1:3
  if i == 2
    x = [1 2; 3 4];
    {leaves}
  end
  y = x*[1 2; 3 4];
end
x = x*[1 2; 3 4];
"""
    found = values_of(text, tmp_path)
    np.testing.assert_array_equal(found["x"], [[7, 10], [15, 22]])
    np.testing.assert_array_equal(found["y"], [[2, 4], [6, 8]] if leaves == "break" else found["x"])


def test_a_persistent_variable_may_be_empty_again(tmp_path: Path) -> None:
    (tmp_path / "pers.m").write_text(
        "function y = pers()\npersistent c\nif isempty(c), c = []; y = 1; else, y = 2; end\nend\n"
    )
    (tmp_path / "main.m").write_text("x = pers() + pers();\n")
    names: dict[str, Any] = {}
    exec(translate(tmp_path / "main.m")[1].python, names)
    assert [names["pers"](), names["pers"]()] == [1, 1]


@pytest.mark.parametrize(
    "matlab",
    ["7", "[1 2 3]", "[1; 2]", "[1 2; 3 4; 5 6]", "zeros(3, 0)", "zeros(2, 3, 4)", "{1, 2}",
     "'abc'", "[1 2] > 1", "eye(2) > 0", "sort([3 1 2])"],
)  # fmt: skip
def test_persistent_values_have_the_size_of_others(matlab: str, tmp_path: Path) -> None:
    """Before its first value, a persistent variable is empty."""
    sizes = "[numel(A), length(A), isempty(A)]"
    text = f"""A = {matlab}; x = {sizes}; y = f(); z = f();
function s = f()
  persistent A
  s = {sizes};
  A = {matlab};
end
"""
    found = values_of(text, tmp_path)
    np.testing.assert_array_equal(found["y"], [0, 0, 1])
    np.testing.assert_array_equal(found["z"], found["x"])


def test_a_function_is_called_by_its_name_alone(tmp_path: Path) -> None:
    (tmp_path / "hello.m").write_text("function hello()\ndisp(1);\nend\n")
    (tmp_path / "main.m").write_text("hello\nhello;\n")
    main, _ = translate(tmp_path / "main.m")
    assert not main.todos and main.python.count("hello()") == 2


def test_the_identifier_of_an_error_is_not_its_message(tmp_path: Path) -> None:
    """The first argument of ``error`` is an identifier only if it has a colon and no space, and a
    message follows.
    """
    for text, said in (("'a:b', 'bad %d', 3", "bad 3"), ("'a: %d', 3", "a: 3")):
        with pytest.raises(RuntimeError, match=f"^{said}$"):
            values_of(f"error({text});\n", tmp_path)


def test_a_number_for_entries_beyond_the_end_is_not_cut_short(tmp_path: Path) -> None:
    """A number assigned to entries beyond the end makes the array grow, as in MATLAB; no entry is
    left out.
    """
    text = "x = [1 2 3]; k = 1; x(k+1:k+{}) = 7;\n"
    np.testing.assert_array_equal(values_of(text.format(2), tmp_path)["x"], [1, 7, 7])
    np.testing.assert_array_equal(values_of(text.format(4), tmp_path)["x"], [1, 7, 7, 7, 7])


def test_random_numbers_of_a_comparison_go_on_where_they_ended() -> None:
    whole, parts = Stream(), Stream()
    drawn = np.concatenate([parts.random(n) for n in (2, 1, 3)])
    np.testing.assert_array_equal(whole.random(6), drawn)
    assert len(set(drawn)) == 6


def test_random_results_of_a_comparison_are_recorded_in_order() -> None:
    """Random results are recorded in order, for Octave to return; edits by the translated program
    do not change the record.
    """
    from spatial_v2 import matlab

    draws, rng = list[tuple[str, Any]](), np.random.default_rng(0)
    with _recorded(draws):
        found = [matlab.randomQuat(rng=rng), matlab.randomRotation(rng=rng)]
    assert [name for name, _ in draws] == ["randomQuat", "randomRotation"]
    for x, (_, drawn) in zip(found, draws, strict=True):
        np.testing.assert_array_equal(x, drawn)
        x[:] = 0
        assert drawn.any()
    assert matlab.randomQuat(rng=rng).any() and len(draws) == 2


def test_assertions_hold_or_stop_the_program(tmp_path: Path) -> None:
    values_of("x = 3; assert(x > 2); assert(x > 1, 'x is %d', x);\n", tmp_path)
    for told, text in (("^$", "assert(x > 4)"), ("x is 3", "assert(x > 4, 'x is %d', x)")):
        with pytest.raises(AssertionError, match=told):
            values_of(f"x = 3; {text};\n", tmp_path)


KNOWN = {"true": True, "false": False, "1 > 2": False, "k > 2": True, "k > 5": False}
"""Conditions whose value is known at translation, and others, with k = 3."""
LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "&&": operator.and_, "&": operator.and_, "||": operator.or_, "|": operator.or_,
}  # fmt: skip


def test_logic_is_that_of_matlab(tmp_path: Path) -> None:
    """Two conditions, alone and negated, give the value that logic says, also if one is known."""
    signs: dict[str, Callable[[bool], bool]] = {"": bool, "~": operator.not_}
    lines, wanted = ["k = 3;"], {}
    for n, (a, b, op, s, t) in enumerate(product(KNOWN, KNOWN, LOGIC, signs, signs)):
        lines.append(f"x{n} = {s}({a}) {op} {t}({b});")
        wanted[f"x{n}"] = LOGIC[op](signs[s](KNOWN[a]), signs[t](KNOWN[b]))
    found = values_of("\n".join(lines), tmp_path)
    assert {x: bool(found[x]) for x in wanted} == wanted


def test_functions_beside_a_translation_come_before_other_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("here", "elsewhere"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same_name.py").write_text(f"place = {folder!r}\n")
    (tmp_path / "here/a.py").write_text("from same_name import place\n")
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    found, error = python(tmp_path / "here/a.py")
    assert not error and found["place"] == "here"
