function [tree, X, p, v, y, f] = sv2_floating_base(name, model, xfb, q, qd, y, f_ext)
% sv2_floating_base  A tree on a floating base with one joint 'Fb', and its state.
%
% X is the transform from fixed to base coordinates, p and v are positions and velocities of all
% joints; y has a number for each velocity above the base, f the forces on the bodies of the tree.
  sv2_check_struct(name, model);
  tree = struct();
  parent = reshape(model.parent, 1, []);
  jtype = reshape(model.jtype, 1, []);
  n = 5 * ~(numel(jtype) > 0 && ischar(jtype{1}) && strcmp(jtype{1}, 'Fb'));
  right = numel(parent) > n && all(parent(1:n + 1) == 0:n) && all(parent(n + 2:end) > n);
  if right && n
    right = all(strcmp(jtype(1:6), {'Px', 'Py', 'Pz', 'Rx', 'Ry', 'Rz'}));
    for i = 1:5, right = right && ~any(model.I{i}(:)); end
  end
  rotors = [];
  if isfield(model, 'has_rotor') && any(model.has_rotor), rotors = model.has_rotor; end
  if ~right || any(rotors(1:min(n + 1, end)))
    error(['spatial_v2:' name], ['%s: model: want a floating base, as floatbase makes it, or a ' ...
          'joint ''Fb'', which carries all other bodies'], name);
  end
  tree.parent = [0, parent(n + 2:end) - n];
  tree.jtype = [{'Fb'}, jtype(n + 2:end)];
  tree.Xtree = [{eye(6)}, reshape(model.Xtree(n + 2:end), 1, [])];
  tree.I = model.I(n + 1:end);
  if isfield(model, 'gravity'), tree.gravity = model.gravity; end
  if ~isempty(rotors)
    tree.has_rotor = rotors(n + 1:end);
    for field = {'jtype_rotor', 'Xrotor', 'I_rotor', 'gr'}
      if isfield(model, field{1}), tree.(field{1}) = model.(field{1})(n + 1:end); end
    end
  end
  [nq, nv] = sv2_joint_variables(tree.jtype(2:end));
  x = sv2_column(name, 'xfb', xfb, 13);
  names = {'tau', 'qdd'};
  y = sv2_column(name, names{1 + strcmp(name, 'IDfb')}, y, nv);
  u = x(1:4) / sqrt(sum(x(1:4) .^ 2));
  w = u(2:4);
  cross_w = [0, -w(3), w(2); w(3), 0, -w(1); -w(2), w(1), 0];
  E = (2 * u(1)^2 - 1) * eye(3) + 2 * (w * w.') - 2 * u(1) * cross_w;
  r = x(5:7);
  X = [E, zeros(3); -E * [0, -r(3), r(2); r(3), 0, -r(1); -r(2), r(1), 0], E];
  p = [x(1:7); sv2_column(name, 'q', q, nq)];
  v = [X * x(8:13); sv2_column(name, 'qd', qd, nv)];
  f = f_ext;
  if iscell(f) && numel(f) > n, f = f(n + 1:end); end
  if ~iscell(f) && ~isempty(f), f = f(:, n + 1:end); end
end
