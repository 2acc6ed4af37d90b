"""Kernels as functions of CasADi, with derivatives that are kernels too."""

from __future__ import annotations

from typing import Any

import casadi
import numpy as np

from spatial_v2.configuration import neutral
from spatial_v2.interop.casadi_rules import Rule
from spatial_v2.interop.entries import velocity_map
from spatial_v2.model import Model

__all__ = ["Kernel", "sparse"]


KEPT: list[Kernel] = []
"""All of them, since expressions that they are in do not keep them alive."""


class Kernel(casadi.Callback):
    """A level of a rule for one model; its Jacobian is made of the next level."""

    def __init__(self, name: str, model: Model, rule: Rule, level: int, options: Any) -> None:
        casadi.Callback.__init__(self)
        self.model, self.rule, self.level, self.options = model, rule, level, options
        self.sizes = [model.NQ if x == "q" else model.NV for x in rule.inputs]
        self.patterns = [casadi.Sparsity.dense(*x.shape) for x in self.values(self.example())]
        structure = rule.levels[level].pattern(model)
        if structure:
            kept = [np.zeros((0, 0), dtype=bool) if x is None else x for x in structure]
            self.patterns = [sparsity(x) for x in kept if x.size]
        self.places = [np.divmod(np.array(p.find(), dtype=int), p.size1()) for p in self.patterns]
        self.found: list[Any] = []
        self.construct(name, {})
        KEPT.append(self)

    def example(self) -> list[np.ndarray]:
        """Some state."""
        rest = np.zeros(self.model.NV)
        return [neutral(self.model) if x == "q" else rest for x in self.rule.inputs]

    def values(self, state: list[np.ndarray]) -> list[np.ndarray]:
        """The matrices of this level that are not zero."""
        blocks = self.rule.levels[self.level].compute(self.model, *state, **self.options)
        return [x for x in blocks if x is not None]

    def get_n_in(self) -> int:
        return len(self.sizes)

    def get_n_out(self) -> int:
        return len(self.patterns)

    def get_name_in(self, i: int) -> str:
        return self.rule.inputs[i]

    def get_name_out(self, i: int) -> str:
        return self.rule.outputs[i] if self.level == 0 else f"o{i}"

    def get_sparsity_in(self, i: int) -> Any:
        return casadi.Sparsity.dense(self.sizes[i])

    def get_sparsity_out(self, i: int) -> Any:
        return self.patterns[i]

    def has_eval_buffer(self) -> bool:
        return True

    def eval_buffer(self, arg: Any, res: Any) -> int:
        state = [np.frombuffer(x, dtype=float) for x in arg]
        for out, (column, row), x in zip(res, self.places, self.values(state), strict=True):
            if len(out):
                np.frombuffer(out, dtype=float)[:] = x[row, column]
        return 0

    def has_jacobian(self) -> bool:
        return self.level + 1 < len(self.rule.levels)

    def has_jac_sparsity(self, oind: int, iind: int) -> bool:
        return self.has_jacobian()

    def get_jac_sparsity(self, oind: int, iind: int, symmetric: bool) -> Any:
        return self.blocks()[oind * len(self.sizes) + iind].sparsity()

    def get_jacobian(self, name: str, inames: Any, onames: Any, opts: Any) -> Any:
        given = [casadi.MX.sym(f"out_{i}", p.shape) for i, p in enumerate(self.patterns)]
        blocks = self.blocks()
        return casadi.Function(name, self.at + given, blocks, inames, onames, opts)

    def blocks(self) -> list[Any]:
        """The Jacobians of the outputs by the entries of the inputs, of symbols `at`."""
        if not self.found:
            level, model = self.rule.levels[self.level + 1], self.model
            self.deeper = Kernel(self.name() + "_d", model, self.rule, self.level + 1, self.options)
            self.at = [
                casadi.MX.sym(s, n) for s, n in zip(self.rule.inputs, self.sizes, strict=True)
            ]
            values = iter(self.deeper.call(self.at))
            shown = level.pattern(model) or level.compute(model, *self.example(), **self.options)
            T = map_of(model)(self.at[0])
            for k, block in enumerate(shown):
                o, i = divmod(k, len(self.at))
                if block is None:
                    self.found.append(casadi.MX(self.patterns[o].numel(), self.sizes[i]))
                else:
                    self.found.append(next(values) @ T if i == 0 else next(values))
        return self.found


def map_of(model: Model) -> Any:
    """T(q) as a function of CasADi."""
    q = casadi.SX.sym("q", model.NQ)
    return casadi.Function("velocity_map", [q], [sparse(velocity_map(model, q))])


def sparsity(mask: np.ndarray) -> Any:
    """The pattern of CasADi where a matrix of truth values is true."""
    row, column = np.nonzero(mask)
    return casadi.Sparsity.triplet(*mask.shape, row.tolist(), column.tolist())


def sparse(x: np.ndarray, kind: Any = casadi.SX) -> Any:
    """A matrix of CasADi without the zeros of an array of expressions."""
    n = x.shape[0] if x.ndim else 1
    table = x.reshape(n, -1)
    m = table.shape[1]
    entries = [(i, j, kind(table[i, j])) for j, i in np.ndindex(m, n)]
    kept = [entry for entry in entries if not entry[2].is_zero()]
    rows, columns, values = zip(*kept, strict=True) if kept else ((), (), (kind(0, 1),))
    return kind(casadi.Sparsity.triplet(n, m, rows, columns), casadi.vertcat(*values))
