"""Errors of geometric finite differences of extended inverse dynamics (paper 003, Fig. 5).

Run from the root of the repository: ``python -m benchmarks.paper_003.geometric_differences``.
Errors are relative to `EIDAmb_derivatives`, which the tests compare with complex steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from benchmarks import study
from benchmarks.paper_003.robot import moving_robot, perturbed
from derivatives import EIDAmb_derivatives
from spatial_v2 import EIDAmb, Model, configurationAddition

BLOCKS = {
    "D1": "by the pose, D₁",
    "D2": "by the shape, D₂",
    "D3": "by the base velocity, D₃",
    "D4": "by joint velocities, D₄",
}
KINDS = ("maximum", "mean")
STEPS = np.logspace(-1, -12, 23).tolist()


def differences(
    model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, delta: float
) -> dict[str, np.ndarray]:
    """Compute D1 to D4 by forward differences with step delta:
    ``(f(H exp(delta e)) - f(H)) / delta`` for the base pose H and each unit twist e, and likewise
    for joint positions and velocities.
    """
    steps = delta * np.eye(model.NV)
    here = EIDAmb(model, q, qd, qdd)
    by_q = (EIDAmb(model, configurationAddition(model, q, steps), qd, qdd) - here).T / delta
    by_qd = (EIDAmb(model, q, qd + steps, qdd) - here).T / delta
    return {"D1": by_q[:, :6], "D2": by_q[:, 6:], "D3": by_qd[:, :6], "D4": by_qd[:, 6:]}


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each step of the differences and each block D1 to D4 of the derivatives.

    Errors are those of single entries, in N m or N per unit of the variable.
    """
    model = moving_robot(args.seed)
    q, qd, qdd = perturbed(model, args.seed)
    truth = EIDAmb_derivatives(model, q, qd, qdd)._asdict()
    for delta in args.steps:
        for name, found in differences(model, q, qd, qdd, delta).items():
            error = np.abs(found - truth[name])
            row = {"block": name, "delta": delta}
            yield row | {"maximum": float(error.max()), "mean": float(error.mean())}


def best(rows: list[study.Row]) -> list[study.Row]:
    """Return the rows with a field ``best``: 1 for the row of each block with the smallest maximal
    error, otherwise 0.
    """
    least = {b: min(r["maximum"] for r in rows if r["block"] == b) for b in BLOCKS}
    return [row | {"best": int(row["maximum"] == least[row["block"]])} for row in rows]


def main() -> None:
    args = study.options(__doc__)
    args.seed, args.steps = 0, STEPS
    rows = study.table("geometric_differences", args, lambda args: best(list(measure(args))))

    fig, panels = study.figure(2)
    for axes, kind in zip(panels, KINDS, strict=True):
        for colour, block in zip(study.COLOURS, BLOCKS, strict=False):
            mine = [row for row in rows if row["block"] == block]
            points = [row["delta"] for row in mine], [row[kind] for row in mine]
            axes.loglog(*points, color=colour, marker="o")
        axes.set(title=f"{kind.capitalize()} of the error", xlabel="step δ", ylim=(1e-8, 1e2))
        axes.invert_xaxis()
        axes.axvline(np.sqrt(np.finfo(float).eps), color="0.6", linewidth=0.8)
        axes.minorticks_off()
    study.legend(fig, BLOCKS.values(), families=())
    study.save(fig, args, "geometric_differences")


if __name__ == "__main__":
    main()
