"""One exported library for several levels of processors, on each of them under emulation."""

import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from helpers import near

from spatial_v2 import ID, SpatialError, puma560
from spatial_v2.export import build_library, compiler, export_library, write_model
from spatial_v2.export.levels import levels_of, runs_here

X86 = platform.machine() in ("x86_64", "AMD64")
STATES = 11
PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "spatial_v2.h"

int main(int count, char **words) {
    enum { N = 6, STATES = 11 };
    sv2_model *model = NULL;
    const char *level = sv2_level();
    const int status = sv2_model_from_file(words[count - 1], &model);
    printf("%s\n%s\n", level ? level : "none", sv2_message(status));
    if (status) return status;
    double q[STATES * N], tau[STATES * N];
    for (int k = 0; k < STATES * N; k++) q[k] = 0.01 * k;
    size_t size = sv2_ID_batch_workspace(model);
    if (sv2_ID_batch(model, STATES, q, q, q, NULL, tau, malloc(size), size)) return 1;
    for (int k = 0; k < STATES * N; k++) printf("%.17g ", tau[k]);
    size = sv2_ID_workspace(model);
    if (sv2_ID(model, q, q, q, NULL, tau, malloc(size), size)) return 1;
    for (int k = 0; k < N; k++) printf("%.17g ", tau[k]);
    return 0;
}
"""
PROCESSORS = {"Haswell": "x86-64-v3", "Nehalem": "x86-64-v2", "Conroe": "none"}
"""Processors that QEMU emulates, and the best of three levels that each has. None has AVX-512."""


def test_a_name_of_levels_stands_for_the_best_first() -> None:
    assert levels_of("native") == ("native",)
    assert levels_of("x86-64-v2,x86-64-v4") == ("x86-64-v4", "x86-64-v2")
    if X86:
        assert levels_of("any") == ("x86-64-v4", "x86-64-v3", "x86-64-v2")
    with pytest.raises(SpatialError, match="level: want any, native, .*got 'z80'"):
        levels_of("z80")
    for several in ("native,x86-64-v3", "aarch64,x86-64-v3"):
        with pytest.raises(SpatialError, match="level: want one, or several of x86-64-v4"):
            levels_of(several)


def test_a_level_is_told_by_what_compilers_mean_by_it() -> None:
    """Native code needs what this processor has of all that tells levels apart."""
    for level, last in (("x86-64-v2", "popcnt"), ("x86-64-v3", "bmi2"), ("x86-64-v4", "avx512vl")):
        assert runs_here(level).endswith(f'__builtin_cpu_supports("{last}")')
    assert runs_here("native", ["sse2", "avx2", "adx"]) == '__builtin_cpu_supports("avx2")'
    assert runs_here("aarch64") == runs_here("native", []) == "1"


def program(folder: Path, level: str) -> Path:
    """Export ID for a level, and build a program with it."""
    export_library(folder, [ID], level=level)
    static = str(build_library(folder)[1])
    (folder / "program.c").write_text(PROGRAM)
    command = [*(compiler() or ()), "-O1", f"-I{folder / 'include'}", str(folder / "program.c")]
    subprocess.run([*command, static, "-lm", "-o", str(folder / "program")], check=True)
    write_model(puma560(), folder / "puma.sv2")
    return folder / "program"


def ran(path: Path, *before: str) -> tuple[str, str, np.ndarray]:
    """Run a program; return the level, what is said of the status, and numbers."""
    command = [*before, str(path), str(path.parent / "puma.sv2")]
    ended = subprocess.run(command, capture_output=True, text=True)
    level, said, *numbers = ended.stdout.split("\n")
    assert ended.returncode == (0 if said == "done" else 16), ended
    return level, said, np.array(" ".join(numbers).split(), float)


@pytest.mark.slow
@pytest.mark.skipif(not X86 or compiler() is None, reason="needs x86-64 and a C compiler")
def test_a_library_takes_the_best_level_that_the_processor_has(tmp_path: Path) -> None:
    """With none of them, or with native code of a better one, it says so and does not crash."""
    q = 0.01 * np.arange(6 * STATES).reshape(STATES, 6)
    wanted = np.append(ID(puma560(), q, q, q), ID(puma560(), q[0], q[0], q[0]))
    built = program(tmp_path / "any", "any")
    level, _, numbers = ran(built)
    assert level in levels_of("any")
    near(numbers, wanted, 1e-12)
    if not shutil.which("qemu-x86_64"):
        pytest.skip("qemu-x86_64 is not installed")
    for name, best in PROCESSORS.items():
        level, said, numbers = ran(built, "qemu-x86_64", "-cpu", name)
        assert level == best
        if best == "none":
            assert said.startswith("the processor has none of the levels")
        else:
            near(numbers, wanted, 1e-12)
    native = program(tmp_path / "native", "native")
    assert ran(native)[:2] == ("native", "done")
    if '"avx"' in (tmp_path / "native" / "src" / "levels.c").read_text():
        assert ran(native, "qemu-x86_64", "-cpu", "Nehalem")[0] == "none"
