"""The exported library on a 64-bit ARM processor, which QEMU emulates, returns Python's results."""

import functools
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from once import made_once

import derivatives
import spatial_v2
from spatial_v2 import Model, load_model
from spatial_v2.export import build_library, export_library, model_bytes, write_model
from spatial_v2.export.functions import Exported, exportable, exported

NAMES = "ID", "FDab", "HandC", "ID_derivatives", "ID_SO_derivatives"
OF_OTHERS = "frame_motion", "FrameJacobian", "KKT_FD"
CORE = "cortex-a72"
MODELS = [name for name in zoo.NAMES if name in zoo.ROTORS or not name.startswith("one_")]
CC, QEMU, ROOT = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"
EXAMPLES = Path(__file__).parents[2] / "examples" / "cpp"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which(CC) and shutil.which(QEMU)), reason=f"{CC} or {QEMU} is not installed"
    ),
]

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include "spatial_v2.h"

static size_t count(void) {
    unsigned long long n;
    return fread(&n, 8, 1, stdin) ? (size_t)n : 0;
}

static void *take(size_t bytes) {
    void *x = malloc(bytes + 1);
    return fread(x, 1, bytes, stdin) == bytes ? x : (exit(9), NULL);
}

int main(void) {
    for (size_t bytes = count(); bytes; bytes = count()) {
        sv2_model *m = NULL;
        double *x[4], *y[4];
        size_t n, sizes[4];
        int status = sv2_model_from_memory(take(bytes), bytes, &m);
        if (status) return status;
        n = count();
        for (int k = 0; k < INPUTS; k++) x[k] = take(8 * count());
        for (int k = 0; k < OUTPUTS; k++) y[k] = malloc(8 * (sizes[k] = count()));
        if (n) {
            size_t w = NAME_batch_workspace(m);
            status = NAME_batch(m, n, ARGUMENTS, malloc(w), w);
        } else {
            size_t w = NAME_workspace(m);
            status = NAME(m, ARGUMENTS, malloc(w), w);
        }
        if (status) return status;
        for (int k = 0; k < OUTPUTS; k++) fwrite(y[k], 8, sizes[k], stdout);
        sv2_model_free(m);
    }
    return 0;
}
"""
"""A program that calls one function for all cases that it reads: the contents of a model file, the
number of states (0 for one state without a leading axis), arguments, and sizes of results.
"""


def named(name: str) -> Any:
    return getattr(derivatives, name, None) or getattr(spatial_v2, name)


@functools.cache
def record(name: str) -> Exported:
    return exported([named(name)])[0]


def emulated(command: list[str], given: bytes = b"") -> bytes:
    whole = [QEMU, "-cpu", CORE, "-L", ROOT, *command]
    ended = subprocess.run(whole, input=given, capture_output=True)
    assert ended.returncode == 0, (ended.returncode, ended.stderr)
    return ended.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(root: Path) -> None:
        functions = [exportable()[name] for name in (*NAMES, *OF_OTHERS)]
        export_library(root, functions, level="aarch64")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CC", CC)
            patch.setenv("AR", "aarch64-linux-gnu-ar")
            build_library(root, ["-Wall", "-Wextra", "-Werror", f"-mcpu={CORE}"])

    return made_once(tmp_path_factory, "arm", make)


def compiled(folder: Path, source: Path, compiler: str = CC) -> str:
    program = source.with_suffix("")
    library = str(folder / "lib" / "libspatial_v2.a")
    build = [
        compiler,
        "-O2",
        f"-mcpu={CORE}",
        f"-I{folder / 'include'}",
        str(source),
        library,
        "-lm",
    ]
    subprocess.run([*build, "-o", str(program)], check=True)
    return str(program)


def cases(f: Exported) -> list[tuple[Model, tuple[int, ...], list[np.ndarray], np.ndarray]]:
    """Return models, shapes of batches, arguments, and external forces."""
    rng, found = np.random.default_rng(7), list[Any]()
    for name in MODELS:
        model = zoo.build(name)
        for shape in ((), (11,)):
            q = spatial_v2.random_configuration(model, rng, shape)
            v = [rng.normal(size=(*shape, model.NV)) for core in f.cores if core != "q"]
            force = rng.normal(size=(*shape, model.NB, 6)) * (not model.is_planar)
            found.append((model, shape, [q, *v], force))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_results_on_arm_are_those_of_python(folder: Path, tmp_path: Path, name: str) -> None:
    f, given, wanted = record(name), b"", list[Any]()
    for model, shape, args, force in cases(f):
        forced = f.force and not model.is_planar
        results = named(name)(model, *args, **({"f_ext": force} if forced else {}))
        wanted += results if len(f.results) > 1 else [results]
        data = model_bytes(model)
        given += struct.pack("<Q", len(data)) + data + struct.pack("<Q", *shape or (0,))
        for x in (*args, force) if f.force else args:
            given += struct.pack("<Q", x.size) + np.ascontiguousarray(x).tobytes()
        given += b"".join(struct.pack("<Q", y.size) for y in wanted[-len(f.results) :])
    inputs = [f"x[{k}]" for k in range(len(f.cores) + f.force)]
    outputs = [f"y[{k}]" for k in range(len(f.results))]
    text = PROGRAM.replace("ARGUMENTS", ", ".join(inputs + outputs)).replace("NAME", f"sv2_{name}")
    text = text.replace("INPUTS", str(len(inputs))).replace("OUTPUTS", str(len(outputs)))
    source = tmp_path / "calls.c"
    source.write_text(text)
    found = np.frombuffer(emulated([compiled(folder, source)], given))
    assert len(wanted) >= 24 * len(outputs) and found.size == sum(y.size for y in wanted)
    for y in wanted:
        here, found = found[: y.size].reshape(y.shape), found[y.size :]
        near(here, y, 1e-12)


def test_examples_run_on_arm(folder: Path, tmp_path: Path) -> None:
    write_model(load_model("puma560"), tmp_path / "puma560.sv2")
    words = {"reach": ["hand", "3"], "control_loop": ["20"], "batch": ["5"], "contact": ["hand"]}
    examples = sorted(x.name for x in EXAMPLES.iterdir() if x.stem != "eigen")
    assert len(examples) >= 5
    for name in examples:
        source = Path(shutil.copy(EXAMPLES / name, tmp_path))
        compiler = CC if name.endswith(".c") else CC.replace("gcc", "g++")
        if not shutil.which(compiler):
            continue
        program = compiled(folder, source, compiler)
        given = words.get(source.stem, [])
        printed = emulated([program, str(tmp_path / "puma560.sv2"), *given])
        assert printed.strip(), name


def test_a_wrong_file_is_refused_on_arm(folder: Path, tmp_path: Path) -> None:
    source = Path(shutil.copy(EXAMPLES / "batch.c", tmp_path))
    (tmp_path / "wrong.sv2").write_bytes(os.urandom(300))
    command = [QEMU, "-L", ROOT, compiled(folder, source), str(tmp_path / "wrong.sv2")]
    assert subprocess.run(command, capture_output=True).returncode not in (0, -11, -6)
