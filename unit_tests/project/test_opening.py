"""Packages are imported when one of their names is first used, and all public names are found."""

import ast
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from import_graph import MODULES

import derivatives
import spatial_v2
from spatial_v2.public_names import (
    ALIASES,
    BESIDE,
    LEFT_OUT,
    PACKAGES,
    derivative_names,
    homes,
    own_names,
)  # fmt: skip
from spatial_v2.suggestions import TERMS

STUB = Path(spatial_v2.__file__).with_suffix(".pyi")


@pytest.mark.parametrize("package", PACKAGES)
def test_names_are_those_that_the_packages_list(package):
    found = importlib.import_module(f"spatial_v2.{package}")
    names = [x for x in found.__all__ if x not in LEFT_OUT.get(package, ())]
    assert names == [x for x, home in homes().items() if home == package]
    assert len({*names}) == len(names) > 0
    assert all(getattr(spatial_v2, name) is getattr(found, name) for name in names)


def test_type_checkers_see_the_same_names():
    """The stub file imports and defines all public names, as the same objects."""
    seen = {}
    exec(compile(STUB.read_text(encoding="utf-8"), STUB, "exec"), seen)
    seen = {name: x for name, x in seen.items() if name[:2] != "__"}
    packages = {*BESIDE, *(x for x in PACKAGES if "." not in x)} - {"show"}
    assert sorted(seen.keys() - packages) == sorted(spatial_v2.__all__)
    assert packages <= seen.keys()
    for name, x in seen.items():
        assert x is getattr(spatial_v2, name), name


def test_names_are_imported_from_where_they_are():
    """The stub file exports every name, by a star, by an alias equal to the name, or by an
    assignment.
    """
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        names = node.names if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.name == "*" or name.asname == name.name or name.name in ALIASES.values()


def test_names_are_listed_and_aliases_are_the_same():
    listed = dir(spatial_v2)
    assert {*spatial_v2.__all__, "__version__"} <= set(listed) == {*listed}
    assert not [x for x in listed if isinstance(getattr(spatial_v2, x), ModuleType)]
    for short, name in ALIASES.items():
        assert getattr(spatial_v2, short) is getattr(spatial_v2, name)
    for name in ("nothing", "bones", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"module 'spatial_v2' has no attribute '{name}'"):
            getattr(spatial_v2, name)


def test_names_of_derivatives_are_here_too():
    assert derivative_names() == derivatives.__all__
    for name in derivatives.__all__:
        assert getattr(spatial_v2, name) is getattr(derivatives, name)
    assert not {*derivatives.__all__} & {*own_names()}
    assert {*derivatives.__all__} <= {*dir(spatial_v2)}
    starred = {}
    exec("from spatial_v2 import *", starred)
    assert {*own_names(), *derivatives.__all__} == starred.keys() - {"__builtins__"}
    for name in BESIDE:
        assert getattr(spatial_v2, name) is importlib.import_module(name)


@pytest.mark.parametrize("name", BESIDE)
def test_a_file_that_hides_a_package_is_told(name, tmp_path):
    """Every module that imports a package beside spatial_v2 at once says which file hides it."""
    (tmp_path / f"{name}.py").write_text("")
    modules = [
        x for x, path in MODULES.items()
        if x.startswith("spatial_v2.") and "/interop/jax" not in str(path)
        and re.search(r"(?m)^(from|import) (derivatives|tensor_sva)", path.read_text("utf-8"))
    ]  # fmt: skip
    assert len(modules) > 20
    code = (
        f"import importlib, spatial_v2\nfor name in {modules}:\n"
        " try: importlib.import_module(name)\n"
        f" except ImportError as error: assert '{name}.py hides the package' in str(error), name\n"
        " else: raise AssertionError(name)\n"
        f"for name in {['ID_derivatives', 'time_step', *BESIDE]}:\n"
        " try: getattr(spatial_v2, name)\n"
        f" except ImportError as error: print('{name}.py hides the package' in str(error))\n"
        "spatial_v2.ID\n"
    )
    assert run(code, tmp_path) == ["True"] * 4


