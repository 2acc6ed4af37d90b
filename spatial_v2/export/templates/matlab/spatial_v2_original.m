function varargout = spatial_v2_original(name, reason, varargin)
% spatial_v2_original  What the compiled function does not take, by the function of the same name
% further on the path; without one, an error that says why.
  persistent found
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
  [varargout{1:nargout}] = found.(name)(varargin{:});
end
