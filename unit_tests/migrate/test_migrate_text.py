"""`spatial-v2 migrate`: the Python code that it writes, the lines that it does not translate, and
errors.
"""

import ast
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from numpy_level import translate
from typer.testing import CliRunner

from spatial_v2.cli import app
from spatial_v2.migrate import MigrateError

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
SCRIPTS = Path(__file__).parents[1] / "support" / "migrate_scripts"
RUNTIME = ("undecided", "users")
"""Scripts of which some lines need the runtime."""
WHOLE = sorted(p.stem for p in SCRIPTS.glob("*.m") if p.stem not in RUNTIME)


def python_of(text: str, folder: Path) -> str:
    """Translate MATLAB code, every line of which must be translated; return the Python code."""
    path = folder / "script.m"
    path.write_text(text)
    found = translate(path)[0]
    assert not found.todos, found.todos
    return found.python


@pytest.mark.parametrize("name", WHOLE)
def test_scripts_are_translated_whole(name: str) -> None:
    found = translate(SCRIPTS / f"{name}.m")
    assert not [t for each in found for t in each.todos]
    for each in found:
        ast.parse(each.python)
        assert "TODO" not in each.python


@pytest.mark.parametrize(
    ("matlab", "python"),
    [
        ("a = [1 2 3]; b = [4; 5; 6]; x = a*b;", "x = a @ b"),
        ("a = [1 2 3]; b = [4; 5; 6]; x = b*a;", "x = np.outer(b, a)"),
        ("A = zeros(3); b = ones(3, 1); x = A \\ b;", "x = np.linalg.solve(A, b)"),
        ("A = zeros(3); x = A';", "x = A.T"),
        ("A = zeros(3); b = ones(3, 1); x = [A, b];", "x = np.column_stack([A, b])"),
        ("A = zeros(3); b = ones(1, 3); x = [b; A];", "x = np.vstack([b, A])"),
        ("A = zeros(3); x = A(2, :);", "x = A[1]"),
        ("b = ones(4, 1); x = b(end-1);", "x = b[-2]"),
        ("x = zeros(4, 1); for i = 1:4, x(i) = i; end", "x[i] = i + 1"),
        ("x = zeros(4, 1); for i = 2:4, x(i) = x(i-1); end", "x[i] = x[i - 1]"),
        ("a = [1 2 3]; b = a; b(2) = 0;", "b = a.copy()"),
        ("x = [1 2 3]; x(4:5) = [7 8];", "x = np.append(x, np.array([7.0, 8]))"),
        ("x = 2; if x == 2 && x > 1, y = 1; end", "if x == 2 and x > 1:"),
        ("s.a = 1; s.b.c = 2;", "s = SimpleNamespace()"),
        ("x = sqrt(-1);", "np.emath.sqrt(-1)"),
        ("x = round(2.5);", "np.floor(np.abs(2.5) + 0.5)"),
        ("f = @(x) x.^2;", "f = lambda x: x**2"),
        ("f = @sin; y = f([1 2 3]); x = y(2);", "x = y[1]"),
        ("x = 3; y = -(x).^2;", "y = -x**2"),
        ("x = 3; y = 2^-x;", "2.0**(-x)"),
        ("x = 1; % one", "x = 1  # one"),
        ("disp('it''s')", 'print("it\'s")'),
        ("plot([1 2], [3 4]); xlabel('t');", 'plt.xlabel("t")'),
        ("model = autoTree(3); x = model.parent(2);", "x = model.parent[1]"),
    ],
)
def test_lines_are_idiomatic_python(matlab: str, python: str, tmp_path: Path) -> None:
    assert python in python_of(matlab, tmp_path)


@pytest.mark.parametrize("after", ["%c", " ;", "; ", ";  % c"])
@pytest.mark.parametrize("name", ["tic; toc", "x = 1; x", "f"])
def test_spaces_and_comments_after_a_name_change_nothing(
    name: str, after: str, tmp_path: Path
) -> None:
    f = "function f()\ndisp(1)\nend\n"
    plain, found = (python_of(f"{name}{x}\n{f}", tmp_path) for x in (";", after))
    silent = found if ";" in after else found.replace("print(x)", "x")
    assert ast.unparse(ast.parse(silent)) == ast.unparse(ast.parse(plain))


