function J = BodyJacobian(model, q, body, Xend)
% BodyJacobian  The Jacobian of a body: J*qd is Xend times its velocity in body coordinates.
%
%   J = BodyJacobian(model, q, body[, Xend])
%
% One state. By the compiled ID: unit forces on a massless body that is carried by this one, whose
% own joint has the transform from body to base coordinates as Jacobian.
  if nargin < 3
    error('spatial_v2:BodyJacobian', ...
          'BodyJacobian: want J = BodyJacobian(model, q, body[, Xend])');
  end
  sv2_check_struct('BodyJacobian', model);
  NB = numel(model.parent);
  if ~isnumeric(body) || numel(body) ~= 1 || ~any(body == 1:NB)
    error('spatial_v2:BodyJacobian', 'BodyJacobian: body: want a number from 1 to %d', NB);
  end
  d = size(model.Xtree{1}, 1);
  if nargin < 4, Xend = eye(d); end
  if ~isnumeric(Xend) || size(Xend, 2) ~= d
    error('spatial_v2:BodyJacobian', 'BodyJacobian: Xend: want %d columns, got %d', d, ...
          size(Xend, 2));
  end
  if sv2_is_complex(q)
    reason = 'want real numbers, got complex ones';
    J = spatial_v2_original('BodyJacobian', reason, model, q, body, Xend);
    return
  end
  [nq, nv] = sv2_joint_variables(model.jtype);
  q = sv2_column('BodyJacobian', 'q', q, nq);
  tree.parent = [reshape(model.parent, 1, []), body];
  tree.jtype = [reshape(model.jtype, 1, []), {'Fb'}];
  tree.Xtree = [reshape(model.Xtree, 1, []), {eye(d)}];
  tree.I = [reshape(model.I, 1, []), {zeros(d)}];
  q = [q; 1; zeros(6, 1)];
  if d == 3
    tree.parent = [tree.parent, NB + 1, NB + 2];
    tree.jtype = [tree.jtype(1:NB), {'r', 'px', 'py'}];
    tree.Xtree(NB + 2:NB + 3) = {eye(3)};
    tree.I(NB + 2:NB + 3) = {zeros(3)};
    q = [q(1:nq); 0; 0; 0];
  end
  tree.gravity = [0; 0; 0];
  f = zeros(d, numel(tree.parent), d);
  f(:, end, :) = eye(d);
  at_rest = zeros(nv + d, 1);
  J0 = 0 - ID(tree, q, at_rest, at_rest, f).';
  X = J0(:, nv + 1:end);
  if d == 6
    E = X(1:3, 1:3).';
    X0 = [E, zeros(3); X(4:6, 1:3).', E];
  else
    E = X(2:3, 2:3).';
    X0 = [1, 0, 0; -E * X(2:3, 1), E];
  end
  J = Xend * (X0 * J0(:, 1:nv));
end
