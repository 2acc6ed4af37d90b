"""Matrices from the variables of a model to those of the tree that a kernel takes: `engine.spread`.

The joints of a coupled model follow its independent variables, and rotors the joints that drive
them. In the tree with rotors as bodies, both together are one matrix.
"""

from typing import NamedTuple

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.couplings.linear import entries_of
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.shared import shared_of
from spatial_v2.engine.spread import Coupled, Matrix, Spread, Sums
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.engine.tree import Tree
from spatial_v2.model import Model
from spatial_v2.model.rotors import expand
from spatial_v2.packed.gears import join
from spatial_v2.packed.pattern import TensorPattern, patterns


class Expansion(NamedTuple):
    """Matrices and shift of a tree's variables: ``q = positions y + shift``, ``qd = G yd``."""

    positions: np.ndarray
    shift: np.ndarray
    G: np.ndarray


def _expansion(model: Model, geared: bool) -> Expansion:
    tree = free_tree(model)
    of = Expansion(np.eye(tree.NQ), np.zeros(tree.NQ), np.eye(tree.NV))
    if isinstance(model, CoupledModel):
        coupling = model.coupling
        of = Expansion(coupling.positions, coupling.shift, coupling.matrix)
    if not geared:
        return of
    has = np.flatnonzero(tree.has_rotor)
    q, v = tree.layout.joint[has, 2], tree.layout.joint[has, 3]
    ratio = np.asarray(tree.gr[has], dtype=float)
    return Expansion(
        np.concatenate([of.positions, ratio[:, None] * of.positions[q]]),
        np.concatenate([of.shift, ratio * of.shift[q]]),
        np.concatenate([of.G, ratio[:, None] * of.G[v]]),
    )


def _matrix(G: np.ndarray, shift: np.ndarray) -> Matrix:
    own, others = entries_of(G)
    i, k, factor = np.array(others, dtype=float).reshape(-1, 3).T
    place = i.astype(np.int64), k.astype(np.int64)
    return Matrix(
        own.astype(np.int64), *place, np.ascontiguousarray(factor), shift.copy()
    ).in_order()


def spread_of(model: Model, geared: bool) -> Spread | None:
    """Return what a kernel's arrays are for the variables of a model, on the tree with rotors as
    bodies if it is `geared`; None if they are the same.
    """
    if not (geared or isinstance(model, CoupledModel)):
        return None
    of, rotors = _expansion(model, geared), free_tree(model).has_rotor
    return Spread(
        _matrix(of.positions, of.shift),
        _matrix(of.G, np.zeros(len(of.G))),
        int(np.count_nonzero(rotors)) if geared else 0,
    )


def coupled_record(model: Model, tree: Tree, geared: bool) -> Coupled:
    """Return what kernels for coupled models take, given the arrays of the tree."""
    spread, of = spread_of(model, geared), _expansion(model, geared)
    assert spread is not None
    q = (of.positions @ model.layout.neutral() + of.shift)[None]
    least = np.empty((1, len(of.G)))
    load_kernel("smallest_pivots").run_states(Record(tree), [q], [least])
    above, shared = paths_of(tree, of.G != 0), shared_of(tree, of.G)
    return Coupled(tree, spread.q, spread.v, above, least[0] @ of.G**2, shared)


def paths_of(tree: Tree, G: np.ndarray) -> np.ndarray:
    """Return the variable before each on the paths of the factors of ``G^T H G``, given a mask of
    the entries of G that are not zero.
    """
    moves = tree.joint
    paths = np.zeros((len(G), len(G)), dtype=bool)
    for body in range(len(tree.parent)):
        rows, j = slice(moves[body, 3], moves[body, 3:5].sum()), body
        while j >= 0:
            others = slice(moves[j, 3], moves[j, 3:5].sum())
            paths[rows, others] = paths[others, rows] = True
            j = tree.parent[j]
    H = G.T @ paths @ G
    above = np.full(len(H), -1)
    for k in reversed(range(len(H))):
        row = np.flatnonzero(H[k, :k])
        if len(row):
            above[k] = row[-1]
            H[above[k], row[:-1]] = True
    return above


def spread_tensors(
    model: Model, runs: Runs, geared: bool
) -> tuple[tuple[TensorPattern, ...], tuple[Sums, ...]]:
    """Return the patterns of a model's tensors, and their values as sums of those of the tree."""
    tree = free_tree(model)
    fine = patterns((expand(tree) if geared else tree).layout, runs)
    if not geared and tree is model:
        return fine, ()
    G = _expansion(model, geared).G
    both = [join(pattern, G) for pattern in fine]
    return tuple(pattern for pattern, _ in both), tuple(sums for _, sums in both)
