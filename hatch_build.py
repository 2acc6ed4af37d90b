"""Kernels in the wheel, where `SPATIAL_V2_WHEEL_KERNELS` in the environment asks for them.

It has levels of processors, then perhaps names of kernels: ``v3,v4`` or ``v3:ID,HandC``. The wheel
is then for one platform, and building it needs what the library needs, and a C compiler.
"""

import os
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


def platform(levels: list[str]) -> str:
    """Return the platform of the wheel's tag."""
    arm, x86 = "aarch64" in levels, any(x.startswith("x86-64") for x in levels)
    if arm + x86 != 1 or "native" in levels:
        raise ValueError(
            "SPATIAL_V2_WHEEL_KERNELS: want levels of one architecture, such as v3,v4 or aarch64, "
            f"got {os.environ['SPATIAL_V2_WHEEL_KERNELS']!r}"
        )
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return "linux_aarch64" if arm else here


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
        tag = f"py3-none-{platform(levels)}"
        self.place = tempfile.TemporaryDirectory()
        folder = self.place.name
        command = [sys.executable, "-P", "-c", CODE, folder, ",".join(levels), names]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": self.root}, check=True)
        for path in sorted(Path(folder).iterdir()):
            target = f"spatial_v2/engine/shipped/kernels/{path.name}"
            build_data["force_include"][str(path)] = target
        build_data["pure_python"], build_data["tag"] = False, tag

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the libraries."""
        if hasattr(self, "place"):
            self.place.cleanup()
