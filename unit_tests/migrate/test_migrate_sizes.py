"""Sizes of values of every form are those of MATLAB in translated programs."""

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_level import translate

pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")

A, T = "A = [1 2 3; 4 5 6]; ", "T = zeros(2, 3, 4); "
FORMS: dict[str, tuple[int, ...]] = {
    "x = 3;": (1, 1), "x = [1 2 3];": (1, 3), "x = [1; 2; 3];": (3, 1), f"{A}x = A;": (2, 3),
    f"{A}x = A';": (3, 2), f"{A}x = A(:, 2);": (2, 1), f"{A}x = A(2, :);": (1, 3),
    f"{A}x = A(:);": (6, 1), f"{A}x = A(:, 2:3);": (2, 2), f"{A}x = A(2, 3);": (1, 1),
    "x = [];": (0, 0), "x = zeros(1, 0);": (1, 0), "x = zeros(0, 3);": (0, 3),
    "x = 1:4;": (1, 4), "x = (1:4)';": (4, 1), "x = eye(3);": (3, 3), "x = zeros(4, 1);": (4, 1),
    f"{T}x = T;": (2, 3, 4), f"{T}x = T(:, :, 2);": (2, 3), f"{T}x = T(:, 1, 2);": (2, 1),
    f"{T}x = T(1, :, 2);": (1, 3), f"{T}x = T(1, 2, 3);": (1, 1), f"{T}x = T(:);": (24, 1),
    f"{T}x = T(:, 2:3, 1);": (2, 2),
    "x = {1, 2};": (1, 2), "x = {1, 2, 3; 4, 5, 6};": (2, 3), "x = cell(2, 3);": (2, 3),
    "x = cell(3, 1);": (3, 1), "x = cell(1, 3);": (1, 3), "x = {};": (0, 0),
    "x = 'abc';": (1, 3), "x = '';": (0, 0), "x.a = 1;": (1, 1), "x = [1 2 3] > 2;": (1, 3),
    "x = []; for i = 1:3, x(i) = i; end;": (1, 3),
    "x = []; for i = 1:3, x(1, i) = i; end;": (1, 3),
    "x = []; for i = 1:3, x(i, 1) = i; end;": (3, 1),
    "x = []; for i = 1:3, x(end+1) = i; end;": (1, 3),
    "x = []; for i = 1:3, x(i, :) = [i 2]; end;": (3, 2),
    "x = []; for i = 1:3, x(:, i) = [i; 2]; end;": (2, 3),
    "x = []; for i = 1:3, x = [x i]; end;": (1, 3),
    "x = []; for i = 1:3, x = [x; i]; end;": (3, 1),
    "x = []; for i = 1:3, x = [x; i 2]; end;": (3, 2),
    "for i = 1:3, x(1, i) = i; end;": (1, 3), "for i = 1:3, x(i, 1) = i; end;": (3, 1),
    "for i = 1:3, if i > 1, x(1, i) = i; end, end;": (1, 3),
    "for i = 1:3, if i > 1, x(i, 1) = i; end, end;": (3, 1),
    "x = []; if A0 > 1, for i = 1:3, x(1, i) = i; end, end;": (1, 3),
    "x = {}; for i = 1:3, x{i} = i; end;": (1, 3),
    "x = {}; for i = 1:3, x{end+1} = i; end;": (1, 3),
    "x = [zeros(1, 0) 1 2];": (1, 2), "x = [[] 1 2];": (1, 2), "x = [[]; 1; 2];": (2, 1),
    "a = zeros(1, 0); x = [a 3];": (1, 1), "a = zeros(1, 0); b = [1 2]; x = [a b];": (1, 2),
    "a = zeros(0, 1); b = [1; 2]; x = [a; b];": (2, 1),
    "x = []; for i = 1:3, x(1, i) = i; x(1, i) = 2*i; end;": (1, 3),
    "x = []; for i = 1:3, x(i, 1) = i; x(i, 1) = 2*i; end;": (3, 1),
    "x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end;": (1, 3),
    "x = []; for i = 1:3, if i > 1, x(i, 1) = i; else, x(i, 1) = 5; end, end;": (3, 1),
    "x = [zeros(0, 2); 1 2];": (1, 2), "x = [zeros(2, 0) [1; 2]];": (2, 1),
    "a = zeros(1, 0); x = [a 3 4];": (1, 2), "a = zeros(0, 1); x = [a; 3];": (1, 1),
    "x = repmat([1 2], 3, 1);": (3, 2), "x = repmat([1 2], 1, 3);": (1, 6),
    "x = repmat([1; 2], 1, 3);": (2, 3), "x = repmat([1; 2], 3, 1);": (6, 1),
    "x = repmat(5, 3, 1);": (3, 1), "x = repmat(5, 1, 3);": (1, 3), "x = repmat(5, 3, 2);": (3, 2),
    f"{A}x = repmat(A, 1, 2);": (2, 6), f"{A}x = repmat(A, 2, 1);": (4, 3),
    "x = diag([1 2 3]);": (3, 3), "x = repmat([1 2], 3, 2);": (3, 4),
    "x = sum([1 2; 3 4]);": (1, 2),
    "x = sum([1 2; 3 4], 2);": (2, 1), "x = cross([1 2 3], [3 2 1]);": (1, 3),
    "x = find([0 1 1]);": (1, 2), "x = find([0; 1; 1]);": (2, 1), "x = [1 2]' * [1 2 3];": (2, 3),
}  # fmt: skip
"""MATLAB code that makes x, and its size."""
QUERIES: dict[str, Callable[[tuple[int, ...]], Any]] = {
    "size(x, 1)": lambda s: s[0], "size(x, 2)": lambda s: s[1],
    "size(x, 3)": lambda s: prod(s[2:]), "numel(x)": prod,
    "length(x)": lambda s: max(s) * all(s), "ndims(x)": len, "isempty(x)": lambda s: not all(s),
    "isscalar(x)": lambda s: s == (1, 1), "isvector(x)": lambda s: len(s) == 2 and 1 in s,
    "isrow(x)": lambda s: s[0] == 1 and len(s) == 2, "iscolumn(x)": lambda s: s[1:] == (1,),
    "size(x)": list,
}  # fmt: skip
MORE = {"[m, n] = size(x); y = 1000*m + n;": lambda s: 1000 * s[0] + prod(s[1:])}
STATEMENTS = {f"y = {query};": f for query, f in QUERIES.items()} | MORE

ALWAYS = ("y = size(x, 1);", "y = size(x, 2);")


def value_of(text: str, folder: Path) -> Any:
    """Return the value of y in a translated program; None if a part is left to a person."""
    (folder / "script.m").write_text(text)
    found = translate(folder / "script.m")[0]
    if found.todos:
        return None
    names: dict[str, Any] = {}
    exec(found.python, names)
    return names["y"]


LEFT = {"x = [];", "x = 'abc';", "x = '';", "x.a = 1;", "x = cell(3, 1);"}
"""Code after which the size along an axis is left to a person."""


@pytest.mark.parametrize("part", range(8))
def test_sizes_are_those_of_matlab(part: int, tmp_path: Path) -> None:
    """Every question about the size of a value is answered as in MATLAB, or left to a person."""
    for make in list(FORMS)[part::8]:
        for statement, wanted in STATEMENTS.items():
            found = value_of(f"A0 = 2; {make} {statement}\n", tmp_path)
            if found is not None:
                assert np.array_equal(found, wanted(FORMS[make])), f"{make} {statement}"
            else:
                assert make in LEFT or statement not in ALWAYS, f"{make} {statement}"
