"""Compilation of the C++ programs, once for every compiler, set of flags and version of
Pinocchio.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

__all__ = ["FLAGS", "build", "compiler", "missing"]

HERE = Path(__file__).parent
FLAGS = ("-std=c++17", "-O3", "-march=native", "-DNDEBUG")
LIMITS = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)
"""Definitions that Pinocchio's own build passes to Boost."""
EIGEN = (Path("/usr/include/eigen3"), Path(sys.prefix, "include", "eigen3"))
"""Folders in which Eigen may be; the wheel ``casadi`` contains it, too."""


def headers() -> Path | None:
    """Return the include folder of the wheel ``pin``."""
    try:
        files = metadata.files("libpinocchio") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.as_posix().endswith("include/pinocchio/config.hpp"):
            return Path(str(file.locate())).parents[1]
    return None


def eigen() -> Path | None:
    casadi = importlib.util.find_spec("casadi")
    of_casadi = (
        [Path(casadi.origin).parent / "include" / "eigen3"] if casadi and casadi.origin else []
    )
    return next((folder for folder in (*EIGEN, *of_casadi) if (folder / "Eigen").is_dir()), None)


def missing() -> str:
    """Return the names of the requirements of the C++ program that are missing; an empty string if
    none is.
    """
    wanted = {
        "g++": shutil.which("g++"),
        "Eigen (Debian: libeigen3-dev)": eigen(),
        "Pinocchio's headers (pip install pin)": headers(),
    }
    return ", ".join(name for name, found in wanted.items() if not found)


def compiler() -> str:
    """Return the first line of ``g++ --version``; an empty string if there is no compiler."""
    if not shutil.which("g++"):
        return ""
    done = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def target() -> str:
    """Return the architecture that ``-march=native`` selects on this processor."""
    command = ["g++", "-march=native", "-Q", "--help=target"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def command(source: Path, program: Path, flags: Sequence[str]) -> list[str]:
    """Return the command line of the compiler."""
    include = [f"-isystem{path}" for path in (headers(), eigen())]
    return ["g++", *flags, *LIMITS, *include, str(source), "-o", str(program)]


def build(source: Path = HERE / "peer.cpp", flags: Sequence[str] = FLAGS) -> Path:
    """Return the path of the C++ program; compile it if it is not there yet.

    There is one for each set of sources, flags and versions.

    Raises
    ------
    RuntimeError
        A requirement is missing, or the compiler fails; then the message is the compiler's.
    """
    if missing():
        raise RuntimeError(f"the C++ program needs {missing()}")
    files = {*HERE.glob("*.[ch]pp"), *source.parent.glob("*.[ch]pp")}
    sources = [str(source.name).encode(), *(path.read_bytes() for path in sorted(files))]
    parts = [
        compiler(),
        target(),
        *flags,
        *LIMITS,
        str(headers()),
        metadata.version("libpinocchio"),
    ]
    key = hashlib.sha256(b"\0".join([*sources, *(part.encode() for part in parts)])).hexdigest()
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = cache / "spatial_v2" / "cpp_peer" / key[:16]
    program = folder / source.stem
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"compiling {source.name} into {folder}, some minutes", file=sys.stderr, flush=True)
        made = folder / f"{source.stem}-{os.getpid()}"
        line = command(source, made, flags)
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(line)}\n{done.stderr}")
        made.replace(program)
    return program
