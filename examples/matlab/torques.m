% Joint torques along a motion: inverse dynamics at each instant.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
times = linspace(0, 2, 500);
phase = (1:7)';
tau = zeros(7, numel(times));
for k = 1:numel(times)
  q = sin(times(k) + phase);
  qd = cos(times(k) + phase);
  tau(:, k) = ID(model, q, qd, -q);
end
result = tau(:, end);
