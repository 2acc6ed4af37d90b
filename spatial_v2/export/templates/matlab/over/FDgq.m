function qdd = FDgq(model, q, qd, tau, f_ext)
% FDgq  Forward dynamics of a model whose joints obey a constraint q = gamma(y).
%
%   qdd = FDgq(model, q, qd, tau[, f_ext])
%
% The constraint is [q, qd, G, g] = model.gamma_q(model, q, qd). One state, by the compiled HandC.
  if nargin < 4
    error('spatial_v2:FDgq', 'FDgq: want qdd = FDgq(model, q, qd, tau[, f_ext])');
  end
  if nargin < 5, f_ext = {}; end
  sv2_check_struct('FDgq', model);
  if ~isfield(model, 'gamma_q') || ~isa(model.gamma_q, 'function_handle')
    error('spatial_v2:FDgq', ['FDgq: model.gamma_q: want a function, ' ...
          '[q, qd, G, g] = gamma_q(model, q, qd)']);
  end
  [nq, nv] = sv2_joint_variables(model.jtype);
  tau = sv2_column('FDgq', 'tau', tau, nv);
  q = sv2_column('FDgq', 'q', q, nq);
  [q, qd, G, g] = model.gamma_q(model, q, sv2_column('FDgq', 'qd', qd, nv));
  g = sv2_column('FDgq', 'g of gamma_q', g, nv);
  if size(G, 1) ~= nv
    error('spatial_v2:FDgq', 'FDgq: G of gamma_q: want %d rows, got %d', nv, size(G, 1));
  end
  [H, C] = HandC(model, q, qd, f_ext);
  qdd = G * ((G.' * H * G) \ (G.' * (tau - C - H * g))) + g;
end
