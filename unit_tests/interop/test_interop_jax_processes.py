"""JAX programs give the same numbers in threads, on several devices, and in other processes."""

import gc
import importlib
import json
import os
import re
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop_samples import Case
from test_interop_jax import along, close

from spatial_v2 import ID
from spatial_v2.interop.operators import OPERATORS, value

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = pytest.importorskip("jax.numpy")
pytest.importorskip("jax.export")
tool = pytest.importorskip("spatial_v2.interop.jax")
frame = pytest.importorskip("spatial_v2.interop.jax.frame")
pytestmark = pytest.mark.optional


def test_programs_run_in_several_threads() -> None:
    case = Case("FDab", "floating", (64,))
    f, ours = jax.jit(lambda *x: tool.FDab(case.model, *x)), case(value)[0]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: np.asarray(f(*case.x)), range(40)))
    assert all(np.array_equal(y, ours) for y in found)


SUPPORT = Path(__file__).parents[1] / "support"
SPREAD = ["FDab"]
"""The operator that a default run spreads over several devices; each takes half a minute."""


def script(*words: str, **env: str) -> str:
    """Return the output of a process that can import the tests and the library."""
    paths = os.pathsep.join([str(SUPPORT), str(SUPPORT.parents[1])])
    done = subprocess.run(
        [sys.executable, *words], env={**os.environ, "PYTHONPATH": paths, **env},
        capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(jax, "shard_map"), reason="a JAX without jax.shard_map")
@pytest.mark.parametrize(
    "names",
    [SPREAD, pytest.param([*OPERATORS.keys() - {*SPREAD}], marks=pytest.mark.slow)],
    ids=len,
)
def test_batches_over_devices_give_the_same_numbers(names: list[str]) -> None:
    """Operators give the same numbers on four devices, with and without `shard_map`.

    Each device computes its own part, and no data are gathered.
    """
    made = json.loads(script(str(SUPPORT / "spread_jobs.py"), *names))
    assert made.keys() == {*names}
    for name, found in made.items():
        for key, far in found.items():
            assert far < 1e-12, (name, key)


@pytest.mark.parametrize("name", OPERATORS)
def test_exported_programs_contain_the_reference_implementation(name: str) -> None:
    """Exported programs have values, gradients and products with a Hessian without a call of this
    library.
    """
    case = Case(name, "one_R", ())
    total, x = along(case, None)
    gradient = jax.grad(total, range(len(x)))

    def slopes(*y: Any) -> Any:
        return jax.jvp(gradient, y, tuple(map(jnp.asarray, case.u)))

    program = jax.export.export(jax.jit(slopes))(*map(jnp.asarray, x))
    assert not re.search("custom_call @spatial_v2|@xla_.*callback", program.mlir_module())
    for made, ours in zip(jax.tree.leaves(program.call(*x)), jax.tree.leaves(slopes(*x)),
                          strict=True):  # fmt: skip
        close(made, ours)


@pytest.mark.parametrize("name", [x for x in OPERATORS if x != "KKT_FD"])  # like Impact_dyn
def test_exported_programs_take_any_number_of_states(name: str) -> None:
    """Values and gradients of one program, for batches whose length is not known when it is
    exported; also for quaternions in q.
    """
    case = Case(name, "one_S", (4,))

    def total(*x: Any) -> Any:
        out = getattr(tool, name)(case.model, *x, **case.options)
        return sum((y * y).sum() for y in jax.tree.leaves(out)), out

    slopes = jax.jit(jax.grad(total, range(len(case.x)), has_aux=True))
    (states,) = jax.export.symbolic_shape("states")
    like = [jax.ShapeDtypeStruct((states, x.shape[1]), float) for x in case.x]
    program = jax.export.export(slopes)(*like)
    for n in (1, 4):
        x = [y[:n] for y in case.x]
        for made, ours in zip(jax.tree.leaves(program.call(*x)), jax.tree.leaves(slopes(*x)),
                              strict=True):  # fmt: skip
            close(made, ours)


