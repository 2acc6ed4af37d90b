"""Memory of large results is reused once no array refers to it."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_array_equal
from public_functions import arguments
from test_packed import parts

import derivatives
import spatial_v2
from spatial_v2 import keep_memory
from spatial_v2.exceptions import SpatialError
from spatial_v2.packed import memory


def free() -> list[Any]:
    """Return the free blocks of the pool."""
    return [piece for blocks in memory._Owner.free.values() for _, piece in blocks]


class TestMemory:
    """Memory of large results is reused, but never while an array still refers to it."""

    SHAPE = (3, memory.SMALLEST)

    @pytest.fixture(autouse=True)
    def _afresh(self) -> Iterator[None]:
        keep_memory(0)
        keep_memory(2**28)
        yield
        keep_memory(2**28)

    def test_released_memory_is_reused(self) -> None:
        x = memory.allocate(self.SHAPE)
        address = x.ctypes.data
        assert address % 64 == 0
        del x
        assert memory.allocate(self.SHAPE).ctypes.data == address

    def test_only_large_results_are_pooled(self) -> None:
        """From 128 KiB on; the allocator of the operating system reuses smaller blocks."""
        for size in (2**13, 2**14 - 1, 2**14, 2**15):
            of_pool = memory.allocate((size,)).base is not None
            assert of_pool == (8 * size >= 128 * 1024)

    def test_workspaces_and_results_have_separate_pools(self) -> None:
        """Results and workspaces use separate memory; otherwise large results would evict
        workspaces from the cache.
        """
        of = {result: memory.allocate(self.SHAPE, result=result) for result in (True, False)}
        places = {result: x.ctypes.data for result, x in of.items()}
        of.clear()
        for result in (False, True, False):
            assert memory.allocate(self.SHAPE, result=result).ctypes.data == places[result]

    @pytest.mark.parametrize("view", [
        lambda x: x, lambda x: x[1:, 5:9], lambda x: x.T[3], lambda x: memoryview(x),
        lambda x: np.lib.stride_tricks.as_strided(x, (2, 2)), lambda x: x.view("u8"),
        lambda x: {"inside": [x[0]]},
    ])  # fmt: skip
    def test_memory_in_use_is_not_reused(self, view: Any) -> None:
        x = memory.allocate(self.SHAPE)
        address, seen = x.ctypes.data, view(x)
        del x
        other = memory.allocate(self.SHAPE)
        assert other.ctypes.data != address
        del seen
        assert memory.allocate(self.SHAPE).ctypes.data == address

    def test_the_smallest_free_block_that_fits_is_taken(self) -> None:
        """The smallest free block that fits is used, so that larger ones are left for larger
        results.
        """
        sizes = [memory.SMALLEST * k // 100 for k in (400, 470, 540)]
        made = [memory.allocate((size,)) for size in sizes]
        places = [x.ctypes.data for x in made]
        made.clear()
        assert memory.allocate((sizes[0] + 20,)).ctypes.data == places[0]
        assert memory.allocate((sizes[1] + 20,)).ctypes.data == places[1]

    def test_much_larger_blocks_are_not_taken(self) -> None:
        """A block much larger than needed is not used, because a small result might keep it for
        long.
        """
        address = memory.allocate((4 * memory.SMALLEST,)).ctypes.data
        assert memory.allocate((memory.SMALLEST,)).ctypes.data != address
        assert memory.allocate((4 * memory.SMALLEST,)).ctypes.data == address

    def test_the_limit_of_free_memory_holds(self) -> None:
        """Free memory never exceeds its limit; the block that was unused for longest is released
        first.
        """
        keep_memory(5 * 8 * memory.SMALLEST)
        first, second = memory.allocate(self.SHAPE), memory.allocate((2, memory.SMALLEST // 2))
        places = [x.ctypes.data for x in (first, second)]
        del first, second
        third = memory.allocate(self.SHAPE)
        assert third.ctypes.data == places[0]
        other = memory.allocate(self.SHAPE)
        del third, other
        assert sum(piece.raw.nbytes for piece in free()) <= 5 * 2**17
        keep_memory(0)
        assert not free()

    def test_the_number_of_free_blocks_is_limited(self) -> None:
        """The number of free blocks is limited."""
        living = [memory.allocate(self.SHAPE) for _ in range(3 * memory.PIECES)]
        assert len({x.ctypes.data for x in living}) == len(living)
        living.clear()
        assert len(free()) == memory.PIECES

    @pytest.mark.parametrize("name", ["CRBA", "HandC", "ID_SO_derivatives"])
    def test_edits_of_bases_do_not_reach_later_results(self, name: str) -> None:
        """Shapes or types assigned to the base arrays of earlier results do not affect later
        results.
        """
        model, rng = zoo.build("chain"), np.random.default_rng(0)
        function = getattr(spatial_v2, name, None) or getattr(derivatives, name)
        required = {"CRBA": ["q"], "HandC": ["q", "qd"]}.get(name, ["q", "qd", "qdd"])
        args = list(arguments(model, required, rng, (3000,)).values())
        wanted = [x.copy() for x in parts(function(model, *args))]
        for _ in range(3):
            found = parts(function(model, *args))
            for x, y in zip(found, wanted, strict=True):
                assert_array_equal(x, y)
                while isinstance(x, np.ndarray):
                    below = x.base
                    x.shape = (x.size,)
                    x.dtype = np.int16
                    x = below
                with pytest.raises((AttributeError, TypeError, ValueError)):
                    x.resize((2, 2))
            del found, x

    def test_wrong_arguments_are_refused(self) -> None:
        for wrong in (-1, 1.5, True, "1"):
            with pytest.raises(SpatialError, match="limit: want"):
                keep_memory(wrong)  # type: ignore[arg-type]

    def test_threads_never_share_memory_of_results(self) -> None:
        """Results that exist at the same time never share memory, in any thread."""

        def work(k: int) -> bool:
            x = memory.allocate(self.SHAPE)
            x[...] = k
            time.sleep(0.001)
            return bool((x == k).all())

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(work, range(60)))
