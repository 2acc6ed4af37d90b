"""Fast conversion of arguments for kernels.

Arguments that cannot be converted here go to `check_arguments`, whose errors explain what is wrong.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.tree import lower
from spatial_v2.model import Model

FLOAT = np.dtype(np.float64)


def is_plain(x: Any) -> bool:
    """Test if an object is a NumPy array of float64, which kernels can read."""
    return type(x) is np.ndarray and x.dtype == FLOAT


def is_state(args: tuple[Any, ...], shapes: Sequence[tuple[int, ...]]) -> bool:
    """Test if all arguments are contiguous float64 arrays of the given shapes."""
    if len(args) != len(shapes):
        return False
    for x, shape in zip(args, shapes, strict=False):
        if type(x) is not np.ndarray or x.dtype is not FLOAT or x.shape != shape:
            return False
        if not x.flags.carray:
            return False
    return True


def convert(
    lengths: Sequence[int], force: tuple[int, ...] | None, args: tuple[Any, ...]
) -> tuple[tuple[Any, ...], tuple[int, ...]] | None:
    """Convert arrays and lists of numbers to contiguous arrays of doubles.

    `lengths` are those of the last axis of each argument. External forces are an optional last
    argument: `force` is their shape (NB, 6) for one state, () if they may only be None, and None if
    there is no such argument. Returns arrays (n,) of a state or (B, n) of a batch, forces (NB, 6)
    or (B, NB, 6), and the leading axes of all together; None if the arguments need the complete
    checks.
    """
    arrays: list[np.ndarray] = []
    lead: tuple[int, ...] | None = None
    same, count = True, len(lengths)
    for x, n in zip(args, lengths, strict=False):
        if type(x) is not np.ndarray or x.dtype is not FLOAT:
            x = _doubles(x)
            if x is None:
                return None
        if not x.flags.carray:
            x = contiguous(x)
        shape = x.shape
        if not shape or shape[-1] != n:
            return None
        if lead is None:
            lead = shape[:-1]
        elif shape[:-1] != lead:
            same = False
        arrays.append(x)
    if len(args) != count:
        if len(args) != count + 1 or force is None:
            return None
        if args[count] is not None:
            f = _forces(args[count], force) if force else None
            if f is None:
                return None
            f = contiguous(f)
            same = same and f.shape[:-2] == lead
            arrays.append(f)
    elif len(arrays) != count:
        return None
    assert lead is not None
    if not same:
        cores = [1] * count + [2] * (len(arrays) - count)
        leads = [x.shape[: x.ndim - core] for x, core in zip(arrays, cores, strict=True)]
        lead = max(leads, key=len)
        if any(own != lead[len(lead) - len(own) :] for own in leads):
            try:
                lead = np.broadcast_shapes(*leads)
            except ValueError:
                return None
        pairs = zip(arrays, leads, strict=True)
        arrays = [x if own == lead else _repeated(x, own, lead) for x, own in pairs]
    if lead:
        states = math.prod(lead)
        if not states:
            return None
        if len(lead) > 1:
            arrays = [x.reshape(states, *x.shape[len(lead) :]) for x in arrays]
    return tuple(arrays), lead


def contiguous(x: np.ndarray) -> np.ndarray:
    """Return the array if it is contiguous and aligned, or a copy that is."""
    flags = x.flags
    return x if flags.c_contiguous and flags.aligned else x.copy()


def forces_of(model: Model, forces: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return external forces as keyword arguments; `forces` has an array in base coordinates and
    one in body coordinates, of which at least one is empty.
    """
    for frame, f in zip(("base", "body"), forces, strict=True):
        if f.size:
            f = lower(f, ("b", "6")) if model.is_planar else f
            return {"f_ext": f, "frame": frame}
    return {}


def _repeated(x: np.ndarray, own: tuple[int, ...], lead: tuple[int, ...]) -> np.ndarray:
    """Broadcast the leading axes of an array."""
    out = np.empty((*lead, *x.shape[len(own) :]))
    out[...] = x.reshape((1,) * (len(lead) - len(own)) + x.shape)
    return out


def _doubles(x: Any) -> Any:
    """Convert an array or a list of real numbers to float64; return None for anything else."""
    if type(x) is list or type(x) is tuple:
        try:
            x = np.array(x)
        except Exception:  # None leads to `check_arguments`, which reports the error
            return None
    elif type(x) is not np.ndarray:
        return None
    if x.dtype is FLOAT:
        return x
    if x.dtype == FLOAT:
        return x.view(FLOAT)
    small = x.dtype.kind in "iu" or (x.dtype.kind == "f" and x.dtype.itemsize < 8)
    return x.astype(FLOAT) if small else None


def _forces(f_ext: Any, shape: tuple[int, ...]) -> np.ndarray | None:
    """Convert external forces, an array or a dictionary by body, to (..., NB, 6), or to None."""
    if type(f_ext) is not dict:
        f = _doubles(f_ext)
        return None if f is None or f.shape[-2:] != shape else f
    lead: tuple[int, ...] = ()
    by_body = {}
    for body, x in f_ext.items():
        f = _doubles(x)
        if type(body) is not int or not 0 <= body < shape[0] or f is None or f.shape[-1:] != (6,):
            return None
        by_body[body] = f
        lead = max(lead, f.shape[:-1], key=len)
    out = np.zeros((*lead, *shape))
    for body, f in by_body.items():
        if f.shape[:-1] not in ((), lead):
            return None
        out[..., body, :] = f
    return out
