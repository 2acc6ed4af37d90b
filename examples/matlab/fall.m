% A tree of links falls for a second: forward dynamics and symplectic Euler.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
q = 0.1 * (1:7)';
qd = zeros(7, 1);
dt = 1e-3;
for k = 1:1000
  qd = qd + dt * FDab(model, q, qd, zeros(7, 1));
  q = q + dt * qd;
end
result = q;
