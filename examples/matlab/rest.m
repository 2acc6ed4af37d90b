% Gradient descent to a configuration that needs no torque at rest.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
q = 0.3 * ones(7, 1);
still = zeros(7, 1);
for k = 1:100
  tau = ID(model, q, still, still);
  gradient = modID_derivatives(model, q, still, still, tau);
  q = q - 1e-5 * gradient;
end
result = q;
