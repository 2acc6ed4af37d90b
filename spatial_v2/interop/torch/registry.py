"""Lookup of problems by number, and of products by their names in PyTorch's registry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import torch

from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.operators.algebra import ALGEBRA
from spatial_v2.interop.operators.keys import FOREIGN, new_key
from spatial_v2.interop.operators.problem import Problem

__all__ = ["dispatch", "number_of", "operator_name", "problem_of"]

_KNOWN: WeakValueDictionary[int, Problem] = WeakValueDictionary()


def dispatch(problem: Problem, kind: str, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Compute a product by calling its registered PyTorch operator."""
    operator = getattr(torch.ops.spatial_v2, operator_name(len(arrays), _results(problem, kind)))
    out = operator(number_of(problem), kind, *arrays)
    return tuple(out) if isinstance(out, list | tuple) else (out,)


def number_of(problem: Problem) -> int:
    """Return the number that stands for a problem in calls of registered operators."""
    if problem.number is None:
        problem.number = new_key(problem, _KNOWN)
        _KNOWN[problem.number] = problem
    return problem.number


def problem_of(number: int) -> Problem:
    """Return the problem with a number, or raise an error if it is unknown in this process."""
    problem = _KNOWN.get(number)
    if problem is None:
        raise SpatialError(FOREIGN)
    return problem


def _results(problem: Problem, kind: str) -> int:
    op = problem.operator
    return len(op.variables if ALGEBRA[kind].result == "u" else op.results)


def operator_name(arrays: int, results: int) -> str:
    """Return the name of the registered operator with these numbers of arrays and results."""
    return f"product_{arrays}_{results}"