@pytest.mark.parametrize(
    ("inner", "shape"),
    [
        ("A(2, :, :)", (4, 5)), ("A(:, 2, :)", (3, 5)), ("A(:, 2:4, 5)", (3, 3)),
        ("page(1:3, 1:4, 2)", (3, 4)), ("ones(3, 4)", (3, 4)), ("A(:, 1, 2)", (3,)),
    ],
)  # fmt: skip
def test_squeeze_drops_axes_of_single_indices(
    inner: str, shape: tuple[int, ...], tmp_path: Path
) -> None:
    """A tensor loses the axis of a single index; a matrix stays a matrix even if a function of
    three arguments returns it.
    """
    page = "function y = page(a, b, c)\n  y = c * ones(3, 4);\nend\n"
    names: dict[str, Any] = {}
    exec(python_of(f"A = ones(3, 4, 5);\nx = squeeze({inner});\n{page}", tmp_path), names)
    assert names["x"].shape == shape


@pytest.mark.parametrize(
    ("called", "direct"),
    [
        ("feval('sin', 2)", "sin(2)"), ("feval(\"rx\", 0.5)", "rx(0.5)"),
        ("feval(f, 3)", "f(3)"), ("feval('max', [1 2])", "max([1 2])"),
    ],
)  # fmt: skip
def test_feval_is_the_call_itself(called: str, direct: str, tmp_path: Path) -> None:
    """``feval`` becomes a call, of a function given by name or as a value."""
    one, other = (python_of(f"f = @(x) x.^2;\ny = {x};\n", tmp_path) for x in (called, direct))
    assert one == other


def test_undecided_lines_are_left_with_the_reason(tmp_path: Path) -> None:
    found = translate(SCRIPTS / "undecided.m")[0]
    assert [t.line for t in found.todos] == [3, 5, 7]
    assert "# TODO(migrate): not translated: `unknown_function`" in found.python
    assert 'raise NotImplementedError("undecided.m, line 3")' in found.python
    run = CliRunner().invoke(
        app, ["migrate", str(SCRIPTS / "undecided.m"), "--out", str(tmp_path / "new")]
    )
    assert run.exit_code == 1
    assert "undecided.m:3: TODO" in run.output
    assert (tmp_path / "new" / "undecided.py").exists()


@pytest.mark.parametrize(
    ("matlab", "python"),
    [
        ("x = a == 1 | a;", "x = a == 1 or a != 0"),
        ("x = a > 0 & a < 2;", "x = a > 0 and a < 2"),
        ("x = a^2^a;", "x = np.float64(a**2)**a"),
        ("x = -a^2;", "x = -a**2"),
        ("x = c.^2';", "x = c**2"),
        ("x = c(c > 1 & c < 3 | c == 1);", "x = c[(c > 1) & (c < 3) | (c == 1)]"),
        ("x = 2^-a^2;", "x = (2.0**(-a))**2"),
        ("x = 5 / (2 \\ a);", "x = 5 / (a / 2)"),
        ("x = 5 / (2 / a);", "x = 5 / (2 / a)"),
        ("x = 5 * (2 \\ a);", "x = 5 * (a / 2)"),
        ("x = -(2 \\ a);", "x = -(a / 2)"),
    ],
)
def test_operators_have_the_order_of_matlab(matlab: str, python: str, tmp_path: Path) -> None:
    """Operators that Python evaluates in another order get parentheses.

    `test_migrate_octave` compares results with Octave.
    """
    assert python in python_of(f"a = 3; c = [1 2 3];\n{matlab}\n", tmp_path)


