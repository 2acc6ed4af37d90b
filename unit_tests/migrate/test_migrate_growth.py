"""Arrays that grow in translated programs: a subscript beyond the end pads them, as in MATLAB."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_laws import values_of
from test_migrate_text import python_of

from spatial_v2.migrate.blocks import with_columns, with_rows
from spatial_v2.migrate.values import grown, put, with_entry

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")

VECTORS: dict[str, Any] = {
    "[1 2]": [1, 2], "[1; 2]": [1, 2], "2*[1 2]": [2, 4], "[1 2]/2": [0.5, 1],
    "2\\[1 2]": [0.5, 1], "[1 2] + [3 4]": [4, 6], "[1 2].^2": [1, 4], "-[1 2]": [-1, -2],
    "[1 2]'": [1, 2], "1:2": [1, 2], "abs([1 2])": [1, 2], "sort([2 1])": [1, 2],
    "zeros(1, 2)": [0, 0], "[1 2].^0.5 > 1": [0, 1], "fliplr([1 2])": [2, 1],
    "diff([1 2 4])": [1, 2], "cumsum([1 1])": [1, 2],
}  # fmt: skip
"""MATLAB expressions of vectors of two entries, and their values."""
GROWN: dict[str, Any] = {
    "x(3) = 7;": [7], "x(5) = 7;": [0, 0, 7], "x(3:4) = [7 8];": [7, 8], "x(4:5) = 7;": [0, 7, 7],
    "x(4:5) = [7; 8];": [0, 7, 8], "x(3) = 7; x(5) = 8;": [7, 0, 8], "x(3) = x(1) + 7;": [None],
    "for i = 1:2, x(4) = i; end": [0, 2], "if x(1) > 9, x(5) = 1; end; x(3) = 7;": [7],
    "if x(1) < 9, x(5) = 1; end; x(3) = 7;": [7, 0, 1],
}  # fmt: skip
"""Assignments beyond the end, and the entries that follow the first two; None stands
for x(1) + 7.
"""


STOPS = "for i = 1:3, if i > 0, c{i} = i; else, error('no'); end, end;"
COLUMNS = "function y = f(x)\nfor i = 1:size(x, 2), x(:, i) = x(:, i)*1; end\ny = [x 2*x];\nend"
BRANCH = "for i = 1:3, if i > 1, c{i} = i; else, c{i} = 9; end, end;"


@pytest.mark.parametrize("statement", GROWN)
@pytest.mark.parametrize("vector", VECTORS)
def test_vectors_grow_or_the_line_is_left_to_a_person(
    vector: str, statement: str, tmp_path: Path
) -> None:
    """The array grows, or the line is reported as not translated; a translated program never raises
    an error.
    """
    (tmp_path / "script.m").write_text(f"x = {vector}; {statement}\n")
    if translate(tmp_path / "script.m")[0].todos:
        assert ">" in vector  # a vector of logical values, for which MATLAB and Octave differ
        return
    end = [VECTORS[vector][0] + 7 if x is None else x for x in GROWN[statement]]
    found = values_of(f"x = {vector}; {statement}\n", tmp_path)["x"]
    np.testing.assert_array_equal(found, [*VECTORS[vector], *end])


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = []; for i = [1 2 3], x(i) = numel(x); end", [0, 1, 2]),
        ("x = []; for i = 1:2, x(numel(x) + 2) = i; end", [0, 1, 0, 2]),
        ("x = [1 2]; x(5) = x(end);", [1, 2, 0, 0, 2]),
        ("x = [1 2]; x(4:5) = x;", [1, 2, 0, 1, 2]),
        ("x = [1 2]; x(5) = sum(x)*1i;", [1, 2, 0, 0, 3j]),
        ("s.a = [1 2]; s.a(4) = numel(s.a); x = s.a;", [1, 2, 0, 2]),
        ("s.a = 9; a = [1 2]; a(4) = s.a; x = a;", [1, 2, 0, 9]),
        ("c = {}; for i = [1 3], c{i} = numel(c); end; x = [c{1} c{3}];", [0, 1]),
        ("c = {5}; c{4} = numel(c); x = [c{1} c{4} numel(c)];", [5, 1, 4]),
    ],
)
def test_value_and_subscript_are_those_before_the_array_grows(
    matlab: str, x: Any, tmp_path: Path
) -> None:
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = []; for i = [2 1], x(i) = i; end", [1, 2]),
        ("for i = 1:3, i = 2 * i; x(i) = i; end", [0, 2, 0, 4, 0, 6]),
        ("x = zeros(1, 2); for i = 1:2, [i, j] = deal(i + 2, 5); x(i) = j; end", [0, 0, 5, 5]),
        ("for i = 1:2, if i == 2, i = 4; end; x(i) = i; end", [1, 0, 0, 4]),
        ("x = []; for i = [2 3], x(1, i) = i; end", [0, 2, 3]),
        ("for i = 1:2, x = []; x(3 - i) = i; end", [2]),
        ("for i = 1:2, x = []; x(i) = i; end", [0, 2]),
        ("for i = 1:3, [n, x] = size(ones(2, 5)); x = []; x(i) = i; end", [0, 0, 3]),
        ("for i = 1:2, s.a = []; s.a(i) = i; end; x = s.a;", [0, 2]),
        ("for i = 1:2, s.a = []; s.a(3 - i) = i; end; x = s.a;", [2]),
        ("for i = 1:2, s = struct('a', []); s.a(3 - i) = i; end; x = s.a;", [2]),
        ("for i = 1:2, c = {}; c{i} = i; end; x = numel(c);", 2),
        ("for i = 1:2, s.a = 1; s.ab(i) = i; end; x = s.ab;", [1, 2]),
        ("c = {[5 6 7 8]}; for i = 1:2, c{1}(i) = i; end; x = c{1};", [1, 2, 7, 8]),
        ("for i = 1:3, c{i} = i; end; c{2} = 5; x = [c{1} c{2} c{3}];", [1, 5, 3]),
        (f"{BRANCH} c{{2}} = 5; x = [c{{1}} c{{2}} c{{3}}];", [9, 5, 3]),
        (f"{STOPS} c{{2}} = 5; x = [c{{1}} c{{2}} c{{3}}];", [1, 5, 3]),
        (f"{STOPS} c{{5}} = 5; x = [c{{3}} numel(c)];", [3, 5]),
        ("for i = 1:3, c{i} = i; end; c{5} = 5; x = [c{3} numel(c)];", [3, 5]),
        ("for i = 1:3, c{i} = i; c{end+1} = 7; end; x = [c{3} c{4} numel(c)];", [3, 7, 4]),
        ("for i = 1:3, x(i) = i; end; x(5) = 5;", [1, 2, 3, 0, 5]),
        ("x = []; for i = 1:3, x(i) = i; x(4) = 7; end; x(5) = 1;", [1, 2, 3, 7, 1]),
        ("x = []; for i = 1:3, x(i) = i; x(i + 1) = 7; end", [1, 2, 3, 7]),
        ("x = []; for i = 1:3, x(i) = i; x(end + 1) = 7; end", [1, 2, 3, 7]),
        ("for i = 1:3, s.x(i) = i; s.x(end + 1) = 7; end; x = s.x;", [1, 2, 3, 7]),
        ("x = [1 2]; if x(1) > 5, x(4) = 0; end; x(3:4) = 7;", [1, 2, 7, 7]),
        ("x = []; for i = 1:2, x(end + 1) = i; end; x(4:5) = [7 8];", [1, 2, 0, 7, 8]),
        ("x = zeros(1, 3); for i = 1:2, x = zeros(1, 2); x(3) = i; end", [0, 0, 2]),
        ("c = {1, 2}; if numel(c) > 5, c{4} = 3; end; c{5} = 1; x = numel(c);", 5),
        ("c = cell(1, 2); c{4} = 3; x = numel(c);", 4),
        ("x = [1i 2]; if numel(x) > 5, x(5) = 1; end; x(4) = 3; x = x';", [-1j, 2, 0, 3]),
    ],
)  # fmt: skip
def test_arrays_that_loops_fill(matlab: str, x: Any, tmp_path: Path) -> None:
    """Loops may fill arrays in any order, again in each iteration, in structs and in cells."""
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = zeros(2); x(3, 4) = 5;", [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5]]),
        ("x = [1 2; 3 4]; x(3, :) = [5 6];", [[1, 2], [3, 4], [5, 6]]),
        ("x = [1 2; 3 4]; x(:, 4) = [5; 6];", [[1, 2, 0, 5], [3, 4, 0, 6]]),
        ("x = []; for i = 1:3, x(i, :) = [i 2*i]; end", [[1, 2], [2, 4], [3, 6]]),
        ("for i = [2 1], x(:, i) = [i; 2*i]; end", [[1, 2], [2, 4]]),
        ("for i = 1:2, for j = 1:2, x(i, j) = 10*i + j; end, end", [[11, 12], [21, 22]]),
        ("x = sort([2 1]); x(4) = 5;", [1, 2, 0, 5]),
        ("x = sort([2 1]); k = 3; x(k) = 5; x(k + 2) = 6;", [1, 2, 5, 0, 6]),
        ("x = [1 2 3]; x = x(x > 1); x(5) = 7;", [2, 3, 0, 0, 7]),
        ("x = [1 2 3]; x = x(x > 1); k = 3; x(k:4) = 7;", [2, 3, 7, 7]),
        ("x = 1; x(3) = 5;", [1, 0, 5]),
        ("x = [1 2] > 1; k = 4; x(k) = true;", [0, 1, 0, 1]),
        ("x = f([1 2]);\nfunction y = f(y)\ny(numel(y) + 2) = 3;\nend", [1, 2, 0, 3]),
        ("x = [1; 2]; for i = 1:2, x(:, i) = x(:, 1)*i; end", [[1, 2], [2, 4]]),
        ("x = [1; 2]; x(3, 2) = 5;", [[1, 0], [2, 0], [0, 5]]),
        (f"x = f(eye(2)); y = f([1; 2]);\n{COLUMNS}", [[1, 0, 2, 0], [0, 1, 0, 2]]),
        (f"x = f([1; 2]); y = f(eye(2));\n{COLUMNS}", [[1, 2], [2, 4]]),
        (
            "c = cell(2, 1); for i = 1:2, p = eye(2); if i > 1, p = c{i-1}; end, c{i} = 2*p; end\n"
            "x = c{2}(:, 1);",
            [4, 0],
        ),
    ],
)
def test_matrices_and_vectors_of_any_length_grow(matlab: str, x: Any, tmp_path: Path) -> None:
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)


@pytest.mark.parametrize(
    ("statement", "x"),
    [
        ("x(a:b) = 7;", [1, 2, 7, 7]),
        ("x(a:b) = [7 8];", [1, 2, 7, 8]),
        ("x(1:b) = 7;", [7, 7, 7, 7]),
        ("x(a:4) = 7;", [1, 2, 7, 7]),
        ("x(2:end) = 7;", [1, 7]),
        ("x(b) = 7;", [1, 2, 0, 7]),
        ("x(4:-1:a) = [8 7];", [1, 2, 7, 8]),
        ("x(b:-1:3) = [8 7];", [1, 2, 7, 8]),
        ("x(4:-1:3) = [8 7];", [1, 2, 7, 8]),
        ("x(a:1:4) = [7 8];", [1, 2, 7, 8]),
    ],
)
def test_ends_that_are_not_known_grow_arrays_or_are_left_to_a_person(
    statement: str, x: Any, tmp_path: Path
) -> None:
    text = f"x = [1 2]; if x(1) > 5, x(4) = 0; end; a = 3; b = 4; {statement}\n"
    (tmp_path / "script.m").write_text(text)
    if not translate(tmp_path / "script.m")[0].todos:
        np.testing.assert_array_equal(values_of(text, tmp_path)["x"], x)


@pytest.mark.parametrize(
    "matlab",
    [
        "n = 3; x = zeros(n, 1); for i = 1:n, x(i) = i; end",
        "n = 3; x = zeros([n 1]); for i = 1:n, x(i) = i; end",
        "m = autoTree(3); x = zeros(m.NV); for i = 1:m.NB, for j = i:m.NB, x(i, j) = 1; end, end",
        "x = sort([2 1]); for i = 1:numel(x), x(i) = i; end",
        "x = zeros(3, 2); for i = 2:3, x(i, :) = [1 2]; x(i - 1, 2) = x(i, 1); end",
        "n = 4; x = zeros(1, n + 1); for i = n:-1:1, x(i + 1) = x(i); x(end) = 1; end",
        "x = [1 2 3]; k = 2; x(k) = x(k) + 1;",
    ],
)
def test_arrays_whose_size_is_known_are_not_padded(matlab: str, tmp_path: Path) -> None:
    assert "grown" not in python_of(f"{matlab}\n", tmp_path)


INDICES: dict[str, list[float]] = {
    "[s, x] = sort([3 1 2]);": [2, 3, 1], "x = find([1 0 1 1]);": [1, 3, 4],
    "x = [3 1 2] > 1;": [1, 0, 1],
}  # fmt: skip
"""Programs that make vectors of three indices or logical values, and MATLAB's values of these."""
ENTRIES: dict[str, dict[int, float]] = {
    "x(2) = 7;": {2: 7}, "x(1:2) = [5 6];": {1: 5, 2: 6}, "x(:) = 5;": {1: 5, 2: 5, 3: 5},
    "x(end) = 6;": {3: 6}, "x(4) = 7;": {4: 7}, "x(end+1) = 7;": {4: 7}, "x(5) = 7;": {5: 7},
    "n = 4; n = n * 1; x(n) = 7;": {4: 7}, "n = 4; n = n * 1; x(n:n+1) = 7;": {4: 7, 5: 7},
    "n = 4; n = n * 1; x(1, n) = 7;": {4: 7},
    "for i = 1:4, x(i) = 2 * i; end": {1: 2, 2: 4, 3: 6, 4: 8},
    "if s > 0, x(2) = 7; end": {2: 7}, "x(2) = []; x(2) = 9;": {2: 9},
    "k = x; x(2) = 8; x(3) = k(3);": {2: 8},
}  # fmt: skip
"""Assignments to entries, numbered from 1, and what they have then."""


