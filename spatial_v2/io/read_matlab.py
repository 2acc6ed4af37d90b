"""Models from MATLAB: its structs, from a file or as loadmat returns them."""

from __future__ import annotations

import os
from typing import Any

from spatial_v2.model import Model
from spatial_v2.model.matlab_struct import read_struct

__all__ = ["read_matlab"]


def read_matlab(source: str | os.PathLike[str] | Any, name: str | None = None) -> Model:
    """Read a model struct of MATLAB.

    Parameters
    ----------
    source : path or struct
        A .mat file (of version 7.3 if h5py is installed), the struct as `scipy.io.loadmat` returns
        it with any of its options, or the dict of variables that it returns.
    name : str, optional
        Variable to read, where there are several model structs.

    Returns
    -------
    Model
        The model. Bodies count from 0 and the base is -1 in `parent`, `gc` and `camera`, vertices
        count from 0 in `appearance`. Contact points are rows: ``gc["point"]`` has shape (n, 3).

    Raises
    ------
    ModelFileError
        A file that cannot be read, no or several model structs, a field that is missing or wrong;
        the message names file, variable and field, in MATLAB's numbering.

    Warns
    -----
    UserWarning
        A field that is not read, a derived one (`nv`, `vinds`, ...) that does not fit the tree, or
        a rotor that is left out because one of its fields is missing.

    Notes
    -----
    Matrices given as a number s stand for s times the identity, as in MATLAB's products. Derived
    fields are recomputed. Function handles (`gamma_q`) cannot be read from a file. What is given
    for the rotor of a joint without `has_rotor` is kept. ``I_rot`` and ``Xtree_motor``, as MATLAB's
    ``TX40_model`` and ``CheetahLeg_model`` say, are read as ``I_rotor`` and ``Xrotor``.

    Examples
    --------
    >>> import numpy as np
    >>> struct = {"parent": [0, 1], "jtype": ["Rx", "Ry"], "Xtree": [1, np.eye(6)],
    ...           "I": [np.eye(6), np.eye(6)]}
    >>> read_matlab(struct).parent
    array([-1,  0])
    """
    return read_struct(Model, source, name)
