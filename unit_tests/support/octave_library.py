"""Many calls of the original MATLAB library in one process of GNU Octave.

A call consists of the name of a function, its arguments and the number of results. Models are
passed by name, ``"@model"``, or as calls, ``"@doubleElbow()"``, and functions as handles,
``"@(x) ..."``.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.io import loadmat, savemat

from spatial_v2 import Model, symmetric_rotor

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")

SCRIPT = """
1;
more off; warning('off', 'all');
{path}
load calls.mat
for f = fieldnames(models)'
  model = getfield(load(models.(f{{1}})), 'model');
  if any(model.has_rotor)
    [model.rotor_constraint{{1:model.NB}}] = deal(constraint);
  end
  models.(f{{1}}) = model;
end
results = cell(1, numel(calls));
for k = 1:numel(calls)
  c = calls{{k}}; args = c.args; out = cell(1, c.nargout);
  for i = 1:numel(args)
    if ischar(args{{i}}) && any(args{{i}} == '@')
      if args{{i}}(2) == '(' || exist(args{{i}}(2:end))
        args{{i}} = eval(args{{i}});
      elseif args{{i}}(end) == ')'
        args{{i}} = eval(args{{i}}(2:end));
      else
        args{{i}} = models.(args{{i}}(2:end));
      end
    end
  end
  try
    [out{{:}}] = feval(c.name, args{{:}});
    if isfield(out{{1}}, 'gamma_q')
      out{{1}} = rmfield(out{{1}}, 'gamma_q');  % a function, which no file holds
    end
    results{{k}} = struct('ok', 1, 'out', {{out}});
  catch e
    results{{k}} = struct('ok', 0, 'out', {{{{e.message}}}});
  end
end
save -v7 results.mat results
"""


class Call(NamedTuple):
    """A call of one function, made in the MATLAB library by Octave and in this one."""

    name: str
    args: tuple[Any, ...]
    nargout: int = 1
    judge: str = ""
    """Name of the comparison of results, one of ``JUDGES`` in
    `unit_tests/matlab/test_octave_library.py`.
    """


class Theirs(NamedTuple):
    """Outcome of a call in Octave: its results, or its error message."""

    out: list[Any]
    error: str


def run(
    calls: Sequence[Call], models: dict[str, Model], paths: Sequence[str], work: Path
) -> list[Theirs]:
    """Run calls in Octave; return the outcome of each in the MATLAB library."""
    for name, model in models.items():
        model.to_matlab(work / f"{name}.mat")
    given = [{"name": c.name, "args": cell(c.args), "nargout": float(c.nargout)} for c in calls]
    files = {name: f"{name}.mat" for name in models}
    data = {"calls": cell(given), "models": files, "constraint": symmetric_rotor("z")}
    savemat(work / "calls.mat", data, oned_as="column")
    path = "\n".join(f"addpath(genpath('{x}'));" for x in paths)
    (work / "run_calls.m").write_text(SCRIPT.format(path=path))
    command = [str(OCTAVE), "--no-init-file", "--quiet", "--no-gui", "--eval", "run_calls"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = loadmat(work / "results.mat", simplify_cells=False)["results"].ravel()
    return [_theirs(x) for x in found]


def cell(items: Sequence[Any]) -> np.ndarray:
    """Convert a list to a row of MATLAB cells; numbers become doubles, inner lists become cells."""
    out = np.empty((1, len(items)), dtype=object)
    for k, x in enumerate(items):
        out[0, k] = _value(x)
    return out


def _value(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return cell(x)
    if isinstance(x, (bool, int, float)):
        return float(x)
    return x


def _theirs(x: Any) -> Theirs:
    out = [plain(y) for y in x["out"][0, 0].ravel()]
    ok = bool(x["ok"][0, 0].item())
    return Theirs(out if ok else [], "" if ok else str(out[0]))


def plain(x: Any) -> Any:
    """Convert a value of a .mat file to arrays, lists (cells), dicts (structs) and text."""
    if isinstance(x, np.ndarray) and x.dtype.names:
        return {n: plain(x[n].item() if x[n].size == 1 else x[n]) for n in x.dtype.names}
    if isinstance(x, np.ndarray) and x.dtype == object:
        return [plain(y) for y in x.ravel()]
    if isinstance(x, np.ndarray) and x.dtype.kind == "U":
        return "".join(x.ravel())
    return x
