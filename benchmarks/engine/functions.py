"""Rows of the comparison: a function of this library, its arguments, and Pinocchio's algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import derivatives as dv
import spatial_v2 as sv
from spatial_v2 import Model

__all__ = ["FUNCTIONS", "Function", "takes"]


@dataclass(frozen=True)
class Function:
    """A row of a table: a function of this library, and the one that it is compared with.

    Parameters
    ----------
    name : str
        Heading of the row.
    call : callable
        A function of this library.
    arguments : str
        Letters of its arguments, as in `benchmarks.robots.states`: q, v, x or l, in order.
    peer : str
        Pinocchio's algorithm in the C++ program; or, with ``own``, the name of another row.
    options : dict
        Keywords of the call.
    forms : tuple of str
        Forms of the call that are timed, see `benchmarks.engine.measure`.
    own : bool
        True if the peer is a row of this library.
    exact : bool
        True if Pinocchio's results are the same, not approximations.
    """

    name: str
    call: Callable[..., Any]
    arguments: str
    peer: str
    options: Mapping[str, Any] = field(default_factory=dict)
    forms: tuple[str, ...] = ("batch", "batch, out=", "prepared", "one call")
    own: bool = False
    exact: bool = True

    def of(self, model: Model, state: dict[str, np.ndarray], which: object = slice(None)) -> Any:
        """Compute the result at the states that `which` selects."""
        return self.call(model, *self.chosen(state, which), **self.options)

    def chosen(self, state: dict[str, np.ndarray], which: Any) -> list[np.ndarray]:
        return [np.ascontiguousarray(state[name][which]) for name in self.arguments]


def takes(call: Callable[[], object], keyword: str) -> bool:
    """True if the function that `call` calls accepts a keyword."""
    try:
        call()
    except TypeError as error:
        if f"'{keyword}'" not in str(error):
            raise
        return False
    return True


FRESH = ("batch", "prepared", "one call")
READY = ("batch, out=", "one call, out=", "batch, zeros kept", "prepared, zeros kept")
RNEA, ABA = (f"differences of compute{name}Derivatives" for name in ("RNEA", "ABA"))
ID_SO, FD_SO = dv.ID_SO_derivatives, dv.FD_SO_derivatives
MOD_ID, MOD_FD = dv.modID_second_derivatives, dv.modFD_second_derivatives

_ROWS = (
    Function("ID", sv.ID, "qvx", "rnea"),
    Function("FDab", sv.FDab, "qvx", "aba"),
    Function("HandC", sv.HandC, "qv", "crba, nonLinearEffects"),
    Function("CRBA", sv.CRBA, "q", "crba"),
    Function("ID_derivatives", dv.ID_derivatives, "qvx", "computeRNEADerivatives"),
    Function("CoriolisMatrix", dv.CoriolisMatrix, "qv", "computeCoriolisMatrix", exact=False),
    Function("FD_derivatives", dv.FD_derivatives, "qvx", "computeABADerivatives"),
    Function("Hinverse", sv.Hinverse, "q", "computeMinverse"),
    Function("ID_SO packed", ID_SO, "qvx", "second order", {"packed": True}, exact=False),
    Function("ID_SO dense, out=", ID_SO, "qvx", "second order", forms=READY),
    Function("ID_SO dense, fresh", ID_SO, "qvx", "second order, zeroed", forms=FRESH),
    Function("modID_second_derivatives", MOD_ID, "qvxl", "ID_SO packed", own=True),
    Function("FD_SO dense", FD_SO, "qvx", ABA, exact=False),
    Function("modFD_second_derivatives", MOD_FD, "qvxl", "FD_SO dense", own=True),
    Function("ID_SO by differences", ID_SO, "qvx", RNEA, exact=False, forms=FRESH),
)
FUNCTIONS = {row.name: row for row in _ROWS}
