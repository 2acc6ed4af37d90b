"""Order of the values of packed tensors, by triples of velocity variables.

Algorithms for tensors (NV, NV, NV) iterate over triples of velocity variables p, t, r, each on the
path from the one before to the root. For a pair (p, t) they compute several scalars for each r, and
each scalar is, up to its sign, one or more entries of a tensor. A table of `Run` lists these
entries. Kernels write values in its order, and the sparsity patterns are made from it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["CHRISTOFFEL", "ID_SO", "MASS", "Run", "Runs"]

Order = Literal["ptr", "prt", "trp", "tpr", "rpt", "rtp"]
Part = Literal["path", "above", "joint"]


class Run(NamedTuple):
    """Entries of a tensor for one pair (p, t)."""

    tensor: int
    """Index of the tensor."""
    order: Order
    """The indices of the entries."""
    scalar: int
    """Index of the scalar."""
    sign: int
    part: Part
    """Range of r: all on the path from the joint of t, those above this joint, or within it."""


class Runs:
    """The runs of an algorithm.

    Parameters
    ----------
    general : sequence of Run
        For t of a joint above that of p.
    own : sequence of Run
        For t of the joint of p itself.
    """

    def __init__(self, general: list[Run], own: list[Run]) -> None:
        self.general, self.own = tuple(general), tuple(own)
        self.tensors = 1 + max(run.tensor for run in general)


_P1, _P2, _QQ, _QV, _U3, _U5, _U6, _U7, _A, _B, _AB, _ABS = range(12)

ID_SO = Runs(
    general=[
        Run(0, "ptr", _P2, 1, "path"),
        Run(0, "prt", _P2, 1, "above"),
        Run(0, "trp", _QQ, 1, "path"),
        Run(0, "tpr", _QQ, 1, "path"),
        Run(0, "rpt", _U3, 1, "above"),
        Run(0, "rtp", _U3, 1, "above"),
        Run(1, "ptr", _AB, -1, "above"),
        Run(1, "ptr", _A, -1, "joint"),
        Run(1, "prt", _AB, -1, "above"),
        Run(1, "trp", _AB, 1, "path"),
        Run(1, "tpr", _AB, 1, "path"),
        Run(1, "rtp", _ABS, 1, "above"),
        Run(1, "rpt", _ABS, 1, "above"),
        Run(2, "prt", _P1, -1, "path"),
        Run(2, "trp", _P1, 1, "path"),
        Run(2, "tpr", _QV, 1, "path"),
        Run(2, "ptr", _U5, 1, "above"),
        Run(2, "rtp", _U6, 1, "above"),
        Run(2, "rpt", _U7, 1, "above"),
        Run(3, "trp", _A, 1, "path"),
        Run(3, "rtp", _A, 1, "above"),
        Run(3, "rpt", _B, 1, "above"),
        Run(3, "prt", _B, 1, "above"),
    ],
    own=[
        Run(0, "ptr", _P2, 1, "path"),
        Run(0, "prt", _P2, 1, "above"),
        Run(0, "rpt", _U3, 1, "above"),
        Run(1, "ptr", _AB, -1, "above"),
        Run(1, "ptr", _A, -1, "joint"),
        Run(1, "prt", _AB, -1, "above"),
        Run(1, "rtp", _ABS, 1, "above"),
        Run(2, "prt", _P1, -1, "path"),
        Run(2, "ptr", _U5, 1, "above"),
        Run(2, "rtp", _U6, 1, "above"),
        Run(3, "rpt", _B, 1, "above"),
        Run(3, "prt", _B, 1, "above"),
    ],
)
"""d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq; see `idsva_so.products` for the scalars."""

MASS = Runs(
    general=[
        Run(0, "trp", 0, 1, "path"),
        Run(0, "rtp", 0, 1, "above"),
        Run(0, "rpt", 1, 1, "above"),
        Run(0, "prt", 1, 1, "above"),
    ],
    own=[Run(0, "rpt", 1, 1, "above"), Run(0, "prt", 1, 1, "above")],
)
"""dM_dq from the scalars a and b of `triples`."""

CHRISTOFFEL = Runs(
    general=[
        Run(0, "prt", 2, -1, "path"),
        Run(0, "ptr", 2, -1, "above"),
        Run(0, "tpr", 2, 1, "path"),
        Run(0, "trp", 2, 1, "path"),
        Run(0, "rtp", 3, 1, "above"),
        Run(0, "rpt", 3, 1, "above"),
    ],
    own=[
        Run(0, "prt", 2, -1, "path"),
        Run(0, "ptr", 2, -1, "above"),
        Run(0, "rtp", 3, 1, "above"),
    ],
)
"""Symbols from the scalars of `triples`: a, b, (a - b) / 2, (a + b) / 2."""
