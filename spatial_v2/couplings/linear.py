"""Linear couplings ``q = G y + c`` of the joints of a tree."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model

__all__ = ["Entries", "Linear", "entries_of"]


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear coupling, checked for its tree."""

    matrix: np.ndarray
    """G of ``qd = G yd``, shape (NV of the tree, number of variables)."""
    offset: np.ndarray
    """Position variables of the tree's joints at y = 0, shape (NV of the tree,)."""
    positions: np.ndarray
    """The same matrix between position variables, shape (NQ of the tree, those of y)."""
    shift: np.ndarray
    """The offset along position variables, shape (NQ of the tree,)."""
    space: Model
    """A chain of massless bodies whose joints have y as their variables: names, limits, groups."""
    follow: frozenset[int] = frozenset()
    """Joints that follow others, after which no variable is called."""

    @classmethod
    def of(
        cls,
        tree: Model,
        matrix: np.ndarray,
        offset: np.ndarray,
        follow: frozenset[int] = frozenset(),
    ) -> Linear:
        """Return the coupling of a tree by a matrix and an offset, after checks of both.

        Variables are called after joints that are 1 of them, though not after those that `follow`.
        """
        _check_rank(tree, matrix)
        drivers = [_driver(tree, matrix, offset, joint) for joint in range(tree.NB)]
        whole = {d: i for i, d in enumerate(drivers) if d is not None and tree.nv[i] > 1}
        leads = [(i, d) for i, d in enumerate(drivers) if d is not None and i not in follow]
        single = {d: i for i, d in reversed(leads)}
        columns, joints, names = 0, [], []
        while columns < matrix.shape[1]:
            i = whole.get(columns, single.get(columns))
            follower = int(tree.body_of_v[np.flatnonzero(matrix[:, columns])[0]])
            joints.append(follower if i is None else i)
            names.append(f"y{columns}" if i is None else tree.joint_names[i])
            columns += 1 if i is None else tree.nv[i]
        space = _space(tree, joints, names)
        positions, shift = np.zeros((tree.NQ, space.NQ)), np.zeros(tree.NQ)
        for i, driver in enumerate(drivers):
            rows = tree.qinds[i]
            if tree.layout.joints[i].group is LINE:
                shift[rows] = offset[tree.vinds[i]]
                for k, joint in enumerate(space.layout.joints):
                    if joint.group is LINE:
                        positions[rows, space.qinds[k]] = matrix[tree.vinds[i], space.vinds[k]]
            else:
                k = int(space.body_of_v[driver])
                positions[rows, space.qinds[k]] = np.eye(tree.nq[i])
        for x in (matrix, offset, positions, shift):
            x.setflags(write=False)
        coupling = cls(matrix, offset, positions, shift, space, follow)
        space.limits = _limits(tree, coupling)
        return coupling

    def configuration(self, y: Array) -> Array:
        """Return the tree's q at y."""
        if _is_plain(y):
            return _spread(self._own_positions, self.positions, y) + self.shift
        xp = namespace(y)
        return y @ xp.matrix_transpose(constant(self.positions, y)) + constant(self.shift, y)

    def followers(self, tree: Model) -> dict[str, tuple[str, float, float]]:
        """Return the joints that follow one other: (joint, multiplier, offset) by their names.

        Raises
        ------
        ModelError
            A joint follows several variables, or a variable that is no joint's own.
        """
        by_variable: dict[str, tuple[str, float, float]] = {}
        for i, name in enumerate(tree.joint_names):
            if name in self.space.joint_names:
                continue
            row, c = self.matrix[tree.vinds[i]][0], float(self.offset[tree.vinds[i]][0])
            moving = np.flatnonzero(row)
            k = int(moving[0]) if len(moving) else 0
            leader = self.space.joint_names[self.space.body_of_v[k]]
            if len(moving) > 1 or leader not in tree.joint_names:
                raise ModelError(
                    f"joint {name!r} follows {len(moving)} variables, or one that is no joint's; "
                    "want joints that follow one other"
                )
            by_variable[name] = leader, float(row[k]), c
        return by_variable

    def motion(self, yd: Array) -> Array:
        """Return the tree's velocities (or accelerations, displacements) ``G yd``."""
        if _is_plain(yd):
            return _spread(self._own, self.matrix, yd)
        return yd @ namespace(yd).matrix_transpose(constant(self.matrix, yd))

    def pull_back(self, x: Array, dims: tuple[str, ...]) -> Array:
        """Multiply each axis "v" of a result of the tree by G; `dims` names its last axes."""
        xp, plain = namespace(x), _is_plain(x)
        for axis in [k - len(dims) for k, d in enumerate(dims) if d == "v"]:
            if plain:
                x = _gathered(self._own, x, axis)
            else:
                x = xp.moveaxis(xp.moveaxis(x, axis, -1) @ constant(self.matrix, x), -1, axis)
        return x

    @cached_property
    def _own(self) -> Entries:
        return entries_of(self.matrix)

    @cached_property
    def _own_positions(self) -> Entries:
        return entries_of(self.positions)


def _is_plain(x: Array) -> bool:
    return isinstance(x, np.ndarray) and x.dtype == np.float64


