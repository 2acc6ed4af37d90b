"""Nonlinear programs as CasADi expressions, for all solvers of `casadi.nlpsol`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import casadi
import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.ipopt import Programme, sparsity

__all__ = ["to_nlp"]

KEPT: list[Node] = []
"""All functions made so far, since CasADi's expressions do not keep them alive."""


def to_nlp(programme: Programme, n: int, m: int) -> dict[str, Any]:
    """Return a nonlinear program as the problem of `casadi.nlpsol`.

    Parameters
    ----------
    programme : Programme
        Objective, constraints and derivatives, as methods; for instance what `transcribe` returns.
    n, m : int
        Numbers of unknowns and of constraints.

    Returns
    -------
    dict
        Expressions ``x``, ``f`` and ``g``: unknowns, objective and constraints. They may be parts
        of further expressions: CasADi differentiates them twice, with the derivatives and the
        sparsity of the program.

    Raises
    ------
    SpatialError
        Entries of the Hessian above the diagonal.

    Notes
    -----
    The first derivative is the sparse Jacobian of objective and constraints. The gradient of their
    weighted sum is a function of its own, whose Jacobian is the sparse Hessian of the Lagrangian.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, ShootingProblem, StateCost, transcribe
    >>> from spatial_v2.models import autoTree
    >>> model, h = autoTree(2), np.full(25, 0.04)
    >>> goal = StateCost(model, [1.0, 0.0], 100.0, 10.0)
    >>> problem = ShootingProblem(model, [0, 0], [0, 0], h, [ControlCost(0.01)], [goal])
    >>> p = transcribe(problem)
    >>> nlp = to_nlp(p, p.size, len(p.limits[0]))
    >>> quiet = {"ipopt": {"print_level": 0, "sb": "yes"}, "print_time": False}
    >>> solver = casadi.nlpsol("solver", "ipopt", nlp, quiet)
    >>> (low, high), (least, most) = p.bounds, p.limits
    >>> found = solver(x0=np.zeros(p.size), lbx=low, ubx=high, lbg=least, ubg=most)
    >>> solver.stats()["success"]
    True
    """
    dense, empty = casadi.Sparsity.dense, casadi.Sparsity
    row, column = map(np.asarray, programme.jacobianstructure())
    lower = tuple(map(np.asarray, programme.hessianstructure()))
    if (lower[0] < lower[1]).any():
        raise SpatialError(
            "hessianstructure: want the lower triangle, rows at or below columns; the upper one is "
            "its mirror image"
        )
    twice = lower[0] != lower[1]
    both = [np.concatenate([x, y[twice]]) for x, y in (lower, lower[::-1])]
    (J, put), (J_T, put_T), (H, put_H) = (
        sparsity(m, n, row, column),
        sparsity(n, m, column, row),
        sparsity(n, n, *both),
    )
    vectors = [dense(n), dense(1), dense(m)]

    def gradient(x: np.ndarray, *_: np.ndarray) -> np.ndarray:
        return programme.gradient(x)

    def weighted(x: np.ndarray, f: Any, g: Any, w: np.ndarray, y: np.ndarray) -> np.ndarray:
        of_g = np.bincount(column, programme.jacobian(x) * y[row], minlength=n)
        return np.asarray(w[0] * programme.gradient(x) + of_g)

    def hessian(x: np.ndarray, f: Any, g: Any, w: np.ndarray, y: np.ndarray, _: Any) -> np.ndarray:
        values = programme.hessian(x, y, float(w[0]))
        return put_H(np.concatenate([values, values[twice]]))

    first = [
        Result(dense(1, n), gradient),
        Result(J, lambda x, *_: put(programme.jacobian(x))),
    ]
    second = [
        Result(H, hessian),
        Result(empty(n, 1)),
        Result(empty(n, m)),
        Result(dense(n), gradient),
        Result(J_T, lambda x, *_: put_T(programme.jacobian(x))),
    ]
    values = [
        Result(dense(1), lambda x: np.array([programme.objective(x)])),
        Result(dense(m), programme.constraints),
    ]
    pulled = Node.maker([*vectors, dense(1), dense(m)], [Result(dense(n), weighted)], second)
    node = Node("programme", vectors[:1], values, first, pulled, ["x"], ["f", "g"])
    x = casadi.MX.sym("x", n)
    f, g = node(x)
    return {"x": x, "f": f, "g": g}


