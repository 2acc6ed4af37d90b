"""The library's function of CasADi in C has the values and exact derivatives of Python's."""

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
import zoo
from helpers import for_each
from joint_term_samples import with_terms
from once import made_once

from derivatives import FD_derivatives
from spatial_v2 import FDab, Model, SpatialError, load_model, random_configuration
from spatial_v2.export import build_library, compiler, export_casadi
from spatial_v2.export.casadi_external import external_name, source
from spatial_v2.interop.casadi import to_casadi
from spatial_v2.models import autoTree

casadi = pytest.importorskip("casadi")
NAMES = ["chain", "helical", "negative", "branched", "massless", "planar_tree", "rotors", "damped"]


def robot(name: str) -> Model:
    return (
        with_terms(zoo.build("chain")).replace(name=name) if name == "damped" else zoo.build(name)
    )


Test = TypeVar("Test", bound=Callable[..., None])


def needs_compiler(test: Test) -> Test:
    missing = pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed")
    marked: Test = pytest.mark.slow(missing(test))
    return marked


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of one robot, with the functions of the others beside it."""

    def make(root: Path) -> None:
        assert export_casadi(root, robot(NAMES[0]), "native") == external_name(robot(NAMES[0]))
        for name in NAMES[1:]:
            text = source(robot(name), external_name(robot(name)))
            (root / "src" / f"{name}.c").write_text(text, "utf-8")
        build_library(root, ["-Wall", "-Wextra", "-Wshadow", "-Werror"])

    return made_once(tmp_path_factory, "casadi", make)


def external(folder: Path, model: Model) -> Any:
    return casadi.external(external_name(model), str(folder / "lib" / "libspatial_v2.so"))


@needs_compiler
@pytest.mark.parametrize("name", zoo.over(NAMES))
def test_values_and_first_two_derivatives_are_those_of_the_kernels(folder: Path, name: str) -> None:
    """The values have the bits of Python, the derivatives agree to rounding, nulls are zeros."""
    model, rng = robot(name), np.random.default_rng(5)
    n, f, ours = model.NV, external(folder, model), to_casadi(model, "FDab", kernel=True)
    x = [random_configuration(model, rng), *rng.normal(size=(2, n))]
    weight = rng.normal(size=n)
    assert f.name_in() == ["q", "qd", "tau"] and f.name_out() == ["qdd"]
    assert np.array_equal(f(*x).full()[:, 0], FDab(model, *x))
    assert np.array_equal(f(x[0], 0, 0).full()[:, 0], FDab(model, x[0], 0 * x[1], 0 * x[1]))
    given = [casadi.MX.sym(s, n) for s in ("q", "qd", "tau", "w")]
    z = casadi.vertcat(*given[:3])
    hessians, jacobians = [], []
    for g in (f, ours):
        y = g(*given[:3])
        H = casadi.hessian(casadi.dot(given[3], y), z)[0]
        hessians.append(casadi.Function("H", given, [H])(*x, weight).full())
        jacobians.append(casadi.Function("J", given[:3], [casadi.jacobian(y, z)])(*x).full())
    for a, b in (hessians, [jacobians[0], np.hstack(FD_derivatives(model, *x))]):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())


@needs_compiler
def test_forward_derivatives_and_many_gradients_are_found_too(folder: Path) -> None:
    model, rng = robot("chain"), np.random.default_rng(6)
    f, n = external(folder, model), model.NV
    x, seeds = rng.normal(size=(3, n)), rng.normal(size=(n, 4))
    blocks = [np.asarray(J) for J in FD_derivatives(model, *x)]
    given = [casadi.MX.sym(s, n) for s in ("q", "qd", "tau")]
    y = f(*given)
    forward = casadi.jtimes(y, given[0], casadi.DM(seeds))
    backward = casadi.jtimes(y, given[2], casadi.DM(seeds), True)
    found = casadi.Function("d", given, [forward, backward])(*x)
    for a, b in zip(found, (blocks[0] @ seeds, blocks[2].T @ seeds), strict=True):
        np.testing.assert_allclose(a.full(), b, rtol=0, atol=1e-12 * np.abs(b).max())


@needs_compiler
def test_generated_c_code_calls_the_library(folder: Path, tmp_path: Path) -> None:
    """An expression of CasADi with the function becomes C that is linked with the library, also
    where its integers are those of C, as acados has them.
    """
    model, rng = robot("chain"), np.random.default_rng(7)
    n, f = model.NV, external(folder, model)
    x, u = casadi.MX.sym("x", 2 * n), casadi.MX.sym("u", n)
    qd = x[n:] + 0.1 * f(x[:n], x[n:], u)
    end = casadi.vertcat(x[:n] + 0.1 * qd, qd)
    step = casadi.Function("step", [x, u], [end, casadi.jacobian(end, casadi.vertcat(x, u))])
    for name, integers in (("step", "long long int"), ("short", "int")):
        generator = casadi.CodeGenerator(f"{name}.c", {"casadi_int": integers})
        generator.add(step)
        generator.generate(f"{tmp_path}/")
        command = [*(compiler() or ()), "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.c"]
        # The static one: a process has only one shared library of a name.
        command += [str(folder / "lib" / "libspatial_v2.a"), "-lm"]
        subprocess.run(command, cwd=tmp_path, check=True)
    qx, tau = rng.normal(size=2 * n), rng.normal(size=n)
    wanted = step(qx, tau)
    again = casadi.external("step", str(tmp_path / "step.so"))(qx, tau)
    for a, b in zip(again, wanted, strict=True):
        assert np.array_equal(a.full(), b.full())
    ends = [np.zeros(x.nnz()) for x in wanted]
    call(tmp_path / "short.so", [qx, tau], ends)
    for a, b in zip(ends, wanted, strict=True):
        assert a.tolist() == b.nonzeros()


def call(library: Path, arguments: list[np.ndarray], results: list[np.ndarray]) -> None:
    """Call the function `step` of a library whose integers are those of C, as acados does."""
    loaded, pointer = ctypes.CDLL(str(library)), ctypes.POINTER(ctypes.c_double)
    sizes = [ctypes.c_int() for _ in range(4)]
    assert loaded.step_work(*map(ctypes.byref, sizes)) == 0
    args, res, iw, w = (size.value for size in sizes)
    given, out = (pointer * args)(), (pointer * res)()
    for k, x in enumerate(arguments):
        given[k] = x.ctypes.data_as(pointer)
    for k, x in enumerate(results):
        out[k] = x.ctypes.data_as(pointer)
    assert (
        loaded.step(given, out, (ctypes.c_int * (iw + 1))(), (ctypes.c_double * (w + 1))(), 0) == 0
    )


def test_joints_with_several_variables_are_refused(tmp_path: Path) -> None:
    for name in ("spherical", "floating"):
        with pytest.raises(SpatialError, match="model: want joints with one variable each"):
            export_casadi(tmp_path / "library", zoo.build(name))
    with pytest.raises(TypeError, match="model: "):
        export_casadi(tmp_path / "library", "puma560")  # type: ignore[arg-type]
    assert not (tmp_path / "library").exists()


@for_each(["", "a b", "7 axes", "*/ end", "Roboter \u00e4"])
def test_any_name_of_a_robot_becomes_one_of_c(name: str) -> None:
    model = autoTree(2).replace(name=name)
    assert external_name(model).isidentifier() and external_name(model).isascii()
    assert source(model, "f").count("*/") == source(load_model("puma560"), "f").count("*/")
