"""The functions for Octave that a wheel has ready, and scripts that call them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from derivatives import modFD_derivatives
from spatial_v2 import ID, FDab, HandC, puma560
from spatial_v2.engine.shipped import library
from spatial_v2.export import build_kernels, mex

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")


def made_wheel(root: Path) -> Path:
    """Make the folders that a wheel with kernels has, for some functions and this processor."""
    in_y = "FDab", "FDab_coupled", "modFD_derivatives", "modFD_derivatives_coupled"
    build_kernels(root / "kernels", ["native"], ["ID", "HandC", *in_y])
    mex.prepare_mex(root / "ready", ["native"], [ID, HandC, FDab, modFD_derivatives])
    return root


def in_octave(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run lines in Octave, with the functions of a folder and its model and states."""
    script = folder / "script.m"
    files = [f"load('{folder}/{name}.mat');" for name in ("model", "states")]
    script.write_text("\n".join([f"addpath('{folder}');", *files, *lines]))
    command = [str(OCTAVE), "--no-init-file", str(script)]
    return subprocess.run(command, capture_output=True, text=True)


def ready(
    wheel: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, states: Mapping[str, Any]
) -> Path:
    """Return the folder with the functions of a wheel, and the data of `in_octave`: a model of
    six joints, q, qd and qdd of three columns, and further arrays.
    """
    from scipy.io import savemat

    monkeypatch.setattr(mex, "READY", wheel / "ready")
    monkeypatch.setattr(library, "FOLDER", wheel / "kernels")
    place = mex.copy_mex(folder)
    assert place is not None
    puma560().to_matlab(place / "model.mat")
    y = np.random.default_rng(0).normal(size=(3, 20, 3))
    named = {name: x.T for name, x in zip(("q", "qd", "qdd"), y, strict=True)}
    savemat(place / "states.mat", {**named, **states})
    return place
