% Computed-torque control of a tree: the mass matrix and the bias force at each instant.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
q = zeros(7, 1);
qd = zeros(7, 1);
goal = 0.1 * (1:7)';
dt = 1e-2;
for k = 1:300
  [H, C] = HandC(model, q, qd);
  tau = H * (100 * (goal - q) - 20 * qd) + C;
  qd = qd + dt * (H \ (tau - C));
  q = q + dt * qd;
end
result = q;
