"""MATLAB files of version 7.3, which are HDF5 files.

A struct is stored as a group, a cell as an array of references, and an array transposed; the
attribute ``MATLAB_class`` names the class of each item. Source: MathWorks, MAT-File Versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, TypeVar

import h5py
import numpy as np

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.matlab_values import MatlabInstance

__all__ = ["Hdf5Variables"]

T = TypeVar("T")


class Hdf5Variables(Mapping[str, Any]):
    """Variables of a file by name, in plain Python values; each is read when it is looked up.

    Parameters
    ----------
    file : str
        The file.

    Raises
    ------
    ModelFileError
        If the file is damaged.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._names = self._read(lambda root: [name for name in root if not name.startswith("#")])

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        return self._read(lambda root: _value(root[name], root))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _read(self, look: Callable[[Any], T]) -> T:
        try:
            with h5py.File(self._file, "r") as root:
                return look(root)
        except (OSError, RuntimeError, LookupError, TypeError, ValueError) as e:
            raise ModelFileError(f"{self._file}: the file of version 7.3 is damaged: {e}") from e


def _value(item: Any, root: Any) -> Any:
    """Convert an HDF5 item to the plain Python values that `plain` returns."""
    kind = bytes(item.attrs.get("MATLAB_class", b"")).decode()
    if isinstance(item, h5py.Group):
        if "MATLAB_sparse" in item.attrs:
            return _sparse(item)
        return _struct(item, root) if kind == "struct" else MatlabInstance(kind)
    x = item[()]
    if item.attrs.get("MATLAB_empty"):
        shape = tuple(x.astype(int).tolist())
        empty = {"char": "", "cell": [], "struct": [] if prod(shape) == 0 else {}}
        return empty.get(kind, np.zeros(shape))
    if kind == "cell":
        return [_value(root[reference], root) for reference in x.ravel()]
    if kind == "char":
        rows = [row.astype("<u2").tobytes().decode("utf-16-le") for row in x.T]
        return rows if len(rows) > 1 else "".join(rows)
    if x.dtype.names:
        x = x["real"] + 1j * x["imag"]
    return x.T if x.dtype.kind in "fciu" else MatlabInstance(kind)


def _struct(group: Any, root: Any) -> Any:
    """Read a struct, or an array of structs, whose fields are arrays of references."""
    if any("MATLAB_class" in member.attrs for member in group.values()) or not len(group):
        return {name: _value(member, root) for name, member in group.items()}
    columns = {name: member[()].ravel() for name, member in group.items()}
    rows = zip(*columns.values(), strict=True)
    return [{n: _value(root[r], root) for n, r in zip(columns, row, strict=True)} for row in rows]


def _sparse(group: Any) -> Any:
    from scipy.sparse import csc_array

    ends = group["jc"][()].astype(np.int64)
    data = group["data"][()] if "data" in group else np.zeros(0)
    rows = group["ir"][()].astype(np.int64) if "ir" in group else np.zeros(0, np.int64)
    return csc_array((data, rows, ends), shape=(int(group.attrs["MATLAB_sparse"]), len(ends) - 1))
