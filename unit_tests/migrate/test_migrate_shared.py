"""Global variables, and functions with any number of arguments, in translated programs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_laws import values_of

from spatial_v2.migrate.values import shared

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("global n; n = 1; f(2); x = n;\nfunction f(v)\nglobal n\nn = n + v;\nend", 3),
        ("global n; n = [1 2]; f(); x = n;\nfunction f()\nglobal n\nn(4) = 5;\nend", [1, 2, 0, 5]),
        ("global n; n = [1 2]; y = n; f(); x = y;\nfunction f()\nglobal n\nn(1) = 5;\nend", [1, 2]),
        ("global s; s.a = 1; f(); x = s.b + s.a;\nfunction f()\nglobal s\ns.b = 5;\nend", 6),
        (
            "x = f() + f();\nfunction y = f()\nglobal k\n"
            "if isempty(k), k = 0; end\nk = k + 1; y = k;\nend",
            3,
        ),
        ("global lambda\nlambda = 4; x = lambda;", 4),
    ],
)
def test_global_variables_are_the_same_in_all_functions(
    matlab: str, x: Any, tmp_path: Path
) -> None:
    vars(shared).clear()
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)


def test_global_variables_are_the_same_in_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vars(shared).clear()
    (tmp_path / "main.m").write_text("global g\ng = [1; 2]; add_to_g(3); x = g' * g;\n")
    (tmp_path / "add_to_g.m").write_text("function add_to_g(v)\nglobal g\ng = g + v;\nend\n")
    for each in translate(tmp_path / "main.m"):
        assert not each.todos
        (tmp_path / f"{each.path.stem}.py").write_text(each.python)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, Any] = {}
    exec((tmp_path / "main.py").read_text(), names)
    assert names["x"] == 41


def test_a_function_that_holds_a_global_variable_is_left_to_a_person(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text("global n\nn = 1;\nf = @(x) x + n;\n")
    assert [t.line for t in translate(tmp_path / "a.m")[0].todos] == [3]


COUNT = "function y = f(a, varargin)\nif nargin > 2, y = nargin; else, y = -nargin; end\nend"
SUM = "function y = f(varargin)\ny = 0;\nfor k = 1:nargin, y = y + varargin{k}; end\nend"
GIVE = "function [a, varargout] = f(x)\na = x; varargout{1} = [x x]; varargout{2} = 'c';\nend"


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        (f"x = f(1) + f(1, 'b') + f(1, 2, 3);\n{COUNT}", 0),
        (f"x = f(1, 2, 3);\n{SUM}", 6),
        (f"c = {{4, 5}}; x = f(c{{:}});\n{SUM}", 9),
        (f"x = g(4, 5);\nfunction y = g(varargin)\ny = f(varargin{{:}}) + 1;\nend\n{SUM}", 10),
        (f"[p, q, r] = f(3); x = p + sum(q) + strcmp(r, 'c');\n{GIVE}", 10),
        (f"[p, q] = f(3); x = p + q(2);\n{GIVE}", 6),
        (f"x = f(3);\n{GIVE}", 3),
        ("[a, b] = f(2); x = a - b;\nfunction varargout = f(x)\nvarargout = {x, x^2};\nend", -2),
        (
            "x = f(1, [2 3]);\nfunction y = f(a, varargin)\n"
            "varargin{1}(1) = 9; y = sum(varargin{1});\nend",
            12,
        ),
        ("c = {1, [2 3], 'abc'}; x = c{2}*2;", [4, 6]),
        ("c = {1, 'a'}; c{2} = [5 6]; x = c{2}*2;", [10, 12]),
        ("c = {1, 'a'}; c{3} = [5 6]; x = c{3}(2);", 6),
        ("c = {[1 2], [3 4]}; x = [c{:}];", [1, 2, 3, 4]),
        ("c = {[1 2], [3 4]}; x = vertcat(c{:});", [[1, 2], [3, 4]]),
        ("c = {[1; 2], [3; 4]}; d = {c{:}, [5; 6]}; x = [d{:}];", [[1, 3, 5], [2, 4, 6]]),
    ],
)
def test_functions_take_and_give_any_number_of_values(matlab: str, x: Any, tmp_path: Path) -> None:
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("c = {1, [2 3]; 'a', 4}; x = c{2,2} + size(c, 1) + numel(c);", 10),
        ("c = cell(2, 3); c{2,3} = 5; x = c{2,3} + isempty(c{1,1}) + size(c, 2);", 9),
        ("c = cell(2); for i = 1:2, for j = 1:2, c{i,j} = 10*i + j; end, end; x = c{2,1};", 21),
        ("c = {1, 2; 3, 4}; d = c; d{1,2} = 9; x = [c{1,2} d{1,2}];", [2, 9]),
        ("c = {1, 2; 3, 4}; x = iscell(c) + 2*isnumeric(c) + 4*isnumeric(3) + 8*ischar('a');", 13),
        ("q = [1; 2]; c = cell(2, size(q, 2)); c{2} = 5; x = c{2} + numel(c);", 7),
    ],
)
def test_cells_have_rows_and_columns(matlab: str, x: Any, tmp_path: Path) -> None:
    np.testing.assert_array_equal(values_of(f"{matlab}\n", tmp_path)["x"], x)