@pytest.mark.parametrize(
    ("matlab", "python"),
    [
        ("for i = 1:3, if i > 1, c{i} = i; end, end", "put(c, i - 1, i)"),
        ("for i = 1:3, if i > 1, x(i) = i; end, end", "x = with_entry(x, i - 1, i)"),
        ("for i = 1:3, s.c{i} = i; end", "s.c = []"),
        ("[c{1}, x] = size(zeros(2, 3));", "c_new, x = np.zeros((2, 3)).shape"),
        ("X = zeros(6); x = all(size(X) == [6 6]);", "x = np.shape(X) == (6, 6)"),
        ("s.lambda = 1; x = s.lambda;", "x = s.lambda_"),
        ("x = sprintf('%d %d', 2, sum([1 2]));", 'sprintf("%d %d", 2, np.sum('),
        ("x = rem(3, 0.1);", "x = rem(3, 0.1)"),
        ("x = acos(2);", "from spatial_v2.migrate.values import acos"),
        ("r = [1 2]; c = {r, 1}; r(1) = 3;", "c = [r.copy(), 1]"),
        ("r = [1 2]; f = @(x) x + r(1); r(1) = 3;", "r=copy.deepcopy(r)"),
        ("x = [1 2] > 1; x(1) = 5;", "x[0] = 5"),
        ("x = dot([1 2], cumsum([1 2]))^2;", "x = (np.array([1.0, 2]) @ np.cumsum("),
        ("x = flipud([1; 2] > 1); x(2) = 3;", "x[1] = 3"),
        ("a = [1 2]; x = a .* (a*[1 2; 3 4]);", "x = a * (a @ np.array("),
        ("n = numel([1 2]); x = repmat(floor(n), 3, 1);", "x = np.full(3, 1.0 * n)"),
        ("A = zeros(2, 3); x = length(A);", "x = max(A.shape)"),
        ("v = [1 2 3]; x = length(v);", "x = len(v)"),
        ("c = {1, 2}; x = size(c, 2);", "x = len(c)"),
        ("c = {1, 2}; x = size(c, 1);", "x = 1"),
        ("b = ones(5, 1); for i = 1:3, x = b(i + 1); end", "x = b[i + 1]"),
        ("b = ones(5, 1); for i = 1:3, x = b(i); end", "x = b[i]"),
        ("b = ones(5, 1); n = 2; x = b(n + 2);", "x = b[n + 1]"),
    ],
)
def test_values_are_those_of_matlab(matlab: str, python: str, tmp_path: Path) -> None:
    assert python in python_of(f"{matlab}\n", tmp_path)


def test_logical_arrays_stay_logical(tmp_path: Path) -> None:
    assert "astype" not in python_of("x = [1 2] > 1; x(1) = 5;\n", tmp_path)
    assert "astype" not in python_of("x = sort([1 2] > 1); x(1) = 5;\n", tmp_path)
    (tmp_path / "a.m").write_text("x = max([1 2; 3 4] > 1); x(1) = 5;\n")
    assert "logical" in translate(tmp_path / "a.m")[0].todos[0].why


