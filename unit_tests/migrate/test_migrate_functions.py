"""MATLAB's functions in translated programs return MATLAB's values, or the line is not
translated.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_laws import values_of
from test_migrate_text import python_of

from spatial_v2.migrate.builtins import CONSTANTS
from spatial_v2.migrate.values import descending, eig, grown, null, orth, svd

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
RNG = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("matlab", "x"),
    [
        ("x = sum(sum([1 2; 3 4]));", 10),
        ("x = max(max([1 2; 3 4]));", 4),
        ("x = unique([3 1 3]);", [1, 3]),
        (
            "x = blkdiag(1, [2 3], [4; 5]);",
            [[1, 0, 0, 0], [0, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 5]],
        ),
        ("v = [3 1 2]; [~, i] = sort(v, 'descend'); x = 2*i;", [2, 6, 4]),
        ("x = sort([3 1 2], 'descend');", [3, 2, 1]),
        ("x = 2*find([0 1 0 1], 1);", [4]),
        ("x = xor(2 > 1, 3 > 4) + 0;", 1),
        ("[X, Y] = meshgrid([1 2], [3 4]); x = X + Y;", [[4, 5], [5, 6]]),
        ("x = strcmp(strcat('a', 'b'), 'ab') + strcmpi('A', 'a');", 2),
        ("c = strsplit('a,b', ','); x = strcmp(strjoin(c, '-'), 'a-b') + numel(c);", 3),
        ("c = strsplit(',a,,b', ','); x = [numel(c) numel(c{1}) strcmp(c{3}, 'b')];", [3, 0, 1]),
        (
            "c = strsplit('a.b..c', '.'); d = strsplit('a:b', '::'); x = [numel(c) numel(d)];",
            [3, 1],
        ),
        ("c = strsplit(sprintf('a\\nb'), '\\n'); x = numel(c);", 2),
        ("x = strcmp(strrep('222 22 2', '22', '*'), '** * 2') + 0;", 1),
        ("x = strcmp(strrep('abc', '', 'z'), 'abc') + 0;", 1),
        ("o = 'aa'; x = strcmp(strrep('aaab', o, 'c'), 'ccb') + 0;", 1),
        ("x = dot([1i; 2], [1; 1]);", 2 - 1j),
        ("x = dot([1 2], [1i 1]);", 2 + 1j),
        ("R = chol([2 1i; -1i 2]); x = R' * R;", [[2, 1j], [-1j, 2]]),
        ("x = sort([3+4i 1 -1 2i]);", [1, -1, 2j, 3 + 4j]),
        ("c = {1, 2, 3, 4}; c([1 3]) = []; x = [numel(c) c{1}];", [2, 2]),
        ("c = {1, 2, 3}; d = c; k = [1 2]; c(k) = []; x = [c{1} numel(d)];", [3, 3]),
        ("s.c = {1, 2, 3}; s.c(logical([0 1 0])) = []; x = [numel(s.c) s.c{2}];", [2, 3]),
        ("x = horzcat([1 2], 3);", [1, 2, 3]),
        ("x = cat(1, [1 2], [3 4]);", [[1, 2], [3, 4]]),
        ("x = circshift([1 2 3], 1);", [3, 1, 2]),
        ("x = nnz([1 0 2]);", 2),
        ("a = [5 6]; x = a(logical([0 1]));", [6]),
        ("[p, q] = deal(1, 2); x = p - q;", -1),
        ("x = intersect([3 1], [1 2 3]);", [1, 3]),
        ("x = cellfun(@numel, {1, [1 2], 'abc'});", [1, 2, 3]),
        ("x = cellfun(@isempty, {1, [], ''}) + 0;", [0, 1, 1]),
        ("v = [4 5]; x = 1:v;", [1, 2, 3, 4]),
        ("x = 0; for i = [], x = 1; end", 0),
        ("A = [1 2; 3 4]; x = A(:, 2, 1);", [2, 4]),
        ("x = size([1 2; 3 4], 3);", 1),
        ("A = [1 2; 3 4]; x = size(A, 1); if size(A(:, 1), 2) > 1, x = 9; end", 2),
        ("for k = 2:-1:1, T(1:2, 1:2, k) = k*[1 2; 3 4]; end; x = T(:, :, 2);", [[2, 4], [6, 8]]),
        ("x = []; x(numel(x) + 1) = 4; x(length(x) + 1) = 5;", [4, 5]),
        ("q = [1; 2]; x = outputSelect(1, @CMM, autoTree(2), q, q); x = size(x);", [6, 2]),
    ],
)
def test_functions_have_the_values_of_matlab(matlab: str, x: Any, tmp_path: Path) -> None:
    np.testing.assert_allclose(values_of(f"{matlab}\n", tmp_path)["x"], x, atol=1e-12)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_decompositions_give_the_matrix_again(shape: tuple[int, int]) -> None:
    a = RNG.normal(size=shape)
    u, s, v = svd(a)
    assert u.shape == (shape[0], shape[0]) and s.shape == shape
    np.testing.assert_allclose(u @ s @ v.T, a, atol=1e-12)
    np.testing.assert_allclose(orth(a) @ orth(a).T @ a, a, atol=1e-12)
    assert null(a).shape == (shape[1], max(shape[1] - shape[0], 0))
    np.testing.assert_allclose(a @ null(a), 0, atol=1e-12)


def test_eigenvalues_of_symmetric_matrices_ascend() -> None:
    a = RNG.normal(size=(4, 4))
    assert np.all(np.diff(eig(a + a.T)) >= 0)


def test_equal_entries_stay_in_order_and_nan_comes_first() -> None:
    values, places = descending(np.array([1.0, np.nan, 2, 1, 2]))
    np.testing.assert_array_equal(values, [np.nan, 2, 2, 1, 1])
    np.testing.assert_array_equal(places, [1, 2, 4, 0, 3])


@pytest.mark.parametrize(
    ("shape", "counts", "after"),
    [((0,), (2, 3), (2, 3)), ((2,), (4,), (4,)), ((2, 2), (1, 3), (2, 3)), ((2, 2), (5,), (5, 2)),
     ((0,), (1, 2, 3), (1, 2, 3)), ((2, 3), (2, 3, 2), (2, 3, 2)), ((2, 3), (2, 3), (2, 3)),
     ((0,), (0, 3), (0, 3)), ((0,), (3, 0), (3, 0)), ((0,), (0, 2, 2), (0, 2, 2)),
     ((3,), (0, 0), (3, 1))],
)  # fmt: skip
def test_grown_arrays_keep_their_entries(
    shape: tuple[int, ...], counts: tuple[int, ...], after: tuple[int, ...]
) -> None:
    x = RNG.normal(size=shape)
    found = grown(x, *counts)
    assert found.shape == after and np.sum(found) == pytest.approx(np.sum(x))


@pytest.mark.parametrize("name", ["svd", "eig", "null"])
def test_bases_whose_signs_are_open_are_noted(name: str, tmp_path: Path) -> None:
    left = {"svd": "[U, S, V]", "eig": "[V, D]", "null": "N"}[name]
    assert f"# {name}: the signs of" in python_of(f"{left} = {name}([1 2; 2 1]);\n", tmp_path)


@pytest.mark.parametrize(
    "matlab",
    ["x = inertiaVecToPinertia(ones(3, 4));", "x = unique([1 2; 3 4]);", "x = xor([1 0], 1);",
     "x = complexStepHessian(@(x) ID_derivatives(autoTree(2), x, x, x), [1; 2]);"],
)  # fmt: skip
def test_what_is_open_is_left_to_a_person(matlab: str, tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text(f"{matlab}\n")
    assert translate(tmp_path / "a.m")[0].todos


@pytest.mark.parametrize("name", [*CONSTANTS, "i", "j"])
def test_constants_with_arguments_are_arrays_or_left_to_a_person(name: str, tmp_path: Path) -> None:
    """The arguments of a constant are never lost: it gives an array of their sizes, or the line is
    not translated.
    """
    (tmp_path / "script.m").write_text(f"x = {name}(2, 3);\n")
    if not translate(tmp_path / "script.m")[0].todos:
        assert values_of(f"x = {name}(2, 3);\n", tmp_path)["x"].shape == (2, 3)
    assert np.ndim(values_of(f"x = {name};\n", tmp_path)["x"]) == 0


NEGATIVE = (
    "a*b", "a/b", "a.*b", "a", "-b", "a+1", "a-b", "a^3", "sum(v)", "min(v)", "v(1)", "v'*w", "w*v",
    "v'*(-v)", "trace(A)", "det(A)", "abs(a)*a", "norm(v)*a", "(a)",
)  # fmt: skip
"""MATLAB expressions with negative values."""


@pytest.mark.parametrize("name", ["sqrt", "log"])
@pytest.mark.parametrize("shown", NEGATIVE)
def test_functions_of_negative_numbers_are_complex(shown: str, name: str, tmp_path: Path) -> None:
    """Roots and logarithms of numbers whose sign is not known are complex if these are negative, or
    the line is left to a person.
    """
    program = f"a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];\ny = {shown};\n"
    program += f"x = {name}({shown});\n"
    (tmp_path / "script.m").write_text(program)
    if not translate(tmp_path / "script.m")[0].todos:
        found = values_of(program, tmp_path)
        assert found["y"] < 0
        np.testing.assert_allclose(found["x"], getattr(np.emath, name)(found["y"]), rtol=1e-14)


@pytest.mark.parametrize("argument", ["3", "n", "n + 1", "-1 + n", "f(1)", "[2 3]", "v(2)", "v'*v"])
@pytest.mark.parametrize("name", ["zeros", "ones", "eye", "true", "false", "abs", "diag"])
def test_parentheses_around_an_argument_have_no_effect(
    name: str, argument: str, tmp_path: Path
) -> None:
    program = "n = 2; v = [1; 2]; f = @(k) 2 * k;\nx = {};\n"
    found = []
    for shown in (argument, f"({argument})", f"(({argument}))"):
        text = program.format(f"{name}({shown})")
        (tmp_path / "script.m").write_text(text)
        left = bool(translate(tmp_path / "script.m")[0].todos)
        found.append(None if left else values_of(text, tmp_path)["x"])
    given = [x for x in found if x is not None]
    for x in given:
        np.testing.assert_array_equal(x, given[0], strict=True)