@pytest.mark.parametrize("statement", ENTRIES)
@pytest.mark.parametrize("vector", INDICES)
def test_indices_and_logical_values_get_entries_as_in_matlab(
    vector: str, statement: str, tmp_path: Path
) -> None:
    """A vector of indices, which may count from 0 in Python, has MATLAB's values before and after
    its entries are assigned, or the line is left to a person; no translated program fails.
    """
    program = f"s = 1; {vector} s = 1; {statement}\ny = x + 0; z = y(2);\n"
    (tmp_path / "script.m").write_text(program)
    if translate(tmp_path / "script.m")[0].todos:
        assert "> 1" in vector  # MATLAB and Octave differ where logical arrays grow
        return
    entries = dict(enumerate(INDICES[vector], 1))
    if "[]" in statement:
        entries = {1: entries[1], 2: entries[3]}
    logical = "> 1" in vector
    entries |= {k: bool(v) if logical else v for k, v in ENTRIES[statement].items()}
    wanted = [entries.get(k, 0.0) for k in range(1, max(entries) + 1)]
    found = values_of(program, tmp_path)
    np.testing.assert_array_equal(found["y"], wanted)
    assert found["z"] == wanted[1]


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = 1/0;", np.inf),
        ("x = -1/0;", -np.inf),
        ("x = 0/0;", np.nan),
        ("n = 0; x = 2/n;", np.inf),
        ("n = 1; n = n - 1; x = n\\3;", np.inf),
        ("x = numel([1 2])/0;", np.inf),
        ("n = 0; x = n^-1;", np.inf),
        ("x = 7; for i = 1:0:3, x = i; end", 7),
        ("s = 0; x = 7; for i = 1:s:3, x = i; end", 7),
        ("s = 0; x = 1:s:3;", []),
        ("s = 0.1; s = 3*s; x = 0:s:1;", [0, 0.3, 0.6, 0.9]),
    ],
)
def test_divisions_by_zero_and_steps_of_zero_are_no_errors(
    matlab: str, x: Any, tmp_path: Path
) -> None:
    with np.errstate(all="ignore"):
        found = values_of(f"{matlab}\n", tmp_path)["x"]
    np.testing.assert_allclose(found, x, rtol=1e-15)