def test_derived_fields_of_a_model_are_not_assigned(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("m = autoTree(3);\nm.parent(3) = 1;\nm.nq = 3;\n")
    assert [t.line for t in translate(tmp_path / "a.m")[0].todos] == [2, 3]


def test_persistent_variables_are_of_the_file(tmp_path: Path) -> None:
    text = (
        "function k = count()\npersistent n;\nif isempty(n), n = 0; end\nn = n + 1; k = n;\nend\n"
    )
    (tmp_path / "count.m").write_text(text)
    names: dict[str, object] = {}
    exec(translate(tmp_path / "count.m")[0].python, names)
    counted = names["count"]
    assert callable(counted)
    assert [counted(), counted()] == [1, 2]


@pytest.mark.parametrize(
    ("name", "x", "y", "expected"),
    [
        ("mod", -1.0, 3.0, 2.0),
        ("mod", 3.0, 0.0, 3.0),
        ("mod", 0.3, 0.1, 0.0),
        ("rem", -5.0, 3.0, -2.0),
        ("rem", 3.0, 0.1, 0.0),
    ],
)
def test_remainders_are_those_of_matlab(name: str, x: float, y: float, expected: float) -> None:
    from spatial_v2.migrate import values

    assert getattr(values, name)(x, y) == expected


def test_functions_of_the_user_are_translated(tmp_path: Path) -> None:
    (tmp_path / "main.m").write_text("y = twice([1; 2]);\n")
    (tmp_path / "twice.m").write_text("function y = twice(x)\n% doubled\ny = 2*x;\nend\n")
    main, twice = translate(tmp_path / "main.m")
    assert "from twice import twice" in main.python
    assert '"""doubled"""' in twice.python


def test_functions_at_the_same_place_of_two_files_are_two(tmp_path: Path) -> None:
    """Persistent variables of functions in different files are different, also for functions on the
    same line.
    """
    (tmp_path / "main.m").write_text("x = f(1); y = g(2);\n")
    for name, first in (("f", "0"), ("g", "[1 2]")):
        (tmp_path / f"{name}.m").write_text(
            f"function y = {name}(x)\npersistent n\nif isempty(n), n = {first}; end\n"
            "n = n + x; y = n;\nend\n"
        )
    _, f, g = (x.python for x in translate(tmp_path / "main.m"))
    assert "f_n = f_n + x\n" in f and "y = f_n\n" in f
    assert "g_n = (g_n + x).copy()\n" in g and "y = g_n.copy()\n" in g


def test_functions_that_nobody_calls_are_translated(tmp_path: Path) -> None:
    """Functions that nobody calls are translated, with arguments of unknown kinds."""
    path = tmp_path / "f.m"
    for matlab, python in (("-x", "-x"), ("+x", "x"), ("x + 1", "x + 1"), ("2*x", "2 * x")):
        path.write_text(f"function y = f(x)\ny = {matlab};\nend\n")
        (found,) = translate(path)
        assert not found.todos and found.python == f"def f(x):\n    y = {python}\n    return y\n"


def test_functions_that_give_other_values_are_noted(tmp_path: Path) -> None:
    assert "# rv: an exact half-turn" in python_of("E = rv([1; 0; 0]);\n", tmp_path)


def test_a_notebook_has_a_cell_for_each_section(tmp_path: Path) -> None:
    run = CliRunner().invoke(
        app, ["migrate", str(SCRIPTS / "dynamics.m"), "--out", str(tmp_path), "--notebook"]
    )
    assert run.exit_code == 0, run.output
    cells = json.loads((tmp_path / "dynamics.ipynb").read_text())["cells"]
    assert [c["source"] for c in cells if c["cell_type"] == "markdown"] == [
        "## Dynamics of a tree",
        "## Jacobians",
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.m", "x = 1;\nif x ==\nend\n", "a.m:"),
        ("a.txt", "x = 1;\n", "ends in .m"),
        ("missing.m", None, "No such file"),
        ("a.m", "classdef a\n methods\n", "a.m:"),
    ],
)
def test_errors_name_file_and_line(
    name: str, text: str | None, message: str, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(MigrateError, match=message):
        translate(tmp_path / name)


def test_without_the_grammar_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from spatial_v2.migrate import parse

    parse._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_matlab", None)
    (tmp_path / "a.m").write_text("x = 1;\n")
    with pytest.raises(MigrateError, match=r"'\.\[migrate\]"):
        translate(tmp_path / "a.m")
    parse._parser.cache_clear()


@pytest.mark.slow
def test_five_thousand_lines_take_five_seconds_of_a_processor(tmp_path: Path) -> None:
    text = (SCRIPTS / "arrays.m").read_text() + (SCRIPTS / "dynamics.m").read_text()
    (tmp_path / "long.m").write_text(text * (5000 // text.count("\n") + 1))
    begin = time.process_time()
    translate(tmp_path / "long.m")
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("row", ["2", "k"])
def test_other_rows_of_a_row_of_cells_are_left_to_a_person(row: str, tmp_path: Path) -> None:
    text = "c = {1, 2}; k = 2;\nx = c{1, 2};\n"
    assert "x = c[1]\n" in python_of(text, tmp_path)
    (tmp_path / "a.m").write_text(f"{text}x = c{{{row}, 1}};\n")
    assert [todo.line for todo in translate(tmp_path / "a.m")[0].todos] == [3]


def test_computed_numbers_are_not_copied(tmp_path: Path) -> None:
    """The largest of logical values is a new array of numbers already."""
    largest = "m = max([1 2; 3 4] > 2); x = +m; x(1) = 5;\n"
    assert "x = m + 0\n" in python_of(largest, tmp_path)


def test_arithmetic_on_what_may_be_logical_is_on_numbers(tmp_path: Path) -> None:
    maybe = "a = 0; if rand < 2, a = true; end\n"
    assert "a + 0 + a + 0" in python_of(maybe + "b = a + a;\n", tmp_path)
    assert "-(a + 0)" in python_of(maybe + "b = -a;\n", tmp_path)
    mask = "x = [1 2 3]; k = x > 1; if rand < 2, k = x; end\n"
    (tmp_path / "a.m").write_text(mask + "y = x(k);\n")
    assert "logical" in translate(tmp_path / "a.m")[0].todos[0].why
