"""Runs of scripts in GNU Octave, on random numbers that Python draws, too."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2.migrate.kinds import MigrateError
from spatial_v2.migrate.names import PLOTS
from spatial_v2.migrate.parse import read, text, with_plain_ends

__all__ = ["SHADOWS", "octave"]

UNIFORM = """function u = migrate_uniform(n)
  persistent k; if isempty(k), k = 0; end
  a = mod((k + (1:n)) * 1664525 + 1013904223, 2147483648); k = k + n;
  u = (mod(a .* mod(a, 65536), 2147483647) + 0.5) / 2147483648;
end
"""


SIZED = """  a = varargin(cellfun(@isnumeric, varargin));
  if numel(a) == 0, s = [1 1]; elseif numel(a) == 1 && isscalar(a{1}), s = [a{1} a{1}];
  elseif numel(a) == 1, s = a{1}(:)'; else, s = [a{:}]; end
  n = prod(s);
"""


SHADOWS = {
    "migrate_uniform": UNIFORM,
    "rand": f"function x = rand(varargin)\n{SIZED}  x = reshape(migrate_uniform(n), s);\nend\n",
    "randn": f"function x = randn(varargin)\n{SIZED}"
    "  x = reshape(sqrt(3) * (sum(reshape(migrate_uniform(4 * n), 4, n), 1) - 2), s);\nend\n",
    "randi": f"function x = randi(h, varargin)\n{SIZED}  if numel(h) == 1, h = [1 h]; end\n"
    "  x = reshape(h(1) + floor(migrate_uniform(n) * (h(2) - h(1) + 1)), s);\nend\n",
    "randperm": "function p = randperm(n)\n  [~, p] = sort(migrate_uniform(n));\nend\n",
    "rng": "function rng(varargin)\nend\n",
    "import": "function import(varargin)\nend\n",
    "migrate_plain": "function x = migrate_plain(x)\n"
    "  if is_function_handle(x), x = 'function';\n"
    "  elseif isstruct(x) && numel(x) == 1\n"
    "    for f = fieldnames(x)', x.(f{1}) = migrate_plain(x.(f{1})); end\n"
    "  elseif iscell(x), x = cellfun(@migrate_plain, x, 'UniformOutput', false); end\nend\n",
}


DRIVER = """1; more off; warning('off', 'all');
{paths}
addpath('{work}');
try
  source('{work}/migrate_script.m');
  migrate_error = '';
catch migrate_caught
  migrate_error = migrate_caught.message;
end
migrate_all = struct();
migrate_names = who;
for migrate_k = 1:numel(migrate_names)
  migrate_name = migrate_names{{migrate_k}};
  if ~strncmp(migrate_name, 'migrate_', 8) && ~strcmp(migrate_name, 'ans')
    migrate_all.(migrate_name) = migrate_plain(eval(migrate_name));
  end
end
save('-v7', '{work}/migrate_values.mat', 'migrate_all', 'migrate_error');
"""


DRAW = """function x = {name}(varargin)
  global migrate_k; persistent d; if isempty(d), d = load('{work}/migrate_draws.mat'); end
  if isempty(migrate_k), migrate_k = 0; end
  migrate_k = migrate_k + 1; x = d.x{{migrate_k}};
  if ~strcmp(d.n{{migrate_k}}, '{name}'), error('{name} is drawn in another order'); end
end
"""
"""Octave function that replays random results of the library drawn in Python."""


def octave(
    script: Path, folders: Sequence[Path], limit: float = 120, draws: Sequence[tuple[str, Any]] = ()
) -> tuple[dict[str, Any], str]:
    """Run a script in GNU Octave; return its variables and the error that stopped it, if any.

    Library functions with random results return the recorded results `draws`, one after another.
    """
    from scipy.io import loadmat, savemat

    program = shutil.which("octave-cli") or shutil.which("octave")
    if program is None:
        raise MigrateError("--check needs GNU Octave: install the program octave-cli")
    parsed = read(script, ordered=False)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for shadow, body in SHADOWS.items():
            (work / f"{shadow}.m").write_text(body, "utf-8")
        names = np.array([n for n, _ in draws] + [""], dtype=object)
        values_ = np.array([x for _, x in draws] + [np.zeros(0), {}], dtype=object)[:-1]
        savemat(work / "migrate_draws.mat", {"n": names, "x": values_}, oned_as="column")
        for drawn in {n for n, _ in draws}:
            (work / f"{drawn}.m").write_text(DRAW.format(name=drawn, work=work), "utf-8")
        for plot in PLOTS:
            (work / f"{plot}.m").write_text(
                f"function varargout = {plot}(varargin)\n varargout = cell(1, nargout);\nend\n",
                "utf-8",
            )
        for f in parsed.functions.values():
            (work / f"{f.name}.m").write_text(text(f.node) + "\n", "utf-8")
        source = script.read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        source = with_plain_ends(source.decode("utf-8", errors="replace").encode())
        for f in reversed(parsed.functions.values()):
            source = source[: f.node.start_byte] + source[f.node.end_byte :]
        (work / "migrate_script.m").write_bytes(b"1;\n" + source)
        paths = "\n".join(f"addpath(genpath('{x.resolve()}'));" for x in folders)
        driver = DRIVER.format(work=work, paths=paths)
        (work / "migrate_driver.m").write_text(driver, "utf-8")
        try:
            done = subprocess.run(
                [program, "--no-init-file", "--quiet", "--no-gui", str(work / "migrate_driver.m")],
                cwd=script.resolve().parent,
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
                errors="replace",
            )
        except subprocess.TimeoutExpired:
            raise MigrateError(f"{script}: Octave has not finished after {limit:g} s") from None
        if not (work / "migrate_values.mat").exists():
            raise MigrateError(f"{script}: Octave gave no values: {done.stderr.strip()[-200:]}")
        found = loadmat(work / "migrate_values.mat")
        values = found["migrate_all"]
        error = "".join(found["migrate_error"].ravel())
        return {n: values[n][0, 0] for n in values.dtype.names or ()}, error
