function m = prepared(model)
% prepared  A model that compiled functions read faster than a struct.
%
%   m = prepared(model)
%   tau = ID(m, q, qd, qdd)
%
% m is an array with all numbers of the struct model, as it is now: later edits of model have no
% effect on m. Compiled functions take it in place of the struct; other functions do not.
  error('spatial_v2:prepared', 'prepared: is not compiled yet; call build in %s', ...
        fileparts(mfilename('fullpath')));
end
