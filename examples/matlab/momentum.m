% Momentum about the centre of mass, by the centroidal momentum matrix.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
momentum = zeros(6, 200);
for k = 1:200
  momentum(:, k) = CMM(model, sin(k * (1:7)')) * cos(k * (1:7)');
end
result = momentum(:, end);
