"""Compiled kernels as CasADi functions whose derivatives are computed by kernels too."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import casadi
import numpy as np

from spatial_v2.configuration import neutral
from spatial_v2.couplings import CoupledModel
from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.casadi_rules import Rule
from spatial_v2.interop.entries import velocity_map
from spatial_v2.model import Model

__all__ = ["Kernel", "sparse"]


KEPT: list[Kernel] = []
"""All kernels made so far, since CasADi's expressions do not keep them alive."""


class Kernel(casadi.Callback):
    """CasADi function for one level of a `Rule`; its Jacobian is computed by the next level.

    Level 0 returns vectors, a column for each state. Levels 1 and 2 return the Jacobians of all
    entries of the level before, as matrices with a block for each state.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        rule: Rule,
        level: int,
        options: Any,
        states: int = 1,
        above: list[Rows] | None = None,
    ) -> None:
        casadi.Callback.__init__(self)
        self.model, self.rule, self.level, self.options = model, rule, level, options
        self.layout = model.layout
        self.states, self.found = states, list[Any]()
        self.sizes = [model.NQ if x == "q" else model.NV for x in rule.inputs]
        coupled = isinstance(model, CoupledModel)  # all of its variables may act on each other
        masks = (None if coupled else rule.levels[level].pattern(model)) or [
            None if x is None else np.ones(x.shape[-2:], dtype=bool) for x in self.example()
        ]
        width = len(self.sizes)
        self.results = [
            None if mask is None else Result(mask, states, above[k // width] if above else None)
            for k, mask in enumerate(masks)
        ]
        self.kept = [x for x in self.results if x]
        self.construct(name, {})
        KEPT.append(self)

    def example(self) -> list[Any]:
        """Compute the matrices of this level at a state at rest, to learn their shapes."""
        model, rest = self.model, np.zeros(self.model.NV)
        q = model.start if isinstance(model, CoupledModel) else neutral(model)
        state = [q if x == "q" else rest for x in self.rule.inputs]
        return self.rule.levels[self.level].compute(self.model, *state, **self.options)

    def get_n_in(self) -> int:
        return len(self.sizes)

    def get_n_out(self) -> int:
        return len(self.kept)

    def get_name_in(self, i: int) -> str:
        return self.rule.inputs[i]

    def get_name_out(self, i: int) -> str:
        return self.rule.outputs[i] if self.level == 0 else f"o{i}"

    def get_sparsity_in(self, i: int) -> Any:
        return casadi.Sparsity.dense(self.sizes[i], self.states)

    def get_sparsity_out(self, i: int) -> Any:
        return self.kept[i].sparsity

    def has_eval_buffer(self) -> bool:
        return True

    def eval_buffer(self, arg: Any, res: Any) -> int:
        if self.model.layout is not self.layout:
            raise SpatialError(
                "model: its tree or joint types have changed; call to_casadi again "
                "(edits of numbers take effect without it)"
            )
        lead = (self.states,) if self.states > 1 else ()
        state = [
            np.zeros((*lead, n)) if x is None else np.frombuffer(x).reshape(*lead, n)
            for x, n in zip(arg, self.sizes, strict=True)
        ]
        blocks = self.rule.levels[self.level].compute(self.model, *state, **self.options)
        values = (x for x in blocks if x is not None)
        for out, result, x in zip(res, self.kept, values, strict=True):
            if out is not None:
                result.put(x, np.frombuffer(out))
        return 0

    def has_jacobian(self) -> bool:
        return self.level + 1 < len(self.rule.levels)

    def has_jac_sparsity(self, oind: int, iind: int) -> bool:
        return self.has_jacobian()

    def get_jac_sparsity(self, oind: int, iind: int, symmetric: bool) -> Any:
        return self.blocks()[oind * len(self.sizes) + iind].sparsity()

    def get_jacobian(self, name: str, inames: Any, onames: Any, opts: Any) -> Any:
        outputs = [casadi.MX.sym(f"out_{i}", x.sparsity.shape) for i, x in enumerate(self.kept)]
        blocks = self.blocks()
        return casadi.Function(name, self.at + outputs, blocks, inames, onames, opts)

    def blocks(self) -> list[Any]:
        """Return the Jacobians of each output with respect to each input, in the symbols `at`."""
        if not self.found:
            rows = [x.rows for x in self.kept]
            self.deeper = Kernel(
                f"{self.name()}_d", self.model, self.rule, self.level + 1, self.options,
                self.states, rows,
            )  # fmt: skip
            self.at = [
                casadi.MX.sym(s, n, self.states)
                for s, n in zip(self.rule.inputs, self.sizes, strict=True)
            ]
            values = iter(self.deeper.call(self.at))
            columns = casadi.horzsplit(self.at[0])
            T = map_of(self.model) if self.model.NQ > self.model.NV else None
            P = casadi.diagcat(*(T(q) for q in columns)) if T else None
            for k, result in enumerate(self.deeper.results):
                o, i = divmod(k, len(self.at))
                if result is None:
                    size = self.kept[o].sparsity.numel(), self.sizes[i] * self.states
                    self.found.append(casadi.MX(*size))
                else:
                    block = next(values)
                    self.found.append(block if P is None or i else block @ P)
        return self.found


class Rows(NamedTuple):
    """Positions of a result's entries in the column-major order of the whole matrix."""

    of: np.ndarray
    """Positions, shape (number of states, entries of one state)."""
    numel: int
    """Number of entries of the whole matrix."""


