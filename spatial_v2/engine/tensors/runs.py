"""Order of the values of packed tensors, by triples of velocity variables.

Algorithms for tensors (NV, NV, NV) iterate over triples of velocity variables p, t, r, each on the
path from the variable before it to the root. For a pair (p, t) they compute several scalars for
each r, and each scalar is, up to its sign, one or more entries of a tensor. A table of `Run` lists
these entries. Kernels write values in the order of the table, and sparsity patterns follow from it.
"""

from typing import Literal, NamedTuple

Order = Literal["ptr", "prt", "trp", "tpr", "rpt", "rtp"]
Part = Literal["path", "above", "joint"]


class Run(NamedTuple):
    """Entries of a tensor that equal a computed number up to sign, for velocity variables p and t
    and a range of variables r; see the head of this file.
    """

    tensor: int
    """Index of the tensor."""
    order: Order
    """The indices of the entries: "trp" stands for the entries [t, r, p]."""
    scalar: int
    """Index of the scalar among those that the algorithm computes for a triple."""
    sign: int
    part: Part
    """Range of r: all on the path from the joint of t, those above this joint, or within it."""


class Runs:
    """The tables of `Run` of one algorithm.

    Parameters
    ----------
    general : sequence of Run
        Runs for a variable t of a joint nearer to the root than the joint of p.
    own : sequence of Run
        Runs for a variable t of the same joint as p.
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
"""Runs of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq; the kernel `ID_SO_derivatives` computes the
scalars.
"""

MASS = Runs(
    general=[
        Run(0, "trp", 0, 1, "path"),
        Run(0, "rtp", 0, 1, "above"),
        Run(0, "rpt", 1, 1, "above"),
        Run(0, "prt", 1, 1, "above"),
    ],
    own=[Run(0, "rpt", 1, 1, "above"), Run(0, "prt", 1, 1, "above")],
)
"""Runs of dM_dq, from the scalars a and b of `triples`."""

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
"""Runs of the Christoffel symbols, from the scalars (a - b) / 2 and (a + b) / 2 of `triples`."""
