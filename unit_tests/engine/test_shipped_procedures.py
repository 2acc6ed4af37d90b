"""Kernels with arguments of their own, from a library: each has a name, and the same results."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from helpers import near

from spatial_v2.accelerated import has_compiler
from spatial_v2.calls.loading import load_function
from spatial_v2.engine.procedures import FILES, PROCEDURES
from spatial_v2.engine.shipped.kernel import ShippedKernel
from spatial_v2.engine.shipped.library import VARIABLE, Library
from spatial_v2.export import build_kernels, compiler, kernel_names

ROOT = Path(__file__).parents[2]
SUBJECTS = "sparse_factors", "postures", "control"
LONG = {
    "FD_SO_derivatives", "FD_SO_derivatives_batched", "FD_SO_derivatives_whole", "FDab_coupled",
    "FD_SO_derivatives_coupled", "FD_derivatives_coupled", "Hinverse_coupled",
    "modFD_derivatives_coupled", "modFD_second_derivatives_coupled",
    "KKT_hessian", "acceleration_hessian",
    "FDab_closed", "FD_derivatives_closed", "HandC_closed", "ID_closed", "ID_derivatives_closed",
    "close_loop", "close_loops", "inertia_solve", "loop_motion",
    "modFD_second_derivatives_closed", "modID_second_derivatives_closed", "open_loops",
    "pulled_back_derivatives", "pulled_back_inertia", "stage_factors", "stage_solution",
}  # fmt: skip
"""Kernels that take long to compile, which `.ci/checks/with_kernels` runs from a wheel."""
NOT_RUN = {"log6_residual"}
"""The kernel of a residual that `FramePlacementCost` computes in its own kernels."""


def test_every_kernel_has_a_name() -> None:
    """A file of `engine.algorithms` has a kernel that a wheel contains, except for `Impact_dyn`,
    which is exported alone.
    """
    files = {x.stem for x in (ROOT / "spatial_v2" / "engine" / "algorithms").glob("*.py")}
    named = {FILES.get(x, x) for x in kernel_names()}
    assert files - named == {"__init__", "Impact_dyn"}
    assert not named - files


@pytest.mark.skipif(not has_compiler(), reason="types of arguments are those of Numba")
def test_types_of_arguments_are_those_of_the_kernels() -> None:
    """A kernel that gets or loses an argument is told here, not when a wheel is built."""
    from spatial_v2.engine.compile.groups import grouped_types
    from spatial_v2.export.entries import entries_of

    for name, kernel, kinds in entries_of(kernel_names()):
        parameters = inspect.signature(getattr(kernel, "py_func", kernel)).parameters
        assert len(grouped_types(kernel, kinds)) == len(parameters), name


@pytest.mark.skipif(not has_compiler(), reason="types of arguments are those of Numba")
@pytest.mark.parametrize("name", [name for name, of in PROCEDURES.items() if " " in of.first])
def test_first_arrays_are_no_named_record(name: str) -> None:
    """Arrays that are the first argument together are a plain tuple, whose fields have no names."""
    function = getattr(load_function(name), "py_func", load_function(name))
    first = next(iter(get_type_hints(function).values()))
    assert not hasattr(first, "_fields"), f"{name}: put the record after the first argument"


@pytest.mark.slow
@pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed")
def test_results_are_those_of_kernels_compiled_here(tmp_path: Path) -> None:
    """Sparse factors, inverse kinematics, the ground and optimal control run the kernels of a
    library; arrays with gaps are copied, and written where they lie.
    """
    short = sorted({*PROCEDURES} - LONG)
    (file,) = build_kernels(tmp_path / "kernels", ["native"], short)
    places = os.pathsep.join([str(ROOT), str(ROOT / "unit_tests" / "support")])
    program = ROOT / "unit_tests" / "support" / "kernel_results.py"
    found: list[Any] = []
    for kernels in (str(file.parent), "0"):
        made = tmp_path / f"{len(found)}.npz"
        given = {**os.environ, VARIABLE: kernels, "PYTHONPATH": places}
        command = [sys.executable, "-P", str(program), str(made), *SUBJECTS]
        done = subprocess.run(command, env=given, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert {*done.stdout.split()} == ({*short} - NOT_RUN if kernels != "0" else set())
        found.append(np.load(made))
    assert found[0].files == found[1].files and len(found[0].files) > 10
    for name in found[0].files:
        # feedback under bounds on velocities comes straight from factors, which have six digits
        near(found[0][name], found[1][name], 1e-6 if name == "control 5" else 1e-9)

    run = ShippedKernel(Library(file), "configurationAddition")
    spaces, out = np.array([[0, 0, 0, 3]]), np.zeros((2, 6))
    q, dq = np.arange(12.0).reshape(2, 6)[:, ::2], np.ones((2, 3))
    dq.flags.writeable = False
    run(spaces, q, dq, out[:, ::2])
    assert (out == [[1, 0, 3, 0, 5, 0], [7, 0, 9, 0, 11, 0]]).all()
