"""Arrays at the edge of accessible memory: access beyond their ends stops the process.

`main` calls every accelerated function with such arguments, results and models. It prints each name
before the call, so that the last line names the function that caused a crash.
"""

import ctypes
import inspect
import mmap
from collections.abc import Iterator
from typing import Any

import numpy as np
import zoo
from helpers import lend
from public_functions import arguments, functions_of_state, suits

from spatial_v2 import Model, PackedTensor, autoTree
from spatial_v2.calls.prepare import kernel_tree

SHAPES = [(), (1,), (5,), (8,), (17,)]
_libc = ctypes.CDLL(None, use_errno=True)
_NO_ACCESS = 0
_kept: list[mmap.mmap] = []


def guarded(x: np.ndarray, before: bool = False) -> np.ndarray:
    """Return a contiguous copy that ends right before an unreadable page, or begins right after
    one.
    """
    pages = -(-max(x.nbytes, 1) // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 2) * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    _kept.append(memory)
    for page in (0, pages + 1):
        guard = ctypes.c_void_p(start + page * mmap.PAGESIZE)
        if _libc.mprotect(guard, ctypes.c_size_t(mmap.PAGESIZE), _NO_ACCESS):
            raise OSError(ctypes.get_errno(), "mprotect")
    offset = mmap.PAGESIZE if before else (pages + 1) * mmap.PAGESIZE - x.nbytes
    out = np.frombuffer(memory, x.dtype, x.size, offset).reshape(x.shape)
    out[...] = x
    return out


def guard_model(model: Model, before: bool) -> Model:
    """Let kernels read the numbers and parents of a model in guarded arrays."""
    fields = ("parent", "Xtree", "I", "gravity")
    arrays = {field: guarded(getattr(kernel_tree(model), field), before) for field in fields}
    arrays["parent"].flags.writeable = False
    lend(model, **arrays)
    return model


def models() -> Iterator[tuple[str, Model]]:
    for n in (1, 2, 9):
        yield f"autoTree({n})", autoTree(n, 1.5, 0.3)
    for name in ("mixed", "floating_rotors", "planar_tree"):
        yield name, zoo.build(name)


def copies(result: Any, before: bool) -> tuple[Any, ...]:
    """Return new arrays of the shapes of the results, guarded and filled with NaN,
    dense or packed.
    """
    made: list[Any] = []
    for x in result if isinstance(result, tuple) else (result,):
        values = guarded(np.full(getattr(x, "values", x).shape, np.nan), before)
        made.append(PackedTensor(x.pattern, values) if isinstance(x, PackedTensor) else values)
    return tuple(made)


def call(function: Any, model: Model, args: list[Any], before: bool, **options: Any) -> None:
    """Call a function twice with results that it allocates, then twice with guarded ones."""
    function(model, *args, **options)
    wanted = function(model, *args, **options)
    outs = copies(wanted, before)
    for _ in range(2):
        function(model, *args, out=outs if len(outs) > 1 else outs[0], **options)
    for x, y in zip(outs, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        x, y = getattr(x, "values", x), getattr(y, "values", y)
        assert np.allclose(x, y, rtol=1e-9, atol=1e-9 * (1 + np.abs(y).max(initial=0))), function


def main(names: str = "") -> None:
    """Call all functions, or those of the given names."""
    for title, model in models():
        for before in (False, True):
            guard_model(model, before)
            for name, function, required in functions_of_state():
                parameters = inspect.signature(function).parameters
                if "workers" not in parameters or not suits(function, model):
                    continue
                if names and name.rpartition(".")[2] not in names.split():
                    continue
                for shape in SHAPES:
                    print(name, title, shape, "begin" if before else "end", flush=True)
                    drawn = arguments(model, required, np.random.default_rng(1), shape)
                    args = [
                        guarded(x, before) if isinstance(x, np.ndarray) and x.ndim else x
                        for x in drawn.values()
                    ]
                    for packed in (False, True) if "packed" in parameters else (False,):
                        call(function, model, args, before, **({"packed": True} if packed else {}))
                    if shape == (17,):
                        call(function, model, args, before, workers=2)
            _kept.clear()
    print("all", flush=True)
