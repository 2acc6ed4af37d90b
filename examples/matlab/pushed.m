% Forward dynamics of a tree that is pushed at its last body, in base coordinates.
model = postProcessModel(autoTree(7, 1.5, pi/3, 0.95));
f_ext = cell(1, 7);
qdd = zeros(7, 1);
for k = 1:200
  f_ext{7} = [0; 0; 0; 1; 0; k / 200];
  qdd = qdd + FDab(model, sin(k * (1:7)'), zeros(7, 1), zeros(7, 1), f_ext);
end
result = qdd;
