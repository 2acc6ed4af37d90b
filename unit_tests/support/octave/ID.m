function tau = ID(model, q, qd, qdd)
  % Inverse dynamics by the recursive Newton-Euler algorithm, Featherstone (2008), Table 5.1, with
  % rotors: a witness to what a model struct says, for the tests of .mat files under GNU Octave.
  d = rows(model.Xtree{1});
  gravity = model.gravity(:);
  if d == 6, ag = [0; 0; 0; gravity]; else, ag = [0; gravity(1:2)]; end
  tau = zeros(model.NV, 1) * q(1);
  for i = 1:model.NB
    qi = q(model.qinds{i});
    k = model.vinds{i};
    [XJ, S{i}] = joint(model.jtype{i}, qi);
    Xup{i} = XJ * model.Xtree{i};
    [v{i}, a{i}] = moved(Xup{i}, S{i}, qd(k), qdd(k));
    f{i} = forced(model.I{i}, v{i}, a{i});
    if model.has_rotor(i)
      [XJ, Sr{i}] = joint(model.jtype_rotor{i}, model.gr{i} * qi);
      Sr{i} = model.gr{i} * Sr{i};
      Xr{i} = XJ * model.Xrotor{i};
      [vr, ar] = moved(Xr{i}, Sr{i}, qd(k), qdd(k));
      fr{i} = forced(model.I_rotor{i}, vr, ar);
    end
  end
  for i = model.NB:-1:1
    k = model.vinds{i};
    tau(k) = S{i}.' * f{i};
    inward = Xup{i}.' * f{i};
    if model.has_rotor(i)
      tau(k) = tau(k) + Sr{i}.' * fr{i};
      inward = inward + Xr{i}.' * fr{i};
    end
    p = model.parent(i);
    if p > 0, f{p} = f{p} + inward; end
  end

  function [vi, ai] = moved(X, S, qdi, qddi)
    p = model.parent(i);
    if p == 0
      vi = S * qdi;
      ai = X * -ag + S * qddi;
    else
      vi = X * v{p} + S * qdi;
      ai = X * a{p} + S * qddi + motion_cross(vi) * (S * qdi);
    end
  end
end

function f = forced(I, v, a)
  f = I * a - motion_cross(v).' * (I * v);
end

function [X, S] = joint(jtype, q)
  pitch = 0;
  if isstruct(jtype), pitch = jtype.pars.pitch; jtype = jtype.code; end
  turn = 1;
  if jtype(end) == '-', turn = -1; jtype = jtype(1:end-1); end
  one = eye(6);
  switch jtype
    case {'Rx', 'Ry', 'Rz', 'R'}
      n = axis_of(jtype);
      S = turn * one(:, n);
      X = plucker(rotation(n, turn * q), zeros(3, 1));
    case {'Px', 'Py', 'Pz', 'P'}
      n = axis_of(jtype);
      S = turn * one(:, 3 + n);
      X = plucker(eye(3), turn * q * one(1:3, n));
    case 'H'
      S = turn * (one(:, 3) + pitch * one(:, 6));
      X = plucker(rotation(3, turn * q), [0; 0; turn * pitch * q]);
    case 'r'
      S = turn * [1; 0; 0];
      c = cos(q); s = turn * sin(q);
      X = [1 0 0; 0 c s; 0 -s c];
    case 'px'
      S = turn * [0; 1; 0];
      X = [1 0 0; 0 1 0; turn*q 0 1];
    case 'py'
      S = turn * [0; 0; 1];
      X = [1 0 0; -turn*q 1 0; 0 0 1];
    case 'S'
      S = one(:, 1:3);
      X = plucker(quaternion(q), zeros(3, 1));
    case 'SO3'
      S = one(:, 1:3);
      X = plucker(reshape(q, 3, 3), zeros(3, 1));
    case 'Fb'
      S = one;
      X = plucker(quaternion(q(1:4)), q(5:7));
    case 'SE3'
      S = one;
      T = reshape(q, 4, 4);
      X = plucker(T(1:3, 1:3), -T(1:3, 1:3).' * T(1:3, 4));
  end
end

function n = axis_of(jtype)
  n = 3;
  if length(jtype) > 1, n = jtype(2) - 'w'; end
end

function E = rotation(n, angle)
  u = zeros(3, 1);
  u(n) = 1;
  E = cos(angle) * eye(3) + (1 - cos(angle)) * (u * u.') - sin(angle) * cross_matrix(u);
end

function E = quaternion(q)
  q = q(:) / sqrt(q(:).' * q(:));
  u = q(2:4);
  E = (q(1)^2 - u.' * u) * eye(3) + 2 * (u * u.') - 2 * q(1) * cross_matrix(u);
end

function X = plucker(E, r)
  X = [E, zeros(3); -E * cross_matrix(r), E];
end

function K = cross_matrix(u)
  K = [0 -u(3) u(2); u(3) 0 -u(1); -u(2) u(1) 0];
end

function V = motion_cross(v)
  if length(v) == 3
    V = [0 0 0; v(3) 0 -v(1); -v(2) v(1) 0];
  else
    V = [cross_matrix(v(1:3)), zeros(3); cross_matrix(v(4:6)), cross_matrix(v(1:3))];
  end
end
