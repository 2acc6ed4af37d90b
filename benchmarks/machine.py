"""Machine, software and date of a measurement."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from benchmarks.cpp.build import FLAGS, compiler

__all__ = ["CORES", "machine", "pin_to_one_core", "processor", "use_all_cores"]

PACKAGES = ("spatial-v2", "numpy", "numba", "scipy", "pin", "casadi", "jax", "grid-rbd", "sympy")
SETTINGS = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "OPENBLAS_CORETYPE", "SPATIAL_V2_LANES")
"""Environment variables that influence results; the values of those that are set are recorded."""


def processor() -> str:
    """Return the name and the widest SIMD instruction set of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    pairs = [line.partition(":") for line in lines]
    facts = {key.strip(): value.strip() for key, _, value in pairs}
    flags = facts.get("flags", "").split()
    widest = next((name for name in ("avx512f", "avx2", "avx") if name in flags), "")
    return ", ".join(
        part for part in (facts.get("model name", platform.processor()), widest) if part
    )


def version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def commit() -> str:
    """Return the commit that is checked out, with a plus if files differ from it; an empty string
    without git.
    """
    git = ["git", "-C", str(Path(__file__).parent)]
    done = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    if done.returncode:
        return ""
    changes = [*git, "status", "--porcelain", "--untracked-files=no", "--", ":!results"]
    changed = subprocess.run(changes, capture_output=True, text=True).stdout
    return done.stdout.strip() + ("+" if changed.strip() else "")


def machine() -> dict[str, object]:
    """Return processor, compiler, versions, settings, commit and date."""
    return {
        "processor": processor(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, one used",
        "python": platform.python_version(),
        "versions": {name: found for name in PACKAGES if (found := version(name))},
        "compiler": " ".join([compiler(), *FLAGS]) if compiler() else None,
        "settings": {name: os.environ[name] for name in SETTINGS if name in os.environ},
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
"""Cores that this process could use when it was started."""


def use_all_cores() -> None:
    """Let this process, and those it starts, use every core again (Linux)."""
    if CORES:
        os.sched_setaffinity(0, CORES)


def pin_to_one_core() -> None:
    """Keep this process, and those it starts, on the last core it may use (Linux)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
