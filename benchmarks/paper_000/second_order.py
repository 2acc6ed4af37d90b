"""Errors and times of methods for second derivatives, compared with the bicomplex step."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from benchmarks import study
from benchmarks.timing import interleaved
from derivatives.reference import METHODS, errors
from derivatives.reference.functions import FunctionName
from spatial_v2.models import autoTree

__all__ = ["draw", "measure"]


def flat(tensors: Sequence[np.ndarray]) -> np.ndarray:
    """Return all elements of the tensors of one state as a vector."""
    return np.concatenate([T.ravel() for T in tensors])


def measure(
    args: argparse.Namespace, function: FunctionName, labels: dict[str, str]
) -> Iterator[study.Row]:
    """Yield a row for each model and method; errors are over the elements of all states together.

    The bicomplex step, whose errors are zero by definition, has a row for its time only.
    """
    both = {m: METHODS[m][1] for m in ("bicomplex", *labels)}
    second = {name: method for name, method in both.items() if method}
    for method in second.values():
        method(autoTree(2), *np.zeros((3, 2)), function)
    for family, model in study.models(args):
        truth = None
        for name, method in second.items():
            found, seconds = [], []
            for state in study.states(args, model):
                start = time.perf_counter()
                found.append(flat(method(model, *state, function)))
                seconds.append(time.perf_counter() - start)
            truth = np.stack(found) if truth is None else truth
            e = errors(np.stack(found), truth)._asdict()
            least = min(seconds)
            if least < 0.1:
                again = interleaved({name: partial(method, model, *state, function)}, **args.effort)
                least = 1e-6 * again[name]
            label = labels.get(name, "bicomplex")
            yield {"family": family, "n": model.NB, "method": label, **e, "seconds": least}


def draw(
    args: argparse.Namespace, function: FunctionName, labels: dict[str, str], rows: list[study.Row]
) -> None:
    """Draw errors and times versus size, in two panels."""
    names = [*labels.values(), "bicomplex"]
    fig, (error, seconds) = study.figure(2)
    study.curves(error, rows, "rmsre", labels.values())
    error.set(title=f"Second derivatives of {function}: error", ylabel="RMSRE")
    study.curves(seconds, rows, "seconds", names)
    seconds.set(title="Time per state, as implemented here", ylabel="seconds")
    study.legend(fig, names)
    study.save(fig, args, f"{function.lower()}_so_methods")
