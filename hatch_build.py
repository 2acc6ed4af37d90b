"""What is compiled for the wheel: the extension that calls kernels, and kernels where asked for.

The extension, `spatial_v2/engine/extension/`, is compiled where there is a C compiler; it stays in
the folder of the engine, so that it serves programs that run in a clone too. Without it calls take
longer. For another processor it is compiled by the cross compiler `CC`.
Kernels are asked for by `SPATIAL_V2_WHEEL_KERNELS` in the environment, which has levels of
processors, then perhaps names of kernels: ``v3,v4`` or ``v3:ID,HandC``. Building them needs what
the library needs. A wheel with compiled code is for one platform.

Where all kernels are compiled ahead, the wheel has functions for MATLAB and Octave too, and the
extra `compile`, which is Numba, is left to the user.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CODE = """
import sys
from spatial_v2.export.mex import prepare_mex
from spatial_v2.export.shipped import build_kernels
folder, levels, names = sys.argv[1:]
build_kernels(folder + "/kernels", levels.split(","), names.split(",") if names else ())
if not names:
    prepare_mex(folder + "/ready", sorted(levels.split(","), reverse=True))
"""


def wanted() -> tuple[list[str], str]:
    """Return the levels of processors, and the names of kernels, "" for all."""
    levels, _, names = os.environ.get("SPATIAL_V2_WHEEL_KERNELS", "").partition(":")
    given = [x.strip() for x in levels.split(",") if x.strip()]
    return [f"x86-64-{x}" if x[:1] == "v" else x for x in given], names.replace(" ", "")


def machine(levels: list[str]) -> str:
    """Return the kind of processor that has all levels."""
    arm, x86 = "aarch64" in levels, any(x.startswith("x86-64") for x in levels)
    if arm + x86 != 1 or "native" in levels:
        raise ValueError(
            "SPATIAL_V2_WHEEL_KERNELS: want levels of one architecture, such as v3,v4 or aarch64, "
            f"got {os.environ['SPATIAL_V2_WHEEL_KERNELS']!r}"
        )
    return "aarch64" if arm else "x86_64"


def platform(kind: str, libraries: list[Path]) -> str:
    """Return the platform of the wheel's tag: on Linux the oldest glibc that has all symbols.

    The libraries need the C library alone, so that they run wherever it is not older than that.
    Version 2.17 is that of manylinux2014, and older ones than NumPy's wheels need.
    """
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    data = b"".join(x.read_bytes() for x in libraries)
    needed = [int(x) for x in re.findall(rb"\0GLIBC_2\.(\d+)", data)]
    if needed and data.startswith(b"\x7fELF"):
        return f"manylinux_2_{max(17, *needed)}_{kind}"
    return "linux_aarch64" if kind == "aarch64" else here


def build_extension(root: Path, target: Path) -> Path | None:
    """Compile the extension into a folder; return it, or None if it cannot be compiled."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None  # the limited API is for Pythons with the interpreter's lock
    import numpy
    from setuptools import Distribution, Extension
    from setuptools.errors import CCompilerError, ExecError, PlatformError

    source = root / "spatial_v2" / "engine" / "extension"
    content = b"".join(x.read_bytes() for x in sorted(source.glob("*.[ch]")))
    flags = ["-ffp-contract=off", "-fvisibility=hidden", "-g0"] if os.name == "posix" else []
    extension = Extension(
        "_call",
        [str(x) for x in sorted(source.glob("*.c"))],
        include_dirs=[numpy.get_include()],
        define_macros=[("SOURCE", f'"{blake2b(content, digest_size=8).hexdigest()}"')],
        extra_compile_args=flags,
        py_limited_api=True,
    )
    build: Any = Distribution({"ext_modules": [extension]}).get_command_obj("build_ext")
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        build.build_lib = build.build_temp = folder
        build.ensure_finalized()
        try:
            build.run()
        except (CCompilerError, ExecError, PlatformError) as error:
            print(f"without the compiled extension, so that calls take longer: {error}")
            return None
        made = Path(build.get_ext_fullpath("_call"))
        return Path(shutil.move(made, target / made.name))


class Dependencies(MetadataHookInterface):
    """The hook: what the package depends on, with Numba unless the wheel has all kernels."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies: those that are listed for this hook, and what compiles kernels."""
        levels, names = wanted()
        compiler = metadata["optional-dependencies"]["compile"]
        complete = levels and not names
        metadata["dependencies"] = [*self.config["dependencies"], *([] if complete else compiler)]


class Compiled(BuildHookInterface[Any]):
    """The hook: the extension and libraries of kernels are made and added to the wheel."""

    def dependencies(self) -> list[str]:
        """Return what the build needs; for kernels, all that the library needs."""
        core = self.metadata.core
        kernels = [*core.dependencies, *core.optional_dependencies["compile"]]
        return ["numpy>=2", "setuptools>=77", *(kernels if wanted()[0] else [])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the extension, and the libraries of kernels."""
        levels, names = wanted() if version != "editable" else ([], "")
        here = sysconfig.get_platform().rpartition("-")[2]
        kind = machine(levels) if levels else here
        compiled, root = {}, Path(self.root)
        self.place = tempfile.TemporaryDirectory()
        folder = self.place.name
        target = root / "spatial_v2" / "engine" if kind == here else Path(folder)
        # For another processor only a cross compiler will do; kernels need it as well.
        if (kind == here or "CC" in os.environ) and (made := build_extension(root, target)):
            compiled[made] = f"spatial_v2/engine/{made.name}"
        python = "cp311-abi3" if compiled else "py3-none"
        if levels:
            command = [sys.executable, "-P", "-c", CODE, folder, ",".join(levels), names]
            # What the build needs may be in a place that only this process knows.
            places = os.pathsep.join([self.root, *filter(None, sys.path)])
            subprocess.run(command, env={**os.environ, "PYTHONPATH": places}, check=True)
            for path in sorted(Path(folder, "kernels").iterdir()):
                compiled[path] = f"spatial_v2/engine/shipped/kernels/{path.name}"
            for path in sorted(x for x in Path(folder, "ready").rglob("*") if x.is_file()):
                inside = path.relative_to(folder).as_posix()
                build_data["force_include"][str(path)] = f"spatial_v2/export/{inside}"
        if compiled:
            build_data["force_include"].update({str(x): name for x, name in compiled.items()})
            build_data["pure_python"] = False
            build_data["tag"] = f"{python}-{platform(kind, list(compiled))}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for the wheel alone."""
        self.place.cleanup()
