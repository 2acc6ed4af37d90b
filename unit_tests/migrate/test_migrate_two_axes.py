"""Values that are columns or matrices, or rows or columns, keep two axes in translated programs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_laws import values_of

from spatial_v2.migrate.reached import reached
from spatial_v2.migrate.values import by_columns, with_entries

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")

SUBSPACE = """
function S = f(i, v)
  switch i
    case 1
      S = [v; 0; 1];
    case 2
      S = v*eye(3);
    otherwise
      S = [0; v; 0];
  end
end
"""
"""A function whose result is a column or a matrix."""
EITHER = """
for k = 1:3
  switch k
    case 1
      x = zeros(1, 3); x(2) = 4;
    case 2
      x = [1; 2; 3];
    otherwise
      x = 5;
  end
  w{k} = x*2 + [1; 2; 3];
  n(k) = size(x, 2);
  x(1) = 7;
  y{k} = x';
end
"""
"""A variable that is a row, a column or a number."""


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = f(1, 2)'*f(2, 2);", [4, 0, 2]),
        ("x = f(2, 2)*f(1, 2);", [4, 0, 2]),
        ("x = (f(1, 2)'*f(1, 3))*2;", [[14]]),
        ("q = {2, [1; 2; 3]}; for i = 1:2, x = f(i, 2)*q{i}; end", [2, 4, 6]),
        ("S = f(1, 2); x = S(2:3, 1) + 1;", [1, 2]),
        ("S = f(1, 2); x = S + [1; 2; 3];", [[3], [2], [4]]),
        ("S = f(1, 2); x = [S' 5; S' 6];", None),
        ("S = f(3, 2); c = {S'*S, S'; S, eye(3)}; x = cell2mat(c); x = x(2:3, 1);", [0, 2]),
        ("S = f(1, 2); x = crm([S; S])'; x = x(1:2, 2:3);", None),
        ("S = f(1, 2); x = sum(S);", [3]),
        ("S = f(1, 2); x = sum(S');", None),
        ("S = f(1, 2); x = diag(S);", None),
        ("S = f(1, 2); P = zeros(3, 4); P(:, end) = S; x = P(1, :);", [0, 0, 0, 2]),
    ],
)
def test_a_column_or_a_matrix(matlab: str, x: Any, tmp_path: Path) -> None:
    """None stands for a program of which a line is left to a person."""
    script = f"{matlab}\n{SUBSPACE}"
    (tmp_path / "script.m").write_text(script)
    left = any(each.todos for each in translate(tmp_path / "script.m"))
    assert left == (x is None)
    if x is not None:
        np.testing.assert_array_equal(values_of(script, tmp_path)["x"], x)


def test_a_row_or_a_column(tmp_path: Path) -> None:
    found = values_of(EITHER, tmp_path)
    row, column = np.array([0, 4, 0]), np.array([1, 2, 3])
    np.testing.assert_array_equal(found["w"][0], 2 * row + column[:, None])
    np.testing.assert_array_equal(found["w"][1], 3 * column[:, None])
    np.testing.assert_array_equal(found["w"][2], 10 + column[:, None])
    np.testing.assert_array_equal(found["n"], [3, 1, 1])
    assert [np.shape(y) for y in found["y"]] == [(3, 1), (1, 3), (1, 1)]
    np.testing.assert_array_equal(np.ravel(found["y"][0]), [7, 4, 0])


def test_numbers_columns_and_matrices_as_matrices() -> None:
    assert by_columns(3).shape == (1, 1)
    assert by_columns(np.ones(3)).shape == (3, 1)
    assert by_columns(np.ones((2, 3))).shape == (2, 3)
    assert by_columns(np.zeros((0, 3))).shape == (0, 3)


def test_entries_are_counted_by_columns() -> None:
    x = np.array([[1.0, 2], [3, 4]])
    np.testing.assert_array_equal(with_entries(x, slice(1, 3), [8, 9]), [[1, 9], [8, 4]])
    np.testing.assert_array_equal(with_entries(x, -1, 5), [[1, 2], [3, 5]])
    np.testing.assert_array_equal(with_entries(2, 0, 5), [5])
    np.testing.assert_array_equal(x, [[1, 2], [3, 4]])
    with pytest.raises(IndexError, match="at most 4 entries, got place 5"):
        with_entries(x, slice(0, 5), np.ones(5))
    with pytest.raises(ValueError, match="broadcast"):
        with_entries(x, slice(0, 3), [1.0, 2])


JCALC = "function [Xj, S] = jcalc(jtyp, q)\nswitch jtyp\n case 'fb'\n  S = eye(6);\nend\nend\n"
GRAVITY = "function g = get_gravity( model )\ng = 0;\nend\n"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("fb", {"jcalc", "get_gravity", "script"}),
        ("Rx", {"script"}),
        ("other", {"script"}),
    ],
)
def test_types_of_joints_that_the_folders_have(code: str, names: set[str], tmp_path: Path) -> None:
    """Functions of models are those of the folders if only these know a type of joint."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "jcalc.m").write_text(JCALC)
    (tmp_path / "mine" / "get_gravity.m").write_text(GRAVITY)
    (tmp_path / "mine" / "rx.m").write_text("function E = rx(t)\nE = 0;\nend\n")
    script = tmp_path / "script.m"
    script.write_text(
        f"m.jtype = {{'{code}'}}; [X, S] = jcalc(m.jtype{{1}}, 0); g = get_gravity(m); E = rx(1);\n"
    )
    files, unread = reached([script], [tmp_path / "mine"])
    assert {f.path.stem for f in files} == names
    assert not unread


def test_fields_that_no_line_assigns(tmp_path: Path) -> None:
    """They have a block of their own, which is kept."""
    found = values_of(
        "s.a = 1; x = f(s);\nfunction g = f(s)\n"
        "if isfield(s, 'b'), g = s.b; else, g = [1; 2]; end\n"
        "g = g(2);\nend\n",
        tmp_path,
    )
    assert found["x"] == 2