SHAPES: list[tuple[int, ...]] = [(0,), (1,), (3,), (1, 1), (2, 3), (0, 2), (2, 3, 2)]
COUNTS: list[tuple[int, ...]] = [(2,), (5,), (1, 4), (3, 2), (2, 1, 3), (4, 4, 1), (1, 2, 2, 2)]


@pytest.mark.parametrize("counts", COUNTS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_arrays_are_padded_with_zeros(shape: tuple[int, ...], counts: tuple[int, ...]) -> None:
    """Axes get at least the given lengths; a vector becomes a column if there are more axes."""
    x = 1.0 + np.arange(np.prod(shape)).reshape(shape)
    found = grown(x, *counts)
    full = max(len(shape), len(counts))
    had = (*shape, *[min(x.size, 1)] * (full - len(shape)))
    wanted = tuple(max(n, m) for n, m in zip(had, [*counts, *[0] * full], strict=False))
    assert found.shape == wanted
    kept = found[tuple(slice(n) for n in had)]
    assert (kept == x.reshape(had)).all() and np.count_nonzero(found) == x.size


PAIRS = [
    (a, b) for a in ("7", "[5 -7]", "[5; -7]", "[5 -7; 8 9]") for b in ("3", a.replace("5", "4"))
]


@pytest.mark.parametrize("name", ["mod", "rem"])
@pytest.mark.parametrize(("a", "b"), [*PAIRS, ("7", "[5 -7; 8 9]"), ("7", "[5; -7]")])
def test_remainders_are_those_of_matlab(name: str, a: str, b: str, tmp_path: Path) -> None:
    """Arrays of equal shape, or a single number and an array, have remainders entry by entry."""
    found = values_of(f"a = {a}; b = {b}; x = {name}(a, b);\n", tmp_path)
    wanted = {"mod": np.mod, "rem": np.fmod}[name](found["a"], found["b"])
    assert (found["x"] == wanted).all()


@pytest.mark.parametrize("name", ["mod", "rem"])
def test_remainders_of_a_row_and_a_column_are_left_to_a_person(name: str, tmp_path: Path) -> None:
    (tmp_path / "script.m").write_text(f"a = [5 -7]; b = [2; 4]; x = {name}(a, b);\n")
    assert translate(tmp_path / "script.m")[0].todos


@pytest.mark.parametrize("across", [False, True])
def test_matrices_grow_by_rows_and_columns_that_earlier_ones_do_not_see(across: bool) -> None:
    """Every matrix keeps its entries when others grow from it, also twice from the same one, from a
    part of it, and to numbers of another kind.
    """
    grow = with_columns if across else with_rows
    turned = np.transpose if across else np.array
    rows = np.random.default_rng(0).random((40, 3))
    found = [grow(np.zeros(0), rows[0])]
    for row in rows[1:]:
        found.append(grow(found[-1], row))
    again = [grow(x, 9.0 * np.ones(3)) for x in found]
    part = grow(found[7][1:] if not across else found[7][:, 1:], turned(rows[:2]))
    with_complex = grow(found[3], 1j * rows[5])
    for k, (x, y) in enumerate(zip(found, again, strict=True), 1):
        assert np.array_equal(x, turned(rows[:k]))
        assert np.array_equal(y, turned(np.vstack([rows[:k], 9.0 * np.ones(3)])))
    assert np.array_equal(part, turned(np.vstack([rows[1:8], rows[:2]])))
    assert np.array_equal(with_complex, turned(np.vstack([rows[:4], 1j * rows[5]])))
    with pytest.raises(ValueError, match="want 3 entries, got 2"):
        grow(found[0], np.ones(2))


@pytest.mark.parametrize("change", ["", "x(1, 1) = 7; "])
def test_a_matrix_that_grows_in_a_loop_leaves_its_copies_alone(change: str, tmp_path: Path) -> None:
    """Copies taken during the loop keep their values, also where entries are assigned later."""
    text = f"x = []; for k = 1:5, x = [x; k 2*k]; {change}c{{k}} = x; y = x; y(1, 2) = k; end\n"
    values = values_of(text, tmp_path)
    whole = np.outer(np.arange(1.0, 6), [1, 2])
    if change:
        whole[0, 0] = 7
    for k in range(5):
        assert np.array_equal(values["c"][k], whole[: k + 1])
    assert values["x"][0, 1] == 2 and values["y"][0, 1] == 5


def test_a_model_is_made_before_the_loops_that_leave_its_struct_unchanged(tmp_path: Path) -> None:
    """In a loop that edits the struct, the model is made at each call."""
    head = "m = struct(); m.NB = 1; m.parent = 0; m.jtype = {'Rx'}; m.Xtree = {eye(6)};\n"
    head += "m.I = {mcI(1, [0 0 0], eye(3))};\n"
    loop = "t = 0; for k = 1:2, for i = 1:2, {}t = t + norm(ID(m, 0, 0, k)); end, end\n"
    python = python_of(head + loop.format(""), tmp_path)
    before, after = python.split("for k in")
    assert before.count("m_model = as_model(m)") == 1 and "as_model" not in after
    python = python_of(head + loop.format("m.mass = i; "), tmp_path)
    assert "ID(as_model(m), " in python.split("for k in")[1]


def test_entries_beyond_the_end_and_none_before_the_first() -> None:
    """A list grows in place by empty entries, a vector by zeros in a new array."""
    c, x = [np.ones(1)], np.ones(1)
    put(c, 2, "a")
    put(c, 0, "b")
    assert [c[0], np.size(c[1]), c[2]] == ["b", 0, "a"]
    assert with_entry(x, 2, 7).tolist() == [1, 0, 7] and with_entry(x, 0, 7).tolist() == [7]
    assert x.tolist() == [1]
    for grow in (put, with_entry):
        with pytest.raises(IndexError, match="want a place from 0 on, got -1"):
            grow([np.ones(1)], -1, 2.0)
