"""A translation without reported lines ends with the variables that the script has in
GNU Octave.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from migrate_programs import program
from octave_library import OCTAVE

from spatial_v2.migrate import translate

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
NAMED = os.environ.get("SPATIAL_V2_MATLAB")
FOLDERS = [Path(p) for p in NAMED.split(os.pathsep)] if NAMED else []
SCRIPTS = Path(__file__).parents[1] / "support" / "migrate_scripts"
ALONE = ("arrays", "cells", "functions", "growing", "loops", "printed", "shared", "zero")
WITH_LIBRARY = ("dynamics", "by_hand", "random_motion")
pytestmark = [
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
]


def agrees(script: Path, out: Path, folders: list[Path], level: str = "either") -> tuple[bool, str]:
    """Return if translation and script agree, with the message of the comparison.

    They also agree if both stop, or if the translation stops at a reported line.
    """
    from spatial_v2.migrate.check import side_by_side

    found = translate(script, level=level)
    for each in found:
        (out / f"{each.path.stem}.py").write_text(each.python)
    outcome = side_by_side(script, out / f"{script.stem}.py", found[0], folders)
    left = [t for each in found for t in each.todos]
    fine = outcome.agrees or bool(outcome.octave_error)
    return fine or bool(left and outcome.python_error), outcome.message


@pytest.mark.parametrize("name", ALONE)
def test_translated_scripts_agree_with_octave(name: str, tmp_path: Path) -> None:
    _, said = agrees(SCRIPTS / f"{name}.m", tmp_path, [])
    assert "variables agree" in said


@pytest.mark.parametrize(
    "text",
    [
        "np = 3; x = np + 1;", "np = 3; x = np + [1 2];", "plt = 2; y = plt;", "c = {}; s.a = c;",
        "s = struct();", "s = struct(); s.t = struct(); c = {s, struct()};",
    ],
)  # fmt: skip
def test_names_and_empty_values_agree_with_octave(text: str, tmp_path: Path) -> None:
    """Variables agree whose names are those of Python's modules, and values that are empty cells or
    structs.
    """
    (tmp_path / "short.m").write_text(f"{text}\n")
    _, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert "variables agree" in said


def test_handles_of_drawings_are_not_compared(tmp_path: Path) -> None:
    """Variables with handles of lines and figures are left out, and others are compared."""
    pytest.importorskip("matplotlib")
    (tmp_path / "short.m").write_text("x = 1:3; f = figure; h = plot(x); y = 2*x;\n")
    fine, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert fine and said.startswith("2 variables agree")


@pytest.mark.parametrize(
    "text",
    [
        # S{k} is a matrix or a column
        "A = [8 1 6; 3 5 7; 4 9 2]; S = {A, [1;2;3]}; for k = 1:2, y{k} = A*S{k}; z{k} = S{k}'*A; "
        "w{k} = S{k}'*y{k}; v{k} = 2*S{k}'*(A*S{k}); u{k} = -S{k}'; t{k} = S{k}'*[1;0;2]; "
        "r{k} = [1 0 2]*S{k}; end",
        "A = [8 1 6; 3 5 7; 4 9 2]; S = {A, [1;2;3]}; for k = 1:2, F = (S{k}'*A)'; F = A'*F; "
        "G{k} = S{k}'*F; end",
        "A = [8 1 6; 3 5 7; 4 9 2]; S = {A, [1;2;3]}; H = zeros(7); n = 3; "
        "for k = 1:2, f = A*S{k}; "
        "if k == 1, H(1:n,1:n) = S{k}'*f; else, H(1:n,6) = f; H(6,1:n) = f'; H(7,7) = S{k}'*f; "
        "end, end",
        "S = {2i*[8 1 6; 3 5 7; 4 9 2], [1i;2;3]}; "
        "for k = 1:2, y{k} = S{k}'*[1;2;1i]; z{k} = S{k}.'; end",
        "S = {[4 3; 1 2], [1 2]}; for k = 1:2, y{k} = S{k}*[1 2; 3 4]; z{k} = [1 2; 3 5]*S{k}'; "
        "w{k} = S{k}*S{k}'; end",
        "S = {[4 3; 1 2], [1 2], 3}; for k = 1:3, y{k} = S{k}'; z{k} = y{k}*2; end",
        "x = [1;2]; switch class(x), case 'single', y = 1; case {'double', 'int8'}, y = x; "
        "case 'casadi.SX', y = casadi.SX.sym('y', 2); otherwise, error('other'); end, z = y';",
        "x = [1;2]; switch class(x), case 'casadi.MX', y = 1; otherwise, y = 2*x; end, z = y';",
        "s.a = 1; s.b = [1;2]; s.c = 'x'; gone = {'a', 'c'}; s = rmfield(s, gone); y = s.b';",
        "A = zeros(3, 0); B = [1 2; 3 4; 5 6]; A(:,end+1:end+2) = B; A(1,1) = 7; "
        "A(:,end+1:end+2) = 2*B; A(1,1) = 8; C = zeros(3, 0); C(:,end+1:end+2) = B; C(1) = 9; "
        "s.x = B; s.x(end+1:end+3,:) = B; s.x(2,2) = 9;",
        "S = {[8 1 6; 3 5 7; 4 9 2], [1;2;3], -4, []}; for k = 1:4, y(k) = norm(S{k}); end",
        # q{k} is a number or a column
        "A = [8 1 6; 3 5 7; 4 9 2]; S = {A, [1;2;3]}; q = {[1;2;3], -4}; qd = {[1;0;2], 5}'; "
        "for k = 1:2, y{k} = S{k}*q{k}; n(k) = length(qd{k}); a{k} = q{k}(1); b{k} = [q{k}; 7]; "
        "b{k}(1) = 0.5; t{k} = qd{k}'*q{k}; u{k} = q{k}(1:end); "
        "H{k} = zeros(length(q{k}), 2); end, x = cell2mat(qd); x(2) = 0.5; z = size(qd, 1);",
        "r = {[1 2 3], -4}; v = cell2mat(r); v(1) = 0.5; c = {1, 2; 3, 4}; "
        "d = {[1;2]; [3;4]}; e = cell2mat(d); f = {[1 2]; [3 4]}; g = cell2mat(f); "
        "h = {eye(2), ones(2); zeros(2), eye(2)}; w = cell2mat(h); s = {3; 4}; p = cell2mat(s);",
        # a cell that a later pass knows, in a loop after another
        "f = @(x) 2*x; for k = 1:3, a{k} = f(eye(2)); b{k} = a{k}*[1;2]; end, "
        "for k = 3:-1:2, b{k-1} = b{k-1} + b{k}; end, y = b{1};",
        # ends of ranges below 0 select nothing
        "x = [1 2 3 4 5]; n = -2; m = numel(x); a = x(1:n); b = x(2:n); c = x(1:m-7); k = 2; "
        "z = 0; while k > -3, k = k - 1; z = z + sum(x(1:k)); end, y = x; y(1:n) = []; "
        "j = 0; while j < 3, j = j + 1; z = z + sum(x(1:j)); end, "
        "for i = 1:3, f{i} = x(1:i-1); g{i} = x(1:2*i-3); end",
        "k = 'b'; c = {'a', 'b'}; x = any(strcmp(k, c)); y = any(strcmp({'u', 'v'}, k)); "
        "if ~any(strcmp(k, c)), error('none'); end",
        "n = 3; R = mat2cell(repmat(eye(2), 1, n), 2, 2*ones(1, n)); t = mat2cell(ones(2, n), 2, "
        "ones(1, n)); for k = 1:n, R{k} = k*R{k}; t{k} = R{k}*t{k}; end, "
        "a = vecnorm([3 4]); b = vecnorm([3 0; 4 1]); c = vecnorm([3 4; 0 1], 2, 2);",
        "x = [1;2]; if length(size(x)) == 3, y(:,:) = x(:,1,:); x = y; end, z = x'; n = 1; v = 7; "
        "w = v(n); f = x; if n == 1, I = zeros(3); I(1,2) = 4; else, I = [1 2; 3 4]; end",
    ],
)  # fmt: skip
def test_kinds_that_are_known_in_part_need_no_runtime(text: str, tmp_path: Path) -> None:
    """Products, transposes and parts of values that are matrices or columns; branches for classes
    that a value has not; names in cells.
    """
    (tmp_path / "short.m").write_text(text.replace("; ", ";\n") + "\n")
    _, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert "variables agree" in said, (tmp_path / "short.py").read_text()
    assert "ml." not in (tmp_path / "short.py").read_text()


@pytest.mark.skipif(NAMED is None, reason="SPATIAL_V2_MATLAB names no MATLAB library")
@pytest.mark.parametrize("name", WITH_LIBRARY)
def test_translated_scripts_of_the_library_agree_with_octave(name: str, tmp_path: Path) -> None:
    folders = [Path(p) for p in str(NAMED).split(os.pathsep)]
    _, said = agrees(SCRIPTS / f"{name}.m", tmp_path, folders)
    assert "variables agree" in said


@pytest.mark.parametrize("seed", range(5))
def test_translated_random_programs_agree_with_octave(seed: int, tmp_path: Path) -> None:
    script = tmp_path / "random_program.m"
    script.write_text(program(np.random.default_rng(seed)))
    fine, said = agrees(script, tmp_path, [])
    assert fine, f"{said}\n{script.read_text()}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 500))
def test_many_translated_random_programs_agree_with_octave(seed: int, tmp_path: Path) -> None:
    test_translated_random_programs_agree_with_octave(seed, tmp_path)


def test_results_go_by_the_arguments_of_each_call(tmp_path: Path) -> None:
    """A function of a vector or a matrix; a handle that nothing calls says nothing of it."""
    (tmp_path / "turned.m").write_text(
        "function y = turned(x)\nif all(size(x) == [3 3])\n y = [x(3,2); x(1,3); x(2,1)];\nelse\n"
        " y = [0 -x(3) x(2); x(3) 0 -x(1); -x(2) x(1) 0];\nend\n"
    )
    (tmp_path / "short.m").write_text(
        "A = turned([1;2;3]);\nb = turned(A);\nC = A*b;\nd = b'*A*turned([4 5 6]);\n"
        "unused = @(x) turned(x);\n"
    )
    _, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert "variables agree" in said, said
    assert "ml." not in (tmp_path / "short.py").read_text() + (tmp_path / "turned.py").read_text()


def test_branches_that_no_call_reaches_take_any_arrays(tmp_path: Path) -> None:
    """In a branch on ``nargin`` that no call fulfils, arguments are any arrays."""
    (tmp_path / "several.m").write_text(
        "function I = several(a, b)\n\n% Two ways.\n\n% code\nif nargin == 1\n I = eye(2);\n"
        " I(1,1) = a(5);\n I(1:2,2) = a(2:3);\nelse\n I = a*b;\nend\n"
    )
    (tmp_path / "short.m").write_text("A = several(2, [1 2; 3 4]);\nb = A(1, :)';\n")
    fine, said = agrees(tmp_path / "short.m", tmp_path, [])
    python = (tmp_path / "several.py").read_text()
    assert fine and "variables agree" in said, said
    assert "ml." not in python and "grown" not in python
    assert '"""Two ways."""' in python and "\n    # code\n" in python


@pytest.mark.parametrize(
    "text",
    [
        "gains = 5; x = gains + 1; clear gains\ngains\ny = kp + 1;",
        "gains = 5; clear\ngains;\ny = kp; clear all\ngains\nz = kp;",
        "two = 7; a = two; clear two\nb = two; two = 3; clear two; c = two + 1;",
    ],
)
@pytest.mark.parametrize("level", ["either", "runtime"])
def test_names_of_removed_variables_are_those_of_functions(
    text: str, level: str, tmp_path: Path
) -> None:
    """After ``clear`` a name is that of the script or function that has it."""
    (tmp_path / "gains.m").write_text("kp = 3;\n")
    (tmp_path / "two.m").write_text("function y = two\ny = 2;\n")
    (tmp_path / "short.m").write_text(text.replace("; ", ";\n") + "\n")
    fine, said = agrees(tmp_path / "short.m", tmp_path, [], level)
    assert fine and "variables agree" in said, said


ERRORS = [
    "x(1:5)", "x([1 4])", "A(:, 4)", "A*x", "A*rc(3)", "rc(3)'*rc(2)", "rx(rc(2))", "cross(A, w)",
    "cross(w, [1; 2])", "dot(A, w)", "crm([A; A])", "cell2mat({1, 'ab'})", "w + [1; 2]", "x(1.5)",
    "several(x)", "s.none", "c{4}", "horzcat(w, [1; 2])", "rc(2) + x",
]  # fmt: skip
"""Expressions of which some are errors in MATLAB, and would have values by NumPy's functions."""


