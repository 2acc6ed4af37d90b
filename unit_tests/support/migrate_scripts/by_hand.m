% a model written by hand, field by field
arm.NB = 3;
arm.parent = [0 1 1];
arm.jtype = {'Rz', 'Ry', 'Px'};
arm.gravity = [0 0 -9.81];
for i = 1:3
  arm.Xtree{i} = rotx(0.1*i) * xlt([0 0 1]);
  arm.I{i} = mcI(1, [0.5 0 0], eye(3)/12);
end
arm = postProcessModel(arm);
q = [0.1; 0.2; 0.3];
tau = ID(arm, q, 2*q, 3*q);
