"""The cache of kernels: folders that cannot be written, and files that are out of date."""

import errno
import importlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

numba = pytest.importorskip("numba")

import spatial_v2  # noqa: E402
from spatial_v2.engine.compile import store  # noqa: E402
from spatial_v2.engine.compile.decorators import inline, jit  # noqa: E402


def square(x: Any) -> Any:
    return x * x


def sum_of_squares(x: Any) -> Any:
    total = 0.0
    for k in range(x.size):
        total += square_part(x[k])
    return total


square_part = inline(square)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a new folder for compiled functions during a test."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def is_found() -> bool:
    """True if a new dispatcher of the kernel finds it on disk; its result is checked, too."""
    kernel: Any = jit(sum_of_squares)
    assert kernel(np.array([1.0, 2.0, 3.0])) == 14.0
    return bool(kernel.stats.cache_hits)


def test_compiled_functions_are_kept_on_disk(folder: Path) -> None:
    assert not is_found()
    kept = {path: path.read_bytes() for path in files(folder)}
    assert kept
    assert is_found()
    assert {path: path.read_bytes() for path in files(folder)} == kept


class Foreign:
    """Data pickled by another program, in a module that does not exist here."""

    def __reduce__(self) -> Any:
        return __import__, ("a_module_that_is_not_there",)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "one byte": lambda data: b"\x80",
    "cut short": lambda data: data[: len(data) // 2],
    "last byte lost": lambda data: data[:-1],
    "garbage": lambda data: b"no pickle at all\n" * 100,
    "foreign": lambda data: pickle.dumps(Foreign()),
    "a bit turned": lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:],
    "longer": lambda data: data + b"more",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_replaced(folder: Path, damage: str) -> None:
    is_found()
    for path in files(folder):
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert not is_found()
    assert is_found()


def test_a_file_of_another_signature_is_not_taken(folder: Path) -> None:
    """A file for other argument types under the right name is not loaded: its code would read wrong
    types.
    """
    jit(sum_of_squares)(np.array([1.0, 2.0], dtype=np.float32))
    (single,) = folder.rglob("*sum_of_squares*")
    is_found()
    for path in folder.rglob("*sum_of_squares*"):
        path.write_bytes(single.read_bytes())
    assert not is_found()


def test_another_engine_compiles_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_found()
    monkeypatch.setattr(store, "_date", lambda x: (b"of another engine", store._times(x)))
    assert not is_found()
    assert is_found()


def stamped_by(function: Any) -> set[str]:
    """Return the engine's files that the cache of a kernel is stamped by, without their folder."""
    engine = Path(spatial_v2.__file__).parent / "engine"
    sources = [Path(x) for x in store._sources(function.py_func)]
    return {x.relative_to(engine).as_posix() for x in sources if engine in x.parents}


def test_a_stamp_covers_what_a_kernel_imports_and_nothing_else() -> None:
    """An edit of a part makes the kernels compile anew that include it; an edit of a kernel only
    those that call it.
    """
    from spatial_v2.engine.algorithms.Christoffel import Christoffel
    from spatial_v2.engine.algorithms.FDab import FDab
    from spatial_v2.engine.algorithms.ID import ID

    common = {"compile/decorators.py", "numbers/simd_batch.py", "parts/poses.py", "tree.py"}
    assert common | {"algorithms/ID.py"} <= stamped_by(ID)
    assert common | {"algorithms/FDab.py", "parts/articulate.py"} <= stamped_by(FDab)
    assert {"tensors/values.py", "tensors/runs.py"} <= stamped_by(Christoffel)
    assert not {"algorithms/FDab.py", "tensors/values.py"} & stamped_by(ID)
    assert str(spatial_v2.engine.shipped.sources._TABLE) in store._sources(FDab.py_func)


def test_stamps_cover_the_modules_of_all_functions_that_a_kernel_calls() -> None:
    """The modules of all functions that a kernel calls are among the sources read from imports."""
    missing = []
    for path in (Path(spatial_v2.__file__).parent / "engine" / "algorithms").glob("*.py"):
        module = importlib.import_module(f"spatial_v2.engine.algorithms.{path.stem}")
        for name, kernel in vars(module).items():
            if hasattr(kernel, "py_func"):
                called, new = {kernel.py_func}, [kernel.py_func]
                while new:
                    function = new.pop()
                    values = (function.__globals__.get(x) for x in function.__code__.co_names)
                    more = {x.py_func for x in values if hasattr(x, "py_func")} - called
                    called |= more
                    new += more
                files = {str(sys.modules[x.__module__].__file__) for x in called}
                missing += [(name, x) for x in files - set(store._sources(kernel.py_func))]
    assert not missing


