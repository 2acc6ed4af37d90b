function out = modID(model, q, qd, qdd, lambda)
% modID  The joint forces of the inverse dynamics, weighted by lambda and added.
%
%   out = modID(model, q, qd, qdd, lambda)
%
% States are columns, as of the compiled ID, and the result has a number for each.
  if nargin < 5
    error('spatial_v2:modID', 'modID: want out = modID(model, q, qd, qdd, lambda)');
  end
  tau = ID(model, q, qd, qdd);
  [n, states] = size(tau);
  if size(lambda, 1) ~= n && isvector(lambda), lambda = lambda(:); end
  fits = states == 1 || any(size(lambda, 2) == [1, states]);
  if ~isnumeric(lambda) || size(lambda, 1) ~= n || ~fits
    error('spatial_v2:modID', ['modID: lambda: want %dx1, or %dxN for N states, got a %s of ' ...
          '%dx%d'], n, n, class(lambda), size(lambda, 1), size(lambda, 2));
  end
  out = sum(bsxfun(@times, lambda, tau), 1);
end