class Result(NamedTuple):
    """A result of a function: its sparsity, and how its entries are computed; None for none."""

    sparsity: Any
    value: Callable[..., np.ndarray] | None = None


class Node(casadi.Callback):
    """CasADi function of Python functions, whose arguments are all inputs.

    Parameters
    ----------
    name : str
        Name of the function.
    inputs, results : list of Sparsity, list of Result
        Its inputs and results.
    jacobian : list of Result, optional
        The derivatives of each result with respect to each input.
    reverse : callable, optional
        Function of name and names of inputs and results that returns the gradient of the weighted
        sum of the results.
    inames, onames : list of str
        Names of inputs and results.
    """

    def __init__(
        self, name: str, inputs: Sequence[Any], results: Sequence[Result],
        jacobian: Sequence[Result] | None, reverse: Callable[..., Node] | None,
        inames: Sequence[str], onames: Sequence[str],
    ) -> None:  # fmt: skip
        casadi.Callback.__init__(self)
        self.inputs, self.results, self.names = inputs, results, (inames, onames)
        self.jacobian_results, self.reverse_maker = jacobian, reverse
        self.construct(name, {})
        KEPT.append(self)

    @classmethod
    def maker(
        cls, inputs: Sequence[Any], results: Sequence[Result],
        jacobian: Sequence[Result] | None = None,
    ) -> Callable[..., Node]:  # fmt: skip
        """Return a function of name and names of inputs and results that makes the node."""

        def make(name: str, inames: Sequence[str], onames: Sequence[str]) -> Node:
            return cls(name, inputs, results, jacobian, None, inames, onames)

        return make

    def get_n_in(self) -> int:
        return len(self.inputs)

    def get_n_out(self) -> int:
        return len(self.results)

    def get_name_in(self, i: int) -> str:
        return self.names[0][i]

    def get_name_out(self, i: int) -> str:
        return self.names[1][i]

    def get_sparsity_in(self, i: int) -> Any:
        return self.inputs[i]

    def get_sparsity_out(self, i: int) -> Any:
        return self.results[i].sparsity

    def has_eval_buffer(self) -> bool:
        return True

    def eval_buffer(self, arg: Any, res: Any) -> int:
        inputs = [
            np.zeros(x.nnz()) if y is None else np.frombuffer(y)
            for x, y in zip(self.inputs, arg, strict=True)
        ]
        for out, result in zip(res, self.results, strict=True):
            if out is not None and result.value is not None:
                np.frombuffer(out)[:] = result.value(*inputs)
        return 0

    def has_jacobian(self) -> bool:
        return self.jacobian_results is not None

    def has_jac_sparsity(self, o: int, i: int) -> bool:
        return self.has_jacobian()

    def get_jac_sparsity(self, o: int, i: int, symmetric: bool) -> Any:
        assert self.jacobian_results is not None
        return self.jacobian_results[o * len(self.inputs) + i].sparsity

    def get_jacobian(self, name: str, inames: Any, onames: Any, options: Any) -> Any:
        assert self.jacobian_results is not None
        none = [casadi.Sparsity(*x.sparsity.shape) for x in self.results]
        return Node.maker([*self.inputs, *none], self.jacobian_results)(name, inames, onames)

    def has_reverse(self, count: int) -> bool:
        return self.reverse_maker is not None and count == 1

    def get_reverse(self, count: int, name: str, inames: Any, onames: Any, options: Any) -> Any:
        assert self.reverse_maker is not None
        return self.reverse_maker(name, inames, onames)
