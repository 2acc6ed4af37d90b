function [a, b, c] = fbkin(x, y, z)
% fbkin  Joint variables of the six joints of a floating base from its pose and velocity, and back.
%
%   p = fbkin(q), x = fbkin(q, qd), [x, xd] = fbkin(q, qd, qdd)
%   q = fbkin(p), [q, qd] = fbkin(x), [q, qd, qdd] = fbkin(x, xd)
%
% q: positions of the joints Px, Py, Pz, Rx, Ry, Rz. p: quaternion and position of the base; x has
% its spatial velocity in fixed coordinates too.
  if nargin < 1, error('spatial_v2:fbkin', 'fbkin: want q, p or x'); end
  if any(numel(x) == [7, 13])
    if nargin > 2
      error('spatial_v2:fbkin', 'fbkin: want (q, qd, qdd), (p) or (x, xd), got three for x');
    end
    x = sv2_column('fbkin', 'x', x, numel(x));
    if nargout > 1 && numel(x) == 7
      error('spatial_v2:fbkin', 'fbkin: velocities want x of 13x1, got 7x1');
    elseif nargout > 2 && nargin < 2
      error('spatial_v2:fbkin', 'fbkin: accelerations want xd, as [q, qd, qdd] = fbkin(x, xd)');
    end
    u = x(1:4) / sqrt(sum(x(1:4) .^ 2));
    t = angles_of(u);
    a = [x(5:7); t];
    if nargout < 2, return, end
    w = x(8:10);
    rd = x(11:13) + cross(w, x(5:7));
    b = [rd; rates_of(t, w)];
    if nargout < 3, return, end
    y = sv2_column('fbkin', 'xd', y, 13);
    wd = y(8:10);
    c = [y(11:13) - cross(rd, w) - cross(x(5:7), wd); rates_of(t, wd - bend(t, b(4:6)) * b(4:6))];
    return
  end
  x = sv2_column('fbkin', 'q', x, 6);
  if nargout > 2 || (nargout > 1 && nargin < 3)
    error('spatial_v2:fbkin', ['fbkin: want p = fbkin(q), x = fbkin(q, qd) or ' ...
          '[x, xd] = fbkin(q, qd, qdd)']);
  end
  [u, r] = deal(quaternion(x(4:6)), x(1:3));
  a = [u; r];
  if nargin < 2, return, end
  y = sv2_column('fbkin', 'qd', y, 6);
  S = subspace(x(4:6));
  w = S * y(4:6);
  a = [a; w; y(1:3) + cross(r, w)];
  if nargout < 2, return, end
  z = sv2_column('fbkin', 'qdd', z, 6);
  wd = S * z(4:6) + bend(x(4:6), y(4:6)) * y(4:6);
  turn = [-sum(w .* u(2:4)); u(1) * w + cross(w, u(2:4))] / 2;
  turn = turn + sqrt(sum(w .^ 2)) * (1 - sqrt(sum(u .^ 2))) * u / 20;
  b = [turn; y(1:3); wd; z(1:3) + cross(y(1:3), w) + cross(r, wd)];
end

function S = subspace(t)
  S = [1, 0, sin(t(2)); 0, cos(t(1)), -sin(t(1)) * cos(t(2)); 0, sin(t(1)), cos(t(1)) * cos(t(2))];
end

function D = bend(t, td) % the rate of the matrix of subspace
  s = sin(t);
  c = cos(t);
  D = [0, 0, c(2) * td(2); ...
       0, -s(1) * td(1), -c(1) * c(2) * td(1) + s(1) * s(2) * td(2); ...
       0, c(1) * td(1), -s(1) * c(2) * td(1) - c(1) * s(2) * td(2)];
end

function td = rates_of(t, w)
  yaw = (cos(t(1)) * w(3) - sin(t(1)) * w(2)) / cos(t(2));
  td = [w(1) - sin(t(2)) * yaw; cos(t(1)) * w(2) + sin(t(1)) * w(3); yaw];
end

function u = quaternion(t) % of rotations about x, y and z, with a positive first entry
  s = sin(t / 2);
  c = cos(t / 2);
  xy = [c(1) * c(2); s(1) * c(2); c(1) * s(2); s(1) * s(2)];
  u = [c(3) * xy(1) - s(3) * xy(4); c(3) * xy(2) + s(3) * xy(3); ...
       c(3) * xy(3) - s(3) * xy(2); c(3) * xy(4) + s(3) * xy(1)];
  [~, k] = max(abs(real(u)));
  if real(u(1)) < 0 || (real(u(1)) == 0 && real(u(k)) < 0), u = -u; end
end

function t = angles_of(u) % of the rotation E = rz(t3)*ry(t2)*rx(t1) of a unit quaternion
  e = @(i, j) 2 * u(i) * u(j);
  E = [e(1, 1) + e(2, 2) - 1, e(2, 3) + e(1, 4), e(2, 4) - e(1, 3); ...
       e(2, 3) - e(1, 4), e(1, 1) + e(3, 3) - 1, e(3, 4) + e(1, 2); ...
       e(2, 4) + e(1, 3), e(3, 4) - e(1, 2), e(1, 1) + e(4, 4) - 1];
  second = angle_of(E(3, 1), sqrt(E(1, 1)^2 + E(2, 1)^2));
  third = angle_of(-E(2, 1), E(1, 1));
  if real(E(3, 1)) > 0
    first = angle_of(E(2, 3) + E(1, 2), E(2, 2) - E(1, 3)) - third;
  else
    first = angle_of(E(2, 3) - E(1, 2), E(2, 2) + E(1, 3)) + third;
  end
  t = [angle_of(sin(first), cos(first)); second; third];
end

function t = angle_of(y, x) % atan2, also of complex numbers near real ones
  t = atan2(real(y), real(x));
  if ~(isreal(y) && isreal(x))
    t = t + atan((y * cos(t) - x * sin(t)) / (x * cos(t) + y * sin(t)));
  end
end
