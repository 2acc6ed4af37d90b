"""The variables of a .mat file, of every version."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from spatial_v2.exceptions import ModelFileError

__all__ = ["read_variables"]


def read_variables(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """The variables of a .mat file by name, not converted.

    Parameters
    ----------
    path : path
        The file. Version 7.3 is read with h5py, where that is installed.

    Returns
    -------
    mapping
        As `scipy.io.loadmat` returns them; those of a file of version 7.3 are read one by one when
        they are asked for.

    Raises
    ------
    ModelFileError
        No file, no .mat file, a damaged one, or version 7.3 without h5py.
    """
    from scipy.io import loadmat

    file = os.fspath(path)
    try:
        contents = loadmat(file, appendmat=False)
    except OSError as e:
        raise ModelFileError(f"{file}: cannot be read: {e.strerror or e}") from e
    except NotImplementedError:
        return _version_73(file)
    except Exception as e:
        raise ModelFileError(f"{file}: no .mat file, or a damaged one: {e}") from e
    return {k: v for k, v in contents.items() if not k.startswith("__")}


def _version_73(file: str) -> Mapping[str, Any]:
    try:
        from spatial_v2.io.matlab_hdf5 import Hdf5Variables
    except ImportError as e:
        raise ModelFileError(
            f"{file}: a file of version 7.3, which needs h5py (pip install h5py); or save it in "
            "MATLAB with the option -v7"
        ) from e
    return Hdf5Variables(file)
