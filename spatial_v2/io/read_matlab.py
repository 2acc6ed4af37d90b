"""Reading MATLAB's model structs, from a file or as `scipy.io.loadmat` returns them."""

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
        Variable to read if there are several model structs.

    Returns
    -------
    Model
        The model. Bodies count from 0 and the base is -1 in `parent`, `gc` and `camera`, vertices
        count from 0 in `appearance`. Contact points are rows: ``gc["point"]`` has shape (n, 3).

    Raises
    ------
    ModelFileError
        If the file cannot be read, has no or several model structs, or a field is missing or wrong;
        the message names file, variable and field, in MATLAB's numbering.

    Warns
    -----
    UserWarning
        If a field is not read, a derived field (`nv`, `vinds`, ...) does not fit the tree, a rotor
        is left out because one of its fields is missing, or fields have more than NB entries.

    Notes
    -----
    A number s in place of a matrix stands for s times the identity, as in MATLAB's products.
    Derived fields are recomputed. As in MATLAB, entries beyond NB (or beyond the number of parents,
    without NB) are not used. Function handles (`gamma_q`) cannot be read from a file. Rotor
    fields of a joint without `has_rotor` are read too. ``I_rot`` and ``Xtree_motor``, names that
    MATLAB's ``TX40_model`` and ``CheetahLeg_model`` use, are read as ``I_rotor`` and ``Xrotor``.

    Examples
    --------
    >>> import numpy as np
    >>> struct = {"parent": [0, 1], "jtype": ["Rx", "Ry"], "Xtree": [1, np.eye(6)],
    ...           "I": [np.eye(6), np.eye(6)]}
    >>> read_matlab(struct).parent
    array([-1,  0])
    """
    return read_struct(Model, source, name)
