function xdfb = sv2_base_rate(X, xfb, a)
% sv2_base_rate  The rate of the state of a floating base from its acceleration in body coordinates.
  x = xfb(:);
  w = x(8:10);
  u = x(1:4);
  turn = [-sum(w .* u(2:4)); u(1) * w + cross(w, u(2:4))] / 2;
  turn = turn + sqrt(sum(w .^ 2)) * (1 - sqrt(sum(u .^ 2))) * u / 20;
  E = X(1:3, 1:3).';
  xdfb = [turn; x(11:13) + cross(w, x(5:7)); E * a(1:3); X(4:6, 1:3).' * a(1:3) + E * a(4:6)];
end