def test_terms_of_the_field_lead_to_functions():
    """Errors about unknown names suggest public names that exist, for terms and for misspelt names,
    and say nothing where nothing is similar.
    """
    for term, text in TERMS.items():
        for name in text.split(", "):
            assert callable(getattr(spatial_v2, name))
        if term not in spatial_v2.__all__:
            with pytest.raises(AttributeError, match=rf"'{term}'; did you mean {text}\?"):
                getattr(spatial_v2, term)
    for wrong, right in (
        ("centre_of_mass", "EnerMo"),
        ("frameJacobian", "FrameJacobian"),
        ("ID_derivative", "ID_derivatives"),
        ("inverse_kinematic", "inverse_kinematics"),
    ):
        with pytest.raises(AttributeError, match=rf"did you mean .*\b{right}\b"):
            getattr(spatial_v2, wrong)
    with pytest.raises(AttributeError, match="'banana'$"):
        spatial_v2.banana  # noqa: B018


def run(code, folder=None):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_opens_no_package():
    code = "import spatial_v2, sys; print(*(x for x in sys.modules if x[:10] == 'spatial_v2'))"
    assert run(code) == ["spatial_v2.public_names", "spatial_v2"]
    assert run("import spatial_v2, sys; print('numpy' in sys.modules)") == ["False"]


def test_asking_for_a_name_opens_no_package_without_it():
    """A name is found without imports of packages that do not have it: access to `Model` imports no
    algorithms.
    """
    opened = run("from spatial_v2 import Model; import sys; print(*sys.modules)")
    assert "spatial_v2.model" in opened
    assert not {f"spatial_v2.{x}" for x in ("dynamics", "files", "io", "show", "constraints")} & {
        *opened
    }


def test_names_are_found_where_there_are_compiled_files_alone(tmp_path):
    """Without source files, names are found by importing the packages in turn."""
    left = shutil.ignore_patterns("__pycache__", "course", "matlab")
    new = shutil.copytree(Path(spatial_v2.__file__).parent, tmp_path / "spatial_v2", ignore=left)
    beside = Path(spatial_v2.__file__).parent.with_name("derivatives")
    shutil.copytree(beside, tmp_path / "derivatives", ignore=left)
    done = [sys.executable, "-m", "compileall", "-b", "-q", "-x", "engine", str(new)]
    subprocess.run(done, check=True)
    for path in new.rglob("*.py"):
        if "engine" not in path.parts:
            path.unlink()
    code = "import spatial_v2; print(spatial_v2.__file__[-3:], spatial_v2.rx.__name__)"
    assert run(code, tmp_path) == ["pyc", "rx"]


def test_a_page_opens_neither_compiler_nor_scipy():
    heavy = "{'numba', 'scipy', 'matplotlib', 'rich'}"
    assert run(f"from spatial_v2 import *; import sys; print(*{heavy} & set(sys.modules))") == []


@pytest.mark.parametrize("package", ["show", "dynamics"])
def test_functions_are_not_hidden_by_packages(package):
    code = f"import spatial_v2.{package}; import spatial_v2; print(spatial_v2.show.__name__)"
    assert run(code) == ["show"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs os.fork")
@pytest.mark.slow
def test_every_package_can_be_opened_first():
    opened = run(
        "import os, importlib, numpy\n"
        "from spatial_v2.public_names import PACKAGES\n"
        "for package in PACKAGES:\n"
        "    if not os.fork():\n"
        "        importlib.import_module('spatial_v2.' + package)\n"
        "        print(package, flush=True)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
    )
    assert opened == list(PACKAGES)


def test_names_of_a_package_alone_say_where_they_are():
    for package, names in {**LEFT_OUT, "plots": ["plot_energy", "plot_tree"]}.items():
        found = importlib.import_module(f"spatial_v2.{package}")
        for name in names:
            assert hasattr(found, name)
            with pytest.raises(AttributeError, match=rf"from spatial_v2\.{package} import {name}$"):
                getattr(spatial_v2, name)
