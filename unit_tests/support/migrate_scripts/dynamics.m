%% Dynamics of a tree
% forces, accelerations and the mass matrix
model = autoTree(5, 1.5, pi/3, 0.95);
model = postProcessModel(model);
q   = 0.1 * (1:5)';
qd  = 0.2 * (1:5)' - 0.5;
qdd = 0.3 - 0.1 * (1:5)';

tau = ID(model, q, qd, qdd);   % inverse dynamics
[H, C] = HandC(model, q, qd);
acc = FDab(model, q, qd, tau);
err = norm(acc - qdd, Inf);
rest = H*qdd + C - tau;
energy = EnerMo(model, q, qd);
total = energy.KE + energy.PE;
[tau2, out] = ID(model, q, qd, qdd);
v3 = out.v{3};

%% Jacobians
J = BodyJacobian(model, q, 3, eye(6));
vel = J*qd;
p = model.parent(4);
if p == 0
  where = 'base';
else
  where = 'body';
end