class Result:
    """Sparsity of a result: a block for each state in one large matrix; columns at level 0."""

    def __init__(self, mask: np.ndarray, states: int, above: Rows | None) -> None:
        (r, c), each = mask.shape, np.arange(states)[:, None]
        columns, rows = np.nonzero(mask.T)
        self.taken, self.dense = rows * c + columns, bool(mask.all())
        self.shape = states, r, c
        numel = above.numel if above else r
        row = above.of if above else np.tile(np.arange(r), (states, 1))
        places = (each * c + columns) * numel + row[:, rows]
        everywhere = (each[..., None] * c + np.arange(c)[:, None]) * numel + row[:, None, :]
        self.rows = Rows(everywhere.reshape(states, -1), numel * c * states)
        flat = places.ravel()
        self.sparsity = casadi.Sparsity.triplet(
            numel, c * states, (flat % numel).tolist(), (flat // numel).tolist()
        )

    def put(self, x: np.ndarray, out: np.ndarray) -> None:
        """Copy the matrices x of all states into CasADi's memory, in column-major order."""
        states, r, c = self.shape
        if self.dense:
            out.reshape(states, c, r)[:] = np.swapaxes(x.reshape(self.shape), 1, 2)
        else:
            np.take(
                x.reshape(states, r * c),
                self.taken,
                axis=1,
                out=out.reshape(states, -1),
                mode="clip",
            )


def map_of(model: Model) -> Any:
    """Return the matrix T(q) of `velocity_map` as a CasADi function."""
    q = casadi.SX.sym("q", model.NQ)
    return casadi.Function("velocity_map", [q], [sparse(velocity_map(model, q))])


def sparse(x: np.ndarray, kind: Any = casadi.SX) -> Any:
    """Convert an array of expressions to a CasADi matrix in which zeros are structural."""
    n, m = (x.shape[0], math.prod(x.shape[1:])) if x.ndim else (1, 1)
    table = x.reshape(n, m)
    entries = [(i, j, kind(table[i, j])) for j, i in np.ndindex(m, n)]
    kept = [entry for entry in entries if not entry[2].is_zero()]
    rows, columns, values = zip(*kept, strict=True) if kept else ((), (), (kind(0, 1),))
    return kind(casadi.Sparsity.triplet(n, m, rows, columns), casadi.vertcat(*values))
