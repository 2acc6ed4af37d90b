% Kinetic and potential energy, and the centre of mass, along a motion.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
energy = zeros(2, 200);
for k = 1:200
  found = EnerMo(model, sin(k * (1:7)'), cos(k * (1:7)'));
  energy(:, k) = [found.KE; found.PE];
end
result = [energy(:, end); found.cm];
