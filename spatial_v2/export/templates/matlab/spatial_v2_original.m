function varargout = spatial_v2_original(name, reason, varargin)
% spatial_v2_original  What the compiled function does not take, by the function of the same name
% further on the path; without one, an error that says why.
%
%   spatial_v2_original('warn', 'on')
%
% gives a warning, once for each function, when that happens; 'off', as at first, gives none.
  persistent found warned warns
  if strcmp(name, 'warn')
    warns = strcmp(reason, 'on');
    warned = {};
    return
  end
  if isempty(found), found = struct(); end
  if ~isfield(found, name)
    here = fileparts(mfilename('fullpath'));
    restore = onCleanup(@() addpath(here));
    rmpath(here);
    there = which(name);
    if isempty(there) || strcmp(fileparts(there), here)
      error(['spatial_v2:' name], '%s: %s', name, reason);
    end
    found.(name) = str2func(name);
    clear restore
  end
  if ~isempty(warns) && warns && ~any(strcmp(warned, name))
    warned{end + 1} = name;
    warning('spatial_v2:original', '%s: %s; the original function computes this', name, reason);
  end
  [varargout{1:nargout}] = found.(name)(varargin{:});
end
