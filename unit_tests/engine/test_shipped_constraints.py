"""Constrained dynamics by kernels of a library, where Numba is missing."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import near

from spatial_v2.engine.constrained import KERNELS
from spatial_v2.engine.shipped.library import VARIABLE
from spatial_v2.export import build_kernels, compiler, kernel_names

ROOT = Path(__file__).parents[2]
PLACES = [str(ROOT), *(str(ROOT / "unit_tests" / x) for x in ("", "support"))]
BESIDE = "CRBA", "HandC", "ID_derivatives", "ID_SO_derivatives"
"""Kernels that the equations of motion take in addition."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed"),
]

RESULTS = """
import sys, warnings
from collections import Counter
import numpy as np
import zoo
from public_functions import arguments, functions_of_state
from spatial_v2.engine.shipped.kernel import ShippedKernel

ran = Counter()
def counted(method):
    def run(self, *args):
        ran[self.name] += 1
        return method(self, *args)
    return run
for name in ("run_states", "run_batch"):
    setattr(ShippedKernel, name, counted(getattr(ShippedKernel, name)))

warnings.simplefilter("ignore")
model, rng, found = zoo.build("floating"), np.random.default_rng(3), {}
for name, function, required in functions_of_state():
    if "constraints" not in required:
        continue
    for lead in (), (3,):
        made = function(model, **arguments(model, required, rng, lead))
        for k, x in enumerate(made if isinstance(made, tuple) else (made,)):
            if isinstance(x, np.ndarray):
                found[f"{name} {lead} {k}"] = x
np.savez(sys.argv[1], **found)
print(*sorted(ran))
"""


def test_kernels_of_constraints_are_named() -> None:
    assert {*KERNELS} <= {*kernel_names()}


@pytest.mark.wide
def test_constraints_need_no_numba(tmp_path: Path) -> None:
    """Without Numba all functions of constraints, alone and in batches, run the kernels of the
    library, each of them, and have the results of the reference implementations.
    """
    folder = tmp_path / "kernels"
    build_kernels(folder, ["native"], [*KERNELS, *BESIDE])
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('left out')")
    places = os.pathsep.join([str(tmp_path), *PLACES])
    found, said = [], []
    for kernels in (str(folder), "0"):
        given = {VARIABLE: kernels, "PYTHONPATH": places}
        file = tmp_path / f"{len(found)}.npz"
        command = [sys.executable, "-P", "-c", RESULTS, str(file)]
        done = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append({*done.stdout.split()})
        found.append(np.load(file))
    assert {*KERNELS} <= said[0] and not said[1]
    here, there = found
    assert here.files == there.files and len(here.files) > 60
    for name in here.files:
        near(here[name], there[name], 1e-9)
