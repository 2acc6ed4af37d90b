% Second derivatives of the joint torques, and the first ones along a step.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
qd = 0.2 * (7:-1:1)';
step = 1e-3 * cos(1:7)';
for i = 1:10
  q = sin(i * (1:7)');
  second = ID_SO_derivatives(model, q, qd, 0 * q);
  before = ID_derivatives(model, q, qd, 0 * q);
  predicted = before;
  for k = 1:7
    predicted = predicted + second.d2tau_dq(:, :, k) * step(k);
  end
  after = ID_derivatives(model, q + step, qd, 0 * q);
  assert(norm(predicted - after) < 0.05 * norm(before - after));
end
result = predicted(:, 2);
