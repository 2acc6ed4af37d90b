"""Sums of costs, in which one call of a kernel computes costs of states and controls."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from spatial_v2.configuration.by_joint import spaces
from spatial_v2.control.cost_kernels import (
    NO_SPACES,
    NOTHING,
    Arguments,
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
        self.joined = list(zip_longest(known, [x for x in costs if type(x) is ControlCost]))
        """Costs of states and of controls, one call for a pair of them."""
        together = {id(x) for pair in self.joined for x in pair}
        self.others = [x for x in costs if id(x) not in together]

    def split(self, at: Instants) -> tuple[list[Arguments], Sequence[Cost]]:
        """Return the arguments of kernels, and the costs that are none of theirs."""
        if not (self.joined and at.q.size and runs_kernel("StateCost", at, at.u)):
            return [], self.costs
        return [joined(*pair, at) for pair in self.joined], self.others

    def add_values(self, at: Instants, total: np.ndarray) -> None:
        """Add the costs of B motions at S instants each to their totals (B,)."""
        together, others = self.split(at)
        for given in together:
            add_states(given, total, self.factor)
        for x in others:
            total += (x.value(at) * self.factor).reshape(len(total), -1).sum(-1)

    def add_derivatives(self, at: Instants, g: np.ndarray, Q: np.ndarray, exact: bool) -> None:
        """Add gradients (..., S, z) and Hessians (..., S, z, z), which are zero; see `Cost`."""
        together, others = self.split(at)
        for x in others:
            x.add_derivatives(at, g, Q, exact)
        if others:
            h = self.factor[:, None] if g.ndim > 2 else self.factor[0]
            g *= h
            Q *= h[..., None]
        for given in together:
            add_states(given, factor=self.factor, derivatives=(g, Q), exact=exact)


def joined(state: StateCost | None, control: ControlCost | None, at: Instants) -> Arguments:
    """Return the arguments of the kernel for a cost of states and one of controls."""
    if state is not None:
        table = spaces(state.model)
        assert table is not None
        given = state.arguments(table, at)
    else:
        q = flat(at.q)[:, :0]
        given = NO_SPACES, (q, NOTHING, NOTHING), (NOTHING,) * 3, (q, q, q)
    if control is None:
        return given
    table, (q0, v0, _), (W, V, _), (q, v, _) = given
    lead, m = at.u.shape[:-1], at.u.shape[-1:]
    u0, R = (
        rows(x if x.shape[-1:] == m else x * np.ones(m), lead) for x in (control.u, control.weight)
    )
    return table, (q0, v0, u0), (W, V, R), (q, v, rows(at.u, lead))
