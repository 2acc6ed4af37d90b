% The rate of the mass matrix is the sum of a Coriolis matrix and its transpose.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
worst = 0;
for k = 1:100
  [C, Hdot, H] = CoriolisMatrix(model, sin(k * (1:7)'), cos(k * (1:7)'));
  worst = max(worst, norm(Hdot - C - C') / norm(H));
end
assert(worst < 1e-12);
result = C(:, 1);
