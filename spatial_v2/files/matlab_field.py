"""Values of a MATLAB file together with their location, which error messages name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelFileError
from spatial_v2.files.matlab_values import describe, fields, plain

__all__ = ["MatlabField"]


@dataclass(frozen=True, slots=True)
class MatlabField:
    """A value of a MATLAB file with its location, and methods that check and convert it.

    Attributes
    ----------
    place : str
        Location of the value, e.g. ``arm.mat: model.Xtree{2}``; numbers count from 1.
    raw : object
        The value as read, not converted.
    """

    place: str
    raw: Any

    @property
    def value(self) -> Any:
        """The value converted to plain Python values by `plain`."""
        return plain(self.raw)

    @property
    def is_empty(self) -> bool:
        """True if it is MATLAB's [], '', {} or a struct without fields."""
        value = self.value
        if isinstance(value, np.ndarray):
            return value.size == 0
        return isinstance(value, (str, list, dict)) and not value

    def error(self, wanted: str) -> ModelFileError:
        """Return a `ModelFileError` that says that `wanted` is wanted here, and what was found."""
        return ModelFileError(f"{self.place}: want {wanted}, got {describe(self.value)}")

    def struct(self, wanted: str = "a struct") -> dict[str, MatlabField]:
        """Return the fields of a struct by name, each with its location."""
        entries = fields(self.raw)
        if entries is None:
            raise self.error(wanted)
        return {name: MatlabField(f"{self.place}.{name}", raw) for name, raw in entries.items()}

    @property
    def count(self) -> int:
        """Number of the entries of a cell or vector; 1 for anything else."""
        value = self.value
        if isinstance(value, np.ndarray) and value.size == max(value.shape, default=0):
            return value.size
        return len(value) if isinstance(value, list) else 1

    def entries(self, n: int, *, all_given: bool = True, cut: bool = False) -> list[MatlabField]:
        """Return the n entries of a cell or vector.

        With ``all_given=False`` there may be fewer: MATLAB stores no cells after the last one that
        was assigned. With ``cut=True`` further entries are not read.
        """
        value = self.value
        if cut and self.count > n:
            value = value[:n] if isinstance(value, list) else value.ravel()[:n]
        if isinstance(value, np.ndarray) and value.size == n and n > 1:
            value = value.ravel().tolist()
        elif not isinstance(value, list):
            value = [value]
        if len(value) != n and (all_given or len(value) > n):
            raise self.error(f"a cell of {n}, one for each number in parent")
        return [MatlabField(f"{self.place}{{{k}}}", x) for k, x in enumerate(value, 1)]

    def numbers(self, wanted: str = "a vector of numbers", *, whole: bool = False) -> np.ndarray:
        """Return a vector of real numbers, shape (n,), also from a cell or from nested lists."""
        value = self.value
        while isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, list) and value and all(map(_is_number, value)):
            value = np.array([x.item() for x in value])
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
            raise self.error(wanted)
        if value.size != max(value.shape, default=1):
            raise self.error(wanted)
        x: np.ndarray = value.ravel()
        if not np.isfinite(x).all() or (whole and np.any(x != np.floor(x))):
            raise ModelFileError(f"{self.place}: want {wanted}, got {x.tolist()}")
        return x

    def number(self) -> float:
        """Return the value as a single real number."""
        x = self.numbers("a number")
        if len(x) != 1:
            raise self.error("a number")
        return float(x[0])

    def bodies(self, least: int, most: int) -> np.ndarray:
        """Return the value, body numbers of MATLAB from `least` to `most`, as numbers from 0."""
        wanted = f"numbers of bodies, {least} .. {most}"
        x = self.numbers(wanted, whole=True)
        if x.size and not least <= x.min() <= x.max() <= most:
            raise ModelFileError(f"{self.place}: want {wanted}, got {x.astype(int).tolist()}")
        return x.astype(np.int64) - 1

    def matrix(self, d: int) -> np.ndarray:
        """Return a d x d matrix; a single number s stands for s times the identity."""
        value = self.value
        if _is_number(value) and np.isfinite(value).all():
            return np.asarray(value.item() * np.eye(d))
        if isinstance(value, np.ndarray) and value.shape == (d, d) and value.dtype.kind in "fc":
            return value
        raise self.error(f"a {d}x{d} matrix, or a number for that times the identity")

    def text(self) -> str:
        """Return the value as a string."""
        value = self.value
        if not isinstance(value, str):
            raise self.error("a string")
        return value


def _is_number(value: Any) -> bool:
    """Return whether a value is a single number, an array with one real or complex entry."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc" and value.size == 1
