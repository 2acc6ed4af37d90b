"""Sums of costs, in which one call of a kernel computes costs of states and controls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from operator import is_not
from typing import Any

import numpy as np

from spatial_v2.configuration.by_joint import spaces
from spatial_v2.control.cost_kernels import (
    NO_COST,
    NO_SPACES,
    NOTHING,
    Arguments,
    Three,
    add_states,
    runs_kernel,
)
from spatial_v2.control.costs import ControlCost, Cost, Instants
from spatial_v2.control.displacements import flat, rows
from spatial_v2.control.state_cost import StateCost

__all__ = ["CostSum"]


class CostSum:
    """The sum of costs at the instants of motions, each times a factor.

    Parameters
    ----------
    costs : sequence of Cost
        The costs, which are read in every call.
    factor : array, shape (S,)
        Factors of the instants of a motion.
    """

    def __init__(self, costs: Sequence[Cost], factor: np.ndarray) -> None:
        self.costs, self.factor = costs, np.ascontiguousarray(factor)
        known = [x for x in costs if type(x) is StateCost and spaces(x.model) is not None]
        self.pairs = [
            Pair(*x) for x in zip_longest(known, [x for x in costs if type(x) is ControlCost])
        ]
        """Costs of states and of controls, one call for each pair."""
        together = {id(x) for pair in self.pairs for x in (pair.state, pair.control)}
        self.others = [x for x in costs if id(x) not in together]

    def split(self, at: Instants) -> tuple[list[Arguments], Sequence[Cost]]:
        """Return the arguments of kernels, and the costs that are none of theirs."""
        if not (self.pairs and at.q.size and runs_kernel("StateCost", at, at.u)):
            return [], self.costs
        return [pair.arguments(at) for pair in self.pairs], self.others

    def add_values(self, at: Instants, total: np.ndarray) -> None:
        """Add the costs of B motions at S instants each to their totals (B,)."""
        together, others = self.split(at)
        for given in together:
            add_states(given, total, self.factor)
        self._add_others(others, at, total)

    def add_derivatives(
        self, at: Instants, g: np.ndarray, Q: np.ndarray, exact: bool,
        total: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Add gradients (..., S, z) and Hessians (..., S, z, z), which are zero, see `Cost`; and
        the costs to `total`, if it is given.
        """
        together, others = self.split(at)
        for x in others:
            x.add_derivatives(at, g, Q, exact)
        if others:
            h = self.factor[:, None] if g.ndim > 2 else self.factor[0]
            g *= h
            Q *= h[..., None]
        if total is not None:
            self._add_others(others, at, total)
        cost = NO_COST if total is None else total
        for given in together:
            add_states(given, cost, self.factor, (g, Q), exact)

    def _add_others(self, costs: Sequence[Cost], at: Instants, total: np.ndarray) -> None:
        for x in costs:
            total += (x.value(at) * self.factor).reshape(len(total), -1).sum(-1)


class Pair:
    """A cost of states and one of controls, or one of both, which a kernel computes together."""

    def __init__(self, state: StateCost | None, control: ControlCost | None) -> None:
        self.state, self.control = state, control
        table = NO_SPACES if state is None else spaces(state.model)
        assert table is not None
        self.table = table
        self.kept: Any = None, None, [], None
        """Arrays of the costs and shapes of the instants for which rows were made, those rows that
        are copies, with their sources, and all rows.
        """

    def arguments(self, at: Instants) -> Arguments:
        """Return the first arguments of the kernel, with the present numbers in the costs."""
        x, y, q, lead = self.state, self.control, flat(at.q), (*at.q.shape[:-1], at.u.shape[-1])
        own = () if x is None else (x.q, x.qd, x.weight, x.velocity_weight)
        own = own if y is None else (*own, y.u, y.weight)
        known, at_lead, copies, rest = self.kept
        if known is None or lead != at_lead or any(map(is_not, known, own)):
            copies, rest = self.converted(own, lead)
            self.kept = own, lead, copies, rest
        for array, source in copies:
            np.copyto(array, source)
        v = q[:, :0] if x is None else flat(at.qd)
        u = q[:, :0] if y is None else flat(at.u)
        return self.table, *rest, (q if x is not None else q[:, :0], v, u)

    def converted(
        self, own: tuple[np.ndarray, ...], lead: tuple[int, ...]
    ) -> tuple[list[tuple[np.ndarray, np.ndarray]], tuple[Three, Three]]:
        """Convert the arrays of the costs to rows; return copies with their sources, and the
        desired values and weights.
        """
        *instants, m = lead
        made = [NOTHING] * 4 if self.state is None else []
        copies = []
        for x in own:
            wide = x if len(made) < 4 or x.shape[-1:] == (m,) else x * np.ones(m)
            made.append(rows(wide, tuple(instants)))
            if not np.may_share_memory(made[-1], x):
                array = made[-1] = np.array(made[-1])
                whole = len(array) == math.prod(instants)
                copies.append((array.reshape(*(instants if whole else wide.shape[:-1]), -1), x))
        q0, v0, W, V, u0, R = [*made, NOTHING, NOTHING][:6]
        return copies, ((q0, v0, u0), (W, V, R))
