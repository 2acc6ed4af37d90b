"""Compiled functions for MATLAB take values of any class in any place: a result, or their error."""

import shutil
from pathlib import Path

import pytest
from octave_library import OCTAVE
from test_matlab_mex import named, octave

from spatial_v2.export import build_matlab, export_matlab

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
    pytest.mark.skipif(shutil.which("mkoctfile") is None, reason="mkoctfile is not installed"),
]

CALLS = """
E = eye(6); q = [0.1; 0.2]; counts = [0 0];
model = struct('NB', 2, 'parent', [0 1], 'jtype', {{'Rz', 'Rx'}}, 'gravity', [0 0 -9.81], ...
               'Xtree', {{E, E}}, 'I', {{E, E}}, 'has_rotor', [0 1], ...
               'jtype_rotor', {{[], 'Rz'}}, 'Xrotor', {{[], E}}, 'I_rotor', {{[], E}}, ...
               'gr', {{[], 5}});
pitch = struct('pitch', {{}});
values = {[], {}, '', 'Rz', 1, -1, 0, NaN, Inf, 1e300, 1.5, 2, 1i, [0 1 2], [0; 1], 1:1000, E, ...
          eye(3), zeros(0, 3), zeros(2, 3, 2), sparse(0), sparse(eye(2)), int32([0 1]), ...
          single([0 1]), true, [true false], @sin, struct(), struct('code', 1), ...
          struct('code', {'Rz', 'Rx'}), {1}, {1, 2}, {[], []}, {{}, {}}, {'Rz', 1}, {E, 'a'}, ...
          {E, {E}}, {E, sparse(E)}, {E, 1i * E}, {E, single(E)}, {struct(), struct()}, ...
          {struct('code', 'H', 'pars', 1), 'Rz'}, {struct('code', 'H', 'pars', pitch), 'Rz'}, ...
          {struct('code', {{}}), 'Rz'}, repmat({E}, 1, 1000)};
function counts = ask(counts, varargin)
  try
    tau = ID(varargin{:});
    counts(1)++;
    if ! isa(tau, 'double') || rows(tau) != 2, disp(tau); end
  catch e
    counts(2)++;
    if ! strcmp(e.identifier, 'spatial_v2:ID') || ! strncmp(e.message, 'ID: ', 4)
      printf('%s | %s\\n', e.identifier, e.message);
    end
  end
end
warning('off', 'spatial_v2:notFinite');
counts = ask(counts, model, q, q, q);
for name = fieldnames(model)'
  counts = ask(counts, rmfield(model, name{1}), q, q, q);
  for value = values
    other = model; other.(name{1}) = value{1};
    counts = ask(counts, other, q, q, q);
  end
end
for k = 1:5
  for value = values
    given = {model, q, q, q, {}}; given{k} = value{1};
    counts = ask(counts, given{:});
  end
end
printf('%d %d\\n', counts);
"""


def test_values_of_any_class_give_a_result_or_an_error_of_the_function(tmp_path: Path) -> None:
    """Octave goes on after every one; what is not an error of `ID` would be printed."""
    export_matlab(tmp_path, [named("ID")], level="native")
    folder = build_matlab(tmp_path)
    assert folder is not None
    (last,) = octave(folder, tmp_path, CALLS)
    computed, refused = map(int, last.split())
    assert computed > 20 and refused > 500
