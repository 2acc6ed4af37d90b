function [xdfb, qdd] = FDfb(model, xfb, q, qd, tau, f_ext)
% FDfb  Forward dynamics of a tree on a floating base.
%
%   [xdfb, qdd] = FDfb(model, xfb, q, qd, tau[, f_ext])
%
% The model is one of floatbase, or its first joint is 'Fb'. One state, by the compiled FDab.
  if nargin < 5
    error('spatial_v2:FDfb', 'FDfb: want [xdfb, qdd] = FDfb(model, xfb, q, qd, tau[, f_ext])');
  end
  if nargin < 6, f_ext = {}; end
  if sv2_is_complex(xfb, q, qd, tau)
    reason = 'want real numbers, got complex ones';
    [xdfb, qdd] = spatial_v2_original('FDfb', reason, model, xfb, q, qd, tau, f_ext);
    return
  end
  [tree, X, p, v, tau, f] = sv2_floating_base('FDfb', model, xfb, q, qd, tau, f_ext);
  a = FDab(tree, p, v, [zeros(6, 1); tau], f);
  xdfb = sv2_base_rate(X, xfb, a);
  qdd = a(7:end);
end
