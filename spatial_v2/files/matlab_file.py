"""Reading the variables of a .mat file of any version."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.path_name import path_name

__all__ = ["read_variables"]

OCTAVE = {
    b"# Created by Octave": "a text file",
    b"Octave-1-": "a binary file",
    b"\x89HDF\r\n": "an HDF5 file",
    b"\x1f\x8b": "a compressed file",
}
"""First bytes of files that GNU Octave writes without an option such as -v7."""


def read_variables(path: str | os.PathLike[str], *, classes: bool = False) -> Mapping[str, Any]:
    """Read the variables of a .mat file by name, without converting their values.

    Parameters
    ----------
    path : path
        The file. Version 7.3 is read with h5py, where that is installed.
    classes : bool, optional
        If True, arrays have their classes in MATLAB, such as logical, instead of the types of
        numbers in which the file stores them. Not supported for version 7.3.

    Returns
    -------
    mapping
        Values as `scipy.io.loadmat` returns them; the variables of a file of version 7.3 are read
        one by one, each when it is first looked up.

    Raises
    ------
    ModelFileError
        If the file does not exist, is damaged, is no .mat file, has a format that only GNU Octave
        reads, or has version 7.3 and h5py is not installed.
    """
    from scipy.io import loadmat

    file = path_name(path)
    if "\0" in file:
        raise ModelFileError(f"{file!r}: cannot be read: not the name of a file")
    _refuse_octave(file)
    try:
        contents = loadmat(file, appendmat=False)
        if classes:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # complex numbers, which are taken from `contents`
                typed = loadmat(file, appendmat=False, mat_dtype=True)
            contents = {n: _with_class(x, typed[n]) for n, x in contents.items()}
    except OSError as e:
        raise ModelFileError(f"{file}: cannot be read: {e.strerror or e}") from e
    except NotImplementedError:
        if classes:
            raise ModelFileError(
                f"{file}: files of version 7.3 cannot be read here; save it in MATLAB with the "
                "option -v7"
            ) from None
        return _version_73(file)
    except Exception as e:
        raise ModelFileError(f"{file}: not a .mat file, or a damaged one: {e}") from e
    return {k: v for k, v in contents.items() if not k.startswith("__")}


def _with_class(stored: Any, typed: Any) -> Any:
    """Return the value `stored` with the classes of `typed`, the same value as `loadmat` returns it
    with ``mat_dtype=True``. Complex numbers are those of `stored`, since `typed` has only their
    real parts.
    """
    if not isinstance(stored, np.ndarray) or stored.dtype.kind == "c":
        return stored
    if stored.dtype.names:
        for one, other in zip(stored.ravel(), typed.ravel(), strict=True):
            for name in stored.dtype.names:
                one[name] = _with_class(one[name], other[name])
        return stored
    if stored.dtype == object:
        values = np.empty(stored.shape, dtype=object)
        for index in np.ndindex(stored.shape):
            values[index] = _with_class(stored[index], typed[index])
        return values
    return typed


def _refuse_octave(file: str) -> None:
    """Raise an error if the file has one of GNU Octave's own formats."""
    try:
        with open(file, "rb") as opened:
            start = opened.read(20)
    except OSError:
        return  # `loadmat`, called later, explains why the file cannot be read
    for begin, kind in OCTAVE.items():
        if start.startswith(begin):
            raise ModelFileError(
                f"{file}: {kind} in a format that only GNU Octave reads; write it again in Octave, "
                "by save -v7 FILE VARIABLES"
            )


def _version_73(file: str) -> Mapping[str, Any]:
    try:
        from spatial_v2.files.matlab_hdf5 import Hdf5Variables
    except ImportError as e:
        raise ModelFileError(
            f"{file}: reading a file of version 7.3 needs h5py: pip install h5py; or save it in "
            "MATLAB with the option -v7"
        ) from e
    return Hdf5Variables(file)
