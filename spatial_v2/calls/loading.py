"""Import of the compiler and of the kernels, when a call first needs them.

Numba takes longer to import than all other modules. Decorators state the names of kernels as
strings, which only this module imports.
"""

import contextlib
import functools
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextvars import ContextVar
from importlib import import_module
from typing import Any

from spatial_v2.calls.compilation import get_compilation
from spatial_v2.engine.kernel import Kernel
from spatial_v2.engine.procedures import FILES
from spatial_v2.engine.shipped.kernel import shipped_kernel
from spatial_v2.engine.shipped.library import unfit_levels


def has_compiler() -> bool:
    """Test if kernels run: numba can be imported, and compilation is allowed."""
    return get_compilation() != "never" and _has_numba()


@functools.cache
def _has_numba() -> bool:
    """Test if numba can be imported, and give a warning if not, once."""
    try:
        import numba

        numba.njit  # noqa: B018
    except (ImportError, AttributeError) as error:
        text = f"numba cannot be used; reference implementations run instead, more slowly: {error}"
        if isinstance(error, ModuleNotFoundError) and error.name == "numba":
            unfit = unfit_levels()
            text = (
                f"{f'this processor cannot run the kernels for {unfit}, and ' if unfit else ''}"
                "numba is not installed; reference implementations run instead, hundreds of times "
                "more slowly. pip install numba; spatial_v2.set_compilation('never') accepts it"
            )
        warnings.warn(text, RuntimeWarning, stacklevel=2)
        return False
    _check_cache_folder(getattr(numba.config, "CACHE_DIR", ""))
    return True


def _check_cache_folder(folder: str) -> None:
    """Give a warning if the folder that the user has set cannot be written; Numba gives none."""
    if not folder:
        return
    try:
        os.makedirs(folder, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        warnings.warn(
            f"NUMBA_CACHE_DIR: want a folder that can be written, got {folder} "
            f"({error.strerror}); compiled kernels are kept beside the files of the library, or in "
            "a cache folder of this user",
            RuntimeWarning,
            stacklevel=2,
        )


@functools.cache
def load_function(name: str) -> Any:
    """Import the function of a kernel by its name, which is mostly that of its module, too."""
    file = FILES.get(name, name)
    return getattr(import_module(f"spatial_v2.engine.algorithms.{file}"), name)


def compiled_function(name: str | None) -> Any:
    """Return Numba's function of a kernel; None if it has none, or runs in Python."""
    function = load_function(name) if name and has_compiler() else None
    return function if hasattr(function, "overloads") else None


@functools.cache
def load_kernel(name: str) -> Kernel:
    """Return a kernel by its name: from the library of the wheel, or to be compiled."""
    kernel = shipped_kernel(name)
    if kernel:
        return kernel
    from spatial_v2.engine.compiled import CompiledKernel

    return CompiledKernel(load_function(name))


@functools.cache
def load_procedure(name: str) -> Any:
    """Return a kernel of `PROCEDURES` by its name, for a call with its own arguments."""
    return shipped_kernel(name) or load_function(name)


_REFERENCE: ContextVar[bool] = ContextVar("reference", default=False)


@contextlib.contextmanager
def without_kernels() -> Iterator[None]:
    """Let `has_kernels` answer no, so that steps with and without kernels are those without."""
    token = _REFERENCE.set(True)
    try:
        yield
    finally:
        _REFERENCE.reset(token)


def has_kernels(*names: str) -> bool:
    """Test if kernels run: the library of the wheel has them, or they can be compiled."""
    if _REFERENCE.get():
        return False
    return all(map(shipped_kernel, names)) or has_compiler()


def needs_compiler(name: str | None) -> bool:
    """Test if a kernel has to be compiled, as it is not in the library of the wheel."""
    return not (name and shipped_kernel(name))


def compiled_for(function: Any, *args: Any) -> Any:
    """Compile a function for arguments of the types of `args`.

    The compiled function does not check the types of its arguments.
    """
    if not hasattr(function, "compile"):
        return function
    from numba import typeof

    return function.compile(tuple(map(typeof, args)))
