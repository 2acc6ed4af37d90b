"""Arguments that functions for JAX do not support give an error that says what to do."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from interop_samples import Case
from test_interop_jax import close

from spatial_v2 import (
    ArrayShapeError,
    ConstraintSet,
    Frame,
    PointConstraint,
    SpatialError,
    xlt,
)
from spatial_v2.interop.operators import OPERATORS, value

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = pytest.importorskip("jax.numpy")
pytest.importorskip("jax.export")
tool = pytest.importorskip("spatial_v2.interop.jax")
frame = pytest.importorskip("spatial_v2.interop.jax.frame")
pytestmark = pytest.mark.optional


def test_third_derivatives_are_an_error() -> None:
    case = Case("ID", "one_R", ())
    f = lambda q: tool.ID(case.model, q[None], *case.x[1:])[0]  # noqa: E731
    with pytest.raises(SpatialError, match="third derivatives are not computed; the reference"):
        jax.grad(jax.grad(jax.grad(f)))(case.x[0][0])
    with pytest.raises(SpatialError, match="third derivatives are not computed; the reference"):
        jax.jacfwd(jax.hessian(lambda q: tool.ID(case.model, q, *case.x[1:]).sum()))(case.x[0])


def test_single_precision_is_an_error() -> None:
    case = Case("ID", "one_R", ())
    with pytest.raises(ArrayShapeError, match="q: want float64, got float32"):
        tool.ID(case.model, jnp.zeros(1, dtype=jnp.float32), *case.x[1:])
    with jax.enable_x64(False), pytest.raises(SpatialError, match="jax_enable_x64"):
        tool.ID(case.model, *case.x)


def test_arguments_are_checked() -> None:
    case = Case("ID", "floating", ())
    with pytest.raises(ArrayShapeError, match="q: want shape"):
        tool.ID(case.model, case.x[1], *case.x[1:])
    with pytest.raises(TypeError, match="unexpected keyword"):
        tool.ID(case.model, *case.x, speed=1)
    with pytest.raises(TypeError, match="want the arrays q, qd, qdd"):
        tool.ID(case.model, *case.x[:2])
    with pytest.raises(TypeError, match="spatial_v2.Model"):
        tool.ID(None, *case.x)


def test_models_of_other_arrays_are_an_error() -> None:
    """A model of JAX or complex arrays is an error, because derivatives with respect to them would
    be lost silently.
    """
    case = Case("ID", "chain", ())
    with pytest.raises(SpatialError, match="ID: want a model of NumPy arrays.*ID.reference"):
        jax.grad(lambda I: tool.ID(case.model.replace(I=I), *case.x).sum())(case.model.I)
    with pytest.raises(SpatialError, match="got complex128"):
        tool.ID(case.model.replace(gravity=[0, 1e-20j, 0]), *case.x)


@pytest.mark.parametrize("kind", ["gradient", "compiled", "vmap", "set"])
@pytest.mark.parametrize("name", ["KKT_FD", "Impact_dyn", "KKT_FO_derivatives", "FrameJacobian"])
def test_points_and_frames_of_other_arrays_are_an_error(name: str, kind: str) -> None:
    """Traced points, frames and gains would be lost as constants; the error says where they are
    differentiated.
    """
    case = Case(name, "chain", ())

    def f(p: Any) -> Any:
        options: dict[str, Any] = {"frame": Frame(1, xlt(p))}
        if name != "FrameJacobian":
            tip = PointConstraint(3, p)
            options = {"constraints": ConstraintSet(case.model, [tip]) if kind == "set" else [tip]}
        return jax.tree.leaves(getattr(tool, name)(case.model, *case.x, **options))[0].sum()

    way = {"compiled": jax.jit, "vmap": jax.vmap}.get(kind, jax.grad)
    p = jnp.ones((2, 3) if kind == "vmap" else 3)
    want = f"{name}: (constraints|frame): want NumPy arrays .* spatial_v2.{name}.reference"
    with pytest.raises(SpatialError, match=want):
        way(f)(p)


def test_gains_of_other_arrays_are_an_error() -> None:
    case, tip = Case("KKT_FD", "chain", ()), [PointConstraint(3, [1, 0, 0], directions=[[1, 0, 0]])]
    with pytest.raises(SpatialError, match="KKT_FD: baumgarte: want NumPy arrays"):
        jax.grad(lambda k: tool.KKT_FD(case.model, *case.x, tip, baumgarte=(0.0, k)).qdd.sum())(1.0)


@pytest.mark.parametrize("name", OPERATORS)
def test_functions_that_are_not_linear_are_not_transposed(name: str) -> None:
    case = Case(name, "one_R", ())
    f = lambda x: getattr(tool, name)(case.model, *case.x[:-1], x, **case.options)  # noqa: E731
    with pytest.raises(SpatialError, match=f"{name}: jax.linear_transpose .* jax.vjp transposes"):
        jax.linear_transpose(f, case.x[-1])(f(case.x[-1]))


def test_another_tree_wants_another_compilation() -> None:
    case = Case("ID", "chain", ())
    f = jax.jit(lambda *x: tool.ID(case.model, *x))
    f(*case.x)
    case.model.parent = [-1, 0, 0, 0]
    with pytest.raises(Exception, match="its tree or joint types have changed since ID"):
        jax.block_until_ready(f(*case.x))
    close(tool.ID(case.model, *case.x), case(value)[0])


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_a_missing_package_is_named_with_its_extra(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for name in [x for x in sys.modules if x.startswith(f"spatial_v2.interop.{package}")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=f"pip install '\\.\\[{package}\\]'"):
        importlib.import_module(f"spatial_v2.interop.{package}")


def test_other_interfaces_of_xla_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the header of XLA's interface is missing or of another version, JAX calls back
    to Python.
    """
    header = tmp_path / "xla" / "ffi" / "api" / "c_api.h"
    header.parent.mkdir(parents=True)
    ffi = SimpleNamespace(ffi_lowering=None, include_dir=lambda: str(tmp_path))
    monkeypatch.setattr(frame, "jax", SimpleNamespace(ffi=ffi))
    look = frame.is_there.__wrapped__
    assert not look()
    text = "#define XLA_FFI_API_MAJOR {}\n#define XLA_FFI_API_MINOR 3\n"
    for major, known in ((1, False), (0, True)):
        header.write_text(text.format(major))
        assert look() == known
    monkeypatch.setattr(frame, "jax", SimpleNamespace())
    assert not look()


def test_old_versions_are_refused() -> None:
    from spatial_v2.interop.versions import check_version

    with pytest.raises(ImportError, match=r"needs jax >= 0.4.36, found 0.4.9"):
        check_version("jax", "0.4.9", tool.LEAST)
