"""Properties that hold with every version that pyproject.toml allows; `.ci/run` tests the oldest
ones.
"""

import os
import re
import sysconfig
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from command_line import run

from spatial_v2 import ID, FDab, autoTree
from spatial_v2.engine.runner import has_extension

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def wanted() -> list[tuple[str, str]]:
    """Return the packages that every installation has, with their lowest versions."""
    needed = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["dependencies"]
    found = [re.match(r"([\w-]+)>=([\d.]+)", x) for x in needed]
    assert all(found)
    return [(x[1], x[2]) for x in found if x]


@pytest.mark.parametrize(("name", "least"), wanted())
def test_packages_are_not_older_than_said(name: str, least: str) -> None:
    here, there = ([int(n) for n in re.findall(r"\d+", x)] for x in (version(name), least))
    assert here[: len(there)] >= there


@pytest.mark.parametrize("name", ["branched", "floating"])
def test_forward_dynamics_inverts_inverse_dynamics(name: str) -> None:
    """FDab inverts ID, and ID agrees with its reference implementation."""
    model = zoo.build(name)
    q, qd, qdd, *_ = zoo.states(model, np.random.default_rng(0))
    tau = ID(model, q, qd, qdd)
    np.testing.assert_allclose(ID.reference(model, q, qd, qdd), tau, rtol=0, atol=1e-10)
    np.testing.assert_allclose(FDab(model, q, qd, tau), qdd, rtol=0, atol=1e-8)


@pytest.mark.skipif(
    sysconfig.get_config_var("Py_GIL_DISABLED") or os.environ.get("SPATIAL_V2_DIRECT") == "0",
    reason="the extension needs the interpreter's lock, or is turned off",
)
def test_the_extension_runs_in_this_python() -> None:
    """One extension serves every version of CPython and NumPy."""
    assert has_extension()


def test_the_command_runs() -> None:
    assert "3 bodies" in run("info", "autoTree:3")
    assert "d2tau_dq" in run("derivatives", "autoTree:3", "--samples", 1)


def test_operators_and_reference_run_under_jax() -> None:
    """Under `jax.jit`, operators and reference implementations agree with NumPy; gradients are
    finite.
    """
    jax: Any = pytest.importorskip("jax")
    from spatial_v2.interop.jax import ID as operator

    jax.config.update("jax_enable_x64", True)
    model, x = autoTree(3), jax.numpy.ones(3)
    tau = ID(model, np.ones(3), np.ones(3), np.ones(3))
    np.testing.assert_allclose(jax.jit(lambda q: ID.reference(model, q, x, x))(x), tau, atol=1e-12)
    np.testing.assert_allclose(jax.jit(lambda q: operator(model, q, x, x))(x), tau, atol=1e-12)
    gradient = jax.grad(lambda q: operator(model, q, x, x).sum())(x)
    assert np.isfinite(np.asarray(gradient)).all()
