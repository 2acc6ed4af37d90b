"""Numbers of arguments with which calls of MATLAB's functions are translated."""

from __future__ import annotations

from spatial_v2.migrate.kinds import Undecided

__all__ = ["check_count"]

_COUNTS = {
    (1, 1): """numel length isempty isreal isscalar isvector ndims isrow iscolumn iscell ischar
        isstruct is_function_handle isnumeric double logical nnz squeeze cell2mat round disp
        display postProcessModel class transpose ctranspose""",
    (1, 2): """null orth eig svd qr all any sum prod cumsum cumprod mean median norm size find diag
        num2str sort meshgrid""",
    (1, 3): "max min vecnorm",
    (1, 99): "randi assert error cat",
    (2, 2): "isequal isfield ismember xor mod rem permute",
    (2, 3): "cross",
    (2, 99): "repmat reshape cellfun arrayfun",
    (3, 3): "mat2cell mpyH mpyL mpyLt mpyLi mpyLit",
}
COUNTS = {name: counts for counts, names in _COUNTS.items() for name in names.split()}
"""Function -> the least and the largest number of arguments. Others check their arguments where
they are translated.
"""


def check_count(name: str, count: int) -> None:
    """Raise an error if a function is not translated with this number of arguments.

    Examples
    --------
    >>> check_count("isequal", 2)
    >>> check_count("isequal", 3)
    Traceback (most recent call last):
    spatial_v2.migrate.reasons.Undecided: isequal: want 2 arguments, got 3
    """
    least, most = COUNTS.get(name, (0, 99))
    if not least <= count <= most:
        want = f"{least}" if least == most else f"{least} to {most}"
        want = f"at least {least}" if most == 99 else want
        raise Undecided(f"{name}: want {want} argument{'s' * (want != '1')}, got {count}")
