function [xdfb, tau] = IDfb(model, xfb, q, qd, qdd, f_ext)
% IDfb  Inverse dynamics of a tree on a floating base.
%
%   [xdfb, tau] = IDfb(model, xfb, q, qd, qdd[, f_ext])
%
% The model is one of floatbase, or its first joint is 'Fb'. One state, by the compiled HandC.
  if nargin < 5
    error('spatial_v2:IDfb', 'IDfb: want [xdfb, tau] = IDfb(model, xfb, q, qd, qdd[, f_ext])');
  end
  if nargin < 6, f_ext = {}; end
  if sv2_is_complex(xfb, q, qd, qdd)
    reason = 'want real numbers, got complex ones';
    [xdfb, tau] = spatial_v2_original('IDfb', reason, model, xfb, q, qd, qdd, f_ext);
    return
  end
  [tree, X, p, v, qdd, f] = sv2_floating_base('IDfb', model, xfb, q, qd, qdd, f_ext);
  [H, C] = HandC(tree, p, v, f);
  C = C + H(:, 7:end) * qdd;
  a = -H(1:6, 1:6) \ C(1:6);
  xdfb = sv2_base_rate(X, xfb, a);
  tau = C(7:end) + H(7:end, 1:6) * a;
end