@pytest.mark.parametrize("shown", ERRORS)
def test_lines_inside_try_stop_where_octave_does(shown: str, tmp_path: Path) -> None:
    """A part beyond the end, or operands of other sizes, lead to the block of ``catch``."""
    text = f"""
x = [1 2 3]; w = [4; 5; 6]; A = [8 1 6; 3 5 7; 4 9 2]; s.a = 1; c = {{1, 2}};
try
  y = {shown};
catch e
  y = -99;
end
function r = rc(i)
  if i == 1
    r = zeros(1, 3); r(2) = 3;
  elseif i == 2
    r = [1; 0; 2];
  else
    r = 5;
  end
end
function y = several(x)
  y = sum(x(1:4));
end
"""
    (tmp_path / "short.m").write_text(text)
    fine, said = agrees(tmp_path / "short.m", tmp_path, FOLDERS)
    assert fine and "variables agree" in said, said


@pytest.mark.parametrize(
    "text",
    [
        "c = {}; for i = 1:3, c{end+1} = i; end, c{5} = [1 2 3]; n = numel(c);",
        "for i = 1:3, c{i} = 2*i; end, c{5} = 7; n = numel(c); d = c{2};",
    ],
)
def test_cells_grow_beyond_their_end(text: str, tmp_path: Path) -> None:
    """An entry far beyond the end of a cell that a loop filled is assigned, as in MATLAB."""
    (tmp_path / "short.m").write_text(text.replace("; ", ";\n") + "\n")
    fine, said = agrees(tmp_path / "short.m", tmp_path, [])
    assert fine and "variables agree" in said, said
