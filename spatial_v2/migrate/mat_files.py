"""MATLAB's ``load`` and ``save``, imported by translations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.matlab_file import read_variables
from spatial_v2.files.part_file import PartFile
from spatial_v2.migrate.expressions import attribute

__all__ = ["load_mat", "save_mat"]


def load_mat(path: str | os.PathLike[str]) -> SimpleNamespace:
    """Read the variables of a .mat file into the types that translations use for them.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    SimpleNamespace
        Single numbers are floats, rows and columns arrays of one axis, cells lists (of rows, if
        they have several rows and columns), structs `SimpleNamespace`, text str.

    Raises
    ------
    ModelFileError
        If the file cannot be read, or has a value of another class.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_mat(Path(folder) / "a.mat", x=np.array([1.0, 2]), s="abc")
    ...     found = load_mat(Path(folder) / "a.mat")
    >>> found.x, found.s
    (array([1., 2.]), 'abc')
    """
    found = read_variables(path, classes=True)
    return SimpleNamespace(**{attribute(n): _plain(x, f"{path}: {n}") for n, x in found.items()})


def _plain(x: Any, where: str) -> Any:
    if not isinstance(x, np.ndarray):
        raise ModelFileError(f"{where}: want numbers, text, a cell or a struct, got {type(x)}")
    if x.dtype.names:
        if x.size != 1:
            raise ModelFileError(f"{where}: want a single struct, got an array of {x.size}")
        one = x.ravel()[0]
        pairs = {n: _plain(one[n], f"{where}.{n}") for n in x.dtype.names}
        return SimpleNamespace(**{attribute(n): y for n, y in pairs.items()})
    if x.dtype == object:
        rows = [[_plain(y, where) for y in row] for row in np.atleast_2d(x)]
        return rows if min(x.shape) > 1 else [y for row in rows for y in row]
    if x.dtype.kind == "U":
        return "\n".join(map(str, x.ravel()))
    if x.dtype.kind not in "bfc":
        raise ModelFileError(f"{where}: want doubles, logical values or text, got {x.dtype}")
    if x.size == 1:
        return x.ravel()[0]
    return x.ravel() if x.ndim == 2 and min(x.shape) < 2 else x.astype(x.dtype.newbyteorder("="))


def save_mat(path: str | os.PathLike[str], columns: Sequence[str] = (), /, **values: Any) -> None:
    """Write variables to a .mat file; arrays of one axis become rows, or columns if `columns` names
    them.

    Parameters
    ----------
    path : path
        The file; it is written completely or not at all.
    columns : sequence of str, optional
        Values that are columns: ``"x"``, ``"s.a"`` for a field, ``"c{2}"`` for an entry of a cell,
        ``"c{}"`` for all entries.
    **values : float, array_like, str, list or SimpleNamespace
        The variables; lists become cells of one row, `SimpleNamespace` structs.
    """
    from scipy.io import savemat

    stored = {name: _stored(x, name, columns) for name, x in values.items()}
    with PartFile(path) as part:
        savemat(cast("Any", part.file), stored, oned_as="row")
        part.finish()


def _stored(x: Any, where: str, columns: Sequence[str]) -> Any:
    if isinstance(x, SimpleNamespace):
        pairs = vars(x).items()
        return {n: _stored(y, f"{where}.{n}", columns) for n, y in pairs} or np.zeros(0)
    if isinstance(x, list):
        cell = np.empty((1, len(x)), dtype=object)
        for n, y in enumerate(x):
            all_ = f"{where}{{}}"
            cell[0, n] = _stored(y, all_ if all_ in columns else f"{where}{{{n + 1}}}", columns)
        return cell
    if isinstance(x, str):
        return x
    x = np.asarray(x)
    x = x.reshape(0, 0) if x.shape == (0,) else x[:, None] if where in columns else x
    return x.astype(float) if x.dtype.kind in "iu" else x
