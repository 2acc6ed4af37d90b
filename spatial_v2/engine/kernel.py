"""Kernels as their callers see them, and their arguments as 64-bit words; see `compile.entries`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.engine.tree import Floats

LARGEST = 1 << 19
"""Largest number of entries of the results of one SIMD batch, four megabytes; states with larger
results are computed one by one.
"""
WIDEST = 8
"""Number of states that is a multiple of every SIMD width."""


def words_of(*values: Any) -> list[int]:
    """Return the words of arrays, numbers, and tuples; the caller must keep the arrays alive."""
    words: list[int] = []
    for x in values:
        if isinstance(x, np.ndarray):
            words += [x.ctypes.data, *x.shape]
        elif isinstance(x, tuple):
            words += words_of(*x)
        else:
            words.append(int(np.float64(x).view(np.int64)) if isinstance(x, float) else int(x))
    return words


class Record:
    """The first argument of a kernel, mostly a tree, laid out as the kernel's entry reads it.

    Parameters
    ----------
    of : NamedTuple or array
        Contiguous arrays, numbers, and tuples of them.
    """

    kind: Any = None
    """Its Numba type, see `compile.records`; None until it is needed."""

    def __init__(self, of: Any) -> None:
        self.of = of

    @functools.cached_property
    def address(self) -> int:
        """Address of the words, which last as long as this object."""
        self._words = np.array(words_of(self.of), dtype=np.int64)
        return int(self._words.ctypes.data)


class KernelCall(NamedTuple):
    """Arguments and results of a kernel, as calls give and get them for one model."""

    arguments: Sequence[tuple[str, int]]
    """Kind, ``"q"`` or ``"v"``, and length of each argument."""
    forces: Sequence[int]
    """Number of bodies of each array of external forces that the kernel takes; -1 for an array
    that is never given. Calls give the first, or none."""
    results: Sequence[tuple[Sequence[str], tuple[int, ...]]]
    """Names of the axes, of which ``"v"`` and ``"b"`` are longer for a tree with rotors, and
    shapes."""
    look: bool = True
    """True if results must be finite. If False, they are the values of tensors, of which the
    kernel writes all, so that they need not be cleared."""
    rows: Sequence[int] = ()
    """For the values of tensors: lengths of their rows in a batch, which fill whole cache lines."""
    finish: Callable[[tuple[Any, ...]], Any] | None = None
    """Converts a tuple of new results to the return value, by default the first result."""

    @property
    def lengths(self) -> list[int]:
        """Length of each argument."""
        return [n for _, n in self.arguments]

    @property
    def force(self) -> tuple[int, ...] | None:
        """Shape of the external forces of calls; () if they may only be None, None without any."""
        if not self.forces:
            return None
        return (self.forces[0], 6) if self.forces[0] >= 0 else ()

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shape of each result."""
        return [shape for _, shape in self.results]


class Kernel:
    """A kernel, for states one by one and for SIMD batches: that of a library, or compiled here.

    The SIMD `width` is 1 if there is no code for SIMD batches. `function` is Numba's; None for a
    kernel of a library. `has_entry` is False where it runs in Python, as Numba's compiler is
    disabled.
    """

    name: str
    width: int
    function: Any = None
    has_entry = True

    def in_simd_batches(self, size: int) -> bool:
        """Test if states with results of the given size are computed in SIMD batches."""
        return self.width > 1 and self.width * size <= LARGEST

    def run(
        self,
        of: Record,
        arrays: Sequence[Floats],
        results: Sequence[Floats],
        simd: bool,
        look: bool = True,
    ) -> bool:
        """Compute results (B, ...) from a record and arrays (B, ...), all contiguous.

        With `simd` the states are computed in SIMD batches, unless their results are too large.
        `look` is False for kernels that write the values of tensors; results of other kernels may
        have any contents before. Returns True if all results are known to be finite.
        """
        size = sum(x.size for x in results) // max(len(arrays[0]), 1) if look else 0
        if simd and self.in_simd_batches(size):
            return self.run_batch(of, arrays, results, look)
        if look:
            for x in results:
                x.fill(0.0)
        self.run_states(of, arrays, results)
        return False

    def repeated(
        self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats]
    ) -> Callable[[], bool]:
        """Return a call of `run` in SIMD batches on the same arrays each time."""
        return functools.partial(self.run, of, arrays, results, True)

    def run_states(self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats]) -> None:
        """Compute results (B, ...) state by state; results are zero before."""
        raise NotImplementedError

    def run_batch(
        self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats], look: bool
    ) -> bool:
        """Compute results (B, ...) in SIMD batches; return True if they are finite, with `look`."""
        raise NotImplementedError

    def state_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int]) -> int:
        """Return the address of the kernel's entry for single states; compile it if needed.

        `ins` and `outs` are the numbers of axes of arguments and results, with that of the batch.
        """
        raise NotImplementedError

    def batch_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int], look: bool) -> int:
        """Return the address of the kernel's entry for SIMD batches; compile it if needed."""
        raise NotImplementedError

    def drive_entry(self, spread: bool = False) -> int:
        """Return the address of the entry of `drive`, or of `drive_spread`, for SIMD batches."""
        raise NotImplementedError

    def one_state(
        self, of: Record, takes: KernelCall, quaternions: Sequence[int], release: bool, forced: bool
    ) -> Callable[[tuple[Floats, ...], tuple[Floats, ...], tuple[Floats, ...]], int]:
        """Return a function of arguments, other arrays and results of one state: the kernel.

        It returns a value of `engine.status.Status`; it refuses arguments that are not contiguous,
        and those with a quaternion, at the places `quaternions` of the first, that is zero. The
        other arrays, external forces first of all, have an axis of length one for the state; they
        are () unless `forced`. The results may have any contents before. With `release` compiled
        code runs without the interpreter's lock.
        """
        raise NotImplementedError
