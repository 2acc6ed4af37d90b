"""Libraries with kernels for wheels, which `engine.shipped` runs without a compiler."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from string import Template

from spatial_v2.accelerated import KERNELS
from spatial_v2.engine.constrained import KERNELS as CONSTRAINED
from spatial_v2.engine.procedures import PROCEDURES
from spatial_v2.engine.shipped.sources import source_digest
from spatial_v2.exceptions import SpatialError
from spatial_v2.export.build import compiler, run
from spatial_v2.export.entries import entries_of
from spatial_v2.export.levels import features, runs_here
from spatial_v2.files.path_name import path_name
from spatial_v2.public_names import all_names

__all__ = ["build_kernels", "kernel_names"]

_TEMPLATE = Path(__file__).with_name("templates") / "shipped.c.in"


def kernel_names() -> list[str]:
    """Return the names of all kernels that a library can have.

    Returns
    -------
    list of str
        Names of kernels, most of them those of public functions.

    Examples
    --------
    >>> "ID" in kernel_names()
    True
    """
    import spatial_v2

    for name in all_names():
        getattr(spatial_v2, name)
    return sorted({*KERNELS, *CONSTRAINED, *PROCEDURES})


def build_kernels(
    folder: str | PathLike[str], levels: Sequence[str], names: Sequence[str] = ()
) -> list[Path]:
    """Compile kernels to shared libraries, which calls in Python then use in place of compiling.

    Parameters
    ----------
    folder : path-like
        The folder for the libraries, created if needed.
    levels : sequence of str
        Levels of processors: ``x86-64-v2``, ``x86-64-v3``, ``x86-64-v4``, ``aarch64``, or
        ``native`` for this processor.
    names : sequence of str, optional
        Names of kernels, by default all of `kernel_names`.

    Returns
    -------
    list of Path
        The libraries, one for each level.

    Raises
    ------
    SpatialError
        An unknown kernel or level, no numba, or no C compiler; or one that reports an error.

    Examples
    --------
    >>> build_kernels("kernels", ["x86-64-v3"], ["ID"])  # doctest: +SKIP
    """
    known = kernel_names()
    for name in names:
        if name not in known:
            raise SpatialError(f"names: want names of kernels, such as ID, got {name!r}")
    if compiler() is None:
        raise SpatialError("kernels: no C compiler found (cc), which links the libraries")
    from spatial_v2.engine.compile.object_code import processor
    from spatial_v2.engine.compile.simd_width import VARIABLE

    Path(path_name(folder, "folder")).mkdir(parents=True, exist_ok=True)
    here = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    code = "import sys; from spatial_v2.export.shipped import _build; _build(*sys.argv[1:])"
    begun = []
    with tempfile.TemporaryDirectory() as caches:
        for level in levels:
            width = {VARIABLE: str(processor(level).simd_width)}
            # Functions from a cache are numbered otherwise, and LLVM then orders code otherwise.
            own = {"NUMBA_CACHE_DIR": str(Path(caches, level))}
            command = [sys.executable, "-P", "-c", code, str(folder), level, *(names or known)]
            environment = {**os.environ, **width, **own, "PYTHONPATH": path}
            begun.append(
                subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
            )
        try:
            for level, process in zip(levels, begun, strict=True):
                _, said = process.communicate()
                if process.returncode:
                    raise SpatialError(f"kernels: {level}: {said.strip().rpartition(chr(10))[2]}")
        finally:
            for process in begun:
                process.kill()
                process.wait()
    return [Path(folder, f"{level}.so") for level in levels]


def _build(folder: str, level: str, *names: str) -> None:
    """Build the library for a level, in a process with its SIMD width."""
    from spatial_v2.engine.compile.object_code import object_code, processor
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH

    stamp, wanted, entries = source_digest(), processor(level), []
    kernel_names()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        for name, kernel, kinds in entries_of(names):
            path = Path(place, f"{name}.o")
            code = object_code(kernel.py_func, kinds, f"sv2_kernel_{name}", wanted, counted=True)
            path.write_bytes(code)
            entries.append(f"kernel sv2_kernel_{name};")
            entries.append(f"EXPORT kernel *const sv2_entry_{name} = sv2_kernel_{name};")
        values = {"level": level, "lanes": SIMD_WIDTH, "stamp": stamp}
        values |= {"entries": "\n".join(entries), "runs_here": runs_here(level, features(wanted))}
        source, new = Path(place, "shipped.c"), Path(place, f"{level}.so")
        source.write_text(Template(_TEMPLATE.read_text("utf-8")).substitute(values), "utf-8")
        flags: tuple[str, ...] = "-std=c11", "-O3", "-fPIC", "-fvisibility=hidden", "-shared", "-s"
        if sys.platform == "linux":
            flags += ("-Wl,-z,defs",)  # no functions that nothing defines, such as those of Numba
        objects = sorted(map(str, Path(place).glob("*.o")))
        run([*(compiler() or ()), *flags, "-o", str(new), str(source), *objects, "-lm"])
        new.replace(Path(folder, new.name))
