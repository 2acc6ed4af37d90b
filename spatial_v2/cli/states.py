"""States at which derivatives are computed: random states, or states from a file."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import typer

from spatial_v2.configuration import random_configuration
from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.matlab_file import read_variables
from spatial_v2.files.matlab_values import describe, plain
from spatial_v2.model import Model

__all__ = ["States", "random_states", "read_arrays", "read_rows", "read_states"]


class States(NamedTuple):
    """N states: q (N, NQ), qd (N, NV), qdd (N, NV)."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray

    def at(self, rows: slice | np.ndarray) -> States:
        """Return the states with the given indices."""
        return States(self.q[rows], self.qd[rows], self.qdd[rows])


def random_states(model: Model, n: int, seed: int) -> States:
    """Draw random configurations with standard normal velocities and accelerations."""
    rng = np.random.default_rng(seed)
    q = random_configuration(model, rng, (n,))
    return States(q, rng.standard_normal((n, model.NV)), rng.standard_normal((n, model.NV)))


def read_states(path: Path, model: Model) -> States:
    """Read states from the arrays q, qd, qdd of an ``.npz`` or ``.mat`` file, one state per row.

    Parameters
    ----------
    path : Path
        The file. A single state may also be a vector or, as in MATLAB, a column.
    model : Model
        The model, which determines the lengths of the rows.

    Returns
    -------
    States
        The states, as real arrays of two axes.

    Raises
    ------
    typer.BadParameter
        If the file cannot be read, or an array is missing or has a wrong shape or type.
    """
    arrays = read_arrays(path, States._fields)
    q, qd, qdd = (
        read_rows(path, name, arrays[name], model.NQ if name == "q" else model.NV)
        for name in States._fields
    )
    if not len(q) == len(qd) == len(qdd):
        raise _error(
            path, f"q, qd, qdd hold {len(q)}, {len(qd)}, {len(qdd)} states; want equal numbers"
        )
    if len(q) == 0:
        raise _error(path, "want arrays with at least one state, got none")
    return States(q, qd, qdd)


def _error(path: Path, problem: str, option: str = "--states") -> typer.BadParameter:
    return typer.BadParameter(f"{path}: {problem}", param_hint=option)


def read_arrays(path: Path, names: Sequence[str], option: str = "--states") -> dict[str, Any]:
    """Read named arrays from an ``.npz`` or ``.mat`` file; errors name the `option`."""
    arrays = _read(path, option)
    missing = [name for name in names if name not in arrays]
    if missing:
        present = ", ".join(sorted(arrays)) or "nothing"
        raise _error(path, f"array {missing[0]} is missing; the file holds {present}", option)
    return {name: plain(arrays[name]) for name in names}


def _read(path: Path, option: str) -> Mapping[str, Any]:
    suffix = path.suffix.lower()
    if suffix not in (".npz", ".mat"):
        raise _error(path, "the name must end in .npz or .mat", option)
    try:
        if suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        return read_variables(path)
    except ModelFileError as e:
        raise _error(path, str(e).removeprefix(f"{path}: "), option) from e
    except OSError as e:
        raise _error(path, f"cannot be read: {e.strerror or e}", option) from e
    except (ValueError, TypeError, zipfile.BadZipFile) as e:
        raise _error(path, f"not a readable {suffix} file: {e}", option) from e


def read_rows(
    path: Path, name: str, x: Any, n: int, option: str = "--states", what: str = "states"
) -> np.ndarray:
    """Check an array and return it as real rows of n entries; it may be one vector or column."""
    if not isinstance(x, np.ndarray) or x.dtype.kind not in "fiub":
        raise _error(path, f"{name} must be an array of real numbers, got {describe(x)}", option)
    rows = x.astype(np.float64)
    if rows.shape in ((n,), (n, 1)):
        rows = rows.reshape(1, n) if rows.ndim == 1 or n > 1 else rows
    if rows.ndim != 2 or rows.shape[1] != n:
        hint = f"; {what} are rows: transpose?" if rows.ndim == 2 and len(rows) == n else ""
        raise _error(path, f"{name} must have shape ({what}, {n}), got {x.shape}{hint}", option)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        raise _error(path, f"{name}[{bad[0]}] is not finite", option)
    return rows