class Entries(NamedTuple):
    """The entries of a matrix G, of which most rows are rows of an identity."""

    rows: np.ndarray
    """For each column a row in which it alone is 1; -1 if there is none."""
    others: list[tuple[int, int, float]]
    """Row, column and value of all other entries."""


def entries_of(matrix: np.ndarray) -> Entries:
    """Return the entries of a matrix, with a row of its own for each column that has one."""
    alone = (matrix == 1) & (np.count_nonzero(matrix, axis=1) == 1)[:, None]
    rows = np.where(alone.any(axis=0), alone.argmax(axis=0), -1)
    rest = matrix.copy()
    rest[rows[rows >= 0]] = 0
    return Entries(rows, [(int(i), int(k), float(rest[i, k])) for i, k in np.argwhere(rest)])


def _spread(entries: Entries, matrix: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return G y, each product and sum rounded, so that a state's result does not depend on its
    batch.
    """
    out, own = np.zeros((*y.shape[:-1], len(matrix))), entries.rows >= 0
    out[..., entries.rows[own]] = y[..., own]
    for i, k, factor in entries.others:
        out[..., i] += factor * y[..., k]
    return out


def _gathered(entries: Entries, x: np.ndarray, axis: int) -> np.ndarray:
    """Multiply an axis by G, rounded in the same way."""
    y = np.take(x, entries.rows, axis)
    to, source = y.swapaxes(axis, 0), x.swapaxes(axis, 0)
    to[entries.rows < 0] = 0
    for i, k, factor in entries.others:
        to[k] += factor * source[i]
    return y


def _check_rank(tree: Model, matrix: np.ndarray) -> None:
    rank, n = int(np.linalg.matrix_rank(matrix)), matrix.shape[1]
    if rank < n:
        null = np.linalg.svd(matrix)[2][rank:]
        lost = np.flatnonzero(np.abs(null).max(axis=0) > 1e-8)
        moved = [sorted({tree.joint_names[tree.body_of_v[r]] for r in np.flatnonzero(matrix[:, k])})
                 for k in lost]  # fmt: skip
        raise ModelError(
            f"matrix: its {n} columns have rank {rank}, so that the motion does not determine "
            f"variables {lost.tolist()} (they move joints {moved}); take columns away"
        )


def _driver(tree: Model, matrix: np.ndarray, offset: np.ndarray, joint: int) -> int | None:
    """Return the variable that is the joint's own, its first one for several; None if there is
    none, which only joints with one variable may have.
    """
    rows = matrix[tree.vinds[joint]]
    first, n = int(np.argmax(rows[0] != 0)), tree.nv[joint]
    whole = np.array_equal(rows, np.eye(matrix.shape[1])[first : first + n])
    if tree.layout.joints[joint].group is LINE:
        return first if whole and offset[tree.vinds[joint]][0] == 0 else None
    others = np.delete(matrix, tree.vinds[joint], axis=0)[:, first : first + n]
    if not whole or others.any() or offset[tree.vinds[joint]].any():
        raise ModelError(
            f"matrix: joint {tree.joint_names[joint]!r} ({tree.layout.joints[joint].code}) has "
            f"{n} velocity variables, which can only be independent: its rows want an identity in "
            f"{n} consecutive columns that move no other joint, and offset 0"
        )
    return first


def _space(tree: Model, joints: list[int], names: list[str]) -> Model:
    n, size = len(joints), tree.Xtree.shape[-1]
    if len(set(names)) < n:
        raise ModelError(f"matrix: two variables would have one name: {sorted(names)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(
            parent=np.arange(n) - 1,
            jtype=[tree.jtype[i] for i in joints],
            Xtree=np.tile(np.eye(size), (n, 1, 1)),
            I=np.zeros((n, size, size)),
            name=tree.name,
            joint_names=names,
        )


def _limits(tree: Model, coupling: Linear) -> dict[str, tuple[float, float, float, float]] | None:
    """Return limits of the variables, by those of all joints that one variable alone moves.

    An effort limit is that of the variable's own joint.
    """
    by_variable: dict[str, tuple[float, float, float, float]] = {}
    for name, limits in (tree.limits or {}).items():
        i = tree.joint(name)
        v = tree.vinds[i]
        columns = np.flatnonzero(coupling.matrix[v].any(axis=0))
        if tree.nv[i] != 1 or len(columns) != 1:
            continue
        variable = coupling.space.joint_names[coupling.space.body_of_v[columns[0]]]
        factor, c = coupling.matrix[v][0, columns[0]], coupling.offset[v][0]
        ends = sorted([(limits.lower - c) / factor, (limits.upper - c) / factor])
        own = (*ends, limits.velocity / abs(factor), np.inf)
        if name == variable:
            own = (*own[:3], limits.effort)
        low, high, fast, strong = by_variable.get(variable, (-np.inf, np.inf, np.inf, np.inf))
        by_variable[variable] = (
            max(low, own[0]), min(high, own[1]), min(fast, own[2]), min(strong, own[3]),
        )  # fmt: skip
        if by_variable[variable][0] > by_variable[variable][1]:
            raise ModelError(f"limits[{name!r}]: with those of the joints that move with it, none "
                             f"of the values of variable {variable!r} are left")  # fmt: skip
    return by_variable or None
