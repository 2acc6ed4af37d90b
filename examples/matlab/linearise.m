% A linear model of the dynamics at some states: xd = A x + B u.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
for k = 1:50
  [dq, dqd, dtau] = FD_derivatives(model, sin(k * (1:7)'), zeros(7, 1), zeros(7, 1));
  A = [zeros(7), eye(7); dq, dqd];
  B = [zeros(7); dtau];
end
result = A * ones(14, 1) + B * ones(7, 1);
