"""Compilation in the background: results are right at once, and kernels are used once they are
compiled.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_allclose, assert_array_equal
from public_functions import arguments, functions_of_state, suits

from spatial_v2 import ID, SpatialError, autoTree, get_compilation, set_compilation
from spatial_v2.calls import background
from spatial_v2.engine.kernel import WIDEST

ROOT = Path(__file__).parents[2]
KERNELS = {
    name.rpartition(".")[2]: (function, required)
    for name, function, required in functions_of_state()
    if getattr(function, "has_kernel", False)
}

BEGINNING = """
import sys, time
import numpy as np
from spatial_v2 import ID, autoTree
model, x = autoTree(3), np.ones(3)
wanted = ID.reference(model, x, x, x)
assert (ID(model, x, x, x) == wanted).all()
assert "numba" not in sys.modules
"""
TAKEN_OVER = """
end = time.monotonic() + 600
while "numba" not in sys.modules:
    assert abs(ID(model, x, x, x) - wanted).max() < 1e-12
    assert time.monotonic() < end
    time.sleep(0.05)
assert abs(ID(model, x, x, x) - wanted).max() < 1e-12
"""

LONGEST = """
end, longest, fast = time.monotonic() + 600, 0.0, 0
while fast < 200:
    begin = time.thread_time()
    tau = ID(model, x, x, x)
    spent = time.thread_time() - begin
    longest, fast = max(longest, spent), fast + ("numba" in sys.modules and spent < 2e-4)
    assert abs(tau - wanted).max() < 1e-12
    assert time.monotonic() < end
    time.sleep(0.005)
print(1000 * longest)
"""

FIRST_CALL = """
import os, time
import numpy as np
from spatial_v2 import ID, puma560
model, x = puma560(), np.ones(6)
begin = time.process_time()
ID(model, x, x, x)
print(1000 * (time.process_time() - begin))
os._exit(0)
"""


EVERY_FUNCTION = """
import sys
import numpy as np, zoo
from public_functions import arguments, functions_of_state, suits
for name, f, names in functions_of_state():
    model = next(m for m in map(zoo.build, zoo.NAMES) if suits(f, m))
    f(model, **arguments(model, names, np.random.default_rng(0), (2,)))
    assert "numba" not in sys.modules, name
"""


@pytest.mark.slow
@pytest.mark.parametrize("cache", ["there", "unwritable"])
def test_no_call_waits_when_the_kernel_takes_over(tmp_path: Path, cache: str) -> None:
    """The compiler is imported and the kernel loaded beside the calls, also where nothing can be
    cached: longest processor time of a call after the first [ms].
    """
    folder = tmp_path if cache == "there" else Path(os.devnull, "cache")
    done = run(BEGINNING + LONGEST, SPATIAL_V2_COMPILE="background", NUMBA_CACHE_DIR=str(folder))
    assert not done.returncode, done.stderr
    assert float(done.stdout) < 60


def test_an_empty_variable_is_as_if_it_were_not_set() -> None:
    program = "import spatial_v2; print(spatial_v2.get_compilation())"
    done = run(program, SPATIAL_V2_COMPILE="")
    assert done.stdout == "wait\n", done.stderr


@pytest.fixture
def never() -> object:
    """Switch compilation off during a test."""
    set_compilation("never")
    yield
    set_compilation("wait")


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process."""
    command = [sys.executable, "-c", program]
    env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", KERNELS)
