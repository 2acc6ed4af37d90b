"""Arrays of other libraries, to call public functions with: SymPy, mpmath, CasADi, JAX, PyTorch.

A `Kind` converts float64 arrays to arrays of its library, and results back to float64 arrays.
"""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from helpers import parts

Floats = list[np.ndarray]


def objects(x: np.ndarray, make: Callable[[float], Any]) -> np.ndarray:
    """Return the object array with `make` applied to each number."""
    out = np.empty(x.size, dtype=object)
    for k, number in enumerate(x.ravel().tolist()):
        out[k] = make(number)
    return out.reshape(x.shape)


def flat(result: Any) -> list[Any]:
    """Return all arrays of a result, including those inside lists."""
    leaves = []
    for part in parts(result):
        leaves += part if isinstance(part, list) else [part]
    return leaves


class Kind:
    """One kind of array; `make` is called exactly once, before `numbers`."""

    def make(self, arrays: tuple[np.ndarray, ...]) -> list[Any]:
        """Convert NumPy arrays to arrays of this kind."""
        raise NotImplementedError

    def numbers(self, result: Any) -> Floats:
        """Convert the arrays of a result, all of this kind, to NumPy arrays."""
        raise NotImplementedError


class Objects(Kind):
    """Kind of object arrays, whose entries are numbers of a library."""

    def numbers(self, result: Any) -> Floats:
        arrays = flat(result)
        for x in arrays:
            assert type(x) is np.ndarray and x.dtype == object, type(x)
        return [np.asarray(self.values(x.ravel().tolist())).reshape(x.shape) for x in arrays]

    def values(self, items: list[Any]) -> Any:
        raise NotImplementedError


class SymPy(Objects):
    """Kind with one real SymPy symbol for each number; results are evaluated at the numbers."""

    def make(self, arrays: tuple[np.ndarray, ...]) -> list[Any]:
        self.at: dict[sympy.Symbol, float] = {}
        return [objects(x, self._symbol) for x in arrays]

    def _symbol(self, number: float) -> sympy.Symbol:
        symbol = sympy.Symbol(f"x{len(self.at)}", real=True)
        self.at[symbol] = number
        return symbol

    def values(self, items: list[Any]) -> Any:
        f = sympy.lambdify(list(self.at), items, modules="math", cse=True)
        return np.array(f(*self.at.values()), dtype=float)


class MPMath(Objects):
    """Kind of real numbers of 50 digits."""

    digits = 50

    def make(self, arrays: tuple[np.ndarray, ...]) -> list[Any]:
        return [objects(x, mpmath.mpf) for x in arrays]

    def values(self, items: list[Any]) -> Any:
        assert all(type(x) is mpmath.mpf for x in items), {type(x) for x in items}
        return [float(x) for x in items]


class MPMathComplex(Objects):
    """Kind of complex numbers of 50 digits, whose imaginary parts are those of a complex step."""

    step = mpmath.mpf("1e-40")

    def make(self, arrays: tuple[np.ndarray, ...]) -> list[Any]:
        def number(x: float) -> Any:
            return mpmath.mpc(x, mpmath.sin(3 * x) * self.step)

        return [objects(x, number) for x in arrays]

    def values(self, items: list[Any]) -> Any:
        return [float(x.real) + 1j * float(x.imag / self.step) for x in items]


class CasADi(Objects):
    """Kind of CasADi scalars, SX or MX; results are evaluated at the numbers."""

    def __init__(self, symbol: str) -> None:
        self.casadi = pytest.importorskip("casadi")
        self.symbol = getattr(self.casadi, symbol)

    def make(self, arrays: tuple[np.ndarray, ...]) -> list[Any]:
        self.symbols = [self.symbol.sym(f"x{k}", max(x.size, 1)) for k, x in enumerate(arrays)]
        self.at = [x.ravel() for x in arrays]
        pairs = zip(self.symbols, arrays, strict=True)
        return [objects(np.arange(x.size).reshape(x.shape), s.__getitem__) for s, x in pairs]

    def values(self, items: list[Any]) -> Any:
        function = self.casadi.Function("f", self.symbols, [self.casadi.vertcat(*items)])
        return np.asarray(function(*self.at)).ravel()


class Standard(Kind):
    """Kind of arrays of the array API standard."""

    def __init__(self, asarray: Callable[[np.ndarray], Any]) -> None:
        self.asarray, self.type = asarray, type(asarray(np.ones(1)))

    def make(self, arrays: tuple[np.ndarray, ...]) -> list[Any]:
        return [self.asarray(x) for x in arrays]

    def numbers(self, result: Any) -> Floats:
        assert all(isinstance(x, self.type) for x in flat(result)), {type(x) for x in flat(result)}
        return [np.asarray(x) for x in flat(result)]


OBJECTS: dict[str, Callable[[], Kind]] = {
    "SymPy": SymPy,
    "mpmath": MPMath,
    "CasADi SX": lambda: CasADi("SX"),
    "CasADi MX": lambda: CasADi("MX"),
}
