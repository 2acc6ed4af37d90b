"""Kernels called by address: the arguments that they get, exceptions, and code that is compiled
only once.
"""

import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from spatial_v2.engine.compile.decorators import entry, jit
from spatial_v2.engine.compile.entries import call_entry, entry_of
from spatial_v2.engine.compile.extend import typeof, types
from spatial_v2.engine.kernel import Record, words_of


class Weights(NamedTuple):
    """A record with an array and numbers."""

    x: Any
    scale: float
    shift: int


def weigh(of: Weights, pair: tuple[Any, Any], power: int, out: Any) -> bool:
    if of.shift < 0:
        raise ValueError("negative")
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = of.scale * (pair[0][i, j] + pair[1][j]) ** power + of.x[i] + of.shift
    return out[0, 0] > 0.0


def by_address(address: int, first: int, others: int) -> bool:
    return bool(call_entry(address, first, others))


def called(of: Weights, pair: tuple[Any, Any], power: int, out: Any) -> Any:
    """Call a kernel by its address with arguments encoded as machine words; return its result."""
    kinds = tuple(map(typeof, (of, *pair, power, out)))
    first, others = Record(of), np.array([0, *words_of(pair, power, out)])
    run = entry(by_address, (types.int64,) * 3, release=False)
    return run(entry_of(jit(weigh), kinds), first.address, others.ctypes.data)


def test_arguments_are_read_where_they_are() -> None:
    """A kernel that is called by its address reads arrays of any number of axes, items of tuples,
    and numbers as one that is called from Python does.
    """
    rng = np.random.default_rng(0)
    of, pair = Weights(rng.normal(size=3), 0.5, 7), (rng.normal(size=(3, 4)), rng.normal(size=4))
    wanted, out, other = np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((3, 4))
    assert weigh(of, pair, 3, wanted) and called(of, pair, 3, out)
    assert jit(weigh)(of, pair, 3, other)
    np.testing.assert_allclose(out, wanted, rtol=1e-14)
    np.testing.assert_array_equal(out, other)
    assert not called(of._replace(scale=-9e9), pair, 2, out)


def test_exceptions_are_passed_on() -> None:
    of, pair = Weights(np.ones(3), 0.5, -1), (np.ones((3, 4)), np.ones(4))
    for function in (called, jit(weigh)):
        with pytest.raises(ValueError, match="negative"):
            function(of, pair, 3, np.zeros((3, 4)))


CONTAINED = """
from spatial_v2.cli.warmup import Task
from spatial_v2.engine.algorithms.ID_derivatives import ID_derivatives
from spatial_v2.engine.compile.entries import entry_of
from spatial_v2.engine.compile.memory import TREE
from spatial_v2.engine.numbers.batches import batch_types
kinds = batch_types(TREE, (2, 2, 2, 3, 3), (3, 3), True)
address = entry_of(ID_derivatives, kinds)
Task("IDFOZA", "batch").run()
assert entry_of(ID_derivatives, kinds) == address
"""


@pytest.mark.slow
def test_a_kernel_is_found_after_another_that_contains_it() -> None:
    """The kernel of `IDFOZA` contains a copy of that of `ID_derivatives`, with other rounding
    errors. When both are loaded, the kernel of `ID_derivatives` still runs its own code.
    """
    subprocess.run([sys.executable, "-c", CONTAINED], check=True)
