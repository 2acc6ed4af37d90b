"""Contacts of a quadruped that stands on four points, by this library and by Pinocchio from Python.

Run from the root of the repository, with ``OMP_NUM_THREADS=1``: ``python -m benchmarks.contacts``.
Pinocchio's derivatives need a call of its forward dynamics before, and the sum of both is compared
with one call of this library; the derivatives are timed alone too. Results are compared before
anything is timed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.peers.pinocchio_contacts import pinocchio_contacts
from benchmarks.peers.pinocchio_twin import twin
from benchmarks.robots import robot, states
from benchmarks.timing import interleaved
from derivatives import (
    KKT_FD_directional_derivative,
    KKT_FO_derivatives,
    KKT_SO_derivatives,
    modKKT_second_derivatives,
)
from spatial_v2 import KKT_FD, ConstraintSet, Model, PointConstraint
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set

PEERS = {
    "KKT_FD": ("constraintDynamics", None),
    "KKT_FO_derivatives": (
        "constraintDynamics, its derivatives",
        "computeConstraintDynamicsDerivatives",
    ),
    "KKT_FD_directional_derivative": (None, None),
    "modKKT_second_derivatives": (None, None),
    "KKT_SO_derivatives": (None, None),
}
"""For each function: Pinocchio's call with the same results, and the call for its derivatives
alone.
"""

LARGE = ("KKT_SO_derivatives",)
"""Functions whose results of a batch exceed the cache; they are timed apart from the others."""


def standing(model: Model) -> tuple[ConstraintSet, dict[int, np.ndarray]]:
    """Return point contacts at the ends of all legs, and a dict from bodies to their contact
    points.
    """
    ends = np.setdiff1d(np.arange(model.NB), model.parent).tolist()
    feet = {i: np.array([0.0, 0.0, -0.33]) for i in ends}
    return ConstraintSet(model, [PointConstraint(i, r) for i, r in feet.items()]), feet


def ours(
    model: Model, held: Constraints, sample: dict[str, np.ndarray]
) -> dict[str, Callable[[], Any]]:
    """Return calls of this library for the given states, by name of the function."""
    q, v, x, mu = (sample[key] for key in "qvxl")
    nu = np.ones((*mu.shape[:-1], constraint_set(model, held).m))
    return {
        "KKT_FD": partial(KKT_FD, model, q, v, x, held),
        "KKT_FO_derivatives": partial(KKT_FO_derivatives, model, q, v, x, held),
        "modKKT_second_derivatives": partial(
            modKKT_second_derivatives, model, q, v, x, mu, nu, held
        ),
        "KKT_FD_directional_derivative": partial(
            KKT_FD_directional_derivative, model, q, v, x, v, x, mu, held
        ),
        "KKT_SO_derivatives": partial(KKT_SO_derivatives, model, q, v, x, held),
    }


def into(call: Any) -> Callable[[], object]:
    """Return a call that writes its results into preallocated arrays."""
    return partial(call, out=call())


def disagreement(model: Model, here: dict[str, Any], there: dict[str, Any]) -> float:
    """Return the largest relative difference of accelerations, forces and their derivatives."""
    from pinocchio_map import velocity_order

    p = velocity_order(model, twin(model))
    both = "constraintDynamics, its derivatives"
    pairs = list(zip(here["KKT_FD"](), there["constraintDynamics"](), strict=True))
    pairs[0] = pairs[0][0][p], pairs[0][1]
    pairs += [
        ((x[p] if k < 3 else x)[:, p], y)
        for k, (x, y) in enumerate(zip(here["KKT_FO_derivatives"](), there[both](), strict=True))
    ]
    return max(float(np.abs(x - y).max() / np.abs(y).max()) for x, y in pairs)


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each function: time per state of a batch, of one call, of one call with a
    list in place of a set of constraints, and of Pinocchio [us].
    """
    for name in args.robots:
        model = robot(name)
        held, feet = standing(model)
        batch = states(model, args.states)
        first = {key: x[0] for key, x in batch.items()}
        single, many = ours(model, held, first), ours(model, held, batch)
        peer = pinocchio_contacts(model, feet, batch)
        off = disagreement(model, single, peer) if peer else 0.0
        if off > 1e-8:
            raise ArithmeticError(f"{name}: results differ from Pinocchio's by {off:.1e}")
        calls: dict[Any, Callable[[], object]] = {("batch", k): call for k, call in many.items()}
        calls |= {("batch, out=", k): into(call) for k, call in many.items()}
        calls |= {("one call", k): call for k, call in single.items()}
        calls["a list", "KKT_FD"] = ours(model, list(held.constraints), first)["KKT_FD"]
        calls |= {("peer", k): call for k, call in peer.items()}
        large = {key: calls.pop(key) for key in list(calls) if key[1] in LARGE}
        us = interleaved(calls, **args.effort) | interleaved(large, **args.effort)
        for function, (whole, alone) in PEERS.items():
            yield {
                "robot": name,
                "function": function,
                "rows": held.m,
                "batch": us["batch", function] / args.states,
                "batch, out=": us["batch, out=", function] / args.states,
                "one call": us["one call", function],
                "a list": us.get(("a list", function), float("nan")),
                "Pinocchio": us.get(("peer", whole), float("nan")),
                "derivatives alone": us.get(("peer", alone), float("nan")),
                "apart": off,
            }


def main() -> None:
    args = study.options(__doc__, robots=["hyq"])
    args.states = 256
    study.table("contacts", args, measure)


if __name__ == "__main__":
    main()
