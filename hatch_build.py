"""Kernels in the wheel, where `SPATIAL_V2_WHEEL_KERNELS` in the environment asks for them.

It has levels of processors, then perhaps names of kernels: ``v3,v4`` or ``v3:ID,HandC``. The wheel
is then for one platform, and building it needs what the library needs, and a C compiler.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CODE = """
import sys
from spatial_v2.export.shipped import build_kernels
folder, levels, names = sys.argv[1:]
build_kernels(folder, levels.split(","), names.split(",") if names else ())
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


class Kernels(BuildHookInterface[Any]):
    """The hook: libraries of kernels are made, added to the wheel, and removed."""

    def dependencies(self) -> list[str]:
        """Return what the build needs: the dependencies of the library, if there are kernels."""
        return list(self.metadata.core.dependencies) if wanted()[0] else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the libraries."""
        levels, names = wanted()
        if not levels or version == "editable":
            return
        kind = machine(levels)
        self.place = tempfile.TemporaryDirectory()
        folder = self.place.name
        command = [sys.executable, "-P", "-c", CODE, folder, ",".join(levels), names]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": self.root}, check=True)
        libraries = sorted(Path(folder).iterdir())
        for path in libraries:
            target = f"spatial_v2/engine/shipped/kernels/{path.name}"
            build_data["force_include"][str(path)] = target
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform(kind, libraries)}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the libraries."""
        if hasattr(self, "place"):
            self.place.cleanup()