def test_kernels_edited_during_compilation_are_not_cached(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel is not cached if sources changed meanwhile: some may have been read before an edit
    and some after it.
    """
    monkeypatch.setattr(store, "_times", lambda sources: ())
    assert not is_found()
    assert not files(folder)


def test_a_full_disk_leaves_no_half_written_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        with open(path, "wb") as file:
            file.write(data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    store._say_unwritable.cache_clear()
    with pytest.warns(RuntimeWarning, match="^No space left on device: compiled kernels are not"):
        assert not is_found()
    assert not files(folder)


def test_a_cache_folder_that_disappears_is_no_error(folder: Path) -> None:
    """It is no error if the cache folder disappears between the decoration, which finds it
    writable, and the first call.
    """
    kernel: Any = jit(sum_of_squares)
    for path in folder.iterdir():
        path.rmdir()
    folder.rmdir()
    folder.write_text("a file")
    store._say_unwritable.cache_clear()
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept.* NUMBA_CACHE_DIR"):
        assert kernel(np.array([3.0])) == 9.0


def test_a_set_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Numba takes another folder without a notice; one warning names the folder that was set."""
    (tmp_path / "file").write_text("")
    code = """
    import warnings
    from spatial_v2.calls.loading import has_compiler
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        has_compiler(), has_compiler()
    print(*(x.message for x in told))
    """
    wanted = str(tmp_path / "file" / "below")
    assert f"NUMBA_CACHE_DIR: want a folder that can be written, got {wanted} (Not a" in run(
        code, NUMBA_CACHE_DIR=wanted
    )
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path / "new")) == ""


def test_an_unknown_cache_locator_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting of Numba that cannot be satisfied raises an error."""
    if not hasattr(numba.config, "CACHE_LOCATOR_CLASSES"):
        pytest.skip("this numba has no such setting")
    monkeypatch.setattr(numba.config, "CACHE_LOCATOR_CLASSES", "no.such.Locator")
    with pytest.raises(RuntimeError, match="no.such.Locator"):
        jit(sum_of_squares)


def run(code: str, *path: Path, **env: str) -> str:
    """Run a program in a new process; return its output."""
    places = os.pathsep.join(map(str, [*path, *sys.path]))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**os.environ, **env, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CALL = """
    import numpy as np
    import spatial_v2 as sv
    model, x = sv.autoTree(3), np.ones(3)
    assert np.allclose(sv.FDab(model, x, x, sv.ID(model, x, x, x)), x)
"""


@pytest.mark.slow
def test_without_a_writable_folder_kernels_stay_in_memory(tmp_path: Path) -> None:
    """With a read-only installation and home directory, the kernel stays in memory, and a warning
    says so once.

    Permissions do not stop the user root. Therefore every folder in which Numba would store
    something is made to raise an error, as Numba's own check for writability does.
    """
    (tmp_path / "file").write_text("")
    code = """
    from numba.core import caching
    def refuse(self):
        raise PermissionError(13, "Permission denied", self.get_cache_path())
    caching._CacheLocator.ensure_cache_path = refuse
    import warnings
    import numpy as np
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        from spatial_v2.engine.numbers import vectors
        from spatial_v2.engine.compile.decorators import jit
        kernel = jit(vectors.turn.py_func)
    assert ["not kept" in str(x.message) for x in told] == [True], told
    assert np.allclose(kernel(np.eye(3), 1.0, 2.0, 3.0), [1, 2, 3])
    print(kernel.stats.cache_path)
    """
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path / "file" / "below")) == "None"
    assert files(tmp_path) == [tmp_path / "file"]


@pytest.mark.slow
def test_a_new_process_finds_what_another_left(tmp_path: Path) -> None:
    code = """
    import numpy as np
    from spatial_v2.engine.numbers import vectors
    from spatial_v2.engine.compile.decorators import jit
    kernel = jit(vectors.turn.py_func)
    kernel(np.eye(3), 1.0, 2.0, 3.0)
    print(sum(kernel.stats.cache_hits.values()))
    """
    assert [run(code, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)] == ["0", "1"]


@pytest.mark.slow
def test_kernels_do_not_depend_on_what_was_loaded_before(tmp_path: Path) -> None:
    """Results agree to the last bit, whether a kernel is compiled or loaded, alone or after other
    kernels.
    """
    code = """
        import sys
        import numpy as np
        import spatial_v2 as sv
        model, x = sv.autoTree(4, 1.5, 0.3, 0.9), np.random.default_rng(0).normal(size=(3, 60, 4))
        called = {name: getattr(sv, name) for name in sys.argv[1:]}
        found = {name: f(model, *x[: 2 if name == "HandC" else 3]) for name, f in called.items()}
        print(found["ID"].tobytes().hex())
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    outputs = set()
    for names in (["HandC", "ID"], ["HandC", "ID"], ["ID"], ["FDab", "ID", "HandC"]):
        command = [sys.executable, "-c", textwrap.dedent(code), *names]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


