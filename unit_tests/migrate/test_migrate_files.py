"""Translated ``load`` and ``save``: values are those that the script, or MATLAB, has written."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy_level import translate
from scipy.io import loadmat, savemat
from test_migrate_laws import values_of

from spatial_v2.exceptions import ModelFileError
from spatial_v2.migrate.mat_files import load_mat, save_mat

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
VALUES = """r = [1 2 3]; c = [1; 2; 3]; s = 2.5; t = 'abc'; m = [1 2; 3 4] > 1; z = 1 + 2i;
q = {1, [1 2]}; d.a = [4 5]; e = [];
"""


@pytest.mark.parametrize(
    "again",
    [
        "save('a.mat', {all}); load('a.mat');",
        "save a.mat {words}\nload a.mat",
        "save a {words} -v7\nload('a', {all})",
        "save('a'); load a;",
    ],
)
def test_values_are_the_same_when_they_are_read_again(
    again: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows stay rows, columns columns, and logical arrays logical, when they are saved
    and loaded.
    """
    monkeypatch.chdir(tmp_path)
    names = list("rcstmzqde")
    again = again.format(all=", ".join(f"'{n}'" for n in names), words=" ".join(names))
    after = "x = r*c; y = c*r; A = [10 20; 30 40]; w = A(m); v = q{2}*2; u = d.a(2); o = numel(e);"
    found = values_of(f"{VALUES}{again}\n{after} k = [t 'd']; g = z*2; h = s + 1;\n", tmp_path)
    assert (found["x"], found["u"], found["o"], found["k"], found["h"]) == (14, 5, 0, "abcd", 3.5)
    np.testing.assert_array_equal(found["y"], np.outer([1, 2, 3], [1, 2, 3]))
    np.testing.assert_array_equal(found["w"], [30, 20, 40])
    np.testing.assert_array_equal(found["v"], [2, 4])
    assert found["g"] == 2 + 4j


def test_saved_persistent_and_global_variables_are_read_as_ordinary_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = """global B
B = [1 2 3; 4 5 6]; f(); S = load('a.mat'); T = load('a.mat'); x = numel(S.A); y = length(S.B);
z = isempty(S.C);
function f()
  global B
  persistent A C
  if isempty(A), A = 2*B; end
  C = zeros(0, 3);
  save('a.mat', 'A', 'B', 'C');
end
"""
    found = values_of(text, tmp_path)
    assert (found["x"], found["y"], found["z"]) == (6, 3, True)


def test_matlab_finds_the_shapes_that_it_would_have_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    values_of(f"{VALUES}save('a.mat', 'r', 'c', 's', 'm', 'q', 'd', 'e');\n", tmp_path)
    found = loadmat("a.mat", mat_dtype=True)
    shapes = {n: found[n].shape for n in "rcsmqe"}
    assert shapes == {"r": (1, 3), "c": (3, 1), "s": (1, 1), "m": (2, 2), "q": (1, 2), "e": (0, 0)}
    assert found["m"].dtype == bool and found["d"]["a"][0, 0].shape == (1, 2)


def test_a_file_beside_the_script_tells_the_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    savemat("there.mat", {"A": np.eye(2), "b": np.array([[3.0], [4]])})
    found = values_of("S = load('there.mat'); x = S.A * S.b; load there; y = b' * x;\n", tmp_path)
    np.testing.assert_array_equal(found["x"], [3, 4])
    assert found["y"] == 25


@pytest.mark.parametrize(
    "matlab",
    [
        "load nothing.mat",
        "x = load('nothing');",
        "n = 'a.mat'; load(n)",
        "x = 1; save('a.txt', 'x')",
        "x = 1; save('a.mat', 'x', '-append')",
        "f = @(x) x; save('a.mat', 'f')",
        "c = {1; 2}; save('a.mat', 'c')",
        "load whole.mat",
    ],
)
def test_files_that_cannot_be_translated_are_left_to_a_person(matlab: str, tmp_path: Path) -> None:
    savemat(tmp_path / "whole.mat", {"x": np.array([1, 2], dtype=np.int32)})
    (tmp_path / "a.m").write_text(f"{matlab}\n")
    assert len(translate(tmp_path / "a.m")[0].todos) == 1


def test_classes_other_than_double_are_not_read(tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"x": np.array([1, 2], dtype=np.int32)})
    with pytest.raises(ModelFileError, match=r"a\.mat: x: want doubles"):
        load_mat(tmp_path / "a.mat")


def test_structs_in_files_are_structs(tmp_path: Path) -> None:
    value: Any = SimpleNamespace(a=1.0, b=SimpleNamespace(c=[1.0, "d"]), e=True)
    save_mat(tmp_path / "a.mat", s=value)
    assert load_mat(tmp_path / "a.mat").s == value
