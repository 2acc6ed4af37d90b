"""Kernels access no memory outside of their arrays."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs mprotect")
def test_kernels_do_not_read_beyond_their_arrays() -> None:
    """No accelerated function reads or writes beyond its arguments, results and model.

    Results are dense and packed; batches have all sizes.
    """
    code = "import sys; sys.path.insert(0, 'unit_tests/support'); import guarded; guarded.main()"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=1500)
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{last}: {done.stderr[-2000:]}"
    assert last == ["all"]