@pytest.mark.slow
def test_the_address_of_a_kernel_is_not_that_of_a_copy_in_another(tmp_path: Path) -> None:
    """A kernel inside a kernel inside a third one has a name of its own, too."""
    code = """
        import numpy as np
        import spatial_v2 as sv
        from derivatives import FD_SO_derivatives, modID_second_derivatives
        from spatial_v2.engine.algorithms.modID_second_derivatives import (
            modID_second_derivatives as kernel,
        )

        def places():
            compiled = kernel.overloads.values()
            names = [(x.library, "entry." + x.fndesc.llvm_func_name) for x in compiled]
            return [library.get_pointer_to_function(name) for library, name in names]

        tree, rng = sv.autoTree(4), np.random.default_rng(0)
        modID_second_derivatives(tree, *rng.normal(size=(4, 4)))
        before, coupled = places(), sv.couple(tree, mimic={3: (2, 0.7, 0.1)})
        for _ in range(2):
            FD_SO_derivatives(coupled, *rng.normal(size=(3, 3)))
        print(len(before), places() == before)
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "True"]


def test_kernels_are_compiled_by_one_module() -> None:
    """Only one module compiles: a kernel compiled by another one could be linked with parts of
    other kernels.
    """
    root = Path(spatial_v2.__file__).parents[1]
    folders = [root / name for name in ("spatial_v2", "tensor_sva", "derivatives")]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    compiling = {path.name for path in sources if re.search(r"njit\(", path.read_text("utf-8"))}
    assert compiling == {"decorators.py"}


@pytest.mark.slow
def test_kernels_run_without_compilation() -> None:
    """With ``NUMBA_DISABLE_JIT``, as debuggers need it, kernels run as Python code."""
    code = """
    import warnings
    import numpy as np, zoo
    from public_functions import STATE, arguments, functions, suits
    from spatial_v2.engine.algorithms.ID import ID as rnea
    np.seterr(all="ignore")
    warnings.filterwarnings("ignore", "constraints.*turned by nearly pi")
    for name in ("floating", "planar_tree"):
        model = zoo.build(name)
        given = arguments(model, STATE, np.random.default_rng(0))
        for function in functions():
            if function.has_page and not function.options and suits(function.function, model):
                both = (function(model, given, reference=page) for page in (False, True))
                for kernel, page in zip(*both, strict=True):
                    assert np.allclose(kernel, page, rtol=1e-9, atol=1e-9), function
    print(type(rnea).__name__)
    """
    assert run(code, NUMBA_DISABLE_JIT="1") == "function"


WITHOUT = """
    import sys, warnings
    warnings.simplefilter("always")
    from spatial_v2.accelerated import has_compiler
    with warnings.catch_warnings(record=True) as caught:
        print(has_compiler(), [str(w.message) for w in caught])
"""


def test_a_folder_named_numba_is_not_the_compiler(tmp_path: Path) -> None:
    """A folder named numba, with or without ``__init__.py``, is not taken for the compiler;
    reference implementations run.
    """
    other = tmp_path / "numba"
    other.mkdir()
    hide = f"""
    import sys
    from importlib.machinery import ModuleSpec
    class Folder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "numba":
                spec = ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = [{str(other)!r}]
                return spec
    sys.meta_path.insert(0, Folder)
    """
    wanted = "numba cannot be used; reference implementations run instead, more slowly"
    found = run(hide + WITHOUT + CALL, tmp_path)
    assert found.startswith("False") and wanted in found
    (other / "__init__.py").write_text("")
    found = run(WITHOUT + CALL, tmp_path)
    assert found.startswith("False") and wanted in found


def test_a_numba_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    """The message names the package that cannot be imported, and quotes its error."""
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs NumPy 1.0 or less')")
    assert "Numba needs NumPy 1.0 or less" in run(WITHOUT + CALL, tmp_path)


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_a_processor_that_cannot_run_the_kernels_is_told(tmp_path: Path) -> None:
    """The warning names the levels of processors for which kernels are there, if none fits."""
    names = "sv2_run_batch", "sv2_run_words", "sv2_runs_here"
    functions = "".join(f"int {name}(void) {{ return 0; }}\n" for name in names)
    (tmp_path / "kernels.c").write_text(
        f'int sv2_lanes = 8;\nconst char *sv2_stamp = "";\n{functions}'
    )
    command = ["cc", "-shared", "-fPIC", "kernels.c", "-o", "x86-64-v4.so"]
    subprocess.run(command, check=True, cwd=tmp_path)
    hide = f"""
    import os, sys
    sys.modules["numba"] = None
    os.environ["SPATIAL_V2_KERNELS"] = {str(tmp_path)!r}
    """
    found = run(hide + WITHOUT + CALL)
    assert found.startswith("False") and "cannot run the kernels for x86-64-v4, and numba" in found


def test_the_absence_of_numba_is_told_once() -> None:
    """Numba is optional. Without it one warning says that functions are slower and what to install;
    there is none where no kernel is wanted.
    """
    hide = """
    import sys
    sys.modules["numba"] = None
    """
    found = run(hide + WITHOUT + CALL + CALL)
    assert found.startswith("False") and found.count("numba is not installed") == 1
    assert "hundreds of times more slowly" in found
    never = """
    import spatial_v2
    spatial_v2.set_compilation("never")
    """
    quiet = run(hide + never + WITHOUT + CALL)
    assert quiet == "False []"
