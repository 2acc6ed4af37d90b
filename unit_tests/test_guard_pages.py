"""No kernel reads or writes a number beyond its arrays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="mprotect")
def test_kernels_do_not_read_beyond_their_arrays() -> None:
    """This holds for every accelerated function: arguments, results, models; dense and packed,
    any batch.
    """
    code = "import sys; sys.path.insert(0, 'unit_tests'); import guarded; guarded.main()"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=1500)
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{last}: {done.stderr[-2000:]}"
    assert last == ["all"]