def test_without_kernels_results_are_those_of_the_reference(name: str, never: object) -> None:
    """Results of every function with a kernel agree, on a model that has not been used before."""
    function, required = KERNELS[name]
    model = next(m for m in map(zoo.build, zoo.NAMES) if suits(function, m))
    given = arguments(model, required, np.random.default_rng(5), (2,))
    wanted = parts(function.reference(model, **given))
    results = parts(function(model.replace(), **given))
    for x, y in zip(results, wanted, strict=True):
        assert_allclose(x, y, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("mode", ["background", "never"])
def test_the_first_call_imports_no_compiler(mode: str) -> None:
    done = run(BEGINNING, SPATIAL_V2_COMPILE=mode)
    assert not done.returncode, done.stderr


def test_the_first_call_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """Processor time of the first ID of a PUMA 560 with an empty cache [ms], which takes some tens
    of milliseconds on a quiet machine; the compiler takes ten seconds.
    """
    done = run(FIRST_CALL, SPATIAL_V2_COMPILE="background", NUMBA_CACHE_DIR=str(tmp_path))
    assert not done.returncode, done.stderr
    assert float(done.stdout) < 500


def test_no_function_compiles_where_none_may() -> None:
    folders = os.pathsep.join([str(ROOT), str(ROOT / "unit_tests" / "support")])
    done = run(EVERY_FUNCTION, SPATIAL_V2_COMPILE="never", PYTHONPATH=folders)
    assert not done.returncode, done.stderr


@pytest.mark.slow
def test_the_kernel_takes_over(tmp_path: Path) -> None:
    """All calls give right results, first without any compiled kernel, and in the end by the
    kernel.
    """
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = run(BEGINNING + TAKEN_OVER, SPATIAL_V2_COMPILE="background", **folder)
    assert not done.returncode, done.stderr
    assert list(tmp_path.rglob("ID*.nbc"))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Record the calls that would be compiled in other processes, which are not started and so
    never end.
    """
    calls: list[Any] = []

    class Working:
        def is_ready(self) -> bool:
            return False

    def start(call: Any) -> Working:
        calls.append(call)
        return Working()

    monkeypatch.setattr(background, "_STARTED", {})
    monkeypatch.setattr(background, "_start", start)
    set_compilation("background")
    yield calls
    set_compilation("wait")


def test_large_batches_wait(sent: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches start a compilation, once for each form of a call; large batches compile at
    once.
    """
    model, x = autoTree(3), np.ones((4, 3))
    monkeypatch.setattr(background, "LARGE", 11)
    ID(model, x, x, x)
    assert not sent
    for _ in range(2):
        ID(model.replace(), x[0], x[0], x[0])
        ID(model.replace(), x[:3], x[:3], x[:3])
    assert [given["q"].shape for _, _, given in sent] == [(3,), (3, 3)]


def test_a_call_of_the_same_form_is_sent(sent: list[Any]) -> None:
    """The call that another process makes gives the same results for the first states.

    Its number of states does not grow with the batch.
    """
    model = zoo.build("floating")
    state = zoo.states(model, np.random.default_rng(1), (3, 50))
    f_ext = np.random.default_rng(2).normal(size=(3, 50, model.NB, 6))
    tau = ID(model, state.q, state.qd, state.qdd, f_ext)
    ((function, tree, given),) = sent
    set_compilation("wait")
    few = function(tree, **given)
    assert len(few) == WIDEST < 150
    assert_allclose(few, tau.reshape(150, -1)[:WIDEST], rtol=1e-10, atol=1e-10)


def test_wrong_modes_are_refused() -> None:
    with pytest.raises(SpatialError, match="mode: want one of 'wait', 'background', 'never', got"):
        set_compilation("later")
    done = run(BEGINNING, SPATIAL_V2_COMPILE="maybe")
    assert "SPATIAL_V2_COMPILE: want one of 'wait'" in done.stderr
    assert get_compilation() == "wait"


def test_reference_and_kernel_are_chosen_anew(never: object) -> None:
    """A model that was used without the kernel uses it as soon as that is allowed."""
    model, x = autoTree(4), np.ones(4)
    assert_array_equal(ID(model, x, x, x), ID.reference(model, x, x, x))
    assert ID.work not in model.checked().calls
    set_compilation("wait")
    ID(model, x, x, x)
    assert ID.work in model.checked().calls


def test_a_model_that_has_a_plan_forgets_it_when_the_mode_changes() -> None:
    """After the change of mode, all results are those of the reference implementation, bound calls
    included.
    """
    model, x = autoTree(7, 1.5), np.linspace(0.3, 2, 7)
    bound = ID.bind(model)
    kernel = ID(model, x, x, x), bound(x, x, x)
    wanted = ID.reference(model, x, x, x)
    # kernel and reference implementation differ in the last bits here
    assert (kernel[0] != wanted).any()
    set_compilation("never")
    try:
        found = ID(model, x, x, x), bound(x, x, x)
    finally:
        set_compilation("wait")
    assert_array_equal(found, [wanted, wanted])
    assert_array_equal([ID(model, x, x, x), bound(x, x, x)], kernel)
