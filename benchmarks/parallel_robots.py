"""Robots of two collections whose files have loops or rotors: independent coordinates and
multipliers.

Run by ``python -m benchmarks parallel_robots``, with the environment variable SPATIAL_V2_LINKAGES:
a folder with clones of ``generalized_rbda`` (rotors by couplings of URDF+) and
``example-parallel-robots`` (loops in YAML files). Each row compares forward dynamics in independent
coordinates with the same motion by multipliers: for loops `KKT_FD`, for rotors the KKT equations
of `HandC`, solved by NumPy. Times are of the processor, in batches, for one state.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import spatial_v2 as sv
from benchmarks import study
from benchmarks.results_file import Row
from benchmarks.timing import interleaved

STATES = 512
FOLDER = "SPATIAL_V2_LINKAGES"
ROTORS = ("mini_cheetah", "mit_humanoid")
LOOPS = ("battobot_6d", "digit_like_2legs", "digit_like", "cassie_like", "talos_like")
PUBLISHED = {"mini_cheetah": 1.8, "mit_humanoid": 2.1}
"""Times with multipliers by those in independent coordinates, of arXiv 2311.13732."""


def loaded(folder: Path, name: str) -> Any:
    """Return a robot in independent coordinates; joints are chosen where the file's are too few."""
    if name in ROTORS:
        path = folder / "generalized_rbda" / "robot-models" / f"{name}.urdf"
        return sv.load_urdf(path, couplings="imposed")
    path = folder / "example-parallel-robots" / "robots" / name
    given: dict[str, Any] = {"loops": path / "robot.yaml"}
    try:
        return sv.load_urdf(path / "robot.urdf", couplings="imposed", **given)
    except sv.ModelFileError:  # rods turn about themselves: joints of the file are too few
        tree = sv.load_urdf(path / "robot.urdf", couplings="free", **given)
        return sv.couple(tree, constraints=sv.loop_constraints(tree), guess=sv.neutral(tree))


def sample(model: Any) -> tuple[np.ndarray, ...]:
    """Return q of the tree in closed configurations, yd and tau."""
    rng = np.random.default_rng(0)
    start = np.broadcast_to(model.start, (STATES, model.NQ))
    y = sv.configurationAddition(model, start, 0.01 * rng.normal(size=(STATES, model.NV)))
    yd, tau = rng.normal(size=(2, STATES, model.NV))
    return y if model.is_linear else model.position(y), yd, tau


def multipliers(model: Any, q: np.ndarray, yd: np.ndarray, tau: np.ndarray) -> Callable[[], Any]:
    """Return a call of the same forward dynamics with multipliers, which computes qdd."""
    tree, c = model.tree, model.coupling
    qd, whole = model.motion(q, yd), np.zeros((len(yd), tree.NV))
    if not model.is_linear:
        whole[:, c.v_of_y] = tau
        return lambda: sv.KKT_FD(tree, q, qd, whole, c.constraints, rank="minimum_norm").qdd
    q, G = c.configuration(q), c.matrix
    whole[:] = tau @ np.linalg.pinv(G)
    rows = np.linalg.svd(G.T)[2][G.shape[1] :]  # of velocities that the coupling excludes
    m, n = rows.shape
    A = np.zeros((len(yd), n + m, n + m))
    A[:, :n, n:], A[:, n:, :n] = rows.T, rows

    def run() -> np.ndarray:
        A[:, :n, :n], C = sv.HandC(tree, q, qd)
        right = np.concatenate([whole - C, np.zeros((len(yd), m))], axis=1)
        return np.asarray(np.linalg.solve(A, right[..., None])[:, :n, 0])

    return run


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot whose file is there."""
    if FOLDER not in os.environ:
        raise SystemExit(f"want a folder with clones of both collections in {FOLDER}")
    for name in (*ROTORS, *LOOPS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = loaded(Path(os.environ[FOLDER]), name)
            q, yd, tau = sample(model)
            other = multipliers(model, q, yd, tau)
            qdd, wanted = sv.FDab(model, q, yd, tau), other()
            if model.is_linear:
                found = model.coupling.motion(qdd)
            else:
                found = model.coupling.jet(q, yd, qdd).qdd
            calls: dict[str, Callable[[], object]] = {
                "independent": partial(sv.FDab, model, q, yd, tau),
                "multipliers": other,
            }
            us = interleaved(calls, time.thread_time, **args.effort)
        row: Row = {"robot": name, "joints": model.tree.NV, "variables": model.NV}
        row |= {what: us[what] / STATES for what in us}
        row["ratio"] = us["multipliers"] / us["independent"]
        row["difference"] = float(np.abs(found - wanted).max() / np.abs(wanted).max())
        yield row | ({"published": PUBLISHED[name]} if name in PUBLISHED else {})


def main() -> None:
    study.table("parallel_robots", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
