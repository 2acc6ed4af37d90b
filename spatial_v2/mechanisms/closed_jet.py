"""The motion of a tree with closed loops, put together from those of its loops."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import has_kernels
from spatial_v2.calls.records import new_results
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.loop import Followers
from spatial_v2.mechanisms.closing import Branch
from spatial_v2.mechanisms.loop_jet import LoopJet
from spatial_v2.mechanisms.pull_back import Dense, Derivatives, flat

__all__ = ["ClosedJet", "Place"]


class Place(NamedTuple):
    """Indices of a loop's variables in those of the tree."""

    q: np.ndarray
    """Entries of the loop's positions in the tree's q."""
    v: np.ndarray
    """Entries of its velocities in the tree's qd."""
    y: np.ndarray
    """Entries of its independent velocities in yd."""


class ClosedJet(Dense):
    """The motion of a tree with closed loops, put together from those of its loops.

    Quantities are those of `pull_back.Jet`.
    """

    def __init__(
        self, branches: Sequence[Branch], places: Sequence[Place], v_of_y: np.ndarray, NV: int,
        state: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> None:  # fmt: skip
        self.places, self.v_of_y, self.NV = places, v_of_y, NV
        self.q, self.yd, self.ydd = q, yd, ydd = state
        self.loops = [
            LoopJet(b, np.ascontiguousarray(q[..., p.q]), yd[..., p.y], ydd[..., p.y])
            for b, p in zip(branches, places, strict=True)
        ]

    def __getattr__(self, name: str) -> np.ndarray:
        """Return a quantity of all joints: zero, but for those of loops."""
        if name not in _AXES:
            raise AttributeError(name)
        return self._whole(name, _AXES[name])

    def _whole(self, name: str, axes: int) -> np.ndarray:
        n, NV = len(self.v_of_y), self.NV
        parts = [getattr(x, name) for x in self.loops]
        kind = np.result_type(self.q, *parts)
        out = np.zeros((*self.q.shape[:-1], NV, *[n] * axes), dtype=kind)
        if name == "G":
            out[..., self.v_of_y, np.arange(n)] = 1.0
        for part, place in zip(parts, self.places, strict=True):
            at: Any = (..., *np.ix_(place.v, *[place.y] * axes))
            out[at] = part
        vars(self)[name] = out
        return out

    @functools.cached_property
    def qd(self) -> np.ndarray:
        """Velocities of the tree."""
        return self._moved("qd", self.yd)

    @functools.cached_property
    def qdd(self) -> np.ndarray:
        """Accelerations of the tree."""
        return self._moved("qdd", self.ydd)

    def _moved(self, name: str, given: np.ndarray) -> np.ndarray:
        """Return velocities or accelerations of the tree: given ones, and those of loops."""
        lead = np.broadcast_shapes(self.q.shape[:-1], given.shape[:-1])
        parts = [getattr(x, name) for x in self.loops]
        out = np.zeros((*lead, self.NV), dtype=np.result_type(given, *parts))
        out[..., self.v_of_y] = given
        for part, place in zip(parts, self.places, strict=True):
            out[..., place.v] = part
        return out

    @functools.cached_property
    def _followers(self) -> Record:
        places = [np.ix_(p.v[x.branch.d], p.y) for x, p in self._pairs]
        both = [np.broadcast_arrays(*x) for x in places]
        row, column = (np.concatenate([x[k].ravel() for x in both]) for k in range(2))
        return Record(Followers(*(np.array(x, np.int64) for x in (self.v_of_y, row, column))))

    def _entries(self, name: str) -> np.ndarray:
        """Return the entries of `_followers` of a matrix (..., NV, n) as (B, entries)."""
        parts = [flat(getattr(x, name)[..., x.branch.d, :], 2) for x in self.loops]
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in parts))
        whole = np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])) for x in parts], axis=-1)
        return whole.reshape(-1, whole.shape[-1])

    def _by_kernel(
        self, name: str, given: Sequence[np.ndarray], entries: Sequence[str], results: int
    ) -> list[np.ndarray] | None:
        """Compute matrices (..., n, n) by a kernel; None for other numbers than float64."""
        own = [self._entries(x) for x in entries]
        if not has_kernels(name) or any(x.dtype != np.float64 for x in (*given, *own)):
            return None
        lead, n = given[0].shape[:-2], len(self.v_of_y)
        states = math.prod(lead)
        if any(len(x) != states for x in own):
            return None
        one_axis = [x.reshape(states, *x.shape[-2:]) for x in given]
        shapes = [(n, n)] * results
        out = new_results(name, self._followers, [*one_axis, *own], shapes, bool(lead))
        return [x.reshape(*lead, n, n) for x in out]

    def inertia(self, H: np.ndarray) -> np.ndarray:
        """Return ``G^T H G``."""
        out = self._by_kernel("pulled_back_inertia", [H], ["G"], 1)
        return super().inertia(H) if out is None else out[0]

    def forces(self, F: Derivatives) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives of ``G^T F`` along y and with respect to yd, at constant G."""
        given = [np.asarray(x) for x in (F.q, F.v, F.a)]
        names = ["G", "qd_y", "qdd_y", "qdd_v"]
        out = self._by_kernel("pulled_back_derivatives", given, names, 2)
        return super().forces(F) if out is None else (out[0], out[1])

    def bent(self, z: np.ndarray) -> np.ndarray:
        """Return ``sum_k z_k G_y[k]`` (..., n, n)."""
        n = len(self.v_of_y)
        return self._added(n, [x.bent(z[..., p.v]) for x, p in self._pairs], "y")

    def pushed(self, z: np.ndarray) -> np.ndarray:
        """Return the derivatives along q of the joint forces ``J^T lambda`` (..., NV, NV), at
        constant multipliers lambda with ``J_d^T lambda = z_d``.
        """
        parts = [x.pushed(x.multipliers(z[..., p.v])) for x, p in self._pairs]
        return self._added(self.NV, parts, "v")

    def of_rows(
        self, b: np.ndarray, z: np.ndarray, forces: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> list[np.ndarray]:
        """Return `LoopJet.of_rows` of all loops, with the multipliers of joint forces z."""
        found = []
        for x, p in self._pairs:
            own = forces[0][..., p.v], forces[1][..., p.v], forces[2][..., p.v]
            found.append(x.of_rows(b[..., p.v], x.multipliers(z[..., p.v]), own))
        return [self._added(self.NV, parts, "v") for parts in zip(*found, strict=True)]

    @property
    def _pairs(self) -> list[tuple[LoopJet, Place]]:
        return list(zip(self.loops, self.places, strict=True))

    def _added(self, n: int, parts: Sequence[np.ndarray], axes: str) -> np.ndarray:
        """Return a matrix (..., n, n) with the matrices of loops in their places."""
        out = np.zeros((*parts[0].shape[:-2], n, n), dtype=np.result_type(*parts))
        for part, place in zip(parts, self.places, strict=True):
            own = getattr(place, axes)
            out[..., own[:, None], own] += part
        return out


_AXES = {
    "G": 1, "g": 0, "Gdot": 1, "qd_y": 1, "qdd_y": 1, "qdd_v": 1,
    "G_y": 2, "qd_yy": 2, "qdd_yy": 2, "qdd_yv": 2, "qdd_vv": 2,
}  # fmt: skip
"""Numbers of axes of y."""
