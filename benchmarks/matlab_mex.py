"""Times of MATLAB scripts in GNU Octave: with the original library, and with compiled functions in
place of its own.

Run by ``python -m benchmarks.matlab_mex``; SPATIAL_V2_MATLAB names folders of the original library.
The scripts are those in ``examples/matlab``. A time is the processor time of a script; for short
scripts it is the least of several runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import derivatives
import spatial_v2
from benchmarks import study
from benchmarks.results_file import Row
from spatial_v2.exceptions import SpatialError
from spatial_v2.export import build_matlab, export_matlab

SCRIPTS = Path(__file__).parents[1] / "examples" / "matlab"
ALONE = "many_states"
"""The script that the original library cannot run."""
NAMES = (
    "ID", "FDab", "HandC", "EnerMo", "CMM", "CoriolisMatrix", "ID_derivatives", "FD_derivatives",
    "modID_derivatives", "ID_SO_derivatives",
)  # fmt: skip
TIMED = """
1;
warning('off', 'all');
{path}
function t = seconds(name)
  t = cputime; run(name); t = cputime - t;
end
{name}  % once, before anything is timed
printf('%.17g ', result); printf('\\n');
t = Inf;
for k = 1:{repeats}, t = min(t, seconds('{file}')); end
printf('%.17g\\n', t);
"""


def timed(script: Path, folders: list[str], repeats: int) -> tuple[np.ndarray, float]:
    """Return the result and the time of a script, with folders on Octave's path, the first one in
    front.
    """
    path = "\n".join(f"addpath(genpath('{x}'));" for x in reversed([*folders, str(SCRIPTS)]))
    text = TIMED.format(path=path, name=script.stem, file=script, repeats=repeats)
    with tempfile.TemporaryDirectory() as work:
        Path(work, "timed_script.m").write_text(text)
        done = subprocess.run(
            ["octave-cli", "--no-init-file", "--quiet", "--eval", "timed_script"],
            cwd=work, capture_output=True, text=True,
        )  # fmt: skip
    if done.returncode:
        raise SpatialError(f"{script.name}: {done.stderr.strip()}")
    *_, values, seconds = done.stdout.splitlines()
    return np.array(values.split(), dtype=float), float(seconds)


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each script."""
    original = [x for x in os.environ.get("SPATIAL_V2_MATLAB", "").split(os.pathsep) if x]
    if not original or shutil.which("octave-cli") is None:
        raise SpatialError(
            "matlab_mex needs GNU Octave, and SPATIAL_V2_MATLAB with folders of MATLAB's library"
        )
    with tempfile.TemporaryDirectory() as folder:
        found = [getattr(derivatives, x, None) or getattr(spatial_v2, x) for x in NAMES]
        export_matlab(folder, found, level="native")
        compiled = [str(build_matlab(folder)), *original]
        for script in sorted(SCRIPTS.glob("*.m")):
            ours, fast = timed(script, compiled, 3 if args.fast else 15)
            if script.stem == ALONE:
                yield {"script": script.stem, "compiled_ms": 1e3 * fast}
                continue
            theirs, slow = timed(script, original, 1 if args.fast else 2)
            size = np.abs(theirs).max(initial=1.0)
            yield {
                "script": script.stem,
                "original_ms": 1e3 * slow,
                "compiled_ms": 1e3 * fast,
                "factor": slow / fast,
                "difference": float(np.abs(ours - theirs).max() / size),
            }


def main() -> None:
    study.table("matlab_mex", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