KEPT = """
import os, sys
import jax
import numpy as np
from spatial_v2 import ID, autoTree
from spatial_v2.interop import jax as tool
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
model, x = autoTree(3), np.random.default_rng(0).normal(size=(3, 8, 3))
kept = []
for robot in (model, autoTree(3)):  # equal ones are told apart
    kept.append(made := jax.jit(lambda *x, robot=robot: tool.ID(robot, *x)))
    assert np.array_equal(made(*x), ID(robot, *x))
    robot.gravity = [0, 0, -1.0]
    assert np.array_equal(made(*x), ID(robot, *x))
print(len(os.listdir(sys.argv[1])))
"""


def test_a_persistent_cache_does_not_grow(tmp_path: Path) -> None:
    """A later process finds the programs that an earlier one compiled, and runs them with its own
    model.
    """
    counts = [int(script("-c", KEPT, str(tmp_path))) for _ in range(2)]
    assert counts[0] == counts[1] >= 2


def test_a_program_may_be_deleted_before_its_results_are_computed() -> None:
    """JAX returns arrays at once, and computes them later with the model of the program."""
    case = Case("ID", "floating", (4096,))
    for k in range(20):
        model = case.model.replace(gravity=[0, 0, -k])
        program = jax.jit(lambda *x, model=model: tool.ID(model, *x))
        forces = program(*case.x)
        ours = ID(model, *case.x)
        del program, model
        gc.collect()
        close(forces, ours)


def test_models_of_programs_that_are_gone_are_forgotten() -> None:
    """Programs keep the tickets and models they were compiled with, and nothing else does: not
    those of earlier models. Those of programs that are gone go when the next one is compiled.
    """
    ticket = importlib.import_module("spatial_v2.interop.jax.ticket")
    if not frame.is_there():
        pytest.skip("this JAX has no foreign functions that are known here")
    case = Case("ID", "chain", (2,))
    compiled = jax.jit(lambda model, *x: tool.ID(model, *x), static_argnums=0)

    def known() -> int:
        gc.collect()
        ticket._forget_unused()
        return len(ticket._TICKETS)

    before, kept = known(), []
    for k in range(60):
        model = case.model.replace(gravity=[0, 0, -k])
        jax.block_until_ready(jax.jit(lambda *x, model=model: tool.ID(model, *x))(*case.x))
        kept.append(weakref.ref(model))
        assert len(ticket._TICKETS) <= before + 3
    models = [case.model.replace(gravity=[0, 0, -k]) for k in range(40)]
    found = [compiled(model, *case.x) for model in models]
    assert known() >= before + len(models)
    for model, tau in zip(models, found, strict=True):
        assert np.array_equal(tau, ID(model, *case.x))
        assert np.array_equal(compiled(model, *case.x), tau)
    del model, models
    jax.clear_caches()
    assert known() <= before
    assert ticket._TABLES.keys() == {0, *ticket._TICKETS}
    assert sum(model() is not None for model in kept) <= 1


def test_a_program_of_another_process_is_refused() -> None:
    """A call whose key is unknown in this process raises an error: results for another robot would
    be wrong.
    """
    ticket = importlib.import_module("spatial_v2.interop.jax.ticket")
    if not frame.is_there():
        pytest.skip("this JAX has no foreign functions that are known here")
    case = Case("ID", "chain", (2,))
    f = jax.jit(lambda *x: tool.ID(case.model, *x))
    f(*case.x)
    made = [*ticket._TICKETS.values()][-1]
    del ticket._TICKETS[made.key]
    table = ticket._TABLES.pop(made.key)
    try:
        with pytest.raises(Exception, match="a compiled program of another process"):
            jax.block_until_ready(f(*case.x))
    finally:
        ticket._TICKETS[made.key], ticket._TABLES[made.key] = made, table
    close(f(*case.x), case(value)[0])
