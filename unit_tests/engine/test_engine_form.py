"""Rules for the engine's sources: packages that import only lower ones, short files, few
parameters.
"""

import ast
import functools
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "spatial_v2/engine"
BELOW = {
    "shipped": set(),
    "compile": {"shipped"},
    "numbers": {"shipped", "compile"},
    "parts": {"compile", "numbers"},
    "tensors": {"compile", "numbers", "parts"},
    "algorithms": {"compile", "numbers", "parts", "tensors"},
}
"""The packages of the engine that each package may import from."""
BESIDE = {"constrained", "kernel", "loop", "procedures", "shared", "spread", "status", "tree"}
"""Files beside the packages, which import from none of them; all may import these."""
LONGEST = 250
"""Maximum number of lines of a file."""
MOST = 10
"""Maximum number of parameters of a function."""
VARIANTS = ("_info", "_batched", "_whole", "_coupled", "_closed")
"""Suffixes that distinguish kernels of one public function: with more results, or for another form
of arguments.
"""
SHARED = {
    "KKT": "KKT_FD", "KKT_equations": "KKT_FO_derivatives",
    "constraint_rows": "constraint_jacobian", "loop_motion": "constraint_jacobian",
    "close_loop": "project_configuration", "close_loops": "project_configuration",
    "open_loops": "position_error",
    "inertia_solve": "Hinverse",
    "pulled_back_inertia": "CRBA", "pulled_back_derivatives": "ID_derivatives",
    "KKT_hessian": "modKKT_second_derivatives",
    "ground_forces": "gcontact",
    "branches": "LTL", "frame_motion": "forward_kinematics", "riccati": "solve",
    "stage_factors": "solve", "motion_errors": "solve",
    "euler_ends": "time_step", "euler_jacobian": "time_step_derivatives",
    "add_euler_hessian": "time_step_derivatives", "acceleration_hessian": "time_step_derivatives",
    "StateCost": "state_cost", "FramePlacementCost": "frame_costs",
    "log6_residual": "residuals",
}  # fmt: skip
"""Files used by several public functions, with one of these functions."""


@functools.cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def machinery() -> list[Path]:
    """Return the files between the public functions and the kernels, and those of kernels."""
    rooms = (ENGINE.parent / room for room in ("engine", "calls", "packed"))
    return [path for room in rooms for path in room.rglob("*.py")]


def is_kernel(node: ast.stmt) -> bool:
    """True if a statement defines a kernel."""
    return isinstance(node, ast.FunctionDef) and "jit" in map(ast.unparse, node.decorator_list)


def test_every_folder_is_in_the_table() -> None:
    assert {p.name for p in ENGINE.iterdir() if (p / "__init__.py").exists()} == BELOW.keys()
    files = {"__init__", "compiled", "python_call", "runner"}
    assert {p.stem for p in ENGINE.glob("*.py")} == files | BESIDE


@pytest.mark.parametrize("folder", BELOW)
def test_folders_import_downwards(folder: str) -> None:
    known = {folder} | BESIDE | BELOW[folder]
    for path in (ENGINE / folder).glob("*.py"):
        for node in ast.walk(tree(path)):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [x.name for x in node.names] if isinstance(node, ast.Import) else []
            parts = [x.split(".") for x in modules if x.startswith("spatial_v2.engine")]
            assert all(len(x) > 2 and x[2] in known for x in parts), path.name


def test_kernels_have_the_names_of_public_functions() -> None:
    rooms = (
        "configuration",
        "constraints",
        "contact",
        "control",
        "dynamics",
        "frames",
        "poses",
        "regressors",
        "sparsity",
        "tasks",
    )
    pages = [*(ROOT / "derivatives").glob("*.py")]
    pages += [page for room in rooms for page in (ROOT / "spatial_v2" / room).glob("*.py")]
    public = {page.stem for page in pages}
    for path in (ENGINE / "algorithms").glob("*.py"):
        name = path.stem
        for variant in VARIANTS:
            name = name.removesuffix(variant)
        if name != "__init__":
            assert SHARED.get(name, name) in public, path.name
            kernels = [x.name for x in tree(path).body if is_kernel(x)]  # type: ignore[attr-defined]
            assert path.stem in kernels or (kernels and set(kernels) <= public), path.name


def test_modules_of_the_engine_do_not_shadow_what_they_define() -> None:
    """The ``__init__.py`` of a package imports nothing, so that no name can hide a module."""
    for folder in BELOW:
        assert len(tree(ENGINE / folder / "__init__.py").body) == 1, folder
        importlib.import_module(f"spatial_v2.engine.{folder}")


def test_files_are_short() -> None:
    for path in machinery():
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= LONGEST, path.name


def test_functions_take_few_parameters() -> None:
    """Functions and kernels take few parameters."""
    for path in machinery():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef):
                count = len(node.args.args) + len(node.args.kwonlyargs)
                assert count <= MOST, f"{path.name}: {node.name}"


@pytest.mark.parametrize("folder", ["algorithms", "parts", "tensors"])
def test_slices_are_filled_with_numbers_only(folder: str) -> None:
    """No array is assigned to a slice, which would make Numba compile string functions for an error
    message.
    """
    compiled = {"jit", "part", "inline", "within", "subkernel", "rare"}
    for path in (ENGINE / folder).glob("*.py"):
        functions = [x for x in tree(path).body if isinstance(x, ast.FunctionDef)]
        for function in functions:
            if not compiled & set(map(ast.unparse, function.decorator_list)):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and any(
                    "Slice(" in ast.dump(x) for x in node.targets
                ):
                    values = getattr(node.value, "elts", [node.value])
                    assert not any(isinstance(x, ast.Subscript | ast.Name) for x in values), path


def test_private_names_of_numba_are_in_one_file() -> None:
    """Numba's modules beyond its extension interface are imported where the reasons stand."""
    private = re.compile(r"numba\.(?:core|np)\b|llvmlite\.binding")
    found = {p.name for p in ENGINE.parent.rglob("*.py") if private.search(p.read_text("utf-8"))}
    assert found == {"private.py", "extend.py"}
    text = (ENGINE / "compile" / "extend.py").read_text("utf-8")
    assert private.findall(text) == ["numba.core"]  # `cgutils`, which the interface documents


def test_kinds_of_joints_are_compared_by_what_they_are() -> None:
    """The numbers of kinds have no order: properties of the table's rows tell kinds apart."""
    kind = r"(?:REVOLUTE|PRISMATIC|SPHERICAL|ROTATION|FLOATING|TRANSFORM)"
    ordered = re.compile(rf"[<>]=? *{kind}\b|\b{kind} *[<>]")
    root = ENGINE.parents[1]
    files = [p for name in ("spatial_v2", "derivatives") for p in (root / name).rglob("*.py")]
    assert not [p for p in files if ordered.search(p.read_text("utf-8"))]
