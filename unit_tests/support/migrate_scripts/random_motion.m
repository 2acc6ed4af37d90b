% the same random numbers in both languages
model = autoTree(4, 1, pi/3);
model.jtype{1} = 'Fb';
model = postProcessModel(model);
for i = 1:model.NB
  model.I{i} = inertiaVecToMat(rand(10, 1));
end
worst = 0;
for n = 1:5
  q = normalizeConfVec(model, rand(model.NQ, 1));
  qd = randn(model.NV, 1);
  [C, Hdot] = CoriolisMatrix(model, q, qd);
  worst = max(worst, norm(Hdot - C - C', Inf));
end
k = randi(10);
R = rand(2, 3);
